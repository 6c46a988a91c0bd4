"""The vectors of one type: a scan of the newest, and an HNSW graph of those grown too many."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scrubjay.store.embedded.index.exact_scan import (
    CodeArray,
    HalfArray,
    Halves,
    Kernel,
    Queries,
    Scan,
    SlotArray,
    grown,
)
from scrubjay.types import MaskArray, RowArray

# Where the native wheel is not installed, every partition is scanned.
GRAPHS = find_spec("usearch") is not None
if TYPE_CHECKING:
    from usearch.index import Index

# Links per node, how widely a new node looks for them, and how widely a query looks. Measured on
# 200,000 clustered vectors of 384 components, recall@100 of 200 candidates: 16 links .988 at
# 0.27 ms per vector built and 532 bytes each, 32 links .998 at 0.36 ms and 660 bytes, for about
# the same cost per query.
CONNECTIVITY = 32
EXPANSION_ADD = 128
EXPANSION_SEARCH = 200

# One more candidate out of the graph costs about as much as rescoring this many rows.
RESCORED_PER_CANDIDATE = 10

# Below this many dead slots compaction is not worth a copy.
DEAD_MIN = 256

# Slots looked at to guess which share of them may be returned.
SAMPLED_SLOTS = 1_024

Usable = Callable[[SlotArray], MaskArray]


@dataclass(frozen=True, slots=True)
class Graph:
    """An HNSW over the slots [0, count), never changed once it is shared.

    Searches may run in many threads; the library serialises those on one graph.
    """

    index: Index
    count: int

    def nearest(self, code: CodeArray, wanted: int) -> SlotArray:
        """About the `wanted` nearest slots, nearest first."""
        matches = self.index.search(code, wanted, threads=1)
        return np.asarray(matches.keys).astype(np.int64)

    def nearest_usable(self, code: CodeArray, wanted: int, usable: Usable) -> SlotArray | None:
        """About the `wanted` nearest slots that are usable, or None when reading all is cheaper.

        The library cannot filter, so more are fetched, until enough of them are usable.
        """
        share = self._usable_share(usable)
        fetched = int(wanted / max(share, 1 / self.count) * 1.1) + 1
        while fetched * RESCORED_PER_CANDIDATE < share * self.count:
            slots = self.nearest(code, min(fetched, self.count))
            kept = slots[usable(slots)]
            if len(kept) >= wanted:
                return kept[:wanted]
            fetched *= 2
        return None

    def _usable_share(self, usable: Usable) -> float:
        stride = -(-self.count // SAMPLED_SLOTS)
        return float(usable(np.arange(0, self.count, stride)).mean())

    def save(self, path: Path) -> None:
        """Write the graph to a file, which a crash may leave half written."""
        self.index.save(str(path))

    @classmethod
    def view(cls, path: Path, dimension: int, count: int) -> Graph:
        """The graph in a file, mapped and not read; ValueError when the file is not that graph."""
        index = _new_index(dimension)
        try:
            index.view(str(path))
        except RuntimeError as error:  # the library's word for a damaged file
            raise ValueError(f"{path} is not a graph") from error
        if (len(index), index.ndim) != (count, dimension):
            raise ValueError(f"{path} is another graph")
        return cls(index, count)


class GraphGrowth:
    """A graph under construction: a private copy of an earlier one, or an empty one."""

    def __init__(self, dimension: int, base: Graph | None) -> None:
        # Growing the shared graph itself could move what a search in another thread reads.
        self._index = _new_index(dimension) if base is None else base.index.copy()
        self.count = 0 if base is None else base.count

    def add(self, codes: CodeArray) -> None:
        """Add the next slots."""
        keys = np.arange(self.count, self.count + len(codes), dtype=np.uint64)
        self._index.add(keys, codes, threads=1)
        self.count += len(codes)

    def finish(self) -> Graph:
        """The graph, from now on never changed."""
        return Graph(self._index, self.count)


def _new_index(dimension: int) -> Index:
    # usearch makes the symbols of its libraries global, and onnxruntime crashes the process when
    # it is imported after that; imported before, both work. Only large banks come here.
    if find_spec("onnxruntime") is not None:
        import onnxruntime  # noqa: F401
    from usearch.index import Index

    # Cosine does not care about a row's own scale, so the codes serve as they are; the library's
    # own conversion of unit vectors to int8 uses steps of 1/127 and loses recall.
    return Index(
        ndim=dimension,
        metric="cos",
        dtype="i8",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
        enable_key_lookups=False,
    )


@dataclass(frozen=True, slots=True)
class Partition:
    """A snapshot of the vectors of one type, by slot; slots keep the order of adding.

    The graph covers the first slots and the scan all others. A writer fills room behind `count`,
    which no reader of an earlier snapshot looks at; whatever they do look at never changes.
    """

    rows: RowArray
    live: MaskArray
    halves: Halves  # the last piece starts where the scan does
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

    def bury(self, slots: SlotArray) -> Partition:
        """The same without some live slots."""
        live = self.live.copy()
        live[slots] = False
        return replace(self, live=live, dead=self.dead + len(slots))

    def compacted(self) -> Partition:
        """A copy without the dead, for a partition without a graph; slots are renumbered."""
        kept = np.flatnonzero(self.live[: self.count])
        halves = Halves((self.halves.take(kept),), (0,))
        return Partition(self.rows[kept], self.live[kept], halves, self.scan.keep(kept))

    def candidates(
        self,
        kernel: Kernel,
        queries: Queries,
        *,
        limit: int,
        floor: float,
        allowed: MaskArray | None,
    ) -> Iterator[SlotArray]:
        """For each query, slots that hold its `limit` best of at least `floor`, and some more.

        `allowed` is by row and reaches every row of the partition.
        """
        usable = None
        if allowed is not None or self.dead:
            usable = self._usable(slice(self.covered, self.count), allowed)
        scanned = self.scan.candidates(kernel, queries, limit=limit, floor=floor, usable=usable)
        if self.graph is None:
            yield from scanned
            return
        for code, slots in zip(queries.codes, scanned, strict=True):
            found = self._graph_candidates(self.graph, code, limit, allowed)
            yield np.concatenate((found, slots + self.covered))

    def _graph_candidates(
        self, graph: Graph, code: CodeArray, limit: int, allowed: MaskArray | None
    ) -> SlotArray:
        wanted = max(2 * limit, limit + 100)
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


class Growth:
    """A larger or cleaner graph for a partition, built beside it while it keeps serving."""

    def __init__(self, source: Partition, dimension: int) -> None:
        self.source = source
        # A first graph, or one with too many dead, starts from the living; else it is extended.
        self._fresh = source.graph is None or outlived(source)
        live = source.live[: source.count]
        self._kept = np.flatnonzero(live) if self._fresh else np.arange(source.count)
        self._graph = GraphGrowth(dimension, None if self._fresh else source.graph)
        self._halves = source.halves.pieces[-1][:0]

    @property
    def remaining(self) -> int:
        """How many vectors are still to be added."""
        return len(self._kept) - self._graph.count

    def advance(self, kernel: Kernel, vectors_max: int) -> None:
        """Add up to `vectors_max` more vectors."""
        done = self._graph.count
        slots = self._kept[done : done + vectors_max]
        self._graph.add(kernel.encode(self.source.halves.take(slots))[0])
        if self._fresh and not self.remaining:
            # The one large copy is made here, where no writer waits for it.
            self._halves = self.source.halves.take(self._kept)

    def finish(self, current: Partition) -> Partition:
        """`current`, which has grown out of the source, with the new graph."""
        start = self.source.count
        later = np.arange(start, current.count)
        scan = current.scan.keep(later - current.covered)
        graph = self._graph.finish()
        if not self._fresh:
            halves = current.halves.split(start, current.count)
            return replace(current, halves=halves, scan=scan, graph=graph)
        slots = np.concatenate((self._kept, later))
        live = current.live[slots]
        halves = Halves((self._halves, current.halves.take(later)), (0, graph.count))
        dead = len(live) - int(np.count_nonzero(live))
        return Partition(current.rows[slots], live, halves, scan, graph, dead)


def outlived(partition: Partition) -> bool:
    """Whether so many slots are dead that compaction pays: a fifth, and not just a few."""
    return partition.dead > max(DEAD_MIN, partition.count // 5)


@dataclass(frozen=True, slots=True)
class SavedPartition:
    """One partition in a directory: its sizes, and the names of its files."""

    code: int
    count: int
    rows: str
    rows_crc: int
    halves: str
    graph: str | None  # None: no graph yet, all is scanned
    graph_bytes: int
    covered: int


def save_partition(partition: Partition, directory: Path, code: int, serial: int) -> SavedPartition:
    """Write a partition to files of its own; each is whole or absent after a crash."""
    stem, count = f"{code:03d}-{serial}", partition.count
    # A dead slot keeps its place, since the graph knows it, and loses its row.
    rows = np.where(partition.live[:count], partition.rows[:count], -1)
    write_durably(directory / f"{stem}.rows", rows.tofile)
    write_durably(directory / f"{stem}.halves", lambda path: partition.halves.save(path, count))
    graph_path = directory / f"{stem}.graph"
    if partition.graph is not None:
        write_durably(graph_path, partition.graph.save)
    return SavedPartition(
        code=code,
        count=count,
        rows=f"{stem}.rows",
        rows_crc=zlib.crc32(rows.tobytes()),
        halves=f"{stem}.halves",
        graph=None if partition.graph is None else graph_path.name,
        graph_bytes=0 if partition.graph is None else graph_path.stat().st_size,
        covered=partition.covered,
    )


def load_partition(
    directory: Path, saved: SavedPartition, kernel: Kernel, *, dimension: int, graphs: bool
) -> Partition:
    """A saved partition, large parts mapped; OSError or ValueError when a file disagrees.

    Without `graphs` a graph is left aside and everything is scanned.
    """
    rows = np.fromfile(directory / saved.rows, np.int64)
    if (len(rows), zlib.crc32(rows.tobytes())) != (saved.count, saved.rows_crc):
        raise ValueError(f"{saved.rows} is not what was saved")
    vectors = _mapped_halves(directory, saved, dimension)
    graph = _mapped_graph(directory, saved, dimension) if graphs else None
    covered = 0 if graph is None else graph.count
    tail = vectors[covered:].copy()
    halves = (
        Halves((tail,), (0,)) if graph is None else Halves((vectors[:covered], tail), (0, covered))
    )
    scan = Scan.empty(kernel, dimension).append(*kernel.encode(tail))
    live = rows >= 0
    return Partition(rows, live, halves, scan, graph, int(np.count_nonzero(~live)))


def remapped(partition: Partition, directory: Path, saved: SavedPartition) -> Partition:
    """The same partition, reading from its files what its graph covers; memory is given back."""
    dimension = partition.halves.pieces[0].shape[1]
    graph = _mapped_graph(directory, saved, dimension)
    if graph is None:
        return partition
    vectors = _mapped_halves(directory, saved, dimension)
    halves = Halves((vectors[: graph.count], partition.halves.pieces[-1]), (0, graph.count))
    return replace(partition, halves=halves, graph=graph)


def write_durably(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a temporary file, then sync it, give it its name and sync that too."""
    temporary = path.with_name(f"{path.name}.tmp")
    write(temporary)
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    if os.name == "posix":  # elsewhere a directory cannot be opened
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _mapped_halves(directory: Path, saved: SavedPartition, dimension: int) -> HalfArray:
    path, shape = directory / saved.halves, (saved.count, dimension)
    if path.stat().st_size != saved.count * dimension * 2:
        raise ValueError(f"{path} has the wrong size")
    return np.asarray(np.memmap(path, np.float16, "r", shape=shape))


def _mapped_graph(directory: Path, saved: SavedPartition, dimension: int) -> Graph | None:
    if saved.graph is None:
        return None
    path = directory / saved.graph
    if path.stat().st_size != saved.graph_bytes:
        raise ValueError(f"{path} has the wrong size")
    return Graph.view(path, dimension, saved.covered)
