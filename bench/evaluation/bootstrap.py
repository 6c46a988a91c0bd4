"""Says how sure a measured number is: bootstrap intervals and a paired permutation test."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

RESAMPLES = 2_000
FLIPS = 10_000
COVERED = 0.95
_CHUNK = 500

Interval = tuple[float, float]
Floats = npt.NDArray[np.float64]


def macro_interval(groups: Sequence[Sequence[float]], seed: int = 0) -> Interval:
    """The 95 % interval of the mean of the groups' means, resampling questions in each group."""
    random = np.random.default_rng(seed)
    total = np.zeros(RESAMPLES)
    for group in groups:
        values = np.asarray(group, np.float64)
        total += np.concatenate(
            [
                values[random.integers(0, len(values), (_CHUNK, len(values)))].mean(axis=1)
                for _ in range(RESAMPLES // _CHUNK)
            ]
        )
    tail = (1 - COVERED) / 2
    low, high = np.quantile(total / len(groups), (tail, 1 - tail)).tolist()
    return low, high


def sign_flip_p(differences: Sequence[float], seed: int = 0) -> float:
    """The chance of a mean difference at least this large if A and B were the same system.

    Two-sided: under that hypothesis each question's difference may as well have the other sign.
    """
    values = np.asarray(differences, np.float64)
    values = values[values != 0]
    if not len(values):
        return 1.0
    random = np.random.default_rng(seed)
    observed = abs(values.sum())
    extreme = 0
    for _ in range(FLIPS // _CHUNK):
        signs = random.integers(0, 2, (_CHUNK, len(values))) * 2 - 1
        # Sums of the same numbers in another order differ in the last bits.
        extreme += int((np.abs(signs @ values) >= observed - 1e-9).sum())
    return (extreme + 1) / (FLIPS + 1)
