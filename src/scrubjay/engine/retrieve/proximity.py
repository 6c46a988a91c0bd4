"""How close units are in time to the window that a question asks about; pure."""

from __future__ import annotations

import numpy as np

from scrubjay.engine.shared.window import shared_time
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import ScoreArray
from scrubjay.types.values import Window

_DAY_MICROS = 86_400_000_000


def proximity(columns: Columns, asked: Window | None) -> ScoreArray:
    """1 in the middle of the window, 0 at its edges and beyond; 0.5 for an open window.

    What lasted is as close as its nearest moment, by how much it and the window share.
    """
    if asked is None or asked.start is None or asked.end is None:
        return np.full(len(columns.rows), 0.5, np.float32)
    low, high = to_micros(asked.start), to_micros(asked.end)
    middle, half = (low + high) / 2, max((high - low) / 2, _DAY_MICROS / 2)
    start, end = columns.occurred_start, columns.occurred_end
    happened = np.where(start == NO_TIME, columns.told_at, start).astype(np.float64)
    ended = np.where((start == NO_TIME) | (end == NO_TIME), happened, end).astype(np.float64)
    distance = np.maximum(np.maximum(happened - middle, middle - ended), 0.0)
    near = np.clip(1.0 - distance / half, 0.0, 1.0)
    lasted = ended > happened
    return np.where(lasted, near * shared_time(columns, asked), near).astype(np.float32)
