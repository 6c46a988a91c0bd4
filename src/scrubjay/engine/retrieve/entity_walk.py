"""Entity walk: from the entities the question names, over relations, to the units about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from scrubjay.answers import Parsed, RetrieverPlan
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved
from scrubjay.preset import HOPS_EXPLICIT
from scrubjay.store.base import RelationEdge
from scrubjay.types import EntityId, RelationClass, RowArray

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
class ReachedEntity:
    """An entity the walk came to: how far, how sure, along which relations."""

    entity: EntityId
    hops: int
    factor: float  # product of confidences, freshness and priors along the way
    path: tuple[str, ...]

    @property
    def score(self) -> float:
        """The score of units that mention it."""
        return HOP_SCORES[self.hops] * self.factor


def entity_walk(query: Query, step: RetrieverPlan) -> Retrieved:
    """Units that mention what the walk reaches; score = hop x confidence x freshness x prior."""
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    hops = HOPS_EXPLICIT if query.parsed.multi_hop else min(switches.hops, HOPS_EXPLICIT)
    moment = query.scope.as_of or query.parsed.now
    reached = walk(query, roots(query.parsed), hops, moment)
    if not reached:
        return NOTHING
    return units_about(query, reached, step.depth, switches.multi_hop_weight)


def roots(parsed: Parsed) -> list[ReachedEntity]:
    """Where the walk starts: the entity when sure of it, else every candidate, weighed."""
    starts: dict[EntityId, ReachedEntity] = {}
    for entity in parsed.entities:
        sure = entity.confidence >= SURE
        candidates = ((entity.entity, 1.0),) if sure else entity.candidates
        for candidate, confidence in candidates:
            known = starts.get(candidate)
            if known is None or known.factor < confidence:
                # An unsure name stands as it was written: it is not known whose it is.
                shown = entity.name if sure else entity.mention
                starts[candidate] = ReachedEntity(candidate, 0, confidence, (shown,))
    return list(starts.values())


def walk(
    query: Query, starts: Iterable[ReachedEntity], hops: int, moment: datetime
) -> list[ReachedEntity]:
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


def _along(source: ReachedEntity, edge: RelationEdge, hop: int, moment: datetime) -> ReachedEntity:
    begun = edge.valid_from is None or edge.valid_from <= moment
    ended = edge.valid_to is not None and edge.valid_to < moment
    freshness = 1.0 if begun and not ended else ENDED_FRESHNESS
    prior = CLASS_PRIORS[RelationClass(edge.relation_class)]
    arrow = f"-{edge.relation}->" if edge.forward else f"<-{edge.relation}-"
    return ReachedEntity(
        edge.other,
        hop,
        source.factor * edge.confidence * freshness * prior,
        (*source.path, arrow, edge.other_name),
    )


def units_about(
    query: Query, reached: list[ReachedEntity], depth: int, multi_hop_weight: float
) -> Retrieved:
    """The units that mention the entities reached, each by its best entity."""
    ways, mentioning = _mentions(query, reached)
    scores = np.array([way.score for way in reached])[ways]
    rows, where = np.unique(mentioning, return_inverse=True)
    shared = np.bincount(where, weights=scores, minlength=len(rows))
    # The best way to each row, the first among equals: all of a row's stand together, best first.
    order = np.lexsort((-scores, where))
    order = order[np.searchsorted(where[order], np.arange(len(rows)))]
    ways, scores = ways[order], scores[order]
    # Equal scores are the rule here: a unit that names more of what was reached goes first,
    # then the one more like the question, then the newer one.
    like = query.similarity(rows) if query.vector.ready() else np.zeros(len(rows), np.float32)
    best = np.lexsort((-rows, -like, -shared, -scores))[:depth]
    direct = np.array([way.hops == 0 for way in reached], np.bool_)[ways[best]]
    paths = zip(rows[best].tolist(), ways[best].tolist(), strict=True)
    return Retrieved(
        rows[best],
        np.minimum(scores[best], 1.0).astype(np.float32),
        np.where(direct, 1.0, multi_hop_weight).astype(np.float32),
        {row: reached[way].path for row, way in paths},
    )


def _mentions(query: Query, reached: list[ReachedEntity]) -> tuple[npt.NDArray[np.int64], RowArray]:
    """Places in `reached`, and the rows in scope that mention the entity there."""
    places: list[npt.NDArray[np.int64]] = []
    rows: list[RowArray] = []
    for direct, limit in ((True, UNITS_PER_NAMED_ENTITY_MAX), (False, UNITS_PER_ENTITY_MAX)):
        chosen = {way.entity: at for at, way in enumerate(reached) if (way.hops == 0) == direct}
        if chosen:
            found = query.bank.mentions_of(list(chosen), limit=limit)
            known, which = np.unique(found.entities, return_inverse=True)
            place_of = np.array([chosen[EntityId(entity)] for entity in known.tolist()], np.int64)
            places.append(place_of[which])
            rows.append(found.rows)
    listed = np.concatenate(rows)
    allowed = query.allowed(listed)
    return np.concatenate(places)[allowed], listed[allowed]
