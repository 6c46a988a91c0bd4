"""The vectors of one type: a graph over the old ones, a scan over the new, and their files."""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from scrubjay.store.embedded.index.codings import (
    SAMPLED_VECTORS,
    ByteArray,
    Coding,
    OwnSteps,
    SharedSteps,
    chosen_for,
    load_coding,
)
from scrubjay.store.embedded.index.exact_scan import (
    HalfArray,
    Halves,
    Kernel,
    Queries,
    Scan,
    SlotArray,
    grown,
)
from scrubjay.store.embedded.index.hnsw import RESCORED_MAX, Graph, GraphGrowth
from scrubjay.types import MaskArray, RowArray

MANIFEST = "vectors.json"
FORMAT = 1
SAVED_SUFFIXES = {".rows", ".halves", ".graph", ".coding", ".tmp"}

# Codes in a graph's file that are compared with the vectors they were made from.
CODES_CHECKED = 16

# Candidates rescored for each hit that is expected of a graph, and beside them.
WANTED_PER_HIT = 2.2
WANTED_MIN = 80

# Below this many dead slots compaction is not worth a copy.
DEAD_MIN = 256


@dataclass(frozen=True, slots=True)
class Wish:
    """What a search is for: so many, so similar, of the rows a mask allows (None: of all)."""

    limit: int
    floor: float
    allowed: MaskArray | None


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
        self, kernel: Kernel, queries: Queries, wish: Wish, share: float
    ) -> Iterator[SlotArray]:
        """For each query, slots that hold its best, and some more.

        The wish's mask reaches every row of the partition. No more than a `share` of the hits need
        be here, more or less.
        """
        usable = None
        if wish.allowed is not None or self.dead:
            usable = self._usable(slice(self.covered, self.count), wish.allowed)
        scanned = self.scan.candidates(
            kernel, queries, limit=wish.limit, floor=wish.floor, usable=usable
        )
        if self.graph is None:
            yield from scanned
            return
        codes = self.graph.coding.encode(queries.vectors)
        wanted = _wanted(wish.limit, share)
        for code, slots in zip(codes, scanned, strict=True):
            found = self._graph_candidates(self.graph, code, wanted, wish.allowed)
            yield np.concatenate((found, slots + self.covered))

    def candidates_among(
        self, kernel: Kernel, queries: Queries, slots: SlotArray, wish: Wish
    ) -> SlotArray:
        """Of some live slots, those that hold the first query's best, and some more."""
        if len(slots) <= RESCORED_MAX:
            return slots
        later = slots >= self.covered
        usable = np.zeros(self.scan.count, np.bool_)
        usable[slots[later] - self.covered] = True
        (scanned,) = self.scan.candidates(
            kernel, queries, limit=wish.limit, floor=wish.floor, usable=usable
        )
        found = slots[~later]
        if self.graph is not None:
            (code,) = self.graph.coding.encode(queries.vectors)
            # Each is compared by its code, so that only rounding has to be made up for.
            found = self.graph.best_of(code, found, wish.limit + WANTED_MIN)
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


class Growth:
    """A larger or cleaner graph for a partition, built beside it while it keeps serving."""

    def __init__(self, source: Partition, dimension: int) -> None:
        self.source = source
        # A first graph, or one with too many dead, starts from the living; else it is extended.
        self._fresh = source.graph is None or outlived(source)
        live = source.live[: source.count]
        self._kept = np.flatnonzero(live) if self._fresh else np.arange(source.count)
        base = None if self._fresh else source.graph
        self._graph = GraphGrowth(dimension, base or self._coding())
        self._halves = source.halves.pieces[-1][:0]

    def _coding(self) -> Coding:
        stride = -(-len(self._kept) // SAMPLED_VECTORS)
        return chosen_for(self.source.halves.take(self._kept[::stride]))

    @property
    def remaining(self) -> int:
        """How many vectors are still to be added."""
        return len(self._kept) - self._graph.count

    def advance(self, vectors_max: int) -> None:
        """Add up to `vectors_max` more vectors."""
        done = self._graph.count
        slots = self._kept[done : done + vectors_max]
        self._graph.add(self.source.halves.take(slots))
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


def _wanted(limit: int, share: float) -> int:
    """How many candidates of a graph are rescored, when it holds a share of all that is searched.

    A graph that holds a tenth of the vectors has a tenth of the best, more or less. Measured at
    1M vectors in graphs of 550,000 to 100,000: 200 of the largest and 100 to 120 of the others
    find .98 of the best 100, for 1.9 ms; 200 of each .985, for 2.6 ms.
    """
    return int(WANTED_PER_HIT * limit * share) + WANTED_MIN


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
    coding: str | None = None  # None: each vector in steps of its own


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a saved index consists of; written last, so that it never names a missing file."""

    format: int
    dimension: int
    fingerprint: str
    generation: int
    watermark: int
    serial: int
    partitions: tuple[SavedPartition, ...]


def save_partition(partition: Partition, directory: Path, code: int, serial: int) -> SavedPartition:
    """Write a partition to files of its own; each is whole or absent after a crash."""
    stem, count = f"{code:03d}-{serial}", partition.count
    # A dead slot keeps its place, since the graph knows it, and loses its row.
    rows = np.where(partition.live[:count], partition.rows[:count], -1)
    write_durably(directory / f"{stem}.rows", rows.tofile)
    write_durably(directory / f"{stem}.halves", lambda path: partition.halves.save(path, count))
    graph_path, coding_name = directory / f"{stem}.graph", None
    if partition.graph is not None:
        write_durably(graph_path, partition.graph.save)
        if isinstance(partition.graph.coding, SharedSteps):
            coding_name = f"{stem}.coding"
            write_durably(directory / coding_name, partition.graph.coding.save)
    return SavedPartition(
        code=code,
        count=count,
        rows=f"{stem}.rows",
        rows_crc=zlib.crc32(rows.tobytes()),
        halves=f"{stem}.halves",
        graph=None if partition.graph is None else graph_path.name,
        graph_bytes=0 if partition.graph is None else graph_path.stat().st_size,
        covered=partition.covered,
        coding=coding_name,
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
    graph = _mapped_graph(directory, saved, vectors) if graphs else None
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
    vectors = _mapped_halves(directory, saved, partition.halves.pieces[0].shape[1])
    graph = _mapped_graph(directory, saved, vectors)
    if graph is None:
        return partition
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


def _mapped_graph(directory: Path, saved: SavedPartition, vectors: HalfArray) -> Graph | None:
    if saved.graph is None:
        return None
    path, dimension = directory / saved.graph, vectors.shape[1]
    if path.stat().st_size != saved.graph_bytes:
        raise ValueError(f"{path} has the wrong size")
    coding: Coding = OwnSteps()
    if saved.coding is not None:
        coding = load_coding(directory / saved.coding, dimension)
    graph = Graph.view(path, dimension, saved.covered, coding)
    # Where the library keeps the codes in its file is not promised, so some are compared.
    checked = np.linspace(0, saved.covered - 1, CODES_CHECKED, dtype=np.int64)
    expected = coding.encode(vectors.take(checked, axis=0))
    if graph.codes is not None and not np.array_equal(graph.codes.take(checked, axis=0), expected):
        return replace(graph, codes=None)
    return graph


def read_manifest(directory: Path) -> Manifest | None:
    """What was saved in a directory; None when nothing was, or it cannot be read."""
    try:
        told = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        partitions = tuple(SavedPartition(**entry) for entry in told.pop("partitions"))
        manifest = Manifest(**told, partitions=partitions)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return manifest if manifest.format == FORMAT else None


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Make the files it names the current ones, and remove those of earlier saves."""
    text = json.dumps(asdict(manifest), indent=1)
    write_durably(directory / MANIFEST, lambda path: path.write_bytes(text.encode()))
    current = {
        name
        for part in manifest.partitions
        for name in (part.rows, part.halves, part.graph, part.coding)
    }
    for path in directory.iterdir():
        if path.name not in current and path.suffix in SAVED_SUFFIXES:
            # Some systems refuse while a file is mapped; the next save tries again.
            with contextlib.suppress(PermissionError):
                path.unlink()
