"""What follows a unit: its own new row, or the unit that takes over from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from scrubjay.types.values import UnitId


@dataclass(frozen=True, slots=True)
class Lineage:
    """What a unit that is copied brings along from the bank it comes from."""

    created_at: datetime
    supersedes: UnitId | None
    superseded_by: UnitId | None


@dataclass(frozen=True, slots=True)
class Closing:
    """That a unit takes over from another at a moment; a store keeps it with what it saves along.

    The old unit ends `at`, and the new one begins then, unless it says when it began.
    """

    old: UnitId
    new: UnitId | None  # None: the first unit of the batch that is saved along
    at: datetime
    told_at: datetime  # before it was told, nobody knew that the old unit would end
    begins: bool = True  # False: the new unit begins when it says, or never did
