"""Where the middle of a bank's vectors lies, told by a sample that both stores take alike."""

from __future__ import annotations

import numpy as np

from scrubjay.store.shared.kernels import HalfArray
from scrubjay.types.arrays import RowArray, VectorArray

# The mean of so many differs from that of all by a twentieth of what one vector differs.
_SAMPLE_MAX = 512
# Of fewer rows the middle says as much about each of them as about what they share.
_ROWS_MIN = 32


def sampled(row_limit: int) -> RowArray:
    """The rows whose vectors tell where the middle of a bank with so many rows lies.

    They become others when it has grown by a third or a half, so that what is told meanwhile moves
    nothing, and every process and store takes the same.
    """
    if row_limit < _ROWS_MIN:
        return np.empty(0, np.int64)
    power: int = 1 << (row_limit.bit_length() - 1)
    first = power + power // 2 if row_limit >= power + power // 2 else power
    return np.arange(0, first, -(-first // _SAMPLE_MAX), dtype=np.int64)


def middle_of(halves: HalfArray) -> VectorArray | None:
    """The mean of some vectors; None of none."""
    if not len(halves):
        return None
    middle: VectorArray = halves.mean(axis=0, dtype=np.float64).astype(np.float32)
    return middle
