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
# Up to this share, sorting the rows that were found is quicker than marking them among all.
_FEW_SHARE = 0.01


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
        reach = low - min(_LONG_MICROS, low - NO_TIME - 1)
        parts = (
            self.told_rows[_between(self.told, low, high)],
            self.event_rows[_between(self.starts, reach, high)],
            self.long_rows,
        )
        found = sum(len(part) for part in parts)
        if found > self.size * _WIDE_SHARE:
            return None
        if found < self.size * _FEW_SHARE:
            return np.unique(np.concatenate(parts))
        near = np.zeros(self.size, np.bool_)
        for part in parts:
            near[part] = True
        return np.flatnonzero(near)


def _between(moments: Micros, low: int, high: int) -> slice:
    return slice(int(moments.searchsorted(low)), int(moments.searchsorted(high, side="right")))
