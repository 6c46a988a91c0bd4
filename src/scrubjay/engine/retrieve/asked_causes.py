"""Follows causal links, when the question asks what came of something or why it came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, Walk
from scrubjay.engine.retrieve.words import best_words
from scrubjay.store.base import LINK_KINDS
from scrubjay.types.graph import LinkKind

# Which links lead from what a question names to what it asks for. Enabling and preventing are
# stored without a direction.
_LEADING = {
    "effect": (LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.PREVENTS),
    "cause": (LinkKind.CAUSED_BY, LinkKind.ENABLES, LinkKind.PREVENTS),
}
# The question must name the unit it starts from: the best few, each better than a stranger. How
# surely it is named goes on to what it leads to.
STARTS_MAX = 5
START_FLOOR = 0.3
# Links followed one after the other: what came of it, and what came of that.
LINKS_MAX = 3


@dataclass(frozen=True, slots=True)
class ReachedUnit:
    """A unit the links led to: how surely, and along which of them."""

    score: float
    path: tuple[int | str, ...]  # rows and the links between them


def asked_causes(query: Query, step: RetrieverPlan) -> Retrieved:
    """The effects (or causes) of the units the question names, and what came of those in turn.

    A unit's score is the likeness of where the way began times the weights along it. Being what
    was asked for, and in other words than the question's, they count more in fusion, as causal
    links do in spreading activation.
    """
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    wanted = _LEADING.get(query.parsed.asks_for or "")
    starts = _named(query) if wanted else {}
    if not starts or not wanted:
        return NOTHING
    best, followed = _followed(query, starts, wanted, switches.decay)
    rows = np.array(sorted(best, key=lambda row: (-best[row].score, row)), np.int64)
    rows = rows[query.allowed(rows)][: step.depth]
    listed = rows.tolist()
    passed = {part for row in listed for part in best[row].path if isinstance(part, int)}
    ids = query.bank.ids_of(np.array(sorted(passed), np.int64)) if passed else {}
    return Retrieved(
        rows,
        np.array([min(best[row].score, 1.0) for row in listed], np.float32),
        np.full(len(rows), switches.causal_factor, np.float32),
        {
            row: tuple(part if isinstance(part, str) else ids[part] for part in best[row].path)
            for row in listed
        },
        Walk(len(starts), followed),
    )


def _followed(
    query: Query, starts: Mapping[int, float], wanted: Sequence[LinkKind], decay: float
) -> tuple[dict[int, ReachedUnit], int]:
    """Every unit within LINKS_MAX links of the starts, by its best way; and links followed."""
    best, followed = dict[int, ReachedUnit](), 0
    frontier = {row: ReachedUnit(score, (row,)) for row, score in starts.items()}
    for distance in range(LINKS_MAX):
        edges = query.bank.neighbours(np.array(sorted(frontier), np.int64))
        nearer, frontier = frontier, {}
        for source, target, code, weight in zip(
            edges.sources.tolist(),
            edges.targets.tolist(),
            edges.kinds.tolist(),
            edges.weights.tolist(),
            strict=True,
        ):
            kind, way = LINK_KINDS[code], nearer[source]
            score = way.score * weight * (decay if distance else 1.0)
            known = best.get(target)
            # What the question names more surely than where the way comes from is no news of it.
            news = starts.get(target, 0.0) < way.score
            if kind in wanted and news and (known is None or score > known.score):
                path = (*way.path, f"-{kind}->", target)
                best[target] = frontier[target] = ReachedUnit(score, path)
                followed += 1
        if not frontier:
            break
    return {row: ReachedUnit(way.score, way.path[:-1]) for row, way in best.items()}, followed


def _named(query: Query) -> dict[int, float]:
    """The units the question is about, by meaning or by words, and how surely."""
    by_words = best_words(query, limit=STARTS_MAX, scope=query.scope)
    named = dict(zip(by_words.rows.tolist(), by_words.scores.tolist(), strict=True))
    if query.vector.ready():
        near = query.nearest(limit=STARTS_MAX, floor=START_FLOOR, scope=query.scope)
        for row, score in zip(near.rows.tolist(), near.scores.tolist(), strict=True):
            named[row] = max(named.get(row, 0.0), score)
    return {row: score for row, score in named.items() if score >= START_FLOOR}
