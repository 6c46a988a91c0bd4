"""Writes a batch of prepared units into the rows, inside the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NewMention, PreparedUnit
from scrubjay.store.embedded.tables.dictionary import Dictionary, Numbered
from scrubjay.store.embedded.tables.entity_table import (
    aliases_of,
    insert_entity,
    put_aliases,
    put_relation,
)
from scrubjay.store.embedded.tables.link_table import LinkTable
from scrubjay.store.embedded.tables.packing import pack_entities, pack_postings
from scrubjay.store.embedded.tables.sql import SQL
from scrubjay.store.embedded.tables.unit_rows import ColumnRow, column_row, digest_of_row
from scrubjay.store.shared import saving
from scrubjay.store.shared.late_bytes import checked
from scrubjay.store.shared.unit_rows import Carried
from scrubjay.types.graph import Relation
from scrubjay.types.values import EntityId, UnitId


@dataclass(slots=True)
class Saved:
    """What was written, for the indexes in memory."""

    rows: list[int] = field(default_factory=list)
    ids: list[UnitId] = field(default_factory=list)
    columns: list[ColumnRow] = field(default_factory=list)
    postings: list[bytes] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    vectors: list[tuple[int, int, npt.NDArray[np.float16]]] = field(default_factory=list)
    late: list[bytes | None] = field(default_factory=list)  # beside each vector
    updating: set[int] = field(default_factory=set)  # rows that update others, or are updated
    words: Numbered = field(default_factory=lambda: Numbered({}, set()))


class BatchWriter(saving.BatchWriter[str]):
    """One batch, one transaction; rows are numbered from `first_row`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        dictionary: Dictionary,
        type_code: Callable[[str], int],
        new_id: Callable[[], UnitId],
    ) -> None:
        self._link_table = LinkTable(connection)
        super().__init__(self._link_table, type_code, new_id)
        self._connection = connection
        self._dictionary = dictionary
        self._aliases: list[tuple[str, EntityId, float]] = []

    def write(
        self,
        batch: Sequence[PreparedUnit],
        carried: Sequence[Carried | None],
        *,
        first_row: int,
        created_at: int,
    ) -> Saved:
        """Insert everything; the result mirrors what a later rebuild would read."""
        saved = Saved()
        saved.words = self._dictionary.assign(
            self._connection, Counter(chain.from_iterable(prepared.terms for prepared in batch))
        )
        ids, inserts = saved.words.ids, list[tuple[object, ...]]()
        for prepared, unit, entities in self._rows(
            batch, carried, first_row=first_row, created_at=created_at
        ):
            postings = pack_postings(
                [*map(ids.__getitem__, prepared.terms)], prepared.terms.values()
            )
            inserts.append((*unit, pack_entities(entities), postings, digest_of_row(unit)))
            saved.rows.append(unit.row)
            saved.ids.append(UnitId(unit.id))
            saved.columns.append(column_row(unit))
            saved.postings.append(postings)
            saved.lengths.append(unit.length)
            if prepared.vector is not None:
                saved.vectors.append((unit.row, unit.type, prepared.vector))
                saved.late.append(checked(prepared.late))
        many = self._connection.executemany
        many(SQL["insert_unit"], inserts)
        beside = zip(saved.vectors, saved.late, strict=True)
        many(SQL["insert_vector"], [(row, v.tobytes(), late) for (row, _, v), late in beside])
        many(
            SQL["insert_tag"],
            [(tag, row) for row, p in zip(saved.rows, batch, strict=True) for tag in p.unit.tags],
        )
        self._write_mentions()
        self._write_edges()
        saved.updating = self._link_table.updating
        return saved

    def _packed_tags(self, tags: Sequence[str]) -> str | None:
        return json.dumps(tags, ensure_ascii=False) if tags else None

    def _touched_sessions(self, batch: Sequence[PreparedUnit]) -> dict[str, int]:
        told = self._session_spans(batch)
        return {name: self._touch_session(name, *span) for name, span in told.items()}

    def _touch_session(self, name: str, first: int, last: int) -> int:
        for moment in {first, last}:
            ((number,),) = self._connection.execute(SQL["touch_session"], (name, moment)).fetchall()
        return int(number)

    def _new_entity(self, mention: NewMention) -> EntityId:
        entity = insert_entity(self._connection, mention)
        self._aliases += aliases_of(entity, mention)
        return entity

    def _put_relation(
        self, relation: Relation, ends: tuple[EntityId, EntityId], row: int, *, told: bool
    ) -> None:
        put_relation(self._connection, relation, ends, row, told=told)

    def _unlink_superseding(self, unit: UnitId) -> None:
        self._connection.execute(SQL["unlink_superseding"], (unit,))

    def _write_mentions(self) -> None:
        put_aliases(self._connection, [*self._aliases, *self._also_named])
        counts = Counter(entity for entity, _ in self._mentions)
        for statement, values in (
            ("insert_mention", sorted(self._mentions)),
            ("count_mentions", [(number, entity) for entity, number in counts.items()]),
            ("mark_entity_explicit", [(entity,) for entity in sorted(self._explicit)]),
            ("rename_entity", [(name, entity) for entity, name in self._full_names.items()]),
        ):
            self._connection.executemany(SQL[statement], values)
