"""What a bank's file notes about itself: which bank it is, and whose vectors it holds."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from scrubjay.errors import StoreDamaged
from scrubjay.store.base import EncoderPin
from scrubjay.store.embedded.tables.sql import SQL
from scrubjay.store.shared import pins

_IDENTITY = re.compile(r"(\d{8,}) (.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a bank is: its name, and the number of its folder."""

    name: str
    number: int

    def __str__(self) -> str:
        return f"bank {self.name!r}, number {self.number}"


def read_identity(connection: sqlite3.Connection, location: object) -> Identity | None:
    """Who a bank's file says it is; None in one made before files said so."""
    found = connection.execute(SQL["get_meta"], ("identity",)).fetchone()
    if found is None:
        return None
    parts = _IDENTITY.fullmatch(found[0])
    if parts is None:
        raise StoreDamaged(
            f"{location} says that it is bank {found[0]!r}, which no bank is. "
            "Restore it with `scrubjay restore`."
        )
    return Identity(parts[2], int(parts[1]))


def write_identity(connection: sqlite3.Connection, identity: Identity) -> None:
    """Let a bank's file say who it is."""
    value = f"{folder_name(identity.number)} {identity.name}"
    connection.execute(SQL["set_meta"], ("identity", value))


def folder_name(number: int) -> str:
    """What the folder of a bank is called."""
    return f"{number:08d}"


def read_pin(found: tuple[str] | None) -> EncoderPin | None:
    """The encoder pin a bank stored."""
    if found is None:
        return None
    with readable_notes("The bank"):
        return pins.read_pin(found[0])


@contextmanager
def readable_notes(location: object) -> Iterator[None]:
    """Say that what a bank notes about itself is spoiled, when it does not read as it must."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise StoreDamaged(
            f"{location} notes about itself what cannot be read ({error}). Restore it with "
            "`scrubjay restore`."
        ) from error
