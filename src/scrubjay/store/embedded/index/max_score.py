"""Scores rows by the postings of a query's terms, passing over rows that cannot win."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scrubjay.store.embedded.index.segments import DocumentArray, PairArray
from scrubjay.store.shared.bm25 import ImpactArray
from scrubjay.store.shared.ranked_rows import distinct, reached_by
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray

# Until one row in so many has a posting, only those rows are looked at; then all are. Looking at
# one costs what about six cost in a sweep.
ROWS_PER_POSTING_MIN = 6
# Bounds are sums in float32; this keeps their rounding from losing a row.
SLACK = 1e-4
_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True, slots=True)
class TermList:
    """The postings of one term of a query: parts sorted by row, one after the other."""

    size: int
    parts: list[tuple[DocumentArray, PairArray]]
    values: ImpactArray  # by pair: what a posting adds to the score of its document
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
    look_up_cost: int = 20  # looking one row up in a list costs as much as adding up this many
    rows_per_posting_min: int = ROWS_PER_POSTING_MIN


class Scratch(threading.local):
    """One array per thread, zero between searches: a new one costs more than most queries."""

    scores: ScoreArray = np.zeros(0, np.float32)

    def take(self, size: int) -> ScoreArray:
        """`size` zeros, to be handed back as zeros."""
        if len(self.scores) < size:
            self.scores = np.zeros(size + size // 4, np.float32)
        return self.scores[:size]


Candidates = tuple[DocumentArray, ScoreArray, Sequence[TermList]]


@dataclass(slots=True)
class Sums:
    """Adds lists up, the rarest first, until what is left can only be looked up.

    MaxScore: once the row at `limit` has more than the remaining lists can give, only rows near
    it can still win; if few, they are looked up in those lists. While few rows have a posting,
    only those are looked at, whatever the size of the bank. `findable` tells by row which may be
    found; None: all.
    """

    scores: ScoreArray  # by row
    limit: int
    findable: MaskArray | None
    tuning: Tuning
    rows: RowArray = field(default_factory=lambda: np.zeros(0, np.int64))  # once per list
    lists: int = 0  # added up so far
    sweeping: bool = False

    def candidates(self, lists: Sequence[TermList]) -> Candidates:
        """Rows that may be the best, ascending, their scores so far, and the lists not in those."""
        try:
            for taken, listed in enumerate(lists):
                rows = self._winners(listed, last=listed is lists[-1])
                if rows is not None and len(rows) * self.tuning.look_up_cost < listed.size:
                    return rows.astype(np.int32), self.scores.take(rows), lists[taken:]
                self._add(listed)
            seen = self._seen()
            rows = self._at_least(seen, max(self._lower_bound(seen), _TINY))
            return rows.astype(np.int32), self.scores.take(rows), ()
        finally:
            self._clear()

    def _winners(self, listed: TermList, *, last: bool) -> RowArray | None:
        """The only rows that may be the best, with this list and those after it; None: any may."""
        # The last list is but read, if it is long beside what was seen before it.
        few = self.tuning.look_up_cost * (len(self.rows) + self.limit) < listed.size
        last = last and few and not self.sweeping
        if not last and not self._worth_a_check(listed):
            return None
        seen = self._seen()
        least, new = self._lower_bound(seen), None
        if last:
            least, new = self._best_of(listed, least)
        spare = (least - listed.rest) * (1 - SLACK)
        if new is None:
            return self._at_least(seen, spare) if spare > 0 else None
        return distinct(np.concatenate((new, self._at_least(seen, spare))))

    def _worth_a_check(self, listed: TermList) -> bool:
        if self.sweeping:
            long = listed.size >= self.tuning.pruned_postings_min
            return long and listed.size * 4 > len(self.scores)
        return listed.size > len(self.rows)

    def _best_of(self, listed: TermList, least: float) -> tuple[float, RowArray]:
        """Rows that may be the best by the last list alone, and a score that `limit` rows reach."""
        parts = [self._open(*part) for part in listed.parts]
        rows = np.concatenate([rows for rows, _ in parts])
        values = listed.values.take(np.concatenate([pairs for _, pairs in parts]))
        if len(rows) > self.limit:
            least = max(least, reached_by(values, self.limit))
        # Of equal ones, which a list may have thousands of, the first are the best.
        better = (values > np.float32(least)).nonzero()[0]
        equal = (values == np.float32(least)).nonzero()[0][: self.limit]
        return least, np.concatenate((rows.take(better), rows.take(equal)))

    def _open(self, holders: DocumentArray, pairs: PairArray) -> tuple[RowArray, PairArray]:
        """The postings of rows that may be found."""
        # Postings are kept narrow; numpy indexes with wide numbers, and would widen them each time.
        rows = holders.astype(np.int64)
        if self.findable is None:
            return rows, pairs
        open_to = self.findable.take(rows).nonzero()[0]
        return rows.take(open_to), pairs.take(open_to)

    def _add(self, listed: TermList) -> None:
        for part in listed.parts:
            rows, pairs = self._open(*part)
            if not self.sweeping:
                self.rows = np.concatenate((self.rows, rows))
            np.add.at(self.scores, rows, listed.values.take(pairs))
        self.lists += 1
        self.sweeping |= len(self.rows) * self.tuning.rows_per_posting_min > len(self.scores)

    def _seen(self) -> ScoreArray:
        """The scores so far, of all rows or of the rows that have one."""
        return self.scores if self.sweeping else self.scores.take(self.rows)

    def _lower_bound(self, seen: ScoreArray) -> float:
        """A score that at least `limit` rows reach, close below the `limit`-th best."""
        # A row stands among `rows` once for each list that holds it, so the best `limit` rows
        # take up no more than this many places.
        places = self.limit if self.sweeping else self.limit * self.lists
        return reached_by(seen, places) if places < len(seen) else 0.0

    def _at_least(self, seen: ScoreArray, least: float) -> RowArray:
        found = (seen >= np.float32(least)).nonzero()[0]
        return found if self.sweeping else distinct(self.rows.take(found))

    def _clear(self) -> None:
        # Filling takes a sixteenth of the time a row, and goes through all of them.
        if self.sweeping or len(self.rows) * 16 > len(self.scores):
            self.scores.fill(0.0)
        else:
            self.scores[self.rows] = 0.0


def findable(end: int, dead: RowArray, allowed: MaskArray | None) -> MaskArray | None:
    """By row, which of [0, end) may be found; None: all.

    `dead` rows may not, nor any where `allowed` does not say so, or beyond its end.
    """
    if allowed is not None and len(allowed) >= end and not len(dead):
        return allowed
    if allowed is None and not len(dead):
        return None
    mask = np.ones(end, np.bool_)
    if allowed is not None:
        mask[: len(allowed)] = allowed[:end]
        mask[len(allowed) :] = False
    mask[dead] = False
    return mask


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
            least = reached_by(scores, limit)
            keep = scores >= np.float32((least - listed.rest) * (1 - SLACK))
            rows, scores = rows[keep], scores[keep]
        for holders, pairs in listed.parts:
            first, last = np.searchsorted(rows, (holders[0], holders[-1] + 1))
            at = np.searchsorted(holders, rows[first:last])
            held = (holders.take(at) == rows[first:last]).nonzero()[0]
            scores[first + held] += listed.values.take(pairs.take(at.take(held)))
    return rows, scores
