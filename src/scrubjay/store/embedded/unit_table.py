"""Units as rows: reading them back whole, finding them by what they carry."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from scrubjay.store.base import Known
from scrubjay.store.embedded.database_errors import decoded
from scrubjay.store.embedded.entity_table import json_list, names_of
from scrubjay.store.embedded.packing import unpack_entities
from scrubjay.store.statements import statements
from scrubjay.store.times import from_micros, maybe_micros
from scrubjay.types import Source, StoredUnit, UnitFilter, UnitId

SQL = statements("scrubjay.store.embedded", "queries.sql")

# What the `hydrate` statement returns.
_Row = tuple[
    int, str, int, int, int, int | None, int | None, int | None, int | None, str | None, int,
    str | None, str | None, str | None, str | None, str | None, str | None,
    str | None, int | None, int | None, str | None, str | None, bytes | None, str, int | None,
]  # fmt: skip


def hydrate(
    connection: sqlite3.Connection, rows: Iterable[int], types: Sequence[str]
) -> dict[int, StoredUnit]:
    """Whole units by row; rows that are gone are left out."""
    found: list[_Row] = connection.execute(SQL["hydrate"], (json_list(rows),)).fetchall()
    with decoded():
        entities = {row[0]: unpack_entities(row[22]) for row in found}
        names = names_of(connection, {entity for ids in entities.values() for entity in ids})
        moments = _Moments()
        return {
            row[0]: _unit(
                row, types[row[2]], tuple([names[entity] for entity in entities[row[0]]]), moments
            )
            for row in found
        }


class _Moments(dict[int, datetime]):
    """Stored times as times; the units of one answer share many."""

    def __missing__(self, number: int) -> datetime:
        moment = self[number] = from_micros(number)
        return moment


def _unit(row: _Row, type_name: str, entities: tuple[str, ...], at: _Moments) -> StoredUnit:
    tags, metadata, document, start, end = row[15:20]
    source = None
    if document is not None and start is not None and end is not None:
        source = Source(document, start, end)
    return StoredUnit(
        id=UnitId(row[1]),
        text=row[23],
        type=type_name,
        told_at=at[row[3]],
        created_at=at[row[4]],
        occurred_start=None if row[5] is None else at[row[5]],
        occurred_end=None if row[6] is None else at[row[6]],
        valid_from=None if row[7] is None else at[row[7]],
        valid_to=None if row[8] is None else at[row[8]],
        closed_at=None if row[24] is None else at[row[24]],
        session=row[9],
        tokens=row[10],
        key=row[11],
        speaker=row[12],
        predicate=row[13],
        context=row[14],
        tags=() if tags is None else tuple(json.loads(tags)),
        metadata={} if metadata is None else json.loads(metadata),
        source=source,
        supersedes=None if row[20] is None else UnitId(row[20]),
        superseded_by=None if row[21] is None else UnitId(row[21]),
        entities=entities,
    )


def digest_of(told: tuple[object, ...]) -> int:
    """A checksum of what never changes in a row, in the order of `units_to_verify`."""
    return zlib.crc32(repr(told).encode("utf-8", "backslashreplace"))


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


def json_object(metadata: Mapping[str, object]) -> str:
    """Metadata as the rows keep it: sorted, so that equal objects are equal text."""
    return json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True)


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
