"""Follows causal links, when the question asks what came of something or why it came about."""

from __future__ import annotations

import numpy as np

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.lexical import best_words
from scrubjay.engine.retrieve.query import NOTHING, Found, Query
from scrubjay.store.base import LINK_KINDS
from scrubjay.types import LinkKind

# Which links lead from what a question names to what it asks for. Enabling and preventing are
# stored without a direction.
_LEADING = {
    "effect": (LinkKind.CAUSES, LinkKind.ENABLES, LinkKind.PREVENTS),
    "cause": (LinkKind.CAUSED_BY, LinkKind.ENABLES, LinkKind.PREVENTS),
}
# The question must name the unit it starts from: the best few, each surely about it.
STARTS_MAX = 5
START_FLOOR = 0.5


def asked_causes(query: Query, step: RetrieverPlan) -> Found:
    """The effects (or causes) of the units the question names; likeness x link weight.

    Being what was asked for, and in other words than the question's, they count double in
    fusion, as causal links do in spreading activation.
    """
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    wanted = _LEADING.get(query.parsed.asks_for or "")
    starts = _named(query) if wanted else {}
    if not starts or not wanted:
        return NOTHING
    edges = query.bank.neighbours(np.array(list(starts), np.int64))
    best: dict[int, tuple[float, int, str]] = {}
    for source, target, code, weight in zip(
        edges.sources.tolist(),
        edges.targets.tolist(),
        edges.kinds.tolist(),
        edges.weights.tolist(),
        strict=True,
    ):
        score, kind = starts[source] * weight, LINK_KINDS[code]
        if kind in wanted and score > best.get(target, (0.0, 0, ""))[0]:
            best[target] = (score, source, kind)
    rows = np.array(sorted(best, key=lambda row: (-best[row][0], row)), np.int64)
    rows = rows[query.allowed(rows)][: step.depth]
    ids = query.bank.ids_of(np.array([best[row][1] for row in rows.tolist()], np.int64))
    return Found(
        rows,
        np.array([min(best[row][0], 1.0) for row in rows.tolist()], np.float32),
        np.full(len(rows), switches.causal_factor, np.float32),
        {row: (ids[best[row][1]], f"-{best[row][2]}->") for row in rows.tolist()},
    )


def _named(query: Query) -> dict[int, float]:
    """The units the question is about, by meaning or by words, and how surely."""
    by_words = best_words(query, limit=STARTS_MAX, scope=query.scope)
    named = dict(zip(by_words.rows.tolist(), by_words.scores.tolist(), strict=True))
    if query.vector.ready():
        near = query.nearest(limit=STARTS_MAX, floor=START_FLOOR, scope=query.scope)
        for row, score in zip(near.rows.tolist(), near.scores.tolist(), strict=True):
            named[row] = max(named.get(row, 0.0), score)
    return {row: score for row, score in named.items() if score >= START_FLOOR}
