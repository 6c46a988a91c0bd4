"""Finds units by connections; four methods over the same links and relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.query import NOTHING, Found, Query
from scrubjay.engine.retrieve.walks.asked_causes import asked_causes
from scrubjay.engine.retrieve.walks.entity_walk import entity_walk
from scrubjay.engine.retrieve.walks.link_expansion import link_expansion
from scrubjay.engine.retrieve.walks.spreading import spreading_activation
from scrubjay.preset import GraphMethod

_METHODS: dict[GraphMethod, Callable[[Query, RetrieverPlan], Found]] = {
    GraphMethod.LINK_EXPANSION: link_expansion,
    GraphMethod.SPREADING_ACTIVATION: spreading_activation,
    GraphMethod.ENTITY_WALK: entity_walk,
    GraphMethod.ASKED_CAUSES: asked_causes,
}
# These start from the units nearest in meaning, and have nowhere to start without a vector.
_FROM_MEANING = (GraphMethod.LINK_EXPANSION, GraphMethod.SPREADING_ACTIVATION)


def graph(query: Query, step: RetrieverPlan) -> Found:
    """The units connected to what the question is about, by the plan's methods."""
    methods = [GraphMethod(name) for name in step.method.split("+")]
    others = [method for method in methods if method not in _FROM_MEANING]
    if others and len(others) < len(methods) and not query.vector.ready():
        # The semantic branch reports the encoder's failure; the other methods still answer.
        methods = others
    found = [_METHODS[method](query, step) for method in methods]
    return found[0] if len(found) == 1 else merged(found, step.depth)


def merged(found: Sequence[Found], depth: int) -> Found:
    """Several methods' answers as one list: a unit keeps its best score and its best weight.

    Best first by score x weight; equal ones stay in the order their methods gave them.
    """
    if not any(len(part.rows) for part in found):
        return NOTHING
    rows, first, where = np.unique(
        np.concatenate([part.rows for part in found]), return_index=True, return_inverse=True
    )
    scores, weights = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.float32)
    np.maximum.at(scores, where, np.concatenate([part.scores for part in found]))
    np.maximum.at(
        weights,
        where,
        np.concatenate(
            [np.ones(len(p.rows), np.float32) if p.weights is None else p.weights for p in found]
        ),
    )
    order = np.lexsort((first, -scores * weights))[:depth]
    paths: dict[int, tuple[str, ...]] = {}
    for part in reversed(found):
        paths |= part.paths
    return Found(rows[order], scores[order], weights[order], paths)
