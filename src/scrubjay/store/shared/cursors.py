"""The order of a listing, and the cursor between two pages of it: where the page before ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scrubjay.errors import BadInput
from scrubjay.types.units import StoredUnit
from scrubjay.types.views import Page

# Rows are 32-bit numbers in the links; times are microseconds.
_ROW_MAX = 2**31 - 1
_KEY_MAX = 2**63 - 1
# The row alone where units are in its order; else the key that the order is by, and the row.
_CURSOR = re.compile(r"(?:k(-?[0-9]{1,19})\.)?([0-9]{1,10})")


class Order(NamedTuple):
    """What units are put in order by, ties by row; with `sign` -1 the latest come first."""

    by: str  # "row", "told" or "occurred": when it happened, or else was told
    sign: int

    @classmethod
    def of(cls, name: str) -> Order:
        """The order that a caller named."""
        if name in ("oldest", "newest"):
            return cls("row", 1 if name == "oldest" else -1)
        return cls(name.removeprefix("-"), -1 if name.startswith("-") else 1)


class Position(NamedTuple):
    """Where a page ended: what the last unit was put in order by, with its sign, and its row."""

    key: int
    row: int


def position_of(cursor: str | None) -> Position | None:
    """What a cursor says; BadInput if it is none of ours."""
    if cursor is None:
        return None
    said = _CURSOR.fullmatch(cursor)
    if said is None:
        raise BadInput("unknown cursor", cursor, "Pass the cursor of the page before, unchanged.")
    key = max(-_KEY_MAX, min(int(said[1] or said[2]), _KEY_MAX))
    return Position(key, min(int(said[2]), _ROW_MAX))


def page_of(
    found: Sequence[Position], limit: int, units: Mapping[int, StoredUnit], total: int
) -> Page:
    """A page of up to `limit` rows; one row more was asked for, to know whether there is one."""
    shown = found[:limit]
    listed = tuple(units[row] for _, row in shown if row in units)
    cursor = None
    if len(found) > limit:
        key, row = shown[-1]
        cursor = str(row) if key == row else f"k{key}.{row}"
    return Page(listed, cursor, total)
