"""Builds a larger or cleaner graph for a partition, beside it while it keeps serving."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.index.vectors.codings import SAMPLED_VECTORS, Coding, chosen_for
from scrubjay.store.embedded.index.vectors.exact_scan import (
    ROWS_AT_ONCE,
    HalfArray,
    Halves,
    SlotArray,
    widened,
)
from scrubjay.store.embedded.index.vectors.hnsw import GraphGrowth
from scrubjay.store.embedded.index.vectors.partition import Partition, outlived
from scrubjay.types import VectorArray

# Vectors that stand for the others when these are put in order, and how many each stands for
# at least.
PIVOTS_MAX = 512
VECTORS_PER_PIVOT = 64


class Growth:
    """A graph over all that is alive in a partition; slots it adds are renumbered.

    New vectors are added in an order that keeps like ones together: each finds its neighbours
    where the one before it did, in memory that is still cached. Measured on 200,000 vectors, that
    takes 152 instead of 276 microseconds for each, and a tenth off each search.
    """

    def __init__(self, source: Partition, dimension: int) -> None:
        self.source = source
        # A first graph, or one with too many dead, starts from the living; else it is extended.
        fresh = source.graph is None or outlived(source)
        base = None if fresh else source.graph
        self._pieces = 0 if fresh else len(source.halves.pieces) - 1
        covered = 0 if base is None else base.count
        added = covered + np.flatnonzero(source.live[covered : source.count])
        halves = source.halves.take(added)
        order = alike_together(halves)
        self._halves = halves[order]
        self._kept = np.concatenate((np.arange(covered), added[order]))
        self._covered = covered
        self._graph = GraphGrowth(dimension, base or self._coding())

    def _coding(self) -> Coding:
        stride = -(-len(self._halves) // SAMPLED_VECTORS)
        return chosen_for(self._halves[::stride])

    @property
    def remaining(self) -> int:
        """How many vectors are still to be added."""
        return len(self._kept) - self._graph.count

    def advance(self, vectors_max: int) -> None:
        """Add up to `vectors_max` more vectors."""
        done = self._graph.count - self._covered
        self._graph.add(self._halves[done : done + vectors_max])

    def finish(self, current: Partition) -> Partition:
        """`current`, which has grown out of the source, with the new graph."""
        later = np.arange(self.source.count, current.count)
        slots = np.concatenate((self._kept, later))
        live, graph = current.live[slots], self._graph.finish()
        before = current.halves
        pieces = (*before.pieces[: self._pieces], self._halves, before.take(later))
        starts = (*before.starts[: self._pieces], self._covered, graph.count)
        scan = current.scan.keep(later - current.covered)
        dead = len(live) - int(np.count_nonzero(live))
        return Partition(current.rows[slots], live, Halves(pieces, starts), scan, graph, dead)


def alike_together(vectors: HalfArray) -> SlotArray:
    """An order of the vectors in which those that are alike follow each other."""
    count = min(PIVOTS_MAX, len(vectors) // VECTORS_PER_PIVOT)
    if count < 2:
        return np.arange(len(vectors))
    pivots = widened(vectors[np.linspace(0, len(vectors) - 1, count, dtype=np.int64)])
    place = np.empty(count, np.int64)
    place[_in_line(pivots, np.arange(count))] = np.arange(count)
    nearest = [
        np.argmax(widened(vectors[start : start + ROWS_AT_ONCE]) @ pivots.T, axis=1)
        for start in range(0, len(vectors), ROWS_AT_ONCE)
    ]
    return np.argsort(place[np.concatenate(nearest)], kind="stable")


def _in_line(pivots: VectorArray, chosen: SlotArray) -> SlotArray:
    """The chosen pivots in a line: halved across the direction in which they differ most."""
    if len(chosen) <= 2:
        return chosen
    around = pivots[chosen] - pivots[chosen].mean(axis=0)
    along: npt.NDArray[np.float32] = np.linalg.svd(around, full_matrices=False)[2][0]
    sides = np.array_split(chosen[np.argsort(around @ along, kind="stable")], 2)
    return np.concatenate([_in_line(pivots, side) for side in sides])
