"""Picks out of many rows: each once, or the best of them."""

from __future__ import annotations

import numpy as np

from scrubjay.types.arrays import RowArray, ScoreArray

# The best of many scores are found through the maxima of this many groups of them.
_GROUPS_MIN = 1_024


def distinct(rows: RowArray) -> RowArray:
    """The rows ascending, each once.

    `np.unique` hashes numbers before it sorts them: for some hundred rows that takes four times as
    long. Rows that mostly ascend, as those of a stretch of time do, are put in order in one pass.
    """
    if len(rows) < 2:
        return rows
    ordered = np.sort(rows, kind="stable")
    repeated = ordered[1:] == ordered[:-1]
    return ordered[np.concatenate(([True], ~repeated))] if repeated.any() else ordered


def reached_by(scores: ScoreArray, count: int) -> float:
    """A score that at least `count` of no fewer scores reach, close below the `count`-th best.

    At least `count` reach the group maximum at that place, and few more: 107 for the best 100 of
    100k. Finding those takes 30 us, partitioning all scores 450.
    """
    groups = max(_GROUPS_MIN, 4 * count)
    if len(scores) >= 2 * groups:
        scores = scores[: len(scores) // groups * groups].reshape(-1, groups).max(axis=0)
    place = len(scores) - count
    return float(np.partition(scores, place)[place])


def best(rows: RowArray, scores: ScoreArray, limit: int) -> tuple[RowArray, ScoreArray]:
    """Of ascending rows the `limit` with the highest scores, best first, ties by row."""
    if len(rows) > 2 * limit > 0:
        among = np.flatnonzero(scores >= np.float32(reached_by(scores, limit)))
        rows, scores = rows.take(among), scores.take(among)
    # Rows ascend, so equal scores stay in their order.
    order = np.argsort(-scores, kind="stable")[:limit]
    return rows.take(order), scores.take(order)
