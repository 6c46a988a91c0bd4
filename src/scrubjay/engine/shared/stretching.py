"""Makes scores of different scales comparable by their order and distances; pure."""

from __future__ import annotations

import numpy as np

from scrubjay.types.arrays import FloatArray, ScoreArray


def stretched(scores: ScoreArray | FloatArray) -> FloatArray:
    """The scores stretched over [0, 1]; all alike give 1 each."""
    if not len(scores):
        return np.empty(0)
    low, high = float(scores.min()), float(scores.max())
    if high - low < 1e-12:
        return np.ones(len(scores))
    spread: FloatArray = (scores.astype(np.float64) - low) / (high - low)
    return spread
