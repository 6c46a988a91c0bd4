"""Writes a batch of prepared units into the rows, inside the caller's transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scrubjay.store.base import NewMention, PreparedUnit
from scrubjay.store.embedded.packing import KIND_CODES, seen_from_target
from scrubjay.store.postgres.scoping import SQL, json_object
from scrubjay.store.postgres.tables.asking import BankSession
from scrubjay.store.postgres.tables.entity_table import ensure_entity, put_relation
from scrubjay.store.postgres.tables.link_table import Edge, put_edges
from scrubjay.store.postgres.tables.postings import UnitWords, pack_counts, packed_blocks
from scrubjay.store.postgres.tables.vector_bytes import half_bytes
from scrubjay.store.times import maybe_micros, to_micros
from scrubjay.types import EntityId, UnitId


@dataclass(frozen=True, slots=True)
class Carried:
    """What an updated unit keeps from the row it had before."""

    id: UnitId
    supersedes: str | None = None
    superseded_by: str | None = None
    created_at: int | None = None  # None: this is its first row
    causal: tuple[Edge, ...] = ()


class BatchWriter:
    """One batch, one transaction; rows are numbered from `first_row`."""

    def __init__(
        self,
        session: BankSession,
        type_code: Callable[[str], int],
        new_id: Callable[[], UnitId],
    ) -> None:
        self._session = session
        self._type_code = type_code
        self._new_id = new_id
        self._made: dict[str, EntityId] = {}
        self._sessions: dict[str, int] = {}
        self._edges: dict[int, list[Edge]] = {}
        self._mentions: list[tuple[EntityId, int]] = []
        self._explicit: set[EntityId] = set()

    def write(
        self,
        batch: Sequence[PreparedUnit],
        carried: Sequence[Carried | None],
        *,
        first_row: int,
        created_at: int,
    ) -> list[UnitId]:
        """Insert everything; the units' ids in order."""
        self._touch_sessions(batch)
        ids: list[UnitId] = []
        inserts: list[tuple[object, ...]] = []
        for offset, (prepared, kept) in enumerate(zip(batch, carried, strict=True)):
            row = first_row + offset
            kept = kept or self._first_row_of(prepared)
            if prepared.replaces and kept.superseded_by and prepared.unit.valid_to is None:
                # What is told to hold again is superseded no longer.
                self._session.run(SQL["unlink_superseding"], kept.id)
                kept = replace(kept, superseded_by=None)
            ids.append(kept.id)
            inserts.append(self._unit_values(prepared, kept, row, created_at))
            # Kept edges first: one that is told again replaces them.
            if kept.causal:
                self._edges.setdefault(row, []).extend(kept.causal)
            for link in prepared.links:
                ends = (link.row, row) if link.leads_here else (row, link.row)
                self._join(*ends, KIND_CODES[link.kind], link.weight)
        self._session.run_many(SQL["insert_units"], inserts)
        self._write_words(batch, first_row)
        self._write_vectors(batch, first_row)
        self._write_tags(batch, first_row)
        self._write_mentions()
        if self._edges:
            put_edges(self._session, self._edges)
        return ids

    def _first_row_of(self, prepared: PreparedUnit) -> Carried:
        unit, lineage = UnitId(prepared.unit.id or self._new_id()), prepared.lineage
        if lineage is None:
            return Carried(unit)
        created_at = to_micros(lineage.created_at)
        return Carried(unit, lineage.supersedes, lineage.superseded_by, created_at)

    def _unit_values(
        self, prepared: PreparedUnit, kept: Carried, row: int, created_at: int
    ) -> tuple[object, ...]:
        unit, source, occurred = prepared.unit, prepared.source, prepared.occurred
        return (
            row, kept.id, self._type_code(prepared.type), to_micros(prepared.told_at),
            created_at if kept.created_at is None else kept.created_at,
            maybe_micros(occurred.start) if occurred else None,
            maybe_micros(occurred.end) if occurred else None,
            maybe_micros(unit.valid_from), maybe_micros(unit.valid_to),
            None if unit.session is None else self._sessions[unit.session],
            prepared.tokens, prepared.length, prepared.identity, unit.key, unit.speaker,
            unit.predicate, unit.context, list(unit.tags) or None,
            json_object(unit.metadata) if unit.metadata else None,
            source.document if source else None,
            source.start if source else None,
            source.end if source else None,
            kept.supersedes, kept.superseded_by, self._mention(row, prepared),
            list(prepared.terms), pack_counts(prepared.terms.values()), unit.text,
            maybe_micros(prepared.closed_at),
        )  # fmt: skip

    def _touch_sessions(self, batch: Sequence[PreparedUnit]) -> None:
        told: dict[str, list[int]] = {}
        for prepared in batch:
            if prepared.unit.session is not None:
                told.setdefault(prepared.unit.session, []).append(to_micros(prepared.told_at))
        for name, moments in told.items():
            span = min(moments), max(moments)
            found = self._session.rows(SQL["touch_session"], name, *span)
            if not found:
                found = self._session.rows(SQL["take_session"])
                self._session.run(SQL["insert_session"], found[0][0], name, *span)
            self._sessions[name] = found[0][0]

    def _write_words(self, batch: Sequence[PreparedUnit], first_row: int) -> None:
        units = [
            UnitWords(first_row + n, prepared.length, prepared.terms)
            for n, prepared in enumerate(batch)
        ]
        add_words(self._session, units)

    def _write_vectors(self, batch: Sequence[PreparedUnit], first_row: int) -> None:
        given = [(n, p) for n, p in enumerate(batch) if p.vector is not None]
        if given:
            rows = [first_row + n for n, _ in given]
            types = [self._type_code(prepared.type) for _, prepared in given]
            vectors = [half_bytes(p.vector) for _, p in given if p.vector is not None]
            self._session.run(SQL["insert_vectors"], rows, types, vectors)

    def _write_tags(self, batch: Sequence[PreparedUnit], first_row: int) -> None:
        pairs = [(tag, first_row + n) for n, p in enumerate(batch) for tag in p.unit.tags]
        if pairs:
            tags, rows = zip(*pairs, strict=True)
            self._session.run(SQL["insert_tags"], list(tags), list(rows))

    def _mention(self, row: int, prepared: PreparedUnit) -> list[EntityId]:
        named = {mention.folded: self._entity(mention) for mention in prepared.mentions}
        entities = list(dict.fromkeys(named.values()))
        self._mentions += [(entity, row) for entity in entities]
        if prepared.unit.relations:
            by_name = {mention.name: named[mention.folded] for mention in prepared.mentions}
            for relation in prepared.unit.relations:
                ends = by_name[relation.subject], by_name[relation.object]
                put_relation(self._session, relation, ends, row)
        return entities

    def _entity(self, mention: NewMention) -> EntityId:
        if mention.entity is None:
            return ensure_entity(self._session, mention, self._made)
        if mention.explicit:
            self._explicit.add(mention.entity)
        return mention.entity

    def _write_mentions(self) -> None:
        if self._mentions:
            entities, rows = zip(*sorted(self._mentions), strict=True)
            self._session.run(SQL["insert_mentions"], list(entities), list(rows))
            counts = Counter(entities)
            self._session.run(SQL["count_mentions"], list(counts), list(counts.values()))
        if self._explicit:
            self._session.run(SQL["mark_explicit"], sorted(self._explicit))

    def _join(self, row: int, other: int, code: int, weight: float) -> None:
        self._edges.setdefault(row, []).append((other, code, weight))
        self._edges.setdefault(other, []).append((row, seen_from_target(code), weight))


def add_words(session: BankSession, units: Sequence[UnitWords]) -> None:
    """Put some units into the blocks of their words."""
    blocks = packed_blocks(units)
    if blocks:
        # In one order everywhere: two statements that lock the same blocks never deadlock.
        keys = sorted(blocks)
        terms, numbers = [term for term, _ in keys], [block for _, block in keys]
        session.run(SQL["add_postings"], terms, numbers, [blocks[key] for key in keys])
