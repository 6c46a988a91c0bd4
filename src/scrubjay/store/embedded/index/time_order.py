"""Finds rows by time without looking at all of them: rows sorted by when, for large banks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NO_TIME
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.types.arrays import RowArray

Micros = npt.NDArray[np.int64]

# Events longer than this are few, and looked at one by one.
_LONG_MICROS = 40 * 86_400_000_000
# Sorting more rows than this share of the bank costs more than comparing all of them.
_WIDE_SHARE = 0.125
# Where one row in so many was found, marking them is quicker than sorting them.
_MARKED_ROWS = 128


@dataclass(frozen=True, slots=True)
class TimeOrder:
    """The rows [0, size) by when they were told and when they happened.

    A snapshot: rows added since are the caller's to look at.
    """

    size: int
    told_rows: RowArray
    told: Micros
    event_rows: RowArray
    starts: Micros
    long_rows: RowArray

    @classmethod
    def of(cls, told: Micros, starts: Micros, ends: Micros) -> TimeOrder:
        """Sort once; searches are then two binary searches."""
        told_rows = np.argsort(told, kind="stable")
        dated = np.flatnonzero(starts != NO_TIME)
        long = ends[dated] - starts[dated] > _LONG_MICROS
        short = dated[~long]
        event_rows = short[np.argsort(starts[short], kind="stable")]
        return cls(
            len(told), told_rows, told[told_rows], event_rows, starts[event_rows], dated[long]
        )

    def candidates(self, low: int, high: int) -> tuple[RowArray, RowArray] | None:
        """Rows that touch [low, high], and others that may, which the caller verifies.

        In any order; a row that was told and happened then may stand twice. None when they are so
        many that looking at every row is quicker.
        """
        reach = low - min(_LONG_MICROS, low - NO_TIME - 1)
        told = _between(self.told, low, high)
        begun = _between(self.starts, low, high)
        earlier = slice(int(self.starts.searchsorted(reach)), begun.start)
        maybe = (self.event_rows[earlier], self.long_rows)
        sure = (self.told_rows[told], self.event_rows[begun])
        if sum(len(part) for part in sure + maybe) > self.size * _WIDE_SHARE:
            return None
        return np.concatenate(sure), np.concatenate(maybe)


def ascending(rows: RowArray) -> RowArray:
    """The rows ascending, each once."""
    if not len(rows):
        return rows
    first, last = int(rows.min()), int(rows.max())
    if last - first > len(rows) * _MARKED_ROWS:
        return distinct(rows)
    marks = np.zeros(last - first + 1, np.bool_)
    marks[rows - first] = True
    return np.flatnonzero(marks) + first


def _between(moments: Micros, low: int, high: int) -> slice:
    return slice(int(moments.searchsorted(low)), int(moments.searchsorted(high, side="right")))
