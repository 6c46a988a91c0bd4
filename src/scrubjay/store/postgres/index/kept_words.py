"""What a process keeps of words from one question to the next: which units hold them."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from scrubjay.store.postgres.tables.postings import BLOCK_ROWS, Holders

# Of all banks together: 12 bytes each, 25 MB.
KEPT_POSTINGS_MAX = 1 << 21
# A word that nobody holds takes up room, too.
_OF_A_WORD = 64

NOT_HELD = Holders(np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.uint16))


@dataclass(frozen=True, slots=True)
class KnownWord:
    """Who holds a word, of the units in rows before one."""

    before: int = 0
    held: Holders = NOT_HELD

    @property
    def next_block(self) -> int:
        """The first block that may hold what is not known."""
        return self.before // BLOCK_ROWS

    def with_later(self, found: Holders) -> Holders:
        """With what the blocks say from the next one on."""
        sure = int(np.searchsorted(self.held.rows, self.next_block * BLOCK_ROWS))
        if not sure:
            return found
        return Holders(
            np.concatenate([self.held.rows[:sure], found.rows]),
            np.concatenate([self.held.counts[:sure], found.counts]),
            np.concatenate([self.held.lengths[:sure], found.lengths]),
        )


NOT_KNOWN = KnownWord()


class KeptWords:
    """Who holds the words of one bank that were asked for last.

    While no unit is changed or erased, those that are there stay as they are, and others come
    behind them: of a word it is asked only what the blocks say that have been written since.
    """

    def __init__(self, postings_max: int = 0) -> None:
        self._postings_max = postings_max
        self._words: OrderedDict[str, KnownWord] = OrderedDict()
        self._lock = threading.Lock()
        self.size = 0  # in postings

    def of(self, terms: Iterable[str]) -> dict[str, KnownWord]:
        """What is kept of those of some words that were asked for."""
        with self._lock:
            known = {term: self._words[term] for term in terms if term in self._words}
            for term in known:
                self._words.move_to_end(term)
        return known

    def keep(self, words: Mapping[str, Holders], *, before: int) -> None:
        """Remember who holds some words, as far as all rows before one are known."""
        with self._lock:
            for term, held in words.items():
                older = self._words.get(term, NOT_KNOWN)
                if older.before < before:
                    self._forget(term)
                    self._words[term] = KnownWord(before, _of_rows_before(held, before))
                    self.size += len(self._words[term].held.rows) + _OF_A_WORD
            while self.size > self._postings_max:
                self._forget(next(iter(self._words)))

    def _forget(self, term: str) -> None:
        gone = self._words.pop(term, None)
        if gone is not None:
            self.size -= len(gone.held.rows) + _OF_A_WORD


def _of_rows_before(held: Holders, before: int) -> Holders:
    kept = int(np.searchsorted(held.rows, before))
    if kept == len(held.rows):
        return held
    return Holders(held.rows[:kept], held.counts[:kept], held.lengths[:kept])
