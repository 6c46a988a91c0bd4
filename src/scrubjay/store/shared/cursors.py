"""The cursor between two pages of a listing: the last row of the page before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubjay.errors import BadInput
from scrubjay.types import Page, StoredUnit

# Rows are 32-bit numbers in the links.
_ROW_MAX = 2**31 - 1


def row_of(cursor: str | None) -> int:
    """The row after which a page begins; BadInput if it is no cursor of ours."""
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= 10):
        raise BadInput("unknown cursor", cursor, "Pass the cursor of the page before, unchanged.")
    return min(int(cursor), _ROW_MAX)


def page_of(rows: Sequence[int], limit: int, units: Mapping[int, StoredUnit]) -> Page:
    """A page of up to `limit` rows; one row more was asked for, to know whether there is one."""
    shown = rows[:limit]
    listed = tuple(units[row] for row in shown if row in units)
    return Page(listed, str(shown[-1]) if len(rows) > limit else None)
