"""What stands next to one unit or entity: the links, names and relations of one step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scrubjay.engine.retain.stored import read
from scrubjay.errors import NotFound
from scrubjay.store.base import LINK_KINDS, BankStore
from scrubjay.types.graph import Entity, LinkKind
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import EntityId
from scrubjay.types.views import Edge, Neighbourhood, Node

_LABEL_CHARACTERS_MAX = 200
# What an edge is seen from its other end.
_TURNED = {LinkKind.CAUSED_BY: LinkKind.CAUSES, LinkKind.UPDATED_BY: LinkKind.UPDATES}


class _Next(NamedTuple):
    """A candidate: how strongly it is joined, and the row of a unit or the number of an entity."""

    strength: float
    row: int | None
    entity: int | None

    @property
    def order(self) -> tuple[float, bool, int]:
        """The strongest first; then entities, units, each by number, so that ties never move."""
        return -self.strength, self.row is not None, self.row or self.entity or 0


def around_unit(bank: BankStore, unit: str, limit: int) -> Neighbourhood:
    """What is joined to a unit by a link, a name or a succession; at most `limit` nodes."""
    centre = read(bank, unit)
    row = bank.rows_of([centre.id])[centre.id]
    found = [*_linked(bank, row), *_lineage(bank, centre), *_named(bank, [row])]
    return _drawn(bank, _Next(1.0, row, None), found, limit)


def around_entity(bank: BankStore, number: EntityId, limit: int) -> Neighbourhood:
    """What mentions an entity, newest first, and what it is related to; at most `limit` nodes."""
    entity = _entity(bank, number)
    related = [_Next(edge.confidence, None, edge.other) for edge in bank.relations_of([entity.id])]
    rows = bank.mentions_of([entity.id], limit=limit).rows.tolist()
    share = _share(entity.mentions)
    told = [_Next(share, row, None) for row in rows]
    more = entity.mentions > len(rows)
    return _drawn(bank, _Next(1.0, None, entity.id), [*related, *told], limit, more=more)


def _entity(bank: BankStore, number: EntityId) -> Entity:
    found = bank.entity(number)
    if found is None:
        raise NotFound("no such entity in this bank", number, "List what there is.")
    return found


def _share(mentions: int) -> float:
    """How strongly a name joins: the less, the more units share it."""
    return 1.0 / (1.0 + math.log2(max(1, mentions)))


def _linked(bank: BankStore, row: int) -> Iterator[_Next]:
    edges = bank.neighbours(np.array([row], np.int64))
    for other, weight in zip(edges.targets.tolist(), edges.weights.tolist(), strict=True):
        yield _Next(float(weight), other, None)


def _lineage(bank: BankStore, unit: StoredUnit) -> Iterator[_Next]:
    ids = [one for one in (unit.supersedes, unit.superseded_by) if one is not None]
    for row in bank.rows_of(ids).values() if ids else ():
        yield _Next(1.0, row, None)


def _named(bank: BankStore, rows: Sequence[int]) -> Iterator[_Next]:
    mentions = bank.entities_of(np.array(rows, np.int64))
    for entity in dict.fromkeys(mentions.entities.tolist()):
        yield _Next(_share(mentions.totals.get(entity, 1)), None, entity)


def _drawn(
    bank: BankStore, centre: _Next, found: Sequence[_Next], limit: int, *, more: bool = False
) -> Neighbourhood:
    """The centre and the strongest of what was found, with every edge between them."""
    best: dict[tuple[int | None, int | None], _Next] = {}
    for one in sorted(found, key=lambda one: one.order):
        if one[1:] != centre[1:]:
            best.setdefault((one.row, one.entity), one)
    shown = [centre, *list(best.values())[: limit - 1]]
    rows = [one.row for one in shown if one.row is not None]
    units = bank.hydrate_rows(np.array(rows, np.int64))
    entities = {
        number: entity
        for one in shown
        if (number := one.entity) is not None
        and (entity := bank.entity(EntityId(number))) is not None
    }
    nodes = []
    for place, one in enumerate(shown):
        distance = 1 if place else 0
        if one.row in units:
            nodes.append(_unit_node(units[one.row], distance))
        elif one.entity in entities:
            nodes.append(_entity_node(entities[one.entity], distance))
    edges = {
        (edge.source, edge.target, edge.kind, edge.label): edge
        for edge in (*_edges_of_units(bank, units), *_edges_of_entities(bank, units, entities))
    }
    kept = sorted(edges.values(), key=lambda e: (e.source, e.target, e.kind, e.label or ""))
    return Neighbourhood(tuple(nodes), tuple(kept), more or len(best) > len(shown) - 1)


def _unit_node(unit: StoredUnit, distance: int) -> Node:
    label = unit.text[:_LABEL_CHARACTERS_MAX]
    return Node(_of_unit(unit), "unit", unit.id, label, unit.type, unit.told_at, distance)


def _entity_node(entity: Entity, distance: int) -> Node:
    label = entity.name[:_LABEL_CHARACTERS_MAX]
    return Node(f"e:{entity.id}", "entity", str(entity.id), label, entity.kind, None, distance)


def _of_unit(unit: StoredUnit) -> str:
    return f"u:{unit.id}"


def _edges_of_units(bank: BankStore, units: dict[int, StoredUnit]) -> Iterator[Edge]:
    """Links and successions between the units shown, each once, from the one that made it."""
    if not units:
        return
    links = bank.neighbours(np.array(sorted(units), np.int64))
    parts = (links.sources, links.targets, links.kinds, links.weights)
    for source, target, code, weight in zip(*(part.tolist() for part in parts), strict=True):
        kind = LINK_KINDS[code]
        if source not in units or target not in units:
            continue
        ends = _of_unit(units[source]), _of_unit(units[target])
        if kind in _TURNED:
            ends = ends[::-1]
        elif kind in (LinkKind.SEMANTIC, LinkKind.DISTINCT):
            ends = min(ends), max(ends)
        yield Edge(*ends, str(_TURNED.get(kind, kind)), float(weight))
    ids = {unit.id: unit for unit in units.values()}
    for unit in units.values():
        if unit.supersedes is not None and unit.supersedes in ids:
            yield Edge(_of_unit(unit), f"u:{unit.supersedes}", "supersedes", 1.0)


def _edges_of_entities(
    bank: BankStore, units: dict[int, StoredUnit], entities: dict[int, Entity]
) -> Iterator[Edge]:
    """Who mentions whom, and how the entities shown stand to each other."""
    if not entities:
        return
    if units:
        mentions = bank.entities_of(np.array(sorted(units), np.int64))
        pairs = zip(mentions.rows.tolist(), mentions.entities.tolist(), strict=True)
        for row, entity in pairs:
            if entity in entities and row in units:
                strength = _share(entities[entity].mentions)
                yield Edge(_of_unit(units[row]), f"e:{entity}", "mention", strength)
    for edge in bank.relations_of([EntityId(number) for number in entities]):
        if edge.other in entities:
            ends = f"e:{edge.origin}", f"e:{edge.other}"
            ends = ends if edge.forward else ends[::-1]
            yield Edge(*ends, "relation", edge.confidence, edge.relation)
