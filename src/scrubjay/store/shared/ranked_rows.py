"""Picks out of many rows: each once, or the best of them.

A search picks a dozen times. For some hundred rows `np.count_nonzero(x)` and `x.nonzero()[0]` take
a fifth of the time of `x.any()` and `np.flatnonzero(x)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray

# The best of many scores are found through the maxima of this many groups of them.
_GROUPS_MIN = 1_024
# Up to here rows in any order are sorted in 6 us; by what sees that rows ascend in 1.5, or in 30.
_FEW_ROWS = 1_024


def distinct(rows: RowArray) -> RowArray:
    """The rows ascending, each once.

    `np.unique` hashes numbers before it sorts them: for some hundred rows that takes four times as
    long. Many that mostly ascend, as those of a stretch of time do, are put in order in one pass;
    some hundred in any order are faster sorted by what does not look for that.
    """
    if len(rows) < 2:
        return rows
    ordered = np.sort(rows, kind="stable" if len(rows) > _FEW_ROWS else None)
    repeated = ordered[1:] == ordered[:-1]
    return ordered[np.concatenate(([True], ~repeated))] if np.count_nonzero(repeated) else ordered


def among(rows: RowArray, ascending: RowArray) -> MaskArray:
    """Which of some rows are among those of an ascending list."""
    if not len(ascending):
        return np.zeros(len(rows), np.bool_)
    places = np.minimum(ascending.searchsorted(rows), len(ascending) - 1)
    found: MaskArray = ascending[places] == rows
    return found


def ordered(*keys: npt.NDArray[Any]) -> RowArray:
    """As `np.lexsort`: by the last key, ties by the one before it; each takes as long as the rest.

    So keys that tell nothing apart, as scores often do, are passed over.
    """
    telling = [key for key in keys if len(key) and np.count_nonzero(key != key[0])]
    return np.lexsort(telling) if telling else np.arange(len(keys[0]))


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
        worth = (scores >= np.float32(reached_by(scores, limit))).nonzero()[0]
        rows, scores = rows.take(worth), scores.take(worth)
    # Rows ascend, so equal scores stay in their order.
    order = np.argsort(-scores, kind="stable")[:limit]
    return rows.take(order), scores.take(order)
