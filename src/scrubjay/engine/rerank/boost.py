"""Recency and time fit, as factors around 1; pure."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray

_DAY_MICROS = 86_400_000_000
# Recency fades over a year to a tenth; undated units stay neutral.
_FADING_DAYS = 365.0
_OLDEST = 0.1
NEUTRAL = 0.5


def recency(columns: Columns, now: datetime) -> FloatArray:
    """clamp(1 - days/365, 0.1, 1) since it happened, or was told; 0.5 if undated."""
    happened = np.where(columns.occurred_start == NO_TIME, columns.told_at, columns.occurred_start)
    days = (to_micros(now) - happened.astype(np.float64)) / _DAY_MICROS
    value = np.clip(1.0 - days / _FADING_DAYS, _OLDEST, 1.0)
    return np.where(happened == NO_TIME, NEUTRAL, value)


def factor(value: FloatArray, weight: float) -> FloatArray:
    """1 + weight x (value - 0.5): at weight 0.2 between 0.9 and 1.1."""
    return 1.0 + weight * (value - NEUTRAL)
