"""Entity walk: from the entities the question names, over relations, to the units about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
import numpy.typing as npt

from scrubjay.answers import AskedEdge, Parsed, RetrieverPlan
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, Walk
from scrubjay.engine.shared.describing import is_described
from scrubjay.language.relations import IS, is_same_relation
from scrubjay.preset import HOPS_EXPLICIT
from scrubjay.store.base import RelationEdge
from scrubjay.store.shared.ranked_rows import distinct, ordered
from scrubjay.types.arrays import RowArray
from scrubjay.types.graph import RelationClass
from scrubjay.types.values import EntityId

# What a unit is worth 0, 1, 2 and 3 relations away from a named entity.
HOP_SCORES = (1.0, 0.6, 0.35, 0.15)
CLASS_PRIORS = {
    RelationClass.STRUCTURAL: 1.0,
    RelationClass.SEMANTIC: 0.9,
    RelationClass.LIFECYCLE: 0.3,
}
# What a relation that does not hold at the moment asked about is still worth.
ENDED_FRESHNESS = 0.3
# How much more than what it leads to the unit says that says the very relation asked for.
SAID_WEIGHT = 5.0
# Its share where the question says by relations whom it means, and asks something of them: what
# says who that is belongs to the answer, behind what is asked.
SAID_OF_WHOM = 0.2
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
    asked: str = ""  # the relation asked for that led here; empty: none did

    @property
    def score(self) -> float:
        """The score of units that mention it."""
        return HOP_SCORES[self.hops] * self.factor


def entity_walk(query: Query, step: RetrieverPlan) -> Retrieved:
    """Units that mention what the walk reaches; score = hop x confidence x freshness x prior."""
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    # Each relation asked for is a hop: where the man of someone's sister works is three away.
    asked = sum(_times_asked(query.parsed).values())
    hops = (
        HOPS_EXPLICIT if query.parsed.multi_hop else min(max(switches.hops, asked), HOPS_EXPLICIT)
    )
    moment = query.scope.as_of or query.parsed.now
    starts = roots(query.parsed)
    walked = walk(query, starts, hops, moment)
    if not walked.reached:
        return NOTHING
    found = units_about(query, walked, step.depth, switches.multi_hop_weight)
    return replace(found, walked=Walk(len(starts), walked.followed))


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


@dataclass(frozen=True, slots=True)
class Walked:
    """Where a walk came: entities, best first, and by row the units that say what was asked for."""

    reached: list[ReachedEntity]
    said: dict[int, ReachedEntity]
    followed: int = 0  # relations


def walk(query: Query, starts: Iterable[ReachedEntity], hops: int, moment: datetime) -> Walked:
    """Every entity within `hops` relations, each by its best way; bounded.

    What was read from a text is followed only where the question asks for such a relation: it says
    much there, and leads astray everywhere else.
    """
    best = {start.entity: start for start in starts}
    said: dict[int, ReachedEntity] = {}
    frontier, followed, times = list(best.values()), 0, _times_asked(query.parsed)
    for hop in range(1, hops + 1):
        # Each once, by the surest way: what it leads to is followed once.
        sources = {reached.entity: reached for reached in frontier}
        edges = query.bank.relations_of(list(sources))
        frontier = []
        for edge in edges:
            source = sources[edge.origin]
            asked = _asked_for(query.parsed, source, edge, times)
            # From a name to the user whose it is, of whom more may be said; not back, for what
            # the user asks is rarely about their name.
            same = edge.relation == IS and edge.forward
            if not (asked or edge.told or same):
                continue
            followed += 1
            step = _along(source, edge, hop, moment)
            if asked or same:
                step = replace(step, asked=asked.relation if asked else IS)
            if asked and asked.final and edge.row is not None:
                told = said.get(edge.row)
                if told is None or told.factor < step.factor:
                    said[edge.row] = step
            known = best.get(step.entity)
            if len(best) < ENTITIES_MAX and (known is None or known.score < step.score):
                best[step.entity] = step
                frontier.append(step)
        if not frontier:
            break
    reached = sorted(best.values(), key=lambda reached: (-reached.score, reached.entity))
    return Walked(reached, said, followed)


def _asked_for(
    parsed: Parsed, source: ReachedEntity, edge: RelationEdge, times: Mapping[str, int]
) -> AskedEdge | None:
    """The relation asked for that an edge is; None if it is none.

    Beyond the first, one counts only behind another, "where does Ana's sister work", and the same
    again only if the question says it again: "Ana's boss's boss".
    """
    if source.hops and not source.asked:
        return None
    for asked in parsed.relations:
        from_here = asked.entity == (source.entity if source.hops == 0 else None)
        if (
            from_here
            and (asked.relation != source.asked or times[asked.relation] > 1)
            and is_same_relation(
                edge.relation,
                forward=edge.forward,
                asked=asked.relation,
                asked_forward=asked.forward,
            )
        ):
            return asked
    return None


def _times_asked(parsed: Parsed) -> Counter[str]:
    """How often a question speaks of each relation, whoever is named."""
    return Counter(asked.relation for asked in parsed.relations if asked.entity is None)


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


def units_about(query: Query, walked: Walked, depth: int, multi_hop_weight: float) -> Retrieved:
    """The units that mention the entities reached, each by its best entity.

    Those that say a relation which was asked for come with all the certainty of that relation.
    """
    said = sorted(walked.said)
    reached = [*walked.reached, *(walked.said[row] for row in said)]
    certain = np.arange(len(reached)) >= len(walked.reached)
    ways, mentioning = _mentions(query, walked.reached)
    ways = np.concatenate([ways, certain.nonzero()[0]])
    mentioning = np.concatenate([mentioning, np.array(said, np.int64)])
    allowed = query.allowed(mentioning)
    ways, mentioning = ways[allowed], mentioning[allowed]
    # As good as being named itself; how sure it is weighs in fusion.
    scores = np.where(certain, 1.0, [way.score for way in reached])[ways]
    rows = distinct(mentioning)
    if len(rows) == len(mentioning):  # there is one way to each
        order = np.argsort(mentioning)
        shared = scores[order]
    else:
        where = rows.searchsorted(mentioning)
        shared = np.bincount(where, weights=scores, minlength=len(rows))
        # The best way to each row, the first among equals: all of a row's stand together, best
        # first.
        order = ordered(-scores, ~certain[ways], where)
        order = order[np.searchsorted(where[order], np.arange(len(rows)))]
    # Newest first, as equals stay.
    order, rows, shared = order[::-1], rows[::-1], shared[::-1]
    ways, scores = ways[order], scores[order]
    # Equal scores are the rule here: a unit that names more of what was reached goes first,
    # then the one more like the question, then the newer one.
    like = query.similarity(rows) if query.vector.ready() else np.zeros(len(rows), np.float32)
    best = ordered(-like, -shared, -scores)[:depth]
    weights = np.array([1.0 if way.hops == 0 else multi_hop_weight for way in reached])
    described = {one.entity for one in filter(is_described, query.parsed.entities)}
    of_them = {one.relation for one in query.parsed.relations if one.entity in described}
    weights[certain] *= [
        SAID_WEIGHT * way.factor * (SAID_OF_WHOM if described and way.asked not in of_them else 1.0)
        for way in reached[len(walked.reached) :]
    ]
    # Hundreds of rows, a few ways: natively paired.
    paths = map([way.path for way in reached].__getitem__, ways[best].tolist())
    return Retrieved(
        rows[best],
        np.minimum(scores[best], 1.0).astype(np.float32),
        weights[ways[best]].astype(np.float32),
        dict(zip(rows[best].tolist(), paths, strict=True)),
    )


def _mentions(query: Query, reached: list[ReachedEntity]) -> tuple[npt.NDArray[np.int64], RowArray]:
    """Places in `reached`, and the rows that mention the entity there."""
    places: list[npt.NDArray[np.int64]] = []
    rows: list[RowArray] = []
    for direct, limit in ((True, UNITS_PER_NAMED_ENTITY_MAX), (False, UNITS_PER_ENTITY_MAX)):
        chosen = {way.entity: at for at, way in enumerate(reached) if (way.hops == 0) == direct}
        if chosen:
            found = query.bank.mentions_of(list(chosen), limit=limit)
            known = distinct(found.entities)
            place_of = np.array([chosen[EntityId(entity)] for entity in known.tolist()], np.int64)
            places.append(place_of[known.searchsorted(found.entities)])
            rows.append(found.rows)
    return np.concatenate(places), np.concatenate(rows)
