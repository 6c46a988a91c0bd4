"""Units as rows: reading them back whole, finding them by what they carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from scrubjay.store.base import Known
from scrubjay.store.postgres.tables.asking import Ask, storable
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.times import maybe_micros
from scrubjay.store.shared.unit_rows import UnitReader, json_object
from scrubjay.types.arrays import RowArray
from scrubjay.types.filters import UnitFilter
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import UnitId

# Told which encoder the bank has, as it is written down, at the moment units are read.
Pinned = Callable[[str | None], None]


def _untold(_: str | None) -> None:
    """Nobody wants to know."""


def hydrate(
    ask: Ask, rows: Iterable[int], types: Sequence[str], pinned: Pinned = _untold
) -> dict[int, StoredUnit]:
    """Whole units by row; rows that are gone are left out."""
    wanted = list(rows)
    found = ask(SQL["hydrate"], wanted) if wanted else []
    if found:
        pinned(found[0][1])
    reader = UnitReader[list[str]](types, tuple)
    return {
        row: reader.unit(shown, session, tuple(entities))
        for row, _, entities, session, *shown in found
    }


def hydrate_linked(
    ask: Ask, rows: Iterable[int], types: Sequence[str], pinned: Pinned
) -> tuple[dict[int, StoredUnit], list[tuple[int, bytes]]]:
    """Whole units by row, and the packed edges of those that have any; one round trip."""
    found = sorted(ask(SQL["hydrate_linked"], list(rows)), key=itemgetter(0))
    if found:
        pinned(found[0][2])
    reader = UnitReader[list[str]](types, tuple)
    units = {
        row: reader.unit(shown, session, tuple(entities))
        for row, _, _, entities, session, *shown in found
    }
    return units, [(row, packed) for row, packed, *_ in found if packed is not None]


def find_known(ask: Ask, identities: Sequence[int], keys: Sequence[str]) -> list[Known]:
    """Units with one of these contents or keys."""
    found = ask(SQL["known"], list(identities), storable(keys))
    return [Known(UnitId(i), row, identity, key) for i, row, identity, key in found]


def rows_of_ids(ask: Ask, ids: Sequence[str]) -> dict[str, int]:
    """The rows of the ids the bank knows."""
    return dict(ask(SQL["rows_of_ids"], storable(ids)))


def ids_of_rows(ask: Ask, rows: Iterable[int]) -> dict[int, UnitId]:
    """The ids of rows."""
    return dict(ask(SQL["ids_of_rows"], list(rows)))


def filter_values(
    where: UnitFilter, type_codes: Sequence[int], entities: Sequence[int] | None,
    among: RowArray | None,
) -> tuple[object, ...]:  # fmt: skip
    """$2 to $19 of the statements with a filter; None where it sets no limit."""
    told, occurred = where.told, where.occurred
    return (
        storable(where.ids) if where.ids else None,
        list(type_codes) or None,
        sorted(set(where.tags)) or None,
        json_object(where.metadata) if where.metadata else None,
        where.session,
        where.speaker,
        where.key,
        None if entities is None else list(entities),
        where.entity_id,
        maybe_micros(told.start) if told else None,
        maybe_micros(told.end) if told else None,
        maybe_micros(occurred.start) if occurred else None,
        maybe_micros(occurred.end) if occurred else None,
        maybe_micros(where.as_of),
        maybe_micros(where.known_at),
        None if among is None else among.tolist(),
        where.author,
        where.origin,
    )
