"""The drafts of one batch by their words, for those told later in it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from scrubjay.engine.retain.drafts import Draft

# The latest drafts of a batch that are looked at for a word: what one speaks of is told shortly
# before it, and to look through all of a large batch for each takes its square.
_EARLIER_MAX = 512


class Earlier:
    """Where in a batch each word stands; rows are numbered from `first` on."""

    def __init__(self, first: int, drafts: Sequence[Draft]) -> None:
        self.first = first
        self._drafts = drafts
        self._telling: defaultdict[str, list[int]] | None = None

    def latest_with(self, terms: Iterable[str], count: float, *, before: int) -> int | None:
        """The last row before one that holds at least `count` of the words."""
        held = self._held(terms, before)
        return max((row for row, number in held.items() if number >= count), default=None)

    def best_with(self, terms: Iterable[str], *, before: int, limit: int) -> list[int]:
        """The rows before one that hold most of the words, at least two."""
        held = self._held(terms, before)
        best = sorted(held.items(), key=lambda each: (-each[1], -each[0]))
        return [row for row, _ in best[:limit]]

    def count(self, term: str, *, before: int) -> int:
        """How many drafts before a row hold a word."""
        return bisect_left(self._rows(term), before)

    def _held(self, terms: Iterable[str], before: int) -> Counter[int]:
        if before == self.first:
            return Counter()
        latest = []
        for term in terms:
            rows = self._rows(term)
            end = bisect_left(rows, before)
            latest.append(rows[max(0, end - _EARLIER_MAX) : end])
        return Counter(chain.from_iterable(latest))

    def _rows(self, term: str) -> Sequence[int]:
        # Most batches speak of nothing told before; only the others pay for the index.
        if self._telling is None:
            self._telling = defaultdict(list)
            for row, draft in enumerate(self._drafts, self.first):
                for word in draft.words.terms:
                    self._telling[word].append(row)
        return self._telling.get(term, ())
