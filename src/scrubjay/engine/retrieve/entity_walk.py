"""Entity walk: from the entities the question names, over relations, to the units about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from scrubjay.answers import Parsed, RetrieverPlan
from scrubjay.engine.retrieve.query import NOTHING, Found, Query
from scrubjay.preset import HOPS_EXPLICIT
from scrubjay.store.base import RelationEdge
from scrubjay.types import EntityId, RelationClass

# What a unit is worth 0, 1, 2 and 3 relations away from a named entity.
HOP_SCORES = (1.0, 0.6, 0.35, 0.15)
CLASS_PRIORS = {
    RelationClass.STRUCTURAL: 1.0,
    RelationClass.SEMANTIC: 0.9,
    RelationClass.LIFECYCLE: 0.3,
}
# What a relation that does not hold at the moment asked about is still worth.
ENDED_FRESHNESS = 0.3
# Surer than this, the walk starts from one entity; else from every candidate, weighed.
SURE = 0.7
# Entities visited in all; a hub would otherwise reach the whole bank.
ENTITIES_MAX = 200
# Newest units looked at per entity. Of one the question names, enough that the units most like
# the question are among them: 500 instead of 50 found .65 instead of .58 of what was asked for
# (LoCoMo, recall@10), where half of all units name one of two speakers.
UNITS_PER_NAMED_ENTITY_MAX = 500
UNITS_PER_ENTITY_MAX = 50


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity the walk came to: how far, how sure, along which relations."""

    entity: EntityId
    hops: int
    factor: float  # product of confidences, freshness and priors along the way
    path: tuple[str, ...]

    @property
    def score(self) -> float:
        """The score of units that mention it."""
        return HOP_SCORES[self.hops] * self.factor


def entity_walk(query: Query, step: RetrieverPlan) -> Found:
    """Units that mention what the walk reaches; score = hop x confidence x freshness x prior."""
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    hops = HOPS_EXPLICIT if query.parsed.multi_hop else min(switches.hops, HOPS_EXPLICIT)
    moment = query.scope.as_of or query.parsed.now
    reached = walk(query, roots(query.parsed), hops, moment)
    if not reached:
        return NOTHING
    return units_about(query, reached, step.depth, switches.multi_hop_weight)


def roots(parsed: Parsed) -> list[Reached]:
    """Where the walk starts: the entity when sure of it, else every candidate, weighed."""
    starts: dict[EntityId, Reached] = {}
    for entity in parsed.entities:
        sure = entity.confidence >= SURE
        candidates = ((entity.entity, 1.0),) if sure else entity.candidates
        for candidate, confidence in candidates:
            known = starts.get(candidate)
            if known is None or known.factor < confidence:
                # An unsure name stands as it was written: it is not known whose it is.
                shown = entity.name if sure else entity.mention
                starts[candidate] = Reached(candidate, 0, confidence, (shown,))
    return list(starts.values())


def walk(query: Query, starts: Iterable[Reached], hops: int, moment: datetime) -> list[Reached]:
    """Every entity within `hops` relations, each by its best way; bounded."""
    best = {start.entity: start for start in starts}
    frontier = list(best.values())
    for hop in range(1, hops + 1):
        edges = query.bank.relations_of([reached.entity for reached in frontier])
        sources = {reached.entity: reached for reached in frontier}
        frontier = []
        for edge in edges:
            step = _along(sources[edge.origin], edge, hop, moment)
            known = best.get(step.entity)
            if len(best) < ENTITIES_MAX and (known is None or known.score < step.score):
                best[step.entity] = step
                frontier.append(step)
        if not frontier:
            break
    return sorted(best.values(), key=lambda reached: (-reached.score, reached.entity))


def _along(source: Reached, edge: RelationEdge, hop: int, moment: datetime) -> Reached:
    begun = edge.valid_from is None or edge.valid_from <= moment
    ended = edge.valid_to is not None and edge.valid_to < moment
    freshness = 1.0 if begun and not ended else ENDED_FRESHNESS
    prior = CLASS_PRIORS[RelationClass(edge.relation_class)]
    arrow = f"-{edge.relation}->" if edge.forward else f"<-{edge.relation}-"
    return Reached(
        edge.other,
        hop,
        source.factor * edge.confidence * freshness * prior,
        (*source.path, arrow, edge.other_name),
    )


def units_about(query: Query, reached: list[Reached], depth: int, multi_hop_weight: float) -> Found:
    """The units that mention the entities reached, each by its best entity."""
    best: dict[int, Reached] = {}
    shared: dict[int, float] = {}
    for way, row in _mentions(query, reached):
        shared[row] = shared.get(row, 0.0) + way.score
        if row not in best or best[row].score < way.score:
            best[row] = way
    # Equal scores are the rule here: a unit that names more of what was reached goes first,
    # then the one more like the question, then the newer one.
    like = _likeness(query, list(best))
    order = sorted(best, key=lambda row: (-best[row].score, -shared[row], -like[row], -row))[:depth]
    return Found(
        np.array(order, np.int64),
        np.array([min(best[row].score, 1.0) for row in order], np.float32),
        np.array([1.0 if best[r].hops == 0 else multi_hop_weight for r in order], np.float32),
        {row: best[row].path for row in order},
    )


def _mentions(query: Query, reached: list[Reached]) -> Iterator[tuple[Reached, int]]:
    named = {r.entity: r for r in reached if r.hops == 0}
    related = {r.entity: r for r in reached if r.hops > 0}
    for ways, limit in (
        (named, UNITS_PER_NAMED_ENTITY_MAX),
        (related, UNITS_PER_ENTITY_MAX),
    ):
        found = query.bank.mentions_of(list(ways), limit=limit)
        allowed = query.allowed(found.rows)
        entities, rows = found.entities[allowed].tolist(), found.rows[allowed].tolist()
        for entity, row in zip(entities, rows, strict=True):
            yield ways[EntityId(entity)], row


def _likeness(query: Query, rows: list[int]) -> dict[int, float]:
    if not query.vector.ready():
        return dict.fromkeys(rows, 0.0)
    similar = query.similarity(np.array(rows, np.int64))
    return dict(zip(rows, similar.tolist(), strict=True))
