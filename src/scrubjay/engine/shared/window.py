"""Which units a window of time holds; pure."""

from __future__ import annotations

import numpy as np

from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import MaskArray
from scrubjay.types.values import Window


def told_and_happened(columns: Columns, window: Window) -> tuple[MaskArray, MaskArray]:
    """Which units were told inside a window, and of which what they tell happened inside it."""
    low = NO_TIME + 1 if window.start is None else to_micros(window.start)
    high = np.iinfo(np.int64).max if window.end is None else to_micros(window.end)
    told = (columns.told_at >= low) & (columns.told_at <= high)
    start, end = columns.occurred_start, columns.occurred_end
    return told, (start != NO_TIME) & (start <= high) & (np.maximum(start, end) >= low)
