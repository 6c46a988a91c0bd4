"""The neighbourhood of a unit: what its neighbours in the same session score."""

from __future__ import annotations

import numpy as np

from scrubjay.store.base import BankReader, Columns
from scrubjay.types.arrays import FloatArray

# How many turns before and after a unit are its neighbourhood.
REACH = 2
# In a small bank everything is next to a hit, and a share for everyone tells nothing.
_UNITS = 100


def neighbourhood(bank: BankReader, columns: Columns, scores: FloatArray) -> FloatArray:
    """For each candidate the summed scores of those told up to REACH turns before and after it.

    People dwell on a matter: evidence stands in stretches of turns, of which some share no word
    with the question. Neighbours are consecutive rows of one session.
    """
    told = columns.sessions >= 0
    if not np.count_nonzero(told):
        return np.zeros(len(told))
    by_row = np.argsort(columns.rows)
    ordered, own, sessions = columns.rows[by_row], scores[by_row], columns.sessions[by_row]
    summed, told = np.zeros(len(ordered)), told[by_row]
    # Rows ascend and differ, so those up to REACH apart stand up to REACH places apart.
    for step in range(1, min(REACH + 1, len(ordered))):
        near = ordered[step:] - ordered[:-step] <= REACH
        near &= sessions[step:] == sessions[:-step]
        near &= told[step:]
        # They are few: of others nothing is added up.
        before = near.nonzero()[0]
        if len(before):
            after = before + step
            summed[before] += own[after]
            summed[after] += own[before]
    kept = np.empty(len(ordered))
    kept[by_row] = summed * min(1.0, bank.unit_count() / _UNITS)
    return kept
