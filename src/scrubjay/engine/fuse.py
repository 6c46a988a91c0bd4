"""Merges ranked lists into one, by reciprocal rank or by scores; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from scrubjay.engine.shared.stretching import stretched
from scrubjay.preset import Fusion
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray, ScoreArray


@dataclass(frozen=True, slots=True)
class RankedList:
    """What one retriever answered, best first, with the weight the plan gave it.

    `hit_weights` scales single hits further (None: all 1). `rest` is what a unit that is not in
    the list would score at most. Scores under `telling` count, as evidence, little less than the
    last above it, and for rows that no other list has (`alone`) little less than `telling`.
    """

    retriever: str
    weight: float
    rows: RowArray
    scores: ScoreArray
    hit_weights: ScoreArray | None = None
    rest: float = 0.0
    telling: float = 0.0
    alone: MaskArray | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Units after fusion, best first; ranks (0: absent) and scores are kept per retriever."""

    rows: RowArray
    scores: FloatArray
    ranks: Mapping[str, npt.NDArray[np.int64]]
    hits: Mapping[str, ScoreArray]

    def take(self, positions: npt.NDArray[np.int64]) -> Candidates:
        """Some of the candidates, in the order of `positions`."""
        return Candidates(
            self.rows[positions],
            self.scores[positions],
            {name: ranks[positions] for name, ranks in self.ranks.items()},
            {name: scores[positions] for name, scores in self.hits.items()},
        )

    def grown(self, rows: RowArray) -> Candidates:
        """With units at the end that no retriever found."""
        absent = len(rows)
        return Candidates(
            np.concatenate([self.rows, rows]),
            np.concatenate([self.scores, np.zeros(absent)]),
            {
                name: np.concatenate([ranks, np.zeros(absent, ranks.dtype)])
                for name, ranks in self.ranks.items()
            },
            {
                name: np.concatenate([hits, np.zeros(absent, hits.dtype)])
                for name, hits in self.hits.items()
            },
        )


# Of what a score lacks to one that tells something: enough to keep the order.
_UNTELLING_SHARE = 0.1


def _evidence(part: RankedList) -> tuple[FloatArray, float]:
    """What the scores of a list count, and the `rest`.

    Under `telling` a score counts little less than the last above it: who has other reasons to be
    found is not found out by it. Who has none counts as what it is, hardly more than nothing told.
    """
    scores = np.asarray(part.scores, np.float64)
    if not part.telling:
        return scores, part.rest
    told = int(np.count_nonzero(scores >= part.telling))
    if not told or told == len(scores):
        return scores, part.rest
    last = scores[told - 1]
    counted = scores.copy()
    least = last if part.alone is None else np.where(part.alone[told:], part.telling, last)
    counted[told:] = least - _UNTELLING_SHARE * (least - scores[told:])
    return counted, float(last - _UNTELLING_SHARE * (last - part.rest))


def shares(part: RankedList, *, method: Fusion, rank_constant: int) -> tuple[FloatArray, float]:
    """What a list gives each of its units, and what it gives a unit that it does not have."""
    share = np.empty(len(part.rows))
    share.fill(part.weight)
    if part.hit_weights is not None:
        share *= part.hit_weights
    if method is Fusion.SPREAD:
        return share * stretched(part.scores), 0.0
    if method is Fusion.EVIDENCE:
        counted, rest = _evidence(part)
        return share * counted, part.weight * rest
    if method is Fusion.WEIGHTED_RRF:
        share *= np.sqrt(np.clip(part.scores, 0.0, 1.0))
    return share / (rank_constant + np.arange(1, len(part.rows) + 1)), 0.0


def _distinct_with_places(lists: Sequence[RowArray]) -> tuple[RowArray, list[RowArray]]:
    """The rows of some lists ascending, each once, and where those of each list are among them.

    To sort once and count takes less time than to look the rows of each list up.
    """
    every = np.concatenate([np.empty(0, np.int64), *lists])
    order = every.argsort()
    ascending = every[order]
    first = np.empty(len(every), np.bool_)
    first[:1] = True
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    places = np.empty(len(every), np.int64)
    places[order] = first.cumsum() - 1
    ends = (0, *accumulate(map(len, lists)))
    return ascending[first.nonzero()[0]], [places[here:end] for here, end in pairwise(ends)]


def fuse(lists: Sequence[RankedList], *, method: Fusion, rank_constant: int) -> Candidates:
    """One list, best first; a unit found by several retrievers sums what each gives it.

    RRF gives weight / (k + rank), weighted RRF weight x sqrt(score) / (k + rank), ranks from 1,
    scores clamped to [0, 1]. Spread gives weight x the score, stretched so that the list's best
    gets 1 and its last 0. Evidence gives weight x the score as it stands, and weight x `rest` to
    units that a list does not have. Ties break by row, so equal input gives equal output.
    """
    rows, places = _distinct_with_places([part.rows for part in lists])
    total = np.zeros(len(rows), np.float64)
    for part, where in zip(lists, places, strict=True):
        share, rest = shares(part, method=method, rank_constant=rank_constant)
        if rest:
            total += rest
            share -= rest
        total[where] += share
    order = (-total).argsort(kind="stable")  # rows ascend, so ties stay in their order
    place_of = np.empty(len(rows), np.int64)
    place_of[order] = np.arange(len(rows))
    ranks = {part.retriever: np.zeros(len(rows), np.int64) for part in lists}
    hits = {part.retriever: np.zeros(len(rows), np.float32) for part in lists}
    for part, where in zip(lists, places, strict=True):
        now_at = place_of[where]
        ranks[part.retriever][now_at] = np.arange(1, len(part.rows) + 1)
        hits[part.retriever][now_at] = part.scores
    return Candidates(rows[order], total[order], ranks, hits)
