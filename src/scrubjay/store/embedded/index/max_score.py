"""Scores rows by the postings of a query's terms, passing over rows that cannot win."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scrubjay.store.embedded.index.segments import DocumentArray, ImpactArray, ShapeArray
from scrubjay.types import MaskArray, RowArray, ScoreArray

# The best rows of a whole array are found through the maxima of this many groups of rows.
GROUPS_MIN = 1_024
# No score lifts a row that starts from here.
EXCLUDED = np.float32(-1e9)
# Until one row in so many has a posting, only those rows are looked at; then all are. Looking at
# one costs what about forty cost in a sweep.
ROWS_PER_POSTING_MIN = 48
# Bounds are sums in float32; this keeps their rounding from losing a row.
SLACK = 1e-4


@dataclass(frozen=True, slots=True)
class TermList:
    """The postings of one term of a query: parts sorted by row, one after the other."""

    size: int
    parts: list[tuple[DocumentArray, ShapeArray]]
    values: ImpactArray  # by shape: what a posting adds to the score of its document
    rest: float  # no document gets more than this from this list and those after it


@dataclass(frozen=True, slots=True)
class Tuning:
    """Sizes at which the index works differently; none of them changes an answer."""

    fresh_documents_max: int = 4_096  # this many new documents become a segment
    batch_documents_min: int = 1_024  # a batch of this many becomes a segment at once
    inline_merge_documents_max: int = 50_000  # larger merges wait for `merge_step`
    # A list this long that holds a quarter of the rows is looked up, where that is exact, and not
    # added up. CPU ms p50/p95 with and without: 0.21/0.45 and 0.29/0.52 at 100k documents,
    # 0.9/1.7 and 2.5/5.4 at 1M. Shorter lists do not repay the check.
    pruned_postings_min: int = 20_000
    look_up_cost: int = 8  # looking one row up in a list costs as much as adding up this many
    rows_per_posting_min: int = ROWS_PER_POSTING_MIN


@dataclass(frozen=True, slots=True)
class Findable:
    """The rows a search may find: [0, end) less the `dead`, of them the `limit` best are wanted.

    `allowed` tells by row which may be found, and none beyond its end; None: all.
    """

    end: int
    dead: RowArray  # ascending
    allowed: MaskArray | None
    limit: int

    @property
    def groups(self) -> int:
        """How many groups a sweep divides the rows into."""
        return max(GROUPS_MIN, min(4 * self.limit, self.end))

    @property
    def room(self) -> int:
        """How long an array holds all rows in groups of one size."""
        return -(-self.end // self.groups) * self.groups

    def open_to(self, holders: DocumentArray) -> MaskArray | None:
        """Which of ascending rows may be found; None: all of them."""
        if self.allowed is None and not len(self.dead):
            return None
        if self.allowed is None:
            return np.isin(holders, self.dead, invert=True)
        inside = int(np.searchsorted(holders, len(self.allowed)))
        found = np.zeros(len(holders), np.bool_)
        found[:inside] = self.allowed.take(holders[:inside])
        if len(self.dead):
            found &= np.isin(holders, self.dead, invert=True)
        return found


class Scratch(threading.local):
    """One array per thread, zero between searches: a new one costs more than most queries."""

    scores: ScoreArray = np.zeros(0, np.float32)

    def take(self, size: int) -> ScoreArray:
        """At least `size` zeros, to be handed back as zeros."""
        if len(self.scores) < size:
            self.scores = np.zeros(size + size // 4, np.float32)
        return self.scores[:size]


Candidates = tuple[DocumentArray, ScoreArray, Sequence[TermList]]


@dataclass(slots=True)
class Sums:
    """Adds lists up, the rarest first, until what is left can only be looked up.

    MaxScore: once the row at `limit` has more than the remaining lists can give, only rows near
    it can still win; if few, they are looked up in those lists. While few rows have a posting,
    only those are looked at, whatever the size of the bank.
    """

    scores: ScoreArray
    findable: Findable
    tuning: Tuning
    rows: DocumentArray = field(default_factory=lambda: np.zeros(0, np.int32))  # once per list
    lists: int = 0  # added up so far
    postings: int = 0
    sweeping: bool = False

    def candidates(self, lists: Sequence[TermList]) -> Candidates:
        """Rows that may be the best, ascending, their scores so far, and the lists not in those."""
        try:
            for taken, listed in enumerate(lists):
                if self._worth_a_check(listed):
                    spare = self._lower_bound() - listed.rest
                    rows = self._at_least(spare * (1 - SLACK)) if spare > 0 else None
                    if rows is not None and len(rows) * self.tuning.look_up_cost < listed.size:
                        return rows, self.scores.take(rows), lists[taken:]
                self._add(listed)
            rows = self._at_least(max(self._lower_bound(), float(np.finfo(np.float32).tiny)))
            return rows, self.scores.take(rows), ()
        finally:
            self._clear()

    def _worth_a_check(self, listed: TermList) -> bool:
        if self.sweeping or self._would_sweep(listed):
            long = listed.size >= self.tuning.pruned_postings_min
            return long and listed.size * 4 > self.findable.end
        return listed.size > self.postings

    def _would_sweep(self, listed: TermList) -> bool:
        postings = self.postings + listed.size
        return postings * self.tuning.rows_per_posting_min > self.findable.end

    def _add(self, listed: TermList) -> None:
        if not self.sweeping and self._would_sweep(listed):
            self._begin_to_sweep()
        for holders, shapes in listed.parts:
            values = listed.values.take(shapes)
            if not self.sweeping:
                open_to = self.findable.open_to(holders)
                if open_to is not None:
                    holders, values = holders[open_to], values[open_to]
                self.rows = np.concatenate((self.rows, holders))
            np.add.at(self.scores, holders, values)
        self.lists += 1
        self.postings += listed.size

    def _begin_to_sweep(self) -> None:
        self.sweeping = True
        allowed = self.findable.allowed
        if allowed is not None:
            self.scores[len(allowed) : self.findable.end] = EXCLUDED
            self.scores[np.flatnonzero(~allowed[: self.findable.end])] = EXCLUDED
        self.scores[self.findable.dead] = EXCLUDED

    def _lower_bound(self) -> float:
        """A score that at least `limit` rows reach, close below the `limit`-th best."""
        if not self.sweeping:
            # A row stands here once for each list that holds it, so the best `limit` rows take up
            # no more than this many places.
            scores = self.scores.take(self.rows)
            place = len(scores) - self.findable.limit * self.lists
            return float(np.partition(scores, place)[place]) if 0 <= place < len(scores) else 0.0
        # At least `limit` rows reach the group maximum at that place, and few more: 107 for the
        # best 100 of 100k. Finding those takes 30 us, partitioning all scores 450.
        maxima = self.scores.reshape(-1, self.findable.groups).max(axis=0)
        place = self.findable.groups - self.findable.limit
        return float(np.partition(maxima, place)[place])

    def _at_least(self, least: float) -> DocumentArray:
        if self.sweeping:
            return np.flatnonzero(self.scores >= np.float32(least)).astype(np.int32)
        return np.unique(self.rows[self.scores.take(self.rows) >= np.float32(least)])

    def _clear(self) -> None:
        if self.sweeping:
            self.scores.fill(0.0)
        else:
            self.scores[self.rows] = 0.0


def marked(rows: RowArray, size: int) -> MaskArray:
    """Ascending rows as a mask over `size` rows."""
    mask = np.zeros(size, np.bool_)
    mask[rows[: np.searchsorted(rows, size)]] = True
    return mask


def look_up(
    lists: Sequence[TermList], rows: DocumentArray, scores: ScoreArray, limit: int
) -> tuple[DocumentArray, ScoreArray]:
    """Add the lists to the scores of ascending rows, letting go of rows that cannot win."""
    for listed in lists:
        if len(rows) > limit:
            least = float(np.partition(scores, len(scores) - limit)[len(scores) - limit])
            keep = scores >= np.float32((least - listed.rest) * (1 - SLACK))
            rows, scores = rows[keep], scores[keep]
        for holders, shapes in listed.parts:
            first, last = np.searchsorted(rows, (holders[0], holders[-1] + 1))
            at = np.searchsorted(holders, rows[first:last])
            held = np.flatnonzero(holders.take(at) == rows[first:last])
            scores[first + held] += listed.values.take(shapes.take(at.take(held)))
    return rows, scores
