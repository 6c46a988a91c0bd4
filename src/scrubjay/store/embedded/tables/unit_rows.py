"""Of a unit's columns, those that the index in memory has, and those a checksum guards."""

from __future__ import annotations

import zlib
from operator import attrgetter

from scrubjay.store.shared.unit_rows import UnitRow

# What `ColumnTable` keeps of every unit, in its order.
INDEXED = (
    "row", "type", "told_at", "occurred_start", "occurred_end", "valid_from", "valid_to",
    "closed_at", "session", "tokens", "speaker",
)  # fmt: skip
ColumnRow = tuple[
    int, int, int, int | None, int | None, int | None, int | None, int | None, int | None, int,
    str | None,
]  # fmt: skip

# What was told and never changes. Rows on disk have checksums of these, in this order: a new
# column cannot join them.
DIGESTED = (
    "id", "type", "told_at", "created_at", "occurred_start", "occurred_end", "session", "tokens",
    "length", "identity", "key", "speaker", "predicate", "context", "tags", "metadata", "document",
    "document_start", "document_end", "text",
)  # fmt: skip

_indexed = attrgetter(*INDEXED)
_digested = attrgetter(*DIGESTED)


def column_row(unit: UnitRow[str]) -> ColumnRow:
    """A unit as the index takes it."""
    columns: ColumnRow = _indexed(unit)
    return columns


def digest_of(told: tuple[object, ...]) -> int:
    """A checksum of what never changes in a row."""
    return zlib.crc32(repr(told).encode("utf-8", "backslashreplace"))


def digest_of_row(unit: UnitRow[str]) -> int:
    """The same of a row about to be written."""
    return digest_of(_digested(unit))
