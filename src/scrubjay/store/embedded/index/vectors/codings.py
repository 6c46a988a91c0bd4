"""How vectors become the small codes that a graph compares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.store.shared.kernels import ROWS_AT_ONCE, HalfArray, NativeKernel, distances, widened
from scrubjay.types.arrays import ScoreArray, VectorArray

ByteArray = npt.NDArray[np.int8]

CODE_MAX = 127

# Vectors that are looked at to choose a coding.
SAMPLED_VECTORS = 4_096

# Shared steps serve as long as they lose no more than this share of what tells vectors apart.
# Encoders of text lose a 5,000th; where some vectors have a few large components and others many
# small ones, steps that fit the first are too coarse for the second.
LOST_SHARE_MAX = 0.002

# Squared lengths that fall short of 1 by more than rounding to float16 makes them.
SHORT_MIN = 0.005


class Coding(Protocol):
    """Turns vectors into codes whose distances, by the library's `metric`, order like dot products.

    Codes have `added` more components than the vectors.
    """

    @property
    def metric(self) -> str: ...
    @property
    def added(self) -> int: ...
    def encode(self, vectors: HalfArray | VectorArray) -> ByteArray: ...
    def distances(self, code: ByteArray, codes: ByteArray) -> ScoreArray: ...


@dataclass(frozen=True, slots=True)
class OwnSteps:
    """Every vector in steps of its own, compared by the angle between codes; nothing is clipped."""

    metric: str = "cos"
    added: int = 0

    def encode(self, vectors: HalfArray | VectorArray) -> ByteArray:
        """The code of each vector."""
        return NativeKernel().encode(vectors)[0].astype(np.int8, copy=False)

    def distances(self, code: ByteArray, codes: ByteArray) -> ScoreArray:
        """How far each of `codes` is from one, on a scale of its own."""
        return distances(code, codes, "angular")


@dataclass(frozen=True, slots=True)
class SharedSteps:
    """All vectors in the same steps around the same centre, compared by their distance.

    Of unit vectors the nearer one also has the greater cosine, wherever the centre is. Where some
    are shorter (means of several readings), `added` is 1: one more component brings every vector
    to length 1, and being 0 in a question it leaves the dot products as they are. A squared
    distance takes a third less time than an angle, in building as in searching, and around their
    centre vectors of text are half as long, so that the same 8 bits hold them twice as finely.
    """

    centre: VectorArray
    step: float
    metric: str = "l2sq"
    added: int = 0

    def encode(self, vectors: HalfArray | VectorArray) -> ByteArray:
        """The code of each vector; what is farther out than any sampled one is clipped."""
        codes = np.empty((len(vectors), vectors.shape[1] + self.added), np.int8)
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            full = widened(vectors[part])
            steps = (lifted(full) if self.added else full) - self.centre
            steps /= np.float32(self.step)
            codes[part] = np.clip(np.rint(steps), -CODE_MAX, CODE_MAX)
        return codes

    def distances(self, code: ByteArray, codes: ByteArray) -> ScoreArray:
        """How far each of `codes` is from one, on a scale of its own."""
        return distances(code, codes, "sqeuclidean")

    def save(self, path: Path) -> None:
        """Write the step and the centre to a file."""
        np.append(np.float32(self.step), self.centre).astype(np.float32).tofile(path)


def chosen_for(sample: HalfArray) -> Coding:
    """The coding that suits vectors like these."""
    vectors = widened(sample)
    short = float((1 - _squares(vectors)).max(initial=0.0)) > SHORT_MIN
    if short:
        vectors = lifted(vectors)
    centre = vectors.mean(axis=0)
    around = vectors - centre
    step = float(np.abs(around).max(initial=0.0)) / CODE_MAX
    # Rounding to a step loses a twelfth of its square in each component.
    lost = vectors.shape[1] * step**2 / 12
    if short:
        return SharedSteps(centre, step or 1.0, added=1)
    if not step or lost > LOST_SHARE_MAX * float((around**2).sum(axis=1).mean()):
        return OwnSteps()
    return SharedSteps(centre, step)


def lifted(vectors: VectorArray) -> VectorArray:
    """The vectors with one more component, which makes their length 1."""
    missing = np.sqrt(np.maximum(1 - _squares(vectors), 0.0))
    return np.concatenate((vectors, missing[:, None]), axis=1, dtype=np.float32)


def _squares(vectors: VectorArray) -> VectorArray:
    squares: VectorArray = np.einsum("ij,ij->i", vectors, vectors)
    return squares


def load_coding(path: Path, dimension: int) -> Coding:
    """The shared steps kept in a file; ValueError when they are not of this dimension."""
    kept = np.fromfile(path, np.float32)
    added = len(kept) - 1 - dimension
    if added not in (0, 1) or not np.isfinite(kept).all() or kept[0] <= 0:
        raise ValueError(f"{path} is not a coding")
    return SharedSteps(kept[1:], float(kept[0]), added=added)
