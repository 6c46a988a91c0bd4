"""Finds units by words: BM25 over the blocks of postings, exact, as the embedded store scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scrubjay.store.base import WordQuery
from scrubjay.store.postgres.tables.postings import Holders
from scrubjay.store.shared.bm25 import Corpus, impacts
from scrubjay.store.shared.ranked_rows import among
from scrubjay.types.arrays import RowArray, ScoreArray


def matching(
    query: WordQuery, corpus: Corpus, holders: Mapping[str, Holders]
) -> tuple[RowArray, ScoreArray]:
    """Every unit that holds a wanted word and passes the query's conditions, rows ascending."""
    rows, scores = _scored(query.terms, corpus, holders)
    for phrase in query.phrases:
        kept = among(rows, _holding_all(phrase, holders))
        rows, scores = rows[kept], scores[kept]
    for term in query.none_of:
        if term in holders:
            kept = ~among(rows, holders[term].rows)
            rows, scores = rows[kept], scores[kept]
    return rows, scores


def _scored(
    terms: Sequence[str], corpus: Corpus, holders: Mapping[str, Holders]
) -> tuple[RowArray, ScoreArray]:
    wanted = [term for term in terms if term in holders]
    if not wanted:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    times = {term: wanted.count(term) for term in wanted}
    lists = sorted(times, key=lambda term: (len(holders[term].rows), term))
    # A place for every row up to the last: cheaper than to find out which ones there are.
    dense = np.zeros(max(int(holders[term].rows[-1]) for term in lists) + 1, np.float32)
    # Rarest first: sums of 32-bit numbers depend on the order, and the order is part of the rank.
    for term in lists:
        found = holders[term]
        weight = times[term] * corpus.weight(len(found.rows))
        given = impacts(found.counts, found.lengths, corpus.average_length)
        dense[found.rows] += given * np.float32(weight)
    rows = np.flatnonzero(dense)
    return rows, dense[rows]


def _holding_all(phrase: Sequence[str], holders: Mapping[str, Holders]) -> RowArray:
    if not all(term in holders for term in phrase):
        return np.empty(0, np.int64)
    rows = holders[phrase[0]].rows
    for term in phrase[1:]:
        rows = np.intersect1d(rows, holders[term].rows, assume_unique=True)
    return rows
