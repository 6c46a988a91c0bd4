"""Exhaustive search over small codes of vectors, made exact by rescoring from float16."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.index.vectors.mapped import MappedHalves
from scrubjay.types import MaskArray, RowArray, ScoreArray, VectorArray

# Where the native wheel is not installed, NumpyKernel serves.
NATIVE = find_spec("numkong") is not None
if NATIVE:
    import numkong

HalfArray = npt.NDArray[np.float16]
CodeArray = npt.NDArray[np.int8 | np.float32]
SlotArray = npt.NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)

# A code's largest component. 127 would be a little finer, but 120 divides by 2, 3, 4, 5, 6, 8 and
# 10, so that vectors of word counts are coded without the same error in each of many components.
CODE_MAX = 120

# Rounding a component to a step of its row's scale is off by up to half a step, evenly, so a
# product of unit vectors is off by step / sqrt(12) in the root mean square. Losing a true answer
# takes an error of this many of them on both sides at once.
ERROR_SIGMAS = 5.0

# Products in float32 differ by a few 1e-7 with the order of the sum.
FLOAT_ERROR = 1e-5

# What one query may rescore: 5,200 rows of 384 components, about a millisecond. Only heaps of
# equal or nearly equal vectors reach it.
RESCORED_COMPONENTS_MAX = 2_000_000

# Keeps the steps of a vector of zeros above zero.
SMALLEST = 1e-30

# Enough rows to keep the processor busy, few enough to keep the temporary float32 in its cache.
ROWS_AT_ONCE = 2_048
QUERIES_AT_ONCE = 32

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
    def products(
        self, queries: Queries, codes: CodeArray
    ) -> Iterator[npt.NDArray[np.float32 | np.int32]]: ...
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
            steps[part] = np.maximum(largest, SMALLEST) / CODE_MAX
            wide /= steps[part, None]
            codes[part] = np.rint(wide, out=wide)
        return codes, steps

    def error(self, step: float, other_step: float) -> float:
        """How far an estimate may be from the cosine, practically always."""
        return ERROR_SIGMAS * math.hypot(step, other_step) / math.sqrt(12) + FLOAT_ERROR

    def products(
        self, queries: Queries, codes: CodeArray
    ) -> Iterator[npt.NDArray[np.float32 | np.int32]]:
        """For each query, the product of its code with every code."""
        if len(queries.codes) == 1:
            single = np.empty((1, len(codes)), np.float32)
            numkong.cdist(queries.codes, codes, "dot", out=single)
            yield single[0]
            return
        packed = numkong.dots_pack(codes)
        for start in range(0, len(queries.codes), QUERIES_AT_ONCE):
            block = queries.codes[start : start + QUERIES_AT_ONCE]
            yield from np.asarray(numkong.dots_packed(block, packed))

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

    def products(
        self, queries: Queries, codes: CodeArray
    ) -> Iterator[npt.NDArray[np.float32 | np.int32]]:
        """For each query, its product with every vector, up to rounding."""
        for start in range(0, len(queries.vectors), QUERIES_AT_ONCE):
            block = queries.vectors[start : start + QUERIES_AT_ONCE]
            products: VectorArray = np.matmul(block, codes.T, dtype=np.float32)
            yield from products

    def cosines(self, halves: HalfArray, query: VectorArray) -> ScoreArray:
        """The product of each row with the query; equal rows score exactly equal."""
        # A matrix product may sum equal rows in different orders and so break ties by place.
        scores: ScoreArray = (halves.astype(np.float32) * query).sum(axis=1, dtype=np.float32)
        return scores


def kernel_for(*, native: bool) -> Kernel:
    """The native kernel when it is wanted and installed, else the numpy one."""
    return NativeKernel() if native and NATIVE else NumpyKernel()


@dataclass(frozen=True, slots=True)
class Halves:
    """The float16 vectors of a partition by slot, in consecutive pieces; the last one may grow."""

    pieces: tuple[HalfArray, ...]
    starts: tuple[int, ...]  # the first slot of each piece
    mapped: MappedHalves | None = None  # where the first piece is from, if from a file

    def append(self, count: int, vectors: HalfArray) -> Halves:
        """The same with `vectors` after the first `count` slots; what readers hold stays valid."""
        start = self.starts[-1]
        last = grown(self.pieces[-1], count - start, len(vectors))
        last[count - start : count - start + len(vectors)] = vectors
        return Halves((*self.pieces[:-1], last), self.starts, self.mapped)

    def split(self, slot: int, count: int) -> Halves:
        """The same with a piece of its own from `slot` on, so that what is before never moves.

        `slot` lies in the last piece.
        """
        start = self.starts[-1]
        before = self.pieces[-1][: slot - start].copy()
        after = self.pieces[-1][slot - start : count - start].copy()
        return Halves((*self.pieces[:-1], before, after), (*self.starts, slot), self.mapped)

    def save(self, path: Path, count: int) -> None:
        """Write the first `count` vectors to a file."""
        ends = (*self.starts[1:], count)
        with path.open("wb") as file:
            for piece, start, end in zip(self.pieces, self.starts, ends, strict=True):
                piece[: end - start].tofile(file)

    def cosines(self, kernel: Kernel, slots: SlotArray, query: VectorArray) -> ScoreArray:
        """The cosine of each of `slots` to a unit vector, in their order."""
        if len(slots) <= ROWS_AT_ONCE:
            return kernel.cosines(self.take(slots), query)
        parts = (slots[at : at + ROWS_AT_ONCE] for at in range(0, len(slots), ROWS_AT_ONCE))
        return np.concatenate([kernel.cosines(self.take(part), query) for part in parts])

    def take(self, slots: SlotArray) -> HalfArray:
        """The vectors at `slots`, in their order."""
        if self.mapped is not None:
            self.mapped.note_reading()
        # Mostly the first piece has all of them: it is what a graph covers.
        if len(self.pieces) == 1 or int(slots.max(initial=0)) < self.starts[1]:
            return self.pieces[0].take(slots, axis=0)
        taken = np.empty((len(slots), self.pieces[0].shape[1]), np.float16)
        piece_of = np.searchsorted(self.starts, slots, side="right") - 1
        for number, (piece, start) in enumerate(zip(self.pieces, self.starts, strict=True)):
            here = np.flatnonzero(piece_of == number)
            if len(here):
                taken[here] = piece.take(slots[here] - start, axis=0)
        return taken


@dataclass(frozen=True, slots=True)
class Scan:
    """A snapshot of the codes that an exhaustive search reads; its arrays have room to grow."""

    codes: CodeArray
    steps: ScoreArray
    step_max: float
    count: int

    @classmethod
    def empty(cls, kernel: Kernel, dimension: int) -> Scan:
        """No codes yet."""
        return cls(np.empty((0, dimension), kernel.code_type), np.empty(0, np.float32), 0.0, 0)

    def append(self, codes: CodeArray, steps: ScoreArray) -> Scan:
        """The same with more codes at the end; what readers hold stays valid."""
        end = self.count + len(codes)
        all_codes = grown(self.codes, self.count, len(codes))
        all_steps = grown(self.steps, self.count, len(codes))
        all_codes[self.count : end] = codes
        all_steps[self.count : end] = steps
        step_max = max(self.step_max, float(steps.max(initial=0.0)))
        return Scan(all_codes, all_steps, step_max, end)

    def keep(self, slots: SlotArray) -> Scan:
        """A copy with only the codes at `slots`, in their order."""
        steps = self.steps.take(slots)
        return Scan(
            self.codes.take(slots, axis=0), steps, float(steps.max(initial=0.0)), len(slots)
        )

    def candidates(
        self,
        kernel: Kernel,
        queries: Queries,
        *,
        limit: int,
        floor: float,
        usable: MaskArray | None,
    ) -> Iterator[SlotArray]:
        """For each query, slots that hold its `limit` best of at least `floor`, and some more.

        `usable` marks the slots that may be returned; None means all.
        """
        picked = barred = None
        codes, steps = self.codes[: self.count], self.steps[: self.count]
        # Copying a row of codes costs about three times what scanning it in place does.
        if usable is not None and np.count_nonzero(usable) * 4 < self.count:
            picked = np.flatnonzero(usable)
            codes, steps = codes.take(picked, axis=0), steps.take(picked)
        elif usable is not None:
            barred = ~usable
        if not len(codes):
            yield from (np.empty(0, np.int64) for _ in queries.steps)
            return
        most = max(2 * limit + 100, RESCORED_COMPONENTS_MAX // codes.shape[1])
        for product, step in zip(kernel.products(queries, codes), queries.steps, strict=True):
            estimates: ScoreArray = np.multiply(product, steps * step, dtype=np.float32)
            if barred is not None:
                np.putmask(estimates, barred, -np.inf)
            error = kernel.error(self.step_max, float(step))
            chosen = shortlist(estimates, limit, error=error, floor=floor, most=most)
            yield chosen if picked is None else picked[chosen]


def shortlist(
    estimates: ScoreArray, limit: int, *, error: float, floor: float, most: int
) -> SlotArray:
    """The places that can be among the `limit` best of at least `floor`, ascending.

    `limit` of them have an estimate above the bound, hence a true score above bound - error, and
    whatever truly beats one of those has an estimate above bound - 2 * error. Only when more than
    `most` are that close are the best estimates preferred, the earlier place among equals.
    """
    passing = estimates >= np.float32(floor - error)
    if np.count_nonzero(passing) > 2 * limit:
        passing = estimates >= np.float32(
            max(floor - error, _bound_of_best(estimates, limit) - 2 * error)
        )
    chosen = np.flatnonzero(passing)
    if len(chosen) > most:
        order = np.argsort(-estimates[chosen], kind="stable")
        chosen = np.sort(chosen[order[:most]])
    return chosen


def best_first(
    rows: RowArray, scores: ScoreArray, *, limit: int, floor: float
) -> tuple[RowArray, ScoreArray]:
    """The `limit` best of at least `floor`, best first, ties by row ascending."""
    if len(scores) > 4 * limit:  # sorting costs more than setting most aside
        floor = max(floor, _bound_of_best(scores, limit))
    kept = np.flatnonzero(scores >= np.float32(floor))
    order = kept[np.lexsort((rows[kept], -scores[kept]))[:limit]]
    return rows[order], scores[order]


def grown(array: npt.NDArray[Scalar], used: int, more: int) -> npt.NDArray[Scalar]:
    """`array`, or a copy of its first `used` entries, with room for `more` behind them."""
    if used + more <= len(array):
        return array
    # Doubling copies each entry about once, however small the steps; the spare quarter spares the
    # first small addition after a bulk one from copying it all. Untouched room takes no memory.
    room = max((used + more) * 5 // 4, 2 * used, 16)
    larger = np.empty((room, *array.shape[1:]), array.dtype)
    larger[:used] = array[:used]
    return larger


def _bound_of_best(estimates: ScoreArray, limit: int) -> float:
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
