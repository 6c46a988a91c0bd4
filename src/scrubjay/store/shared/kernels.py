"""The arithmetic of vectors, once for both stores: equal vectors score exactly equal in each."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.turns import TURNS
from scrubjay.types.arrays import RowArray, ScoreArray, VectorArray

# Where the native wheel is not installed, NumpyKernel serves.
NATIVE = find_spec("numkong") is not None
if NATIVE:
    import numkong

HalfArray = npt.NDArray[np.float16]
CodeArray = npt.NDArray[np.int8 | np.float32]
ProductArray = npt.NDArray[np.float32 | np.int32]

# A code's largest component. 127 would be a little finer, but 120 divides by 2, 3, 4, 5, 6, 8 and
# 10, so that vectors of word counts are coded without the same error in each of many components.
CODE_MAX = 120

# Rounding a component to a step of its row's scale is off by up to half a step, evenly, so a
# product of unit vectors is off by step / sqrt(12) in the root mean square. Losing a true answer
# takes an error of this many of them on both sides at once.
ERROR_SIGMAS = 5.0

# Products in float32 differ by a few 1e-7 with the order of the sum.
FLOAT_ERROR = 1e-5

# Keeps the steps of a vector of zeros above zero.
SMALLEST = 1e-30

# Enough rows to keep the processor busy, few enough to keep the temporary float32 in its cache.
ROWS_AT_ONCE = 2_048

# Codes that take half a millisecond to go through, without the interpreter: another recall may work
# meanwhile. Of fewer, to hand a turn over and back takes longer than that gains.
LONG_BYTES = 8 * 2**20

# The best of every sixteen scores is found at memory speed; only those are partitioned.
SCORES_PER_BLOCK = 16


@dataclass(frozen=True, slots=True)
class Queries:
    """Some query vectors of unit length and their codes, row by row."""

    vectors: VectorArray
    codes: CodeArray
    steps: ScoreArray

    def at(self, place: int) -> Queries:
        """One of them alone."""
        chosen = slice(place, place + 1)
        return Queries(self.vectors[chosen], self.codes[chosen], self.steps[chosen])


class Kernel(Protocol):
    """The arithmetic of a scan; an implementation chooses what a code is.

    `codes * steps` approximates the vectors: a product of two codes times both steps is off by
    no more than `error`, practically always.
    """

    code_type: type[np.int8] | type[np.float32]

    def encode(self, vectors: HalfArray | VectorArray) -> tuple[CodeArray, ScoreArray]: ...
    def error(self, step: float, other_step: float) -> float: ...
    def product(self, queries: Queries, codes: CodeArray) -> ProductArray: ...
    def comparing(self, queries: Queries) -> Callable[[CodeArray], ProductArray]: ...
    def cosines(self, halves: HalfArray, query: VectorArray) -> ScoreArray: ...


class NativeKernel:
    """Int8 codes scaled to each row's largest component, and SIMD products that free the GIL.

    A scale per row never clips, so encoders with few large components (hashing, sparse, low
    dimension) lose nothing.
    """

    code_type: type[np.int8] | type[np.float32] = np.int8

    def encode(self, vectors: HalfArray | VectorArray) -> tuple[CodeArray, ScoreArray]:
        """The int8 code of each vector and the size of its steps."""
        codes = np.empty(vectors.shape, np.int8)
        steps = np.empty(len(vectors), np.float32)
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            wide = widened(vectors[part])
            largest = np.maximum(wide.max(axis=1), -wide.min(axis=1))
            scale = np.maximum(largest, SMALLEST) / CODE_MAX
            rounded = np.rint(wide / scale[:, None])
            codes[part] = rounded
            # The step by which the code comes nearest to the vector. In a vector of word counts a
            # count is rounded the same way wherever it stands, and whatever is like it would be
            # estimated as less like it by more than `error`.
            own = np.einsum("ij,ij->i", rounded, rounded)
            along = np.einsum("ij,ij->i", rounded, wide)
            steps[part] = np.maximum(along / np.maximum(own, SMALLEST), SMALLEST)
        return codes, steps

    def error(self, step: float, other_step: float) -> float:
        """How far an estimate may be from the cosine, practically always."""
        return ERROR_SIGMAS * math.hypot(step, other_step) / math.sqrt(12) + FLOAT_ERROR

    def product(self, queries: Queries, codes: CodeArray) -> ProductArray:
        """The product of the first query's code with every code."""
        single = np.empty((1, len(codes)), np.float32)
        with TURNS.put_aside() if codes.nbytes >= LONG_BYTES else nullcontext():
            numkong.cdist(queries.codes[:1], codes, "dot", out=single)
        return single.reshape(-1)

    def comparing(self, queries: Queries) -> Callable[[CodeArray], ProductArray]:
        """What multiplies codes with those of all queries: a row for each code."""
        # The few are packed, not the many: that would cost as much as ten queries every time.
        packed = numkong.dots_pack(np.ascontiguousarray(queries.codes))
        return lambda codes: np.asarray(numkong.dots_packed(codes, packed))

    def cosines(self, halves: HalfArray, query: VectorArray) -> ScoreArray:
        """The product of each row with the query; equal rows score exactly equal."""
        scores = np.empty((1, len(halves)), np.float32)
        if len(halves):
            numkong.cdist(query[None], widened(halves), "dot", out=scores)
        return scores.reshape(-1)


class NumpyKernel:
    """Plain float32 copies of the vectors as codes, for platforms without the native wheel."""

    code_type: type[np.int8] | type[np.float32] = np.float32

    def encode(self, vectors: HalfArray | VectorArray) -> tuple[CodeArray, ScoreArray]:
        """The vectors themselves, in steps of one."""
        return vectors.astype(np.float32), np.ones(len(vectors), np.float32)

    def error(self, step: float, other_step: float) -> float:
        """How far an estimate may be from the cosine: the rounding of a float32 sum."""
        return FLOAT_ERROR * step * other_step

    def product(self, queries: Queries, codes: CodeArray) -> ProductArray:
        """The product of the first query with every vector, up to rounding."""
        return np.asarray(np.matmul(codes, queries.vectors[0], dtype=np.float32))

    def comparing(self, queries: Queries) -> Callable[[CodeArray], ProductArray]:
        """What multiplies vectors with all queries, up to rounding: a row for each vector."""
        turned = np.ascontiguousarray(queries.vectors.T)
        return lambda codes: np.asarray(np.matmul(codes, turned, dtype=np.float32))

    def cosines(self, halves: HalfArray, query: VectorArray) -> ScoreArray:
        """The product of each row with the query; equal rows score exactly equal."""
        # A matrix product may sum equal rows in different orders and so break ties by place.
        scores: ScoreArray = (halves.astype(np.float32) * query).sum(axis=1, dtype=np.float32)
        return scores


def kernel_for(*, native: bool) -> Kernel:
    """The native kernel when it is wanted and installed, else the numpy one."""
    return NativeKernel() if native and NATIVE else NumpyKernel()


def best_first(
    rows: RowArray, scores: ScoreArray, *, limit: int, floor: float
) -> tuple[RowArray, ScoreArray]:
    """The `limit` best of at least `floor`, best first, ties by row ascending."""
    if len(scores) > 4 * limit:  # sorting costs more than setting most aside
        floor = max(floor, bound_of_best(scores, limit))
    (kept,) = (scores >= np.float32(floor)).nonzero()
    order = kept[np.lexsort((rows[kept], -scores[kept]))[:limit]]
    return rows[order], scores[order]


def bound_of_best(estimates: ScoreArray, limit: int) -> float:
    """A score that at least `limit` estimates reach, close below the `limit`-th best."""
    width = len(estimates) // SCORES_PER_BLOCK
    if width >= 2 * limit:
        # Neighbours in time are alike; taking every width-th keeps them out of one block.
        blocks = estimates[: width * SCORES_PER_BLOCK].reshape(SCORES_PER_BLOCK, width)
        estimates = blocks.max(axis=0)
    place = len(estimates) - limit
    return float(np.partition(estimates, place)[place])


def widened(vectors: HalfArray | VectorArray) -> VectorArray:
    """A float32 copy; numpy's own conversion from float16 is twenty times slower."""
    if vectors.dtype == np.float16 and len(vectors):
        wide: VectorArray = np.asarray(numkong.astype(np.ascontiguousarray(vectors), "f32"))
        return wide
    return vectors.astype(np.float32)


def distances(
    code: npt.NDArray[np.int8],
    codes: npt.NDArray[np.int8],
    metric: Literal["angular", "sqeuclidean"],
) -> ScoreArray:
    """The distance of each of `codes` to one, by one of the native library's metrics."""
    apart = np.empty((1, len(codes)), np.float32)
    if len(codes):
        numkong.cdist(code[None], codes, metric, out=apart)
    return apart.reshape(-1)
