"""Finds units by words: BM25 over the blocks of postings, exact, as the embedded store scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.store.base import WordQuery
from scrubjay.store.postgres.tables.postings import Holders
from scrubjay.store.shared.bm25 import IMPACT_MAX, Corpus, impacts
from scrubjay.store.shared.ranked_rows import among, distinct, reached_by
from scrubjay.types.arrays import RowArray, ScoreArray

# Up to so many holders of the rarest words are put in order; of more that takes too long.
_RARE_MAX = 8_192
# Sums of 32-bit numbers are off by less than this leaves.
_SURELY = 1 - 1e-5
_ALL = slice(None)


def matching(
    query: WordQuery, corpus: Corpus, holders: Mapping[str, Holders], limit: int | None = None
) -> tuple[RowArray, ScoreArray]:
    """Every unit that holds a wanted word and passes the query's conditions, rows ascending.

    With a limit, units may be left out that are not among so many best.
    """
    words = _weighed(query.terms, corpus, holders)
    if not words:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    if limit is not None and not query.phrases and not query.none_of:
        return _best_by_rare(words, limit) or _among_best(_scored(words), limit)
    dense = _scored(words)
    rows = (dense > 0).nonzero()[0]
    scores = dense[rows]
    for phrase in query.phrases:
        kept = among(rows, _holding_all(phrase, holders))
        rows, scores = rows[kept], scores[kept]
    for term in query.none_of:
        if term in holders:
            kept = ~among(rows, holders[term].rows)
            rows, scores = rows[kept], scores[kept]
    return rows, scores


@dataclass(frozen=True, slots=True)
class _Word:
    """A wanted word: who holds it, and what that is worth."""

    held: Holders
    weight: np.float32
    average_length: float

    @property
    def rows(self) -> RowArray:
        """Who holds it, ascending."""
        return self.held.rows

    @property
    def most(self) -> float:
        """No unit gets more for it."""
        return IMPACT_MAX * float(self.weight)

    def worth(self, places: slice | RowArray = _ALL) -> ScoreArray:
        """What it gives to those who hold it, or to some of them."""
        given = impacts(self.held.counts[places], self.held.lengths[places], self.average_length)
        worth: ScoreArray = given * self.weight
        return worth


def _weighed(terms: Sequence[str], corpus: Corpus, holders: Mapping[str, Holders]) -> list[_Word]:
    """The words that anybody holds, rarest first.

    Sums of 32-bit numbers depend on the order, and the order is part of the rank.
    """
    wanted = [term for term in terms if term in holders]
    times = {term: wanted.count(term) for term in wanted}
    lists = sorted(times, key=lambda term: (len(holders[term].rows), term))
    length = corpus.average_length
    return [
        _Word(held, np.float32(times[term] * corpus.weight(len(held.rows))), length)
        for term, held in zip(lists, map(holders.__getitem__, lists), strict=True)
    ]


def _scored(words: Sequence[_Word]) -> ScoreArray:
    """What all words give to each row up to the last that holds one."""
    # A place for every row up to the last: cheaper than to find out which ones there are.
    dense = np.zeros(max(int(word.rows[-1]) for word in words) + 1, np.float32)
    for word in words:
        dense[word.rows] += word.worth()
    return dense


def _among_best(dense: ScoreArray, limit: int) -> tuple[RowArray, ScoreArray]:
    """Those rows that may be among the best of all."""
    enough = 0 < limit < len(dense)
    least = reached_by(dense, limit) if enough else 0.0
    rows = (dense >= np.float32(least) if least > 0 else dense > 0).nonzero()[0]
    return rows, dense[rows]


def _best_by_rare(words: Sequence[_Word], limit: int) -> tuple[RowArray, ScoreArray] | None:
    """Those who may be among the best, where what frequent words add leads nobody there.

    None where that is not so. Who holds only words that are left out gets less than `limit` others
    have by the rare ones alone.
    """
    sizes = np.cumsum([len(word.rows) for word in words])
    rare = int(np.searchsorted(sizes, _RARE_MAX, side="right"))
    if not 0 < rare < len(words) or limit < 1:
        return None
    rows = distinct(np.concatenate([word.rows for word in words[:rare]]))
    if len(rows) < limit:
        return None
    scores = np.zeros(len(rows), np.float32)
    for word in words[:rare]:
        scores[rows.searchsorted(word.rows)] += word.worth()
    least = reached_by(scores, limit)
    lowest = least * _SURELY - sum(word.most for word in words[rare:])
    if lowest <= 0:
        return None
    may = (scores >= np.float32(lowest)).nonzero()[0]
    rows, scores = rows[may], scores[may]
    for word in words[rare:]:
        places = np.minimum(word.rows.searchsorted(rows), len(word.rows) - 1)
        holding = (word.rows[places] == rows).nonzero()[0]
        scores[holding] += word.worth(places[holding])
    return rows, scores


def _holding_all(phrase: Sequence[str], holders: Mapping[str, Holders]) -> RowArray:
    if not all(term in holders for term in phrase):
        return np.empty(0, np.int64)
    rows = holders[phrase[0]].rows
    for term in phrase[1:]:
        rows = np.intersect1d(rows, holders[term].rows, assume_unique=True)
    return rows
