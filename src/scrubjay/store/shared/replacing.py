"""Updates of units: which rows are given up, and which rows they move to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scrubjay.errors import BadInput, NotFound
from scrubjay.store.base import PreparedUnit
from scrubjay.types.values import UnitId

RowsOf = Callable[[Sequence[str]], Mapping[str, int]]


class Move(NamedTuple):
    """An updated unit on its way to a new row, and what does not come along (`anew`)."""

    row: int
    unit: UnitId
    anew: frozenset[str]


def not_found(what: str, value: object) -> NotFound:
    """The error for a name or id this bank does not have."""
    return NotFound(f"no such {what} in this bank", value, "List what there is, then use its id.")


def existing_rows(ids: Sequence[UnitId], rows_of: RowsOf) -> dict[UnitId, int]:
    """The rows of some units, in their order; NotFound if one is not there."""
    rows = rows_of(ids) if ids else {}
    for unit in ids:
        if unit not in rows:
            raise not_found("unit", unit)
    return {unit: rows[unit] for unit in ids}


def rows_to_replace(batch: Sequence[PreparedUnit], rows_of: RowsOf) -> dict[UnitId, int]:
    """The rows of the units that a batch updates."""
    ids = [prepared.replaces for prepared in batch if prepared.replaces is not None]
    if len(set(ids)) < len(ids):
        raise BadInput("one unit is updated twice in a batch", ids, "Keep the last of them.")
    return existing_rows(ids, rows_of)


def moves_of(
    batch: Sequence[PreparedUnit], old_rows: Mapping[UnitId, int], first_row: int
) -> dict[int, Move]:
    """By old row, where each updated unit goes when the batch is saved from `first_row` on."""
    return {
        old_rows[prepared.replaces]: Move(first_row + offset, prepared.replaces, prepared.anew)
        for offset, prepared in enumerate(batch)
        if prepared.replaces is not None
    }
