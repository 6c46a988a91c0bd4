"""Link expansion: from the nearest units, one step along entity, semantic and causal links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, Walk
from scrubjay.store.base import LINK_KINDS, EntityMentions
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.types.arrays import FloatArray, RowArray, ScoreArray
from scrubjay.types.graph import LinkKind

# Entity, semantic and causal evidence add up to at most this.
SCORE_MAX = 3.0

_SEMANTIC = LINK_KINDS.index(LinkKind.SEMANTIC)


def link_expansion(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units linked to the seeds; score = entity + semantic + causal evidence, over 3.

    Seeds themselves are returned only when another seed links to them.
    """
    switches = query.preset.graph
    assert switches is not None, "the plan runs only what the preset has"
    seeds = query.nearest(limit=switches.seeds, floor=switches.seed_floor, scope=query.scope).rows
    if not len(seeds):
        return NOTHING
    edges = query.bank.neighbours(seeds).leading_on()
    semantic = edges.kinds == _SEMANTIC
    shared_rows, shared_scores = shared_entities(query, seeds, rarity=switches.entity_rarity)
    rows = np.concatenate([shared_rows, edges.targets])
    unique, where = np.unique(rows, return_inverse=True)
    part = len(shared_rows)
    scores = np.zeros(len(unique), np.float32)
    scores[where[:part]] += shared_scores
    for chosen in (semantic, ~semantic):
        # Several edges of one kind say it once: the strongest counts.
        best = np.zeros(len(unique), np.float32)
        np.maximum.at(best, where[part:][chosen], edges.weights[chosen])
        scores += best
    found = _best(query, unique, scores / SCORE_MAX, step.depth)
    return replace(found, walked=Walk(len(seeds), len(rows)))


def shared_entities(query: Query, seeds: RowArray, *, rarity: bool) -> tuple[RowArray, ScoreArray]:
    """Units that mention what the seeds mention: tanh(0.5 x shared entities), bounded."""
    mentioned = query.bank.entities_of(seeds)
    entities = distinct(mentioned.entities)
    if not len(entities):
        return np.empty(0, np.int64), np.empty(0, np.float32)
    limit = query.bank.settings.links_per_entity_max
    mentions = query.bank.mentions_of(entities.tolist(), limit=limit)
    weights = _entity_weights(query, mentions, rarity=rarity)
    rows, where = np.unique(mentions.rows, return_inverse=True)
    counted = np.bincount(where, weights=weights, minlength=len(rows))
    # A seed shares all its entities with itself; only what others bring counts.
    own = np.isin(rows, seeds)
    counted[own] = 0.0
    return rows, np.tanh(0.5 * counted).astype(np.float32)


def _entity_weights(query: Query, mentions: EntityMentions, *, rarity: bool) -> FloatArray:
    if not rarity:
        return np.ones(len(mentions.rows))
    units = max(query.bank.unit_count(), 1)
    totals = np.array([mentions.totals[entity] for entity in mentions.entities.tolist()])
    # 1 for an entity named once, towards 0 for one that everything mentions.
    rare: FloatArray = np.log(1 + units / np.maximum(totals, 1)) / np.log(1 + units)
    return rare


def _best(query: Query, rows: RowArray, scores: ScoreArray, depth: int) -> Retrieved:
    keep = query.allowed(rows) & (scores > 0)
    rows, scores = rows[keep], scores[keep]
    order = np.lexsort((rows, -scores))[:depth]
    return Retrieved(rows[order], scores[order].astype(np.float32))
