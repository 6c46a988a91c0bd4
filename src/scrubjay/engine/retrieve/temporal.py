"""Finds units by time: what happened, or was told, inside the window the question names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scrubjay.answers import Explained, Parsed, RetrieverPlan
from scrubjay.engine.retrieve.proximity import proximity
from scrubjay.engine.retrieve.query import NOTHING, Query, Retrieved, Walk, one_row
from scrubjay.engine.retrieve.retriever import Retriever, missed
from scrubjay.engine.retrieve.shared_mentions import Edge, entity_edges
from scrubjay.engine.retrieve.words import best_words, terms_of
from scrubjay.planning import WINDOW, Circumstances, Decision
from scrubjay.preset import Preset, TemporalMethod
from scrubjay.store.base import Prefetch, Scope
from scrubjay.store.shared.ranked_rows import best, distinct
from scrubjay.types.arrays import RowArray

# A unit that links pull into the window has this share of the score of the unit it hangs on.
_SPREAD_SHARE = 0.8
# How much of a unit's score in the window is closeness to its middle; the rest is likeness.
_PROXIMITY_SHARE = 0.2
# A window with more units is narrowed before each of them is scored: a year of a large bank.
_SCORED_ROWS_MAX = 2_000
# The share of its weight when it runs on a hunch.
_SPECULATIVE_SHARE = 0.5
_EVENT = "event"


def search(query: Query, step: RetrieverPlan) -> Retrieved:
    """The units of the window; without one (a hunch such as "latest"), the newest units."""
    if query.parsed.window is None:
        return newest(query, step.depth)
    return _METHODS[TemporalMethod(step.method)](query, step)


def newest(query: Query, depth: int) -> Retrieved:
    """The units told last, newest first, fading with rank."""
    rows = query.bank.newest(limit=depth, scope=query.scope)
    return Retrieved(rows, np.linspace(1.0, 0.5, len(rows), dtype=np.float32))


def events(query: Query, step: RetrieverPlan) -> Retrieved:
    """Event units in the window, in the order they were told, all alike (preset recall5)."""
    if query.scope.types is not None and _EVENT not in query.scope.types:
        return NOTHING
    scope = replace(in_window(query), types=(_EVENT,))
    rows = query.bank.in_scope(scope)[: step.depth]
    return Retrieved(rows, np.ones(len(rows), np.float32))


def entry_points(query: Query, step: RetrieverPlan) -> Retrieved:
    """Units of the window by similarity, and those of the window that they lead to.

    Ways are links, and things that both name.
    """
    scope = in_window(query)
    if not query.vector.ready():
        return by_proximity(query, query.bank.in_scope(scope), step.depth)
    entries = query.nearest(limit=step.depth, floor=0.0, scope=scope)
    scores = dict(zip(entries.rows.tolist(), entries.scores.tolist(), strict=True))
    switches, edges = query.preset.temporal, list[Edge]()
    if switches is not None and switches.spread and scores:
        edges = _edges_within(query, scope, np.array(sorted(scores), np.int64))
    similar = dict(scores)
    for source, target, weight in edges:
        reached = similar[source] * weight * _SPREAD_SHARE
        scores[target] = max(scores.get(target, 0.0), reached)
    rows = np.array(sorted(scores, key=lambda row: (-scores[row], row))[: step.depth], np.int64)
    found = np.array([scores[row] for row in rows.tolist()], np.float32)
    return Retrieved(rows, found, walked=Walk(len(similar), len(edges)))


def _edges_within(query: Query, scope: Scope, rows: RowArray) -> list[Edge]:
    """What leads from some rows to others of the scope."""
    links = query.bank.neighbours(rows).leading_on()
    edges: list[Edge] = [
        *zip(links.sources.tolist(), links.targets.tolist(), links.weights.tolist(), strict=True),
        *entity_edges(query, rows),
    ]
    if not edges:
        return edges
    inside = query.bank.filter_rows(np.array([target for _, target, _ in edges]), scope)
    return [edge for edge, reachable in zip(edges, inside.tolist(), strict=True) if reachable]


def window(query: Query, step: RetrieverPlan) -> Retrieved:
    """What is in the window, ordered by likeness to the question and closeness in time."""
    scope = in_window(query)
    rows = query.bank.in_scope(scope)
    parsed = query.parsed
    if query.preset.optimizer and not (parsed.content_words or parsed.entities or parsed.phrases):
        # Nothing is asked for but the time, so nothing else tells its units apart.
        return by_proximity(query, rows, step.depth)
    hits = best_words(query, limit=step.depth, scope=scope)
    if len(rows) > _SCORED_ROWS_MAX:
        rows = _promising(query, scope, hits.rows, step.depth)
    if not len(rows):
        return NOTHING
    likeness = np.zeros(len(rows), np.float32)
    if query.vector.ready():
        likeness = query.similarity(rows)
    likeness[np.searchsorted(rows, hits.rows)] += hits.scores
    near = proximity(query.bank.columns(rows), query.parsed.window)
    scores = (1 - _PROXIMITY_SHARE) * np.minimum(likeness, 1.0) + _PROXIMITY_SHARE * near
    return Retrieved(*best(rows, scores.astype(np.float32), step.depth))


def _promising(query: Query, scope: Scope, by_words: RowArray, depth: int) -> RowArray:
    """The rows of a large window worth scoring: the best by words, by meaning, and the newest."""
    parts = [by_words, query.bank.newest(limit=depth, scope=scope)]
    if query.vector.ready():
        parts.append(query.nearest(limit=2 * depth, floor=0.0, scope=scope).rows)
    return distinct(np.concatenate(parts))


def by_proximity(query: Query, rows: RowArray, depth: int) -> Retrieved:
    """Ascending rows by closeness to the middle of the window."""
    near = proximity(query.bank.columns(rows), query.parsed.window)
    return Retrieved(*best(rows, near, depth))


def in_window(query: Query) -> Scope:
    """The query's scope, and only what is in the window the question names."""
    return replace(query.scope, window=query.parsed.window)


_METHODS: dict[TemporalMethod, Callable[[Query, RetrieverPlan], Retrieved]] = {
    TemporalMethod.EVENTS: events,
    TemporalMethod.ENTRY_POINTS: entry_points,
    TemporalMethod.WINDOW: window,
}


def plan(parsed: Parsed, preset: Preset, _around: Circumstances) -> Decision:
    """Runs where the question names a time, or hints at one."""
    switches = preset.temporal
    if switches is None:
        return Decision(False, "the preset has no temporal retriever", share=0.0)
    run, share, reason = True, 1.0, f"the question names a time: {parsed.window_text or 'given'}"
    if parsed.window is None:
        run, reason = False, "the question names no time"
        if parsed.speculative_time is not None:
            run, share = True, _SPECULATIVE_SHARE
            reason = f"{parsed.speculative_time!r} hints at time without naming it"
    return Decision(run, reason, str(switches.method), switches.depth, share)


def needs(query: Query, step: RetrieverPlan, wanted: Prefetch) -> Prefetch:
    """The units of the window, which the question's words tell apart."""
    if step.method != TemporalMethod.WINDOW:
        return wanted
    within = None if query.parsed.window is None else in_window(query)
    return replace(wanted, terms=terms_of(query), in_scope=within)


def why_missed(query: Query, step: RetrieverPlan, found: Retrieved, row: int) -> Explained:
    """Whether the unit is outside the window, or behind others in it."""
    taken, asked = len(found.rows), query.parsed.window
    if asked is None:
        return missed(None, f"{taken} others are newer")
    if not query.lets_through(row, Scope(window=asked)):
        return missed(None, "it neither happened nor was told in the window")
    if step.method == TemporalMethod.EVENTS and not _is_event(query, row):
        return missed(None, "it is in the window, but no event")
    return missed(None, f"it is in the window, but {taken} others are taken")


def _is_event(query: Query, row: int) -> bool:
    code = int(query.bank.columns(one_row(row)).types[0])
    return query.bank.settings.types[code] == _EVENT


TEMPORAL = Retriever("temporal", search, plan, needs, why_missed, scoped=True, signal=WINDOW)
