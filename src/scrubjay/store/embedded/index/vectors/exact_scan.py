"""Exhaustive search over small codes of vectors, made exact by rescoring from float16."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.index.vectors.mapped import MappedVectors
from scrubjay.store.shared.kernels import (
    ROWS_AT_ONCE,
    CodeArray,
    HalfArray,
    Kernel,
    Queries,
    bound_of_best,
)
from scrubjay.types.arrays import MaskArray, ScoreArray, VectorArray

SlotArray = npt.NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)

# What one query may rescore: 5,200 rows of 384 components, about a millisecond. Only heaps of
# equal or nearly equal vectors reach it.
RESCORED_COMPONENTS_MAX = 2_000_000

# Products of many queries with some codes that are looked at together: a mebibyte of them.
PRODUCTS_AT_ONCE = 1 << 18


@dataclass(frozen=True, slots=True)
class HalfVectors:
    """The float16 vectors of a partition by slot, in consecutive pieces; the last one may grow."""

    pieces: tuple[HalfArray, ...]
    starts: tuple[int, ...]  # the first slot of each piece
    mapped: MappedVectors | None = None  # where the first piece is from, if from a file

    def append(self, count: int, vectors: HalfArray) -> HalfVectors:
        """The same with `vectors` after the first `count` slots; what readers hold stays valid."""
        start = self.starts[-1]
        last = grown(self.pieces[-1], count - start, len(vectors))
        last[count - start : count - start + len(vectors)] = vectors
        return HalfVectors((*self.pieces[:-1], last), self.starts, self.mapped)

    def split(self, slot: int, count: int) -> HalfVectors:
        """The same with a piece of its own from `slot` on, so that what is before never moves.

        `slot` lies in the last piece.
        """
        start = self.starts[-1]
        before = self.pieces[-1][: slot - start].copy()
        after = self.pieces[-1][slot - start : count - start].copy()
        return HalfVectors((*self.pieces[:-1], before, after), (*self.starts, slot), self.mapped)

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

    def _narrowed(
        self, usable: MaskArray | None
    ) -> tuple[SlotArray | None, MaskArray | None, CodeArray, ScoreArray]:
        """The slots to look at (None: all), those to leave out, and the codes of the former."""
        codes, steps = self.codes[: self.count], self.steps[: self.count]
        if usable is None:
            return None, None, codes, steps
        # Copying a row of codes costs about three times what scanning it in place does.
        if np.count_nonzero(usable) * 4 < self.count:
            picked = np.flatnonzero(usable)
            return picked, None, codes.take(picked, axis=0), steps.take(picked)
        return None, ~usable, codes, steps

    def estimates(
        self, kernel: Kernel, queries: Queries, usable: MaskArray | None
    ) -> tuple[SlotArray | None, ScoreArray]:
        """The slots looked at (None: all), and what the first query scores there, more or less."""
        picked, barred, codes, steps = self._narrowed(usable)
        if not len(codes):
            return picked, np.empty(0, np.float32)
        product = kernel.product(queries, codes)
        estimates: ScoreArray = np.multiply(product, steps * queries.steps[0], dtype=np.float32)
        if barred is not None:
            np.putmask(estimates, barred, -np.inf)
        return picked, estimates

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
        errors = [kernel.error(self.step_max, step) for step in queries.steps.tolist()]
        most = most_rescored(limit, self.codes.shape[1])
        if len(errors) == 1:
            picked, estimates = self.estimates(kernel, queries, usable)
            chosen = shortlist(estimates, limit, error=errors[0], floor=floor, most=most)
            yield chosen if picked is None else picked[chosen]
            return
        picked, barred, codes, steps = self._narrowed(usable)
        if not len(codes):
            yield from (np.empty(0, np.int64) for _ in errors)
            return
        passing = Passing(limit, floor, errors)
        for part, scaled in _compared(kernel, queries, codes, steps):
            if barred is not None:
                scaled[barred[part]] = -np.inf
            passing.look_at(part.start, scaled, queries.steps)
        for (places, near), error in zip(passing.of_each(), errors, strict=True):
            if not len(places):  # of most queries a partition has nothing
                yield places
                continue
            chosen = places[shortlist(near, limit, error=error, floor=floor, most=most)]
            yield chosen if picked is None else picked[chosen]


def _compared(
    kernel: Kernel, queries: Queries, codes: CodeArray, steps: ScoreArray
) -> Iterator[tuple[slice, ScoreArray]]:
    """Portions of the codes, and their products with all queries, a row for each code."""
    compare, rows = kernel.comparing(queries), max(1, PRODUCTS_AT_ONCE // len(queries.steps))
    for start in range(0, len(codes), rows):
        part = slice(start, start + rows)
        yield part, np.multiply(compare(codes[part]), steps[part, None], dtype=np.float32)


class Passing:
    """What can be among the best for each of many queries, of the codes looked at so far."""

    def __init__(self, limit: int, floor: float, errors: Sequence[float]) -> None:
        self._limit = limit
        self._errors = np.array(errors, np.float32)
        # What an estimate must reach; rises where more than enough do.
        self._lowest = np.float32(floor) - self._errors
        self._places, self._queries = np.empty(0, np.int64), np.empty(0, np.int64)
        self._estimates = np.empty(0, np.float32)
        self._room = self._room_beside(0)

    def _room_beside(self, held: int) -> int:
        # Doubled, so that heaps of equal vectors, which all pass, are not gone through each time.
        return 2 * held + 4 * self._limit * len(self._errors)

    def look_at(self, start: int, scaled: ScoreArray, steps: ScoreArray) -> None:
        """Take in products from `start` on, a row for each code; estimates but for the `steps`."""
        # Few pass, which numpy skips over in one dimension only.
        where = np.flatnonzero(scaled >= self._lowest / steps)
        if not len(where):
            return
        places, queries = np.divmod(where, len(steps))
        self._estimates = np.append(self._estimates, scaled[places, queries] * steps[queries])
        self._places = np.append(self._places, places + start)
        self._queries = np.append(self._queries, queries)
        if len(self._places) > self._room:
            self._raise_floors()
            self._room = self._room_beside(len(self._places))

    def _raise_floors(self) -> None:
        for query, (_, near) in enumerate(self.of_each()):
            if len(near) > 2 * self._limit:
                least = bound_of_best(near, self._limit) - 2 * self._errors[query]
                self._lowest[query] = max(self._lowest[query], least)
        kept = self._estimates >= self._lowest[self._queries]
        self._places, self._queries = self._places[kept], self._queries[kept]
        self._estimates = self._estimates[kept]

    def of_each(self) -> list[tuple[SlotArray, ScoreArray]]:
        """For each query, places that hold its best, ascending, and their estimates."""
        order = np.argsort(self._queries, kind="stable")
        ends = np.cumsum(np.bincount(self._queries, minlength=len(self._errors))).tolist()
        places, estimates = self._places[order], self._estimates[order]
        return [(places[start:end], estimates[start:end]) for start, end in pairwise((0, *ends))]


def most_rescored(limit: int, dimension: int) -> int:
    """How many of a short list are compared exactly, at most."""
    return max(2 * limit + 100, RESCORED_COMPONENTS_MAX // dimension)


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
            max(floor - error, bound_of_best(estimates, limit) - 2 * error)
        )
    (chosen,) = passing.nonzero()
    if len(chosen) > most:
        order = np.argsort(-estimates[chosen], kind="stable")
        chosen = np.sort(chosen[order[:most]])
    return chosen


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
