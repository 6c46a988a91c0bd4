"""Finds rows by time without looking at all of them: rows sorted by when, for large banks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NO_TIME
from scrubjay.types import RowArray

Micros = npt.NDArray[np.int64]

# Events longer than this are few, and looked at one by one.
_LONG_MICROS = 40 * 86_400_000_000
# Sorting more rows than this share of the bank costs more than comparing all of them.
_WIDE_SHARE = 0.125


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

    def candidates(self, low: int, high: int) -> RowArray | None:
        """Rows that may touch [low, high], sorted, each once; the caller verifies them.

        None when they are so many that looking at every row is quicker.
        """
        told = slice(*np.searchsorted(self.told, [low, high + 1]))
        reach = low - min(_LONG_MICROS, low - NO_TIME - 1)
        events = slice(*np.searchsorted(self.starts, [reach, high + 1]))
        parts = (self.told_rows[told], self.event_rows[events], self.long_rows)
        if sum(len(part) for part in parts) > self.size * _WIDE_SHARE:
            return None
        return np.unique(np.concatenate(parts))
