"""The vectors of one type: a graph over the old ones and a scan over the new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat

import numpy as np

from scrubjay.store.embedded.index.vectors.codings import ByteArray
from scrubjay.store.embedded.index.vectors.exact_scan import HalfVectors, Scan, SlotArray, grown
from scrubjay.store.embedded.index.vectors.hnsw import RESCORED_MAX, Graph
from scrubjay.store.shared.kernels import HalfArray, Kernel, Queries, best_first
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray

Nearest = tuple[RowArray, ScoreArray]  # rows and their cosines

# Candidates rescored for each hit that is expected of a graph, and beside them: some of every
# graph, and some more of one that holds most of what is searched.
WANTED_PER_HIT = 2.6
WANTED_MIN = 30
WANTED_OF_ALL = 60

_NO_SLOTS: SlotArray = np.empty(0, np.int64)

# Below this many dead slots compaction is not worth a copy.
DEAD_MIN = 256


@dataclass(frozen=True, slots=True)
class Criteria:
    """What a search is for: so many, so similar, of the rows a mask allows (None: of all)."""

    limit: int
    floor: float
    allowed: MaskArray | None

    def reaching(self, end: int) -> Criteria:
        """The same with a mask that reaches every row of [0, end)."""
        if self.allowed is None or len(self.allowed) >= end:
            return self
        return replace(self, allowed=np.pad(self.allowed, (0, end - len(self.allowed))))


@dataclass(frozen=True, slots=True)
class Partition:
    """A snapshot of the vectors of one type, by slot; slots keep the order of adding.

    The graph covers the first slots and the scan all others. A writer fills room behind `count`,
    which no reader of an earlier snapshot looks at; whatever they do look at never changes.
    """

    rows: RowArray
    live: MaskArray
    halves: HalfVectors  # the last piece starts where the scan does
    scan: Scan
    graph: Graph | None = None
    dead: int = 0
    layout: object = field(default_factory=object)  # changes when slots are renumbered

    @property
    def covered(self) -> int:
        """How many slots the graph answers for."""
        return 0 if self.graph is None else self.graph.count

    @property
    def count(self) -> int:
        """How many slots are taken, dead ones included."""
        return self.covered + self.scan.count

    def append(self, kernel: Kernel, rows: RowArray, vectors: HalfArray) -> Partition:
        """The same with more vectors at the end."""
        count, more = self.count, len(rows)
        all_rows, live = grown(self.rows, count, more), grown(self.live, count, more)
        all_rows[count : count + more] = rows
        live[count : count + more] = True
        halves = self.halves.append(count, vectors)
        scan = self.scan.append(*kernel.encode(vectors))
        return Partition(all_rows, live, halves, scan, self.graph, self.dead, self.layout)

    def with_tombstones(self, slots: SlotArray) -> Partition:
        """The same with some live slots marked as dead."""
        live = self.live.copy()
        live[slots] = False
        return replace(self, live=live, dead=self.dead + len(slots))

    def compacted(self) -> Partition:
        """A copy without the dead, for a partition without a graph; slots are renumbered."""
        kept = np.flatnonzero(self.live[: self.count])
        halves = HalfVectors((self.halves.take(kept),), (0,))
        return Partition(self.rows[kept], self.live[kept], halves, self.scan.keep(kept))

    def candidates(
        self, kernel: Kernel, queries: Queries, criteria: Criteria, share: float
    ) -> Iterator[SlotArray]:
        """For each query, slots that hold its best, and some more.

        The mask reaches every row of the partition. No more than a `share` of the hits need be
        here, more or less.
        """
        scanned = self.scan.candidates(
            kernel,
            queries,
            limit=criteria.limit,
            floor=criteria.floor,
            usable=self._scanned_usable(criteria),
        )
        if self.graph is None:
            yield from scanned
            return
        if not self.scan.count:
            scanned = repeat(_NO_SLOTS, len(queries.vectors))
        codes = self.graph.coding.encode(queries.vectors)
        wanted = _wanted(criteria.limit, share)
        for code, slots in zip(codes, scanned, strict=True):
            found = self._graph_candidates(self.graph, code, wanted, criteria.allowed)
            yield np.concatenate((found, slots + self.covered)) if len(slots) else found

    def estimates(
        self, kernel: Kernel, queries: Queries, criteria: Criteria
    ) -> tuple[SlotArray | None, ScoreArray]:
        """Of one without a graph the slots looked at (None: all), and the first query's scores."""
        return self.scan.estimates(kernel, queries, self._scanned_usable(criteria))

    def _scanned_usable(self, criteria: Criteria) -> MaskArray | None:
        if not self.scan.count or (criteria.allowed is None and not self.dead):
            return None
        return self._usable(slice(self.covered, self.count), criteria.allowed)

    def candidates_among(
        self, kernel: Kernel, queries: Queries, slots: SlotArray, criteria: Criteria
    ) -> SlotArray:
        """Of some live slots, those that hold the first query's best, and some more."""
        if len(slots) <= RESCORED_MAX:
            return slots
        later = slots >= self.covered
        usable = np.zeros(self.scan.count, np.bool_)
        usable[slots[later] - self.covered] = True
        (scanned,) = self.scan.candidates(
            kernel, queries, limit=criteria.limit, floor=criteria.floor, usable=usable
        )
        found = slots[~later]
        if self.graph is not None:
            (code,) = self.graph.coding.encode(queries.vectors)
            # Each is compared by its code, so that only rounding has to be made up for.
            found = self.graph.best_of(code, found, criteria.limit + WANTED_MIN)
        return np.concatenate((found, scanned + self.covered))

    def _graph_candidates(
        self, graph: Graph, code: ByteArray, wanted: int, allowed: MaskArray | None
    ) -> SlotArray:
        if allowed is None and not self.dead:
            return graph.nearest(code, wanted)
        found = graph.nearest_usable(code, wanted, lambda slots: self._usable(slots, allowed))
        if found is None:
            found = np.flatnonzero(self._usable(slice(0, graph.count), allowed))
        return found

    def _usable(self, slots: SlotArray | slice, allowed: MaskArray | None) -> MaskArray:
        if allowed is None:
            return self.live[slots]
        usable: MaskArray = allowed.take(self.rows[slots], mode="clip")
        return usable & self.live[slots] if self.dead else usable


def _wanted(limit: int, share: float) -> int:
    """How many candidates of a graph are rescored, when it holds a share of all that is searched.

    A graph that holds a tenth of the vectors has a tenth of the best, more or less.
    """
    return int((WANTED_PER_HIT * limit + WANTED_OF_ALL) * share) + WANTED_MIN


def outlived(partition: Partition) -> bool:
    """Whether so many slots are dead that compaction pays: a fifth, and not just a few."""
    return partition.dead > max(DEAD_MIN, partition.count // 5)


NO_HITS: Nearest = (np.empty(0, np.int64), np.empty(0, np.float32))


def merged(hits: Sequence[Nearest], criteria: Criteria) -> Nearest:
    """The best of several lists of hits."""
    hits = [each for each in hits if len(each[0])]
    if not hits:
        return NO_HITS
    rows, scores = hits[0]
    if len(hits) > 1:
        rows = np.concatenate([rows for rows, _ in hits])
        scores = np.concatenate([scores for _, scores in hits])
    return best_first(rows, scores, limit=criteria.limit, floor=criteria.floor)
