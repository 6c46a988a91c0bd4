"""An HNSW graph over the codes of vectors: built beside the shared one, read from its file."""

from __future__ import annotations

import mmap
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from scrubjay.onnx_import import import_onnxruntime
from scrubjay.store.embedded.index.vectors.codings import ByteArray, Coding
from scrubjay.store.embedded.index.vectors.exact_scan import SlotArray
from scrubjay.store.embedded.index.vectors.mapped import LETS_GO
from scrubjay.store.shared.kernels import HalfArray
from scrubjay.types.arrays import MaskArray

# Where the native wheel is not installed, every partition is scanned.
GRAPHS = find_spec("usearch") is not None
if TYPE_CHECKING:
    from usearch.index import Index

# Links per node, and how widely a new node looks for them. Measured on
# 75,000 vectors like those of e5-small-v2 (bench/corpus/vector_space.py), recall@100 of a query's
# 200 candidates, its CPU ms, and those of building one vector: widths of 128 .975, 0.46 and 0.21,
# of 256 .987, 0.53 and 0.41; 48 links instead of 32 .977, 0.71 and 0.24.
CONNECTIVITY = 32
EXPANSION_ADD = 256
# In a larger graph, where each insertion walks farther, new nodes look half as widely.
WIDE_COUNT_MAX = 500_000
EXPANSION_ADD_LARGE = 128
# A query looks as widely as it wants candidates, and at least so widely.
EXPANSION_SEARCH = 64

# One more candidate out of the graph costs about as much as rescoring this many rows.
RESCORED_PER_CANDIDATE = 10

# Slots looked at to guess which share of them may be returned.
SAMPLED_SLOTS = 1_024

# Up to this many slots, rescoring them all costs no more than choosing some of them by code.
RESCORED_MAX = 1_024

# Files up to this size are read into memory of large pages, others are mapped. A search hops from
# page to page, and on pages of 4 KiB each hop also looks for the page: 0.95 instead of 1.2 ms for
# 200 candidates of 550,000 vectors.
IN_MEMORY_MAX = 1 << 30
LARGE_PAGES = hasattr(mmap, "MADV_HUGEPAGE")

# Where the library keeps the vectors in its file: behind their number and size.
CODES_OFFSET = 8

Usable = Callable[[SlotArray], MaskArray]


@dataclass(frozen=True, slots=True)
class Graph:
    """An HNSW over the slots [0, count), never changed once it is shared.

    Searches may run in many threads; the library serialises those on one graph.
    """

    index: Index
    count: int
    coding: Coding
    codes: ByteArray | None = None  # by slot; None while the graph is in no file
    content: mmap.mmap | None = None  # of its file, which the library reads and we keep
    mapped: bool = False

    def nearest(self, code: ByteArray, wanted: int) -> SlotArray:
        """About the `wanted` nearest slots, nearest first."""
        matches = self.index.search(code, wanted, threads=1)
        return np.asarray(matches.keys).astype(np.int64)

    def nearest_usable(self, code: ByteArray, wanted: int, usable: Usable) -> SlotArray | None:
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

    def best_of(self, code: ByteArray, slots: SlotArray, wanted: int) -> SlotArray:
        """About the `wanted` nearest of some slots, each of them compared by its code."""
        if self.codes is None or len(slots) <= RESCORED_MAX:
            return slots
        apart = self.coding.distances(code, self.codes.take(slots, axis=0))
        place = min(wanted, len(slots)) - 1
        return slots[np.argpartition(apart, place)[: place + 1]]

    def _usable_share(self, usable: Usable) -> float:
        stride = -(-self.count // SAMPLED_SLOTS)
        return float(usable(np.arange(0, self.count, stride)).mean())

    def save(self, path: Path) -> None:
        """Write the graph to a file, which a crash may leave half written."""
        self.index.save(str(path))

    @classmethod
    def view(
        cls, path: Path, dimension: int, count: int, coding: Coding, *, in_memory: bool
    ) -> Graph:
        """The graph in a file, read or mapped; ValueError when the file is not that graph."""
        index = _new_index(dimension, coding)
        in_memory = in_memory and LARGE_PAGES and path.stat().st_size <= IN_MEMORY_MAX
        content = _read(path) if in_memory else _mapped(path)
        whole = np.frombuffer(content, np.uint8)
        try:
            index.view(whole.data)
        except RuntimeError as error:  # the library's word for a damaged file
            raise ValueError(f"{path} is not a graph") from error
        width = dimension + coding.added
        if (len(index), index.ndim) != (count, width):
            raise ValueError(f"{path} is another graph")
        codes = _codes_in(whole, width, count)
        return cls(index, count, coding, codes, content, mapped=not in_memory)

    def checked(self, slots: SlotArray, vectors: HalfArray) -> Graph:
        """The same, without codes if those of some slots are not of the vectors there."""
        if self.codes is None or np.array_equal(
            self.codes.take(slots, axis=0), self.coding.encode(vectors)
        ):
            return self
        return replace(self, codes=None)

    def let_go(self) -> None:
        """Keep nothing of a mapped file in memory until it is searched."""
        if self.mapped and self.content is not None and LETS_GO:
            self.content.madvise(mmap.MADV_DONTNEED)


class GraphGrowth:
    """A graph under construction: a private copy of an earlier one, or an empty one."""

    def __init__(self, dimension: int, base: Graph | Coding, *, width: int | None = None) -> None:
        self._width = width  # how widely new nodes look; None: as their number suggests
        if isinstance(base, Graph):
            # Growing the shared graph itself could move what a search in another thread reads.
            self._index, self.count, self._coding = base.index.copy(), base.count, base.coding
        else:
            self._index, self.count, self._coding = _new_index(dimension, base), 0, base

    def add(self, vectors: HalfArray) -> None:
        """Add the next slots."""
        large = self.count >= WIDE_COUNT_MAX
        width = self._width or (EXPANSION_ADD_LARGE if large else EXPANSION_ADD)
        # The library's setter is not where type checkers look for it.
        self._index.expansion_add = width  # type: ignore[misc]
        keys = np.arange(self.count, self.count + len(vectors), dtype=np.uint64)
        self._index.add(keys, self._coding.encode(vectors), threads=1)
        self.count += len(vectors)

    def finish(self) -> Graph:
        """The graph, from now on never changed."""
        return Graph(self._index, self.count, self._coding)


def _new_index(dimension: int, coding: Coding) -> Index:
    # usearch makes the symbols of its libraries global, and onnxruntime crashes the process when
    # it is imported after that; imported before, both work. Only large banks come here.
    if find_spec("onnxruntime") is not None:
        import_onnxruntime()
    from usearch.index import Index

    # The library's own conversion of unit vectors to int8 uses steps of 1/127 and loses recall.
    return Index(
        ndim=dimension + coding.added,
        metric=coding.metric,
        dtype="i8",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
        enable_key_lookups=False,
    )


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _read(path: Path) -> mmap.mmap:
    """What a file holds, in memory of large pages."""
    room = mmap.mmap(-1, path.stat().st_size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    room.madvise(mmap.MADV_HUGEPAGE)
    with path.open("rb") as file:
        file.readinto(room)
    return room


def _codes_in(content: npt.NDArray[np.uint8], width: int, count: int) -> ByteArray | None:
    """The codes in a graph's file, by slot; None if this version keeps them elsewhere.

    The library hands vectors out only by key, for which it would need a table of a few bytes for
    each, and one by one.
    """
    end = CODES_OFFSET + count * width
    if len(content) < end or content[:CODES_OFFSET].view("<u4").tolist() != [count, width]:
        return None
    codes: ByteArray = content[CODES_OFFSET:end].view(np.int8)
    return codes.reshape(count, width)
