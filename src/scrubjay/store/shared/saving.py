"""Writes a batch of prepared units: what both stores do alike, inside the caller's transaction."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Generic

from scrubjay.store.base import NewMention, PreparedUnit
from scrubjay.store.shared.links import Edge, LinkRows, join, put_edges
from scrubjay.store.shared.times import to_micros
from scrubjay.store.shared.unit_rows import Carried, Numbers, Tags, UnitRow, unit_row
from scrubjay.types.graph import Relation
from scrubjay.types.values import EntityId, UnitId

Written = tuple[PreparedUnit, "UnitRow[Tags]", list[EntityId]]


class BatchWriter(ABC, Generic[Tags]):
    """One batch, one transaction; rows are numbered from `first_row`."""

    def __init__(
        self, links: LinkRows, type_code: Callable[[str], int], new_id: Callable[[], UnitId]
    ) -> None:
        self._links = links
        self._type_code = type_code
        self._new_id = new_id
        self._made: dict[str, EntityId] = {}
        self._edges: dict[int, list[Edge]] = {}
        self._mentions: list[tuple[EntityId, int]] = []
        self._explicit: set[EntityId] = set()
        self._also_named: list[tuple[str, EntityId, float]] = []
        self._full_names: dict[EntityId, str] = {}

    @abstractmethod
    def _packed_tags(self, tags: Sequence[str]) -> Tags | None:
        """Tags as a row keeps them, None without any."""

    @abstractmethod
    def _touched_sessions(self, batch: Sequence[PreparedUnit]) -> dict[str, int]:
        """The numbers of a batch's sessions, in which its units were told."""

    @abstractmethod
    def _new_entity(self, mention: NewMention) -> EntityId:
        """The entity that a mention makes."""

    @abstractmethod
    def _put_relation(
        self, relation: Relation, ends: tuple[EntityId, EntityId], row: int, *, told: bool
    ) -> None:
        """Store or refresh a relation that a unit told, or that was read from it."""

    @abstractmethod
    def _unlink_superseding(self, unit: UnitId) -> None:
        """Let no unit supersede this one."""

    def _rows(
        self,
        batch: Sequence[PreparedUnit],
        carried: Sequence[Carried | None],
        *,
        first_row: int,
        created_at: int,
    ) -> Iterator[Written[Tags]]:
        """Each unit with its row and the entities it mentions; edges and mentions are gathered."""
        sessions = self._touched_sessions(batch)
        for row, (prepared, before) in enumerate(zip(batch, carried, strict=True), first_row):
            unit = prepared.unit
            kept = before or self._first_row_of(prepared)
            if prepared.replaces and kept.superseded_by and unit.valid_to is None:
                # What is told to hold again is superseded no longer.
                self._unlink_superseding(kept.id)
                kept = kept._replace(superseded_by=None)
            given = Numbers(
                row,
                self._type_code(prepared.type),
                None if unit.session is None else sessions[unit.session],
                self._packed_tags(unit.tags),
                created_at,
            )
            yield prepared, unit_row(prepared, kept, given), self._mention(row, prepared)
            # Kept edges first: one that is told again replaces them.
            if kept.causal:
                self._edges.setdefault(row, []).extend(kept.causal)
            for link in prepared.links:
                ends = (link.row, row) if link.leads_here else (row, link.row)
                join(self._edges, *ends, link.kind, link.weight)

    def _write_edges(self) -> None:
        if self._edges:
            put_edges(self._links, self._edges)

    def _first_row_of(self, prepared: PreparedUnit) -> Carried:
        unit, lineage = UnitId(prepared.unit.id or self._new_id()), prepared.lineage
        if lineage is None:
            return Carried(unit)
        created_at = to_micros(lineage.created_at)
        return Carried(unit, lineage.supersedes, lineage.superseded_by, created_at)

    def _session_spans(self, batch: Sequence[PreparedUnit]) -> dict[str, tuple[int, int]]:
        """The sessions of a batch, and when the first and the last of their units were told."""
        told: dict[str, list[int]] = {}
        for prepared in batch:
            if prepared.unit.session is not None:
                told.setdefault(prepared.unit.session, []).append(to_micros(prepared.told_at))
        return {name: (min(moments), max(moments)) for name, moments in told.items()}

    def _mention(self, row: int, prepared: PreparedUnit) -> list[EntityId]:
        named = {mention.folded: self._entity(mention) for mention in prepared.mentions}
        entities = list(dict.fromkeys(named.values()))
        self._mentions += [(entity, row) for entity in entities]
        said = set[tuple[EntityId, EntityId]]()
        if prepared.unit.relations:
            by_name = {mention.name: named[mention.folded] for mention in prepared.mentions}
            for relation in prepared.unit.relations:
                ends = by_name[relation.subject], by_name[relation.object]
                self._put_relation(relation, ends, row, told=True)
                said.update((ends, ends[::-1]))
        for read in prepared.read:
            found = self._entity(read.ends[0]), self._entity(read.ends[1])
            # What the caller told of two is not read again from the text that says it.
            if found[0] != found[1] and found not in said:
                self._put_relation(read.relation, found, row, told=False)
        return entities

    def _entity(self, mention: NewMention) -> EntityId:
        entity = mention.entity if mention.entity is not None else self._made.get(mention.folded)
        if entity is None:
            entity = self._made[mention.folded] = self._new_entity(mention)
        elif mention.explicit:
            self._explicit.add(entity)
        if mention.also:
            self._also_named += [(alias, entity, confidence) for alias, confidence in mention.also]
        if mention.full:
            self._full_names[entity] = mention.full
        return entity
