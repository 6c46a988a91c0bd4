"""The neighbourhood of a unit: what its neighbours in the same session score."""

from __future__ import annotations

import numpy as np

from scrubjay.store.base import BankReader, Columns
from scrubjay.types import FloatArray

# How many turns before and after a unit are its neighbourhood.
REACH = 2
# In a small bank everything is next to a hit, and a share for everyone tells nothing.
_UNITS = 100


def neighbourhood(bank: BankReader, columns: Columns, scores: FloatArray) -> FloatArray:
    """For each candidate the summed scores of those told up to REACH turns before and after it.

    People dwell on a matter: evidence stands in stretches of turns, of which some share no word
    with the question. Neighbours are consecutive rows of one session.
    """
    rows = columns.rows
    by_row = np.argsort(rows)
    ordered, own, sessions = rows[by_row], scores[by_row], columns.sessions[by_row]
    summed = np.zeros(len(rows))
    for step in range(1, REACH + 1):
        place = np.minimum(ordered.searchsorted(ordered + step), len(ordered) - 1)
        joined = (ordered[place] == ordered + step) & (sessions[place] == sessions)
        first = np.flatnonzero(joined & (sessions >= 0))
        summed[first] += own[place[first]]
        summed[place[first]] += own[first]
    kept = np.empty(len(rows))
    kept[by_row] = summed * min(1.0, bank.unit_count() / _UNITS)
    return kept
