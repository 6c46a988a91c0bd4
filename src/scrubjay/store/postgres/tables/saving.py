"""Writes a batch of prepared units into the rows, inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from scrubjay.store.base import NewMention, PreparedUnit
from scrubjay.store.postgres.tables.asking import BankTransaction
from scrubjay.store.postgres.tables.entity_table import insert_entity, put_relation
from scrubjay.store.postgres.tables.link_table import LinkTable
from scrubjay.store.postgres.tables.postings import UnitWords, packed_blocks
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import half_bytes
from scrubjay.store.shared import saving
from scrubjay.store.shared.bm25 import pack_counts
from scrubjay.store.shared.late_bytes import checked
from scrubjay.store.shared.unit_rows import Carried
from scrubjay.types.graph import Relation
from scrubjay.types.values import EntityId, UnitId


class BatchWriter(saving.BatchWriter[list[str]]):
    """One batch, one transaction; rows are numbered from `first_row`."""

    def __init__(
        self,
        transaction: BankTransaction,
        type_code: Callable[[str], int],
        new_id: Callable[[], UnitId],
    ) -> None:
        super().__init__(LinkTable(transaction), type_code, new_id)
        self._transaction = transaction

    def write(
        self,
        batch: Sequence[PreparedUnit],
        carried: Sequence[Carried | None],
        *,
        first_row: int,
        created_at: int,
    ) -> list[UnitId]:
        """Insert everything; the units' ids in order."""
        ids: list[UnitId] = []
        inserts: list[tuple[object, ...]] = []
        for prepared, unit, entities in self._rows(
            batch, carried, first_row=first_row, created_at=created_at
        ):
            ids.append(UnitId(unit.id))
            counts = pack_counts(prepared.terms.values())
            inserts.append((entities, list(prepared.terms), counts, *unit))
        self._transaction.run_many(SQL["insert_units"], inserts)
        self._write_words(batch, first_row)
        self._write_vectors(batch, first_row)
        self._write_tags(batch, first_row)
        self._write_mentions()
        self._write_edges()
        return ids

    def _packed_tags(self, tags: Sequence[str]) -> list[str] | None:
        return list(tags) or None

    def _touch_session(self, name: str, first: int, last: int) -> int:
        found = self._transaction.rows(SQL["touch_session"], name, first, last)
        if not found:
            found = self._transaction.rows(SQL["take_session"])
            self._transaction.run(SQL["insert_session"], found[0][0], name, first, last)
        return int(found[0][0])

    def _new_entity(self, mention: NewMention) -> EntityId:
        return insert_entity(self._transaction, mention)

    def _put_relation(
        self, relation: Relation, ends: tuple[EntityId, EntityId], row: int, *, told: bool
    ) -> None:
        put_relation(self._transaction, relation, ends, row, told=told)

    def _unlink_superseding(self, unit: UnitId) -> None:
        self._transaction.run(SQL["unlink_superseding"], unit)

    def _write_words(self, batch: Sequence[PreparedUnit], first_row: int) -> None:
        units = [
            UnitWords(first_row + n, prepared.length, prepared.terms)
            for n, prepared in enumerate(batch)
        ]
        add_words(self._transaction, units)

    def _write_vectors(self, batch: Sequence[PreparedUnit], first_row: int) -> None:
        given = [(n, p) for n, p in enumerate(batch) if p.vector is not None]
        if given:
            rows = [first_row + n for n, _ in given]
            types = [self._type_code(prepared.type) for _, prepared in given]
            vectors = [half_bytes(p.vector) for _, p in given if p.vector is not None]
            late = [checked(prepared.late) for _, prepared in given]
            self._transaction.run(SQL["insert_vectors"], rows, types, vectors, late)

    def _write_tags(self, batch: Sequence[PreparedUnit], first_row: int) -> None:
        pairs = [(tag, first_row + n) for n, p in enumerate(batch) for tag in p.unit.tags]
        if pairs:
            tags, rows = zip(*pairs, strict=True)
            self._transaction.run(SQL["insert_tags"], list(tags), list(rows))

    def _write_mentions(self) -> None:
        if self._mentions:
            entities, rows = zip(*sorted(self._mentions), strict=True)
            self._transaction.run(SQL["insert_mentions"], list(entities), list(rows))
            counts = Counter(entities)
            self._transaction.run(SQL["count_mentions"], list(counts), list(counts.values()))
        if self._explicit:
            self._transaction.run(SQL["mark_explicit"], sorted(self._explicit))


def add_words(transaction: BankTransaction, units: Sequence[UnitWords]) -> None:
    """Put some units into the blocks of their words."""
    blocks = packed_blocks(units)
    if blocks:
        # In one order everywhere: two statements that lock the same blocks never deadlock.
        keys = sorted(blocks)
        terms, numbers = [term for term, _ in keys], [block for _, block in keys]
        transaction.run(SQL["add_postings"], terms, numbers, [blocks[key] for key in keys])
