"""One PostgreSQL bank: what the readers and writers do, plus listing, counting and upkeep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import EncoderPin, TimeBounds
from scrubjay.store.postgres import doctor
from scrubjay.store.postgres.bank_writing import BankWriting
from scrubjay.store.postgres.tables import entity_table, unit_table
from scrubjay.store.postgres.tables.link_table import read_links
from scrubjay.store.postgres.tables.postings import rows_of_block, unit_words
from scrubjay.store.postgres.tables.rewriting import rewrite
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import half_bytes, half_of
from scrubjay.store.records import EntityRecord, RelationRecord, StoredWords, UnitRecord
from scrubjay.store.shared.cursors import Order, Position, page_of, position_of
from scrubjay.store.shared.late_bytes import checked, whole
from scrubjay.store.shared.links import directed, edge_count, links_of
from scrubjay.store.shared.other_rows import (
    copied_values,
    feedback_of,
    look_of,
    relation_record,
)
from scrubjay.store.shared.pins import write_pin
from scrubjay.store.shared.replacing import not_found
from scrubjay.store.shared.times import from_micros, maybe_moment, to_micros
from scrubjay.store.shared.typed_words import LOOKED_UP_MAX, check_typed, rows_in_all
from scrubjay.types.arrays import RowArray
from scrubjay.types.filters import UnitFilter
from scrubjay.types.graph import Entity, Link, StoredRelation
from scrubjay.types.reports import BankInfo, Finding, Stats
from scrubjay.types.units import Feedback, StoredUnit
from scrubjay.types.values import EntityId, UnitId
from scrubjay.types.views import Page


class PostgresBank(BankWriting):
    """One bank of a database."""

    def list_units(
        self,
        where: UnitFilter,
        *,
        limit: int,
        cursor: str | None,
        order: str = "oldest",
        offset: int = 0,
        among: RowArray | None = None,
    ) -> Page:
        """Units that pass a filter, in an order, a page at a time; `among` are rows to choose from.

        All that pass are counted, but for a filter that lets everything through.
        """
        wanted, after = Order.of(order), position_of(cursor)
        values, found = self._filter(where, among), list[Any]()
        if wanted == Order.of("oldest"):
            first = 0 if after is None else after.row
            found = self._ask(SQL["page_by_row"], *values, first, limit + 1, offset)
        else:
            position = (None, None) if after is None else after
            found = self._ask(
                SQL["page_by_key"], *values, wanted.sign, wanted.by, *position, limit + 1, offset
            )
        page = [Position(key, row) for key, row in found]
        units = unit_table.hydrate(self._ask, [row for _, row in page[:limit]], self.settings.types)
        if any(value is not None for value in values):
            total = int(self._ask(SQL["count_matching"], *values)[0][0])
        else:
            total = self.unit_count()
        return page_of(page, limit, units, total)

    def matching(self, where: UnitFilter, *, among: RowArray | None = None) -> list[UnitId]:
        """The ids of all units that pass a filter."""
        found = self._ask(SQL["matching_units"], *self._filter(where, among))
        return [UnitId(unit) for (unit,) in found]

    def _filter(self, where: UnitFilter, among: RowArray | None) -> tuple[object, ...]:
        codes = [self.settings.type_code(name) for name in where.types]
        entities = None
        if isinstance(where.entity, str):
            entities = [m.entity for m in entity_table.find_aliases(self._ask, [where.entity])]
        return unit_table.filter_values(where, codes, entities, among)

    def time_bounds(self, where: UnitFilter, *, by: str, among: RowArray | None) -> TimeBounds:
        """When the first and the last of the units that pass a filter were told, or happened."""
        values = self._filter(where, among)
        ((first, last, units, undated),) = self._ask(SQL["time_bounds"], *values, by)
        return TimeBounds(maybe_moment(first), maybe_moment(last), units, undated)

    def time_counts(
        self, where: UnitFilter, *, by: str, edges: Sequence[datetime], among: RowArray | None
    ) -> dict[tuple[int, int], int]:
        """How many units that pass a filter are between two edges, by place and type code."""
        values, bounds = self._filter(where, among), [*map(to_micros, edges)]
        found = self._ask(SQL["time_counts"], *values, by, bounds)
        return {(place - 1, code): count for place, code, count in found}

    def holding(self, words: Sequence[str], beginning: str | None) -> RowArray:
        """The rows that hold all of some words, and one that begins so; ascending.

        BadInput for a beginning that too many words have.
        """
        held = self._fetched.holders(words)
        found = [held[word].rows if word in held else np.empty(0, np.int64) for word in words]
        if beginning is not None:
            between = (beginning, f"{beginning}\U0010ffff", LOOKED_UP_MAX)
            begun = self._ask(SQL["postings_between"], *between)
            check_typed(beginning, len(begun))
            found.append(np.unique(np.concatenate([
                np.empty(0, np.int64), *(rows_of_block(block, packed) for block, packed in begun)
            ])))  # fmt: skip
        return rows_in_all(found)

    def entity(self, entity: EntityId) -> Entity | None:
        """One entity by its number."""
        return entity_table.read_entities(self._ask, [entity]).get(entity)

    def entities(self, *, limit: int, offset: int, containing: str | None) -> list[Entity]:
        """Entities, most mentioned first."""
        return entity_table.list_entities(
            self._ask, limit=limit, offset=offset, containing=containing
        )

    def relations(self, *, limit: int, offset: int) -> list[StoredRelation]:
        """Relations in the order they were told."""
        return entity_table.list_relations(self._ask, limit=limit, offset=offset)

    def relation_said_by(self, unit: UnitId, relation: str) -> int | None:
        """The number of the relation of this name that a unit says; one that was told first."""
        found = self._ask(SQL["relation_said_by"], unit, relation)
        return int(found[0][0]) if found else None

    def links(self, unit: UnitId) -> list[Link]:
        """The stored edges of one unit."""
        rows = self.rows_of([unit])
        if unit not in rows:
            raise not_found("unit", unit)
        edges = directed(read_links(self._ask, [rows[unit]]).get(rows[unit], b""))
        ids = unit_table.ids_of_rows(self._ask, {row for row, *_ in edges})
        # Others may have erased some meanwhile.
        return links_of(unit, [edge for edge in edges if edge[0] in ids], ids)

    def judged(self) -> list[Feedback]:
        """What was said of answers, oldest first."""
        return feedback_of(self._ask(SQL["judgements"]))

    def info(self) -> BankInfo:
        """The bank's identity card."""
        ((created,),) = self._ask(SQL["created_at"])
        pin = self.encoder
        fingerprint = None if pin is None else pin.fingerprint
        return BankInfo(self._name, from_micros(created), fingerprint, self.unit_count())

    def stats(self) -> Stats:
        """Counts and sizes; `disk_bytes` is the bank's own rows, without the server's indexes."""
        (
            (
                units,
                entities,
                relations,
                sessions,
                link_bytes,
                vectors,
                terms,
                oldest,
                newest,
                waiting,
                told_bytes,
            ),
        ) = self._ask(SQL["stats"])
        types = self._ask(SQL["count_by_type"])
        return Stats(
            bank=self._name,
            units=units,
            by_type={self.settings.types[code]: number for code, number in types},
            entities=entities,
            relations=relations,
            sessions=sessions,
            links=edge_count(link_bytes),
            vectors=vectors,
            terms=terms,
            encoder=None if self.encoder is None else self.encoder.fingerprint,
            disk_bytes=int(self._ask(SQL["disk_bytes"])[0][0]),
            oldest_told_at=maybe_moment(oldest),
            newest_told_at=maybe_moment(newest),
            pending=waiting,
            last_look=look_of(self._ask(SQL["get_last_look"])[0]),
            told_bytes=told_bytes,
        )

    def scan(self, *, after_row: int, limit: int) -> Iterator[tuple[int, StoredUnit]]:
        """Up to `limit` units after a row, in order."""
        yield from self._hydrated(
            [row for (row,) in self._ask(SQL["rows_after"], after_row, limit)]
        )

    def _hydrated(self, rows: Sequence[int]) -> list[tuple[int, StoredUnit]]:
        units = unit_table.hydrate(self._ask, rows, self.settings.types)
        return [(row, units[row]) for row in rows if row in units]

    def unit_records(self, rows: RowArray) -> dict[int, UnitRecord]:
        """What some rows were stored with beside what readers see."""
        found = self._ask(SQL["records_of_rows"], rows.tolist()) if len(rows) else []
        return {
            row: UnitRecord(
                identity,
                None if vector is None else half_of(vector),
                tuple(directed(packed or b"")),
                None if late is None else whole([(row, late)]).get(row),
            )
            for row, identity, vector, packed, late in found
        }

    def words_of(self, rows: RowArray) -> dict[int, StoredWords]:
        """The words some rows are found by."""
        found = self._ask(SQL["words_of_rows"], rows.tolist()) if len(rows) else []
        units = (unit_words(row, length, terms, counts) for row, length, terms, counts, _ in found)
        return {unit.row: StoredWords(unit.counts, unit.length) for unit in units}

    def entity_records(self, *, after: int, limit: int) -> list[EntityRecord]:
        """Up to `limit` entities after a number, as they are stored."""
        return [
            EntityRecord(EntityId(number), name, kind, explicit, tuple(zip(*named, strict=True)))
            for number, name, kind, explicit, *named in self._ask(
                SQL["entities_after"], after, limit
            )
        ]

    def relation_records(self, *, after: int, limit: int) -> list[RelationRecord]:
        """Up to `limit` relations after a number, as they are stored."""
        return [relation_record(row) for row in self._ask(SQL["relations_after"], after, limit)]

    def put_entities(self, entities: Sequence[EntityRecord]) -> None:
        """Store entities under their own numbers; those that are there stay as they are."""
        named = [(alias, e.id, sure) for e in entities for alias, sure in e.aliases]
        with self._transaction() as transaction:
            transaction.run_many(
                SQL["put_entity"], [(e.id, e.name, e.kind, e.explicit) for e in entities]
            )
            transaction.run_many(SQL["put_alias"], [*named])
            transaction.run(SQL["skip_entities"], max(entity.id for entity in entities))

    def put_relations(self, relations: Sequence[RelationRecord]) -> None:
        """Store relations under their own numbers; those that are there stay as they are."""
        with self._transaction() as transaction:
            transaction.run_many(
                SQL["copy_relation"], [copied_values(relation) for relation in relations]
            )
            transaction.run(SQL["skip_relations"], max(relation.id for relation in relations))

    def compact(self) -> None:
        """Rewrite the tables, this bank's part of them, without what was erased.

        StoreLocked if others' transactions, which still see it, outlast the wait. The server's log
        keeps its old pages until it recycles them.
        """
        # The tables cannot be rewritten under a transaction of our own.
        address = self._database.address
        self._database.after_commit(
            lambda: self._database.complete(rewrite(address.owner, address.shown, self._number))
        )

    def doctor(self, *, fix: bool) -> list[Finding]:
        """Compare every table with the rows; repair what is wrong if asked.

        Writers wait only while something is repaired.
        """
        with_vectors = self.encoder is not None
        with self._database.snapshot(self._number):
            findings = doctor.examine(self._ask, with_vectors=with_vectors)
            vocabulary = doctor.frequent_words(self._ask) if fix and not findings else None
        if not fix:
            return findings
        with self._transaction() as transaction:
            if vocabulary is None:
                findings = doctor.repair(transaction, with_vectors=with_vectors)
            else:
                doctor.keep_vocabulary(transaction, vocabulary)
        self.refresh()
        return findings

    def without_vector(self, *, after_row: int, limit: int) -> list[tuple[int, StoredUnit]]:
        """Units the running re-embedding has not reached, or that have no vector."""
        ((running,),) = self._ask(SQL["get_encoder_next"])
        name = "rows_without_vector" if running is None else "rows_not_reembedded"
        return self._hydrated([row for (row,) in self._ask(SQL[name], after_row, limit)])

    def begin_reembed(self, pin: EncoderPin) -> None:
        """Start, or go on with, a second set of vectors beside the first."""
        with self._transaction() as transaction:
            if self._running_pin(transaction) != pin:
                transaction.run(SQL["clear_next_vectors"])
                transaction.run(SQL["set_encoder_next"], write_pin(pin))

    def save_reembedded(
        self,
        pin: EncoderPin,
        rows: RowArray,
        vectors: npt.NDArray[np.float16],
        late: Sequence[bytes | None],
    ) -> None:
        """Keep some vectors of the second set; those of units erased meanwhile are dropped."""
        with self._transaction() as transaction:
            self._check_running(transaction, pin)
            halves, beside = [half_bytes(v) for v in vectors], [*map(checked, late)]
            transaction.run(SQL["put_next_vectors"], rows.tolist(), halves, beside)

    def put_late(self, rows: RowArray, late: Sequence[bytes]) -> None:
        """Keep token vectors beside the vectors that some rows have."""
        with self._transaction() as transaction:
            transaction.run(SQL["put_late"], rows.tolist(), [*map(checked, late)])

    def finish_reembed(self, pin: EncoderPin) -> None:
        """Switch to the second set of vectors at once; the first is gone."""
        with self._transaction() as transaction:
            self._check_running(transaction, pin)
            # Graphs are made for one dimension; upkeep makes them again.
            transaction.run(SQL["set_graphs"], [])
            transaction.run(SQL["clear_vectors"])
            transaction.run(SQL["adopt_next_vectors"])
            transaction.run(SQL["clear_next_vectors"])
            transaction.run(SQL["set_encoder"], write_pin(pin))
            transaction.run(SQL["set_encoder_next"], None)
        self.refresh()
        self._grown(self.unit_count())
