"""Units as rows: reading them back whole, finding them by what they carry."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from scrubjay.store.base import Known
from scrubjay.store.embedded.connection.faults import decoded
from scrubjay.store.embedded.tables.entity_table import names_of
from scrubjay.store.embedded.tables.packing import unpack_entities
from scrubjay.store.embedded.tables.sql import SQL, json_list
from scrubjay.store.shared.times import maybe_micros
from scrubjay.store.shared.unit_rows import UnitReader, json_object
from scrubjay.types import StoredUnit, UnitFilter, UnitId


def hydrate(
    connection: sqlite3.Connection, rows: Iterable[int], types: Sequence[str]
) -> dict[int, StoredUnit]:
    """Whole units by row; rows that are gone are left out."""
    found = connection.execute(SQL["hydrate"], (json_list(rows),)).fetchall()
    with decoded():
        entities = {row: unpack_entities(packed) for row, packed, *_ in found}
        names = names_of(connection, {entity for ids in entities.values() for entity in ids})
        reader = UnitReader[str](types, lambda packed: tuple(json.loads(packed)))
        return {
            row: reader.unit(shown, session, tuple([names[entity] for entity in entities[row]]))
            for row, _, session, *shown in found
        }


def find_known(
    connection: sqlite3.Connection, identities: Sequence[int], keys: Sequence[str]
) -> list[Known]:
    """Units with one of these contents or keys."""
    found = connection.execute(SQL["known_by_identity"], (json_list(identities),)).fetchall()
    if keys:
        found += connection.execute(SQL["known_by_key"], (json_list(keys),)).fetchall()
    return [Known(UnitId(i), row, identity, key) for i, row, identity, key in found]


def rows_of_ids(connection: sqlite3.Connection, ids: Sequence[str]) -> dict[str, int]:
    """The rows of the ids the bank knows."""
    return dict(connection.execute(SQL["rows_of_ids"], (json_list(ids),)).fetchall())


def ids_of_rows(connection: sqlite3.Connection, rows: Iterable[int]) -> dict[int, UnitId]:
    """The ids of rows."""
    return dict(connection.execute(SQL["ids_of_rows"], (json_list(rows),)).fetchall())


def matching(
    connection: sqlite3.Connection,
    where: UnitFilter,
    *,
    type_codes: Mapping[str, int],
    entities: Sequence[int] | None,
    after: int,
    limit: int,
) -> list[tuple[int, UnitId]]:
    """Rows and ids that pass a filter, in the order they were told to us."""

    def listed(values: Sequence[object]) -> str | None:
        return json_list(values) if values else None

    told, occurred = where.told, where.occurred
    return connection.execute(
        SQL["matching_units"],
        {
            "after": after,
            "limit": limit,
            "ids": listed(where.ids),
            "types": listed([type_codes[name] for name in where.types]),
            "tags": listed(where.tags),
            "metadata": json_object(where.metadata) if where.metadata else None,
            "session": where.session,
            "speaker": where.speaker,
            "key": where.key,
            "entity": None if entities is None else json_list(entities),
            "told_from": maybe_micros(told.start) if told else None,
            "told_to": maybe_micros(told.end) if told else None,
            "occurred_from": maybe_micros(occurred.start) if occurred else None,
            "occurred_to": maybe_micros(occurred.end) if occurred else None,
        },
    ).fetchall()
