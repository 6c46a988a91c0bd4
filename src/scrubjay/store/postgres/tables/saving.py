"""Writes a batch of prepared units into the rows, inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scrubjay.store.base import NewMention, PreparedUnit
from scrubjay.store.postgres.tables.asking import BankTransaction, Write
from scrubjay.store.postgres.tables.link_table import LinkTable
from scrubjay.store.postgres.tables.postings import UnitWords, packed_blocks
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import half_bytes
from scrubjay.store.shared import saving
from scrubjay.store.shared.bm25 import pack_counts
from scrubjay.store.shared.late_bytes import checked
from scrubjay.store.shared.other_rows import relation_values
from scrubjay.store.shared.quotas import told_bytes
from scrubjay.store.shared.unit_rows import Carried
from scrubjay.types.graph import Relation
from scrubjay.types.values import EntityId, UnitId


class Counters(NamedTuple):
    """The next numbers of a bank, as they are while it is locked."""

    row: int
    entity: int
    relation: int
    session: int


class BatchWriter(saving.BatchWriter[list[str]]):
    """One batch, one transaction; what needs nothing of the rest is written in one statement."""

    def __init__(
        self,
        transaction: BankTransaction,
        type_code: Callable[[str], int],
        new_id: Callable[[], UnitId],
        first: Counters,
    ) -> None:
        self._put = _LinksLater(transaction)
        super().__init__(self._put, type_code, new_id)
        self._transaction = transaction
        self._first = first
        self._entities: list[NewMention] = []
        self._sessions: list[tuple[int, str, int, int]] = []
        self._sessions_made = 0
        self._relations: dict[tuple[object, ...], tuple[Any, ...]] = {}
        self._relations_made = 0

    def write(
        self, batch: Sequence[PreparedUnit], carried: Sequence[Carried | None], *, created_at: int
    ) -> list[UnitId]:
        """Insert everything; the units' ids in order."""
        ids: list[UnitId] = []
        inserts: list[tuple[object, ...]] = []
        first_row = self._first.row
        for prepared, unit, entities in self._rows(
            batch, carried, first_row=first_row, created_at=created_at
        ):
            ids.append(UnitId(unit.id))
            counts = pack_counts(prepared.terms.values())
            inserts.append((entities, list(prepared.terms), counts, *unit))
        if inserts:
            self._transaction.run_many(SQL["insert_units"], inserts)
        self._write_edges()
        length = sum(prepared.length for prepared in batch)
        made = len(self._entities), self._relations_made, self._sessions_made
        counted = Write("count_saved", (len(batch), length, told_bytes(batch), *made))
        self._transaction.run_together([
            *self._session_writes(),
            *self._entity_writes(),
            *self._relation_writes(),
            *word_writes(_words_of(batch, first_row)),
            *self._vector_writes(batch),
            *_tag_writes(batch, first_row),
            *self._put.writes(),
            counted,
        ])  # fmt: skip
        return ids

    def _packed_tags(self, tags: Sequence[str]) -> list[str] | None:
        return list(tags) or None

    def _touched_sessions(self, batch: Sequence[PreparedUnit]) -> dict[str, int]:
        told = self._session_spans(batch)
        numbers: dict[str, int] = {}
        if told:
            numbers = dict(self._transaction.rows(SQL["numbers_of_sessions"], list(told)))
        for name in [name for name in told if name not in numbers]:
            numbers[name] = self._first.session + self._sessions_made
            self._sessions_made += 1
        self._sessions = [(numbers[name], name, *span) for name, span in told.items()]
        return numbers

    def _new_entity(self, mention: NewMention) -> EntityId:
        self._entities.append(mention)
        return EntityId(self._first.entity + len(self._entities) - 1)

    def _put_relation(
        self, relation: Relation, ends: tuple[EntityId, EntityId], row: int, *, told: bool
    ) -> None:
        number = self._first.relation + self._relations_made
        self._relations_made += 1
        key = (*ends, relation.relation, row)
        if key in self._relations:
            # Said twice by one unit: the first number, the last words.
            number, *_, before, _ = self._relations[key]
            told = told or bool(before)
        self._relations[key] = number, *relation_values(relation, ends, told, row)

    def _unlink_superseding(self, unit: UnitId) -> None:
        self._transaction.run(SQL["unlink_superseding"], unit)

    def _session_writes(self) -> list[Write]:
        return _write("put_sessions", self._sessions)

    def _entity_writes(self) -> list[Write]:
        counts = Counter(entity for entity, _ in self._mentions)
        first = self._first.entity
        made = [
            (
                n,
                self._full_names.get(EntityId(n), new.name),
                new.kind,
                new.explicit,
                counts[EntityId(n)],
            )
            for n, new in enumerate(self._entities, first)
        ]
        named = [
            (alias, first + n, confidence)
            for n, new in enumerate(self._entities)
            for alias, confidence in new.aliases
        ] + self._also_named
        known = [
            (entity, counts[entity], entity in self._explicit, self._full_names.get(entity))
            for entity in sorted({*counts, *self._explicit})
            if entity < first
        ]
        return [
            *_write("insert_entities", made),
            *_write("name_entities", named),
            *_write("mention_entities", known),
            *_write("insert_mentions", sorted(self._mentions)),
        ]

    def _relation_writes(self) -> list[Write]:
        return _write("put_relations", [*self._relations.values()])

    def _vector_writes(self, batch: Sequence[PreparedUnit]) -> list[Write]:
        given = [
            (row, self._type_code(prepared.type), half_bytes(prepared.vector), prepared.late)
            for row, prepared in enumerate(batch, self._first.row)
            if prepared.vector is not None
        ]
        return _write("insert_vectors", [(*values, checked(late)) for *values, late in given])


class _LinksLater:
    """The edges of units, written with the rest of the batch."""

    def __init__(self, transaction: BankTransaction) -> None:
        self._stored = LinkTable(transaction)
        self._packed: dict[int, bytes] = {}

    def read(self, rows: Iterable[int]) -> dict[int, bytes]:
        """The packed edges of some units that have any."""
        return self._stored.read(rows)

    def write(self, packed: Mapping[int, bytes]) -> None:
        """Let these be the edges of some units, once the batch is written."""
        self._packed |= packed

    def delete(self, rows: Sequence[int]) -> None:
        """Take the edges of some units out."""
        self._stored.delete(rows)

    def writes(self) -> list[Write]:
        """What is to be written."""
        return _write("put_links", [*self._packed.items()])


def _write(name: str, rows: Sequence[tuple[object, ...]]) -> list[Write]:
    """A statement that takes columns, given their rows; none for no row."""
    return [Write(name, tuple(map(list, zip(*rows, strict=True))))] if rows else []


def _words_of(batch: Sequence[PreparedUnit], first_row: int) -> list[UnitWords]:
    return [
        UnitWords(first_row + n, prepared.length, prepared.terms)
        for n, prepared in enumerate(batch)
    ]


def _tag_writes(batch: Sequence[PreparedUnit], first_row: int) -> list[Write]:
    pairs = [(tag, first_row + n) for n, p in enumerate(batch) for tag in p.unit.tags]
    return _write("insert_tags", pairs)


def word_writes(units: Sequence[UnitWords]) -> list[Write]:
    """What puts some units into the blocks of their words."""
    # In one order everywhere: two statements that lock the same blocks never deadlock.
    blocks = sorted(packed_blocks(units).items())
    return _write("add_postings", [(*key, packed) for key, packed in blocks])
