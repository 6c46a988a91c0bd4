"""Writes a batch of prepared units into the rows, inside the caller's transaction."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NewMention, PreparedUnit
from scrubjay.store.embedded.dictionary import Dictionary, Numbered
from scrubjay.store.embedded.entity_table import (
    aliases_of,
    insert_entity,
    put_aliases,
    put_relation,
)
from scrubjay.store.embedded.index.columns import ColumnRow
from scrubjay.store.embedded.link_table import Edge, put_edges
from scrubjay.store.embedded.packing import (
    KIND_CODES,
    pack_entities,
    pack_postings,
    seen_from_target,
)
from scrubjay.store.embedded.unit_table import digest_of, json_object
from scrubjay.store.statements import statements
from scrubjay.store.times import maybe_micros, to_micros
from scrubjay.types import EntityId, UnitId

SQL = statements("scrubjay.store.embedded", "queries.sql")


@dataclass(frozen=True, slots=True)
class Carried:
    """What an updated unit keeps from the row it had before."""

    id: UnitId
    supersedes: str | None = None
    superseded_by: str | None = None
    created_at: int | None = None  # None: this is its first row
    causal: tuple[Edge, ...] = ()


@dataclass(slots=True)
class Saved:
    """What was written, for the indexes in memory."""

    rows: list[int] = field(default_factory=list)
    ids: list[UnitId] = field(default_factory=list)
    columns: list[ColumnRow] = field(default_factory=list)
    postings: list[bytes] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    vectors: list[tuple[int, int, npt.NDArray[np.float16]]] = field(default_factory=list)
    words: Numbered = field(default_factory=lambda: Numbered({}, set()))


class BatchWriter:
    """One batch, one transaction; rows are numbered from `first_row`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        dictionary: Dictionary,
        type_code: Callable[[str], int],
        new_id: Callable[[], UnitId],
    ) -> None:
        self._connection = connection
        self._dictionary = dictionary
        self._type_code = type_code
        self._new_id = new_id
        self._made: dict[str, EntityId] = {}
        self._aliases: list[tuple[str, EntityId, float]] = []
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
    ) -> Saved:
        """Insert everything; the result mirrors what a later rebuild would read."""
        saved = Saved()
        saved.words = self._dictionary.assign(
            self._connection, Counter(chain.from_iterable(prepared.terms for prepared in batch))
        )
        self._touch_sessions(batch)
        inserts: list[tuple[object, ...]] = []
        for offset, (prepared, kept) in enumerate(zip(batch, carried, strict=True)):
            row = first_row + offset
            kept = kept or self._first_row_of(prepared)
            if prepared.replaces and kept.superseded_by and prepared.unit.valid_to is None:
                # What is told to hold again is superseded no longer.
                self._connection.execute(SQL["unlink_superseding"], (kept.id,))
                kept = replace(kept, superseded_by=None)
            inserts.append(self._unit_values(prepared, kept, row, created_at, saved))
            # Kept edges first: one that is told again replaces them.
            if kept.causal:
                self._edges.setdefault(row, []).extend(kept.causal)
            for link in prepared.links:
                ends = (link.row, row) if link.leads_here else (row, link.row)
                self._join(*ends, KIND_CODES[link.kind], link.weight)
        self._connection.executemany(SQL["insert_unit"], inserts)
        self._connection.executemany(
            SQL["insert_vector"], [(row, vector.tobytes()) for row, _, vector in saved.vectors]
        )
        self._connection.executemany(
            SQL["insert_tag"],
            [(tag, row) for row, p in zip(saved.rows, batch, strict=True) for tag in p.unit.tags],
        )
        self._write_mentions()
        if self._edges:
            put_edges(self._connection, self._edges)
        return saved

    def _first_row_of(self, prepared: PreparedUnit) -> Carried:
        unit, lineage = UnitId(prepared.unit.id or self._new_id()), prepared.lineage
        if lineage is None:
            return Carried(unit)
        created_at = to_micros(lineage.created_at)
        return Carried(unit, lineage.supersedes, lineage.superseded_by, created_at)

    def _unit_values(
        self, prepared: PreparedUnit, kept: Carried, row: int, created_at: int, saved: Saved
    ) -> tuple[object, ...]:
        unit, source, occurred = prepared.unit, prepared.source, prepared.occurred
        code = self._type_code(prepared.type)
        told_at = to_micros(prepared.told_at)
        session = None if unit.session is None else self._sessions[unit.session]
        entities, ids = self._mention(row, prepared), saved.words.ids
        postings = pack_postings([ids[t] for t in prepared.terms], prepared.terms.values())
        start = maybe_micros(occurred.start) if occurred else None
        end = maybe_micros(occurred.end) if occurred else None
        valid = (
            maybe_micros(unit.valid_from),
            maybe_micros(unit.valid_to),
            maybe_micros(prepared.closed_at),
        )
        created_at = created_at if kept.created_at is None else kept.created_at
        saved.rows.append(row)
        saved.ids.append(kept.id)
        saved.columns.append(
            (row, code, told_at, start, end, *valid, session, prepared.tokens, unit.speaker)
        )
        saved.postings.append(postings)
        saved.lengths.append(prepared.length)
        if prepared.vector is not None:
            saved.vectors.append((row, code, prepared.vector))
        known = kept.id, code, told_at, created_at, start, end
        told = (
            session, prepared.tokens, prepared.length, prepared.identity, unit.key, unit.speaker,
            unit.predicate, unit.context,
            json.dumps(unit.tags, ensure_ascii=False) if unit.tags else None,
            json_object(unit.metadata) if unit.metadata else None,
            source.document if source else None,
            source.start if source else None,
            source.end if source else None,
        )  # fmt: skip
        digest = digest_of((*known, *told, unit.text))
        return (
            row, *known, *valid, *told, kept.supersedes, kept.superseded_by,
            pack_entities(entities), postings, unit.text, digest,
        )  # fmt: skip

    def _touch_sessions(self, batch: Sequence[PreparedUnit]) -> None:
        told: dict[str, list[int]] = {}
        for prepared in batch:
            if prepared.unit.session is not None:
                told.setdefault(prepared.unit.session, []).append(to_micros(prepared.told_at))
        for name, moments in told.items():
            for moment in {min(moments), max(moments)}:
                ((number,),) = self._connection.execute(
                    SQL["touch_session"], (name, moment)
                ).fetchall()
                self._sessions[name] = number

    def _mention(self, row: int, prepared: PreparedUnit) -> list[EntityId]:
        named = {mention.folded: self._entity(mention) for mention in prepared.mentions}
        entities = list(dict.fromkeys(named.values()))
        self._mentions += [(entity, row) for entity in entities]
        if prepared.unit.relations:
            self._relate(row, prepared, named)
        return entities

    def _entity(self, mention: NewMention) -> EntityId:
        entity = mention.entity if mention.entity is not None else self._made.get(mention.folded)
        if entity is None:
            entity = self._made[mention.folded] = insert_entity(self._connection, mention)
            self._aliases += aliases_of(entity, mention)
        elif mention.explicit:
            self._explicit.add(entity)
        return entity

    def _write_mentions(self) -> None:
        put_aliases(self._connection, self._aliases)
        counts = Counter(entity for entity, _ in self._mentions)
        for statement, values in (
            ("insert_mention", sorted(self._mentions)),
            ("count_mentions", [(number, entity) for entity, number in counts.items()]),
            ("mark_entity_explicit", [(entity,) for entity in sorted(self._explicit)]),
        ):
            self._connection.executemany(SQL[statement], values)

    def _relate(self, row: int, prepared: PreparedUnit, named: dict[str, EntityId]) -> None:
        by_name = {mention.name: named[mention.folded] for mention in prepared.mentions}
        for relation in prepared.unit.relations:
            ends = by_name[relation.subject], by_name[relation.object]
            put_relation(self._connection, relation, ends, row)

    def _join(self, row: int, other: int, code: int, weight: float) -> None:
        self._edges.setdefault(row, []).append((other, code, weight))
        self._edges.setdefault(other, []).append((row, seen_from_target(code), weight))
