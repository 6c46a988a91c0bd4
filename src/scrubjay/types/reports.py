"""What is known of a whole bank: its identity, counts, sizes, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class BankInfo:
    """A bank's identity card."""

    name: str
    created_at: datetime
    encoder: str | None  # None: no vectors yet
    units: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` found wrong, and whether it was repaired."""

    check: str
    detail: str
    fixed: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What was wrong with the few units of a bank that were compared with what finds them."""

    at: datetime
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts and sizes of one bank."""

    bank: str
    units: int
    by_type: Mapping[str, int]
    entities: int
    relations: int
    sessions: int
    links: int
    vectors: int
    terms: int
    encoder: str | None
    disk_bytes: int
    oldest_told_at: datetime | None
    newest_told_at: datetime | None
    pending: int = 0  # units that wait to be approved, counted nowhere else
    last_look: Look | None = None  # None: not yet, or `doctor` mended the bank since
    told_bytes: int = 0  # of the units' texts and fields as told, which `bytes_max` bounds
