"""Units as rows: reading them back whole, finding them by what they carry."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from scrubjay.store.base import Known
from scrubjay.store.embedded.connection.faults import decoded
from scrubjay.store.embedded.tables.entity_table import find_aliases, names_of
from scrubjay.store.embedded.tables.packing import unpack_entities
from scrubjay.store.embedded.tables.sql import SQL, int_list, json_list
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.store.shared.unit_rows import UnitReader
from scrubjay.types.arrays import RowArray
from scrubjay.types.filters import UnitFilter
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import UnitId


def hydrate(
    connection: sqlite3.Connection, rows: Iterable[int], types: Sequence[str]
) -> dict[int, StoredUnit]:
    """Whole units by row; rows that are gone are left out."""
    found = connection.execute(SQL["hydrate"], (int_list(rows),)).fetchall()
    with decoded():
        # Units of one answer often name the same.
        entities = {packed: unpack_entities(packed) for packed in {one[1] for one in found}}
        names = names_of(connection, {entity for ids in entities.values() for entity in ids})
        named = {packed: tuple([names[one] for one in ids]) for packed, ids in entities.items()}
        # Its type is not said in the call, which would make the alias anew each time.
        reader: UnitReader[str] = UnitReader(types, lambda packed: tuple(json.loads(packed)))
        return {one[0]: reader.unit(one[3:], one[2], named[one[1]]) for one in found}


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
    return dict(connection.execute(SQL["ids_of_rows"], (int_list(rows),)).fetchall())


def named_rows(connection: sqlite3.Connection, where: UnitFilter) -> Iterator[RowArray]:
    """The rows of each thing that a filter names and an index knows, ascending."""

    def rows(name: str, *values: object) -> RowArray:
        found = connection.execute(SQL[name], values).fetchall()
        return distinct(np.array(found, np.int64).reshape(-1))

    if where.ids:
        yield distinct(np.array([*rows_of_ids(connection, where.ids).values()], np.int64))
    if where.key is not None:
        yield rows("row_of_key", where.key)
    if where.author is not None:
        yield rows("rows_by_author", where.author)
    if where.origin is not None:
        yield rows("rows_from_origin", where.origin)
    if isinstance(where.entity, str):
        entities = [match.entity for match in find_aliases(connection, [where.entity])]
        yield rows("mentioning_rows", json_list(entities))
    if where.entity_id is not None:
        yield rows("mentioning_rows", json_list([where.entity_id]))
