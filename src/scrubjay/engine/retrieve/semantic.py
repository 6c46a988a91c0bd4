"""Finds units by meaning: cosine similarity over normalised embeddings."""

from __future__ import annotations

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.arms import searched
from scrubjay.engine.retrieve.query import Found, Query


def semantic(query: Query, step: RetrieverPlan) -> Found:
    """The units nearest to the question, above the preset's calibrated floor."""
    switches = query.preset.semantic
    assert switches is not None, "the plan runs only what the preset has"
    hits = searched(
        query,
        lambda scope: query.nearest(limit=step.depth, floor=switches.floor, scope=scope),
        per_type=switches.per_type,
    )
    return Found(hits.rows, hits.scores)
