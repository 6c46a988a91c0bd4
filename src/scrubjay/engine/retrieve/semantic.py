"""Finds units by meaning: cosine similarity over normalised embeddings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrubjay.answers import Explained, Parsed, RetrieverPlan
from scrubjay.engine.retrieve.query import Query, Retrieved, one_row
from scrubjay.engine.retrieve.retriever import Retriever, missed
from scrubjay.engine.retrieve.type_by_type import peers, searched
from scrubjay.planning import (
    MEANING,
    Circumstances,
    Decision,
    is_identifier_question,
    is_pure_time,
    search_depth,
)
from scrubjay.preset import Preset, SemanticSwitches, TemporalMethod
from scrubjay.store.base import Prefetch

# Under the score that tells something, one of so many of the hits asked for.
_UNLIKE_PART = 5


def search(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units nearest to the question, above the preset's calibrated floor."""
    switches = _switches(query)
    floor = query.likeness_floor(switches)
    hits = searched(
        query,
        lambda scope: query.nearest(limit=step.depth, floor=floor, scope=scope),
        per_type=switches.per_type,
    )
    told = int(np.count_nonzero(hits.scores >= switches.telling))
    # Of what is unlike the question the nearest few: the others would only be carried along.
    hits = hits.take(slice(told + step.depth // _UNLIKE_PART))
    return Retrieved(hits.rows, hits.scores, telling=switches.telling)


def plan(parsed: Parsed, preset: Preset, around: Circumstances) -> Decision:
    """Runs unless words or the time alone say all there is."""
    switches = preset.semantic
    if switches is None:
        return Decision(False, "the preset has no semantic retriever", "nearest")
    run, reason = True, "meaning is always worth asking"
    if not around.has_vectors:
        run, reason = False, f"no search by meaning: {around.lacking}"
    elif preset.optimizer and is_identifier_question(parsed):
        run, reason = False, "only an identifier is asked for; words find it exactly"
    elif preset.optimizer and _is_nothing_but_time(parsed, preset):
        run, reason = False, "a pure time question; nothing in it has a meaning to compare"
    depth = search_depth(switches.per_limit, switches.at_least, around.limit)
    return Decision(run, reason, "nearest", depth)


def _is_nothing_but_time(parsed: Parsed, preset: Preset) -> bool:
    # A preset may take events alone.
    everything = preset.temporal is not None and preset.temporal.method is TemporalMethod.WINDOW
    # "Lately" and "since May" bound nothing, and must not leave anything out.
    bounded = parsed.window_kind not in ("fuzzy", "open")
    return everything and bounded and is_pure_time(parsed)


def lacks(preset: Preset, around: Circumstances) -> str | None:
    """Vectors, where there is no encoder."""
    return around.lacking if preset.semantic is not None and not around.has_vectors else None


def needs(query: Query, step: RetrieverPlan, wanted: Prefetch) -> Prefetch:
    """The units nearest to the question."""
    if not query.vector.ready():
        return wanted
    return replace(
        wanted,
        scope=query.scope,
        vector=query.vector.get(),
        limit=step.depth,
        per_type=_switches(query).per_type,
    )


def why_missed(query: Query, step: RetrieverPlan, found: Retrieved, row: int) -> Explained:
    """The unit's similarity, and whether the floor, nearer ones or the search kept it out."""
    switches = _switches(query)
    cosine = float(query.bank.similarity(query.vector.get(), one_row(row))[0])
    if cosine <= -1.0:
        return missed(None, "it has no vector")
    score, floor = float(query.similarity(one_row(row))[0]), query.likeness_floor(switches)
    if score < floor:
        return missed(score, f"under the floor of {floor}")
    # Scores end at 0; what is less alike than that has the score, and was not searched for.
    if cosine < query.vector.cosine_at(floor):
        return missed(score, f"under the floor of {floor}, at a cosine of {cosine:.3f}")
    others = peers(query, found, row, per_type=switches.per_type)
    nearer = int(np.count_nonzero(others >= score))
    reason = f"{nearer} others are nearer"
    if score < switches.telling and nearer >= len(found.rows):
        return missed(score, reason)
    if len(others) < step.depth or nearer < step.depth:
        reason += ", but the search, which is not exact, missed it"
    return missed(score, reason)


def _switches(query: Query) -> SemanticSwitches:
    assert query.preset.semantic is not None, "the plan runs only what the preset has"
    return query.preset.semantic


SEMANTIC = Retriever(
    "semantic",
    search,
    plan,
    needs,
    why_missed,
    lacks=lacks,
    hinted=True,
    embeds=True,
    scoped=True,
    scores_all=True,
    signal=MEANING,
)
