"""Units as rows: reading them back whole, finding them by what they carry."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrubjay.store.base import Known
from scrubjay.store.postgres.scoping import SQL, json_object
from scrubjay.store.postgres.tables.asking import Ask, storable
from scrubjay.store.times import from_micros, maybe_micros, maybe_moment
from scrubjay.types import Source, StoredUnit, UnitFilter, UnitId


def hydrate(ask: Ask, rows: Iterable[int], types: Sequence[str]) -> dict[int, StoredUnit]:
    """Whole units by row; rows that are gone are left out."""
    wanted = list(rows)
    if not wanted:
        return {}
    return {row[0]: _unit(row, types[row[2]]) for row in ask(SQL["hydrate"], wanted)}


def _unit(row: Sequence[Any], type_name: str) -> StoredUnit:
    tags, metadata, document, start, end = (row[place] for place in range(15, 20))
    source = None
    if document is not None and start is not None and end is not None:
        source = Source(document, start, end)
    return StoredUnit(
        id=UnitId(row[1]),
        text=row[23],
        type=type_name,
        told_at=from_micros(row[3]),
        created_at=from_micros(row[4]),
        occurred_start=maybe_moment(row[5]),
        occurred_end=maybe_moment(row[6]),
        valid_from=maybe_moment(row[7]),
        valid_to=maybe_moment(row[8]),
        closed_at=maybe_moment(row[24]),
        session=row[9],
        tokens=row[10],
        key=row[11],
        speaker=row[12],
        predicate=row[13],
        context=row[14],
        tags=() if tags is None else tuple(tags),
        metadata={} if metadata is None else json.loads(metadata),
        source=source,
        supersedes=None if row[20] is None else UnitId(row[20]),
        superseded_by=None if row[21] is None else UnitId(row[21]),
        entities=tuple(row[22]),
    )


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


def matching(
    ask: Ask,
    where: UnitFilter,
    *,
    type_codes: Mapping[str, int],
    entities: Sequence[int] | None,
    after: int,
    limit: int,
) -> list[tuple[int, UnitId]]:
    """Rows and ids that pass a filter, in the order they were told to us."""
    told, occurred = where.told, where.occurred
    return ask(
        SQL["matching_units"],
        after,
        storable(where.ids) if where.ids else None,
        [type_codes[name] for name in where.types] or None,
        sorted(set(where.tags)) or None,
        json_object(where.metadata) if where.metadata else None,
        where.session,
        where.speaker,
        where.key,
        None if entities is None else list(entities),
        maybe_micros(told.start) if told else None,
        maybe_micros(told.end) if told else None,
        maybe_micros(occurred.start) if occurred else None,
        maybe_micros(occurred.end) if occurred else None,
        limit,
    )
