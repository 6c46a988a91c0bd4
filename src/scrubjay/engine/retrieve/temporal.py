"""Finds units by time: what happened, or was told, inside the window the question names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.lexical import best_words
from scrubjay.engine.retrieve.query import NOTHING, Found, Query
from scrubjay.preset import TemporalMethod
from scrubjay.store.base import NO_TIME, Columns, Scope
from scrubjay.store.ranked_rows import best, distinct
from scrubjay.store.times import to_micros
from scrubjay.types import RowArray, ScoreArray, Window

# A unit that links pull into the window has this share of the score of the unit it hangs on.
_SPREAD_SHARE = 0.8
# How much of a unit's score in the window is closeness to its middle; the rest is likeness.
_PROXIMITY_SHARE = 0.2
# A window with more units is narrowed before each of them is scored: a year of a large bank.
_SCORED_ROWS_MAX = 2_000
_DAY_MICROS = 86_400_000_000
EVENT = "event"


def temporal(query: Query, step: RetrieverPlan) -> Found:
    """The units of the window; without one (a hunch such as "latest"), the newest units."""
    if query.parsed.window is None:
        return newest(query, step.depth)
    return _METHODS[TemporalMethod(step.method)](query, step)


def newest(query: Query, depth: int) -> Found:
    """The units told last, newest first, fading with rank."""
    rows = query.bank.newest(limit=depth, scope=query.scope)
    return Found(rows, np.linspace(1.0, 0.5, len(rows), dtype=np.float32))


def events(query: Query, step: RetrieverPlan) -> Found:
    """Event units in the window, in the order they were told, all alike (preset recall5)."""
    if query.scope.types is not None and EVENT not in query.scope.types:
        return NOTHING
    scope = replace(in_window(query), types=(EVENT,))
    rows = query.bank.in_scope(scope)[: step.depth]
    return Found(rows, np.ones(len(rows), np.float32))


def entry_points(query: Query, step: RetrieverPlan) -> Found:
    """Units of the window by similarity, and those of the window their links lead to."""
    scope = in_window(query)
    if not query.vector.ready():
        return by_proximity(query, query.bank.in_scope(scope), step.depth)
    entries = query.nearest(limit=step.depth, floor=0.0, scope=scope)
    scores = dict(zip(entries.rows.tolist(), entries.scores.tolist(), strict=True))
    switches = query.preset.temporal
    if switches is not None and switches.spread and scores:
        _spread(query, scope, scores)
    rows = np.array(sorted(scores, key=lambda row: (-scores[row], row))[: step.depth], np.int64)
    return Found(rows, np.array([scores[row] for row in rows.tolist()], np.float32))


def _spread(query: Query, scope: Scope, scores: dict[int, float]) -> None:
    links = query.bank.neighbours(np.array(sorted(scores), np.int64))
    inside = query.bank.filter_rows(links.targets, scope)
    for source, target, weight, reachable in zip(
        links.sources.tolist(),
        links.targets.tolist(),
        links.weights.tolist(),
        inside.tolist(),
        strict=True,
    ):
        if reachable:
            reached = scores[source] * weight * _SPREAD_SHARE
            scores[target] = max(scores.get(target, 0.0), reached)


def window(query: Query, step: RetrieverPlan) -> Found:
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
    return Found(*best(rows, scores.astype(np.float32), step.depth))


def _promising(query: Query, scope: Scope, by_words: RowArray, depth: int) -> RowArray:
    """The rows of a large window worth scoring: the best by words, by meaning, and the newest."""
    parts = [by_words, query.bank.newest(limit=depth, scope=scope)]
    if query.vector.ready():
        parts.append(query.nearest(limit=2 * depth, floor=0.0, scope=scope).rows)
    return distinct(np.concatenate(parts))


def by_proximity(query: Query, rows: RowArray, depth: int) -> Found:
    """Ascending rows by closeness to the middle of the window."""
    near = proximity(query.bank.columns(rows), query.parsed.window)
    return Found(*best(rows, near, depth))


def proximity(columns: Columns, asked: Window | None) -> ScoreArray:
    """1 in the middle of the window, 0 at its edges and beyond; 0.5 for an open window."""
    if asked is None or asked.start is None or asked.end is None:
        return np.full(len(columns.rows), 0.5, np.float32)
    low, high = to_micros(asked.start), to_micros(asked.end)
    middle, half = (low + high) / 2, max((high - low) / 2, _DAY_MICROS / 2)
    start, end = columns.occurred_start, columns.occurred_end
    happened = np.where(start == NO_TIME, columns.told_at, start).astype(np.float64)
    ended = np.where((start == NO_TIME) | (end == NO_TIME), happened, end).astype(np.float64)
    # The nearest moment of an event that lasted counts.
    distance = np.maximum(np.maximum(happened - middle, middle - ended), 0.0)
    return np.clip(1.0 - distance / half, 0.0, 1.0).astype(np.float32)


def in_window(query: Query) -> Scope:
    """The query's scope, and only what is in the window the question names."""
    return replace(query.scope, window=query.parsed.window)


_METHODS: dict[TemporalMethod, Callable[[Query, RetrieverPlan], Found]] = {
    TemporalMethod.EVENTS: events,
    TemporalMethod.ENTRY_POINTS: entry_points,
    TemporalMethod.WINDOW: window,
}
