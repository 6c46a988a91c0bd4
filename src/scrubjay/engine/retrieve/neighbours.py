"""Smooths scores over units told one right after the other in the same session."""

from __future__ import annotations

import numpy as np

from scrubjay.store.base import BankReader, Hits
from scrubjay.store.shared.ranked_rows import best, distinct
from scrubjay.types.arrays import RowArray
from scrubjay.types.units import StoredUnit


def smooth(bank: BankReader, hits: Hits, share: float, limit: int) -> Hits:
    """The hits with `share` of each score added to both its neighbours, best first.

    An answer often stands next to the turn that holds the question's words. Neighbours are
    consecutive rows of one session; units told in between by others part them.
    """
    if not share or not len(hits.rows):
        return hits
    # What was told in no session has no neighbours.
    giving = hits.rows[bank.columns(hits.rows).sessions >= 0]
    if not len(giving):
        return hits.take(slice(limit))
    around = distinct(np.concatenate([giving - 1, hits.rows, giving + 1]))
    around = around[(around >= 0) & (around < bank.row_limit())]
    sessions = bank.columns(around).sessions
    own = np.zeros(len(around), np.float32)
    own[around.searchsorted(hits.rows)] = hits.scores
    follows = around[1:] == around[:-1] + 1
    follows &= (sessions[1:] == sessions[:-1]) & (sessions[1:] >= 0)
    given = share * own
    total = own.copy()
    total[1:] += given[:-1] * follows
    total[:-1] += given[1:] * follows
    rows, scores = best(around, total, limit)
    found = np.count_nonzero(scores)
    return Hits(rows[:found], scores[:found], hits.ceiling)


def turns_before(bank: BankReader, rows: RowArray) -> dict[int, StoredUnit]:
    """For each row that has one, the unit told right before it in its session."""
    earlier = np.maximum(rows - 1, 0)
    own, previous = bank.columns(rows).sessions, bank.columns(earlier).sessions
    follows = (own == previous) & (own >= 0) & (earlier < rows)
    found = bank.hydrate_rows(earlier[follows])
    return {row: found[row - 1] for row in rows[follows].tolist() if row - 1 in found}
