"""The vector index of a bank: cosine search by type, derived from the rows and rebuilt at will."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.index.vectors.exact_scan import (
    HalfArray,
    Halves,
    NativeKernel,
    Queries,
    Scan,
    best_first,
    grown,
    kernel_for,
)
from scrubjay.store.embedded.index.vectors.growth import Growth
from scrubjay.store.embedded.index.vectors.hnsw import GRAPHS
from scrubjay.store.embedded.index.vectors.partition import Partition, Wish, outlived
from scrubjay.store.embedded.index.vectors.partition_files import (
    FORMAT,
    Manifest,
    load_partition,
    read_manifest,
    remapped,
    save_partition,
    write_manifest,
)
from scrubjay.types import MaskArray, RowArray, ScoreArray, VectorArray

# Vectors of one type up to which every one is compared. Measured on clustered vectors of 384
# components, microseconds of CPU per query for 100 hits, scan | graph: 470 | 430 at 20,000,
# 1,080 | 620 at 50,000, 4,000 | 840 at 200,000. The graph breaks even near 20,000, but it costs
# 0.1-0.4 ms per vector to build and misses one hit in 500, so it has to save more than that.
EXACT_MAX = 50_000

# Vectors one step of building adds: under a tenth of a second of one core.
BUILD_STEP_VECTORS = 256

TypeArray = npt.NDArray[np.uint8] | npt.NDArray[np.int16]
Nearest = tuple[RowArray, ScoreArray]


@dataclass(frozen=True, slots=True)
class State:
    """What a reader sees: the partitions by type code, and where each row is."""

    partitions: dict[int, Partition]
    slot_of: npt.NDArray[np.int32]  # by row; valid where type_of is
    type_of: npt.NDArray[np.int16]  # by row; -1 where a row has no vector
    watermark: int


class VectorIndex:
    """Cosine search over the unit vectors of one bank.

    Any number of threads may search while one writes; `build_step` and `save` may run beside
    both. A search sees every change that returned before it began.
    """

    def __init__(self, dimension: int, *, exact_max: int = EXACT_MAX, native: bool = True) -> None:
        self.dimension = dimension
        self.generation = 0
        self._exact_max = exact_max
        self._kernel = kernel_for(native=native)
        self._graphs = GRAPHS and isinstance(self._kernel, NativeKernel)
        self._growth: tuple[int, Growth] | None = None
        self._writing = threading.Lock()
        self._building = threading.Lock()
        self._state = State({}, np.empty(0, np.int32), np.empty(0, np.int16), -1)

    def __len__(self) -> int:
        return sum(part.count - part.dead for part in self._state.partitions.values())

    def __contains__(self, row: int) -> bool:
        state = self._state
        return 0 <= row <= state.watermark and bool(state.type_of[row] >= 0)

    @property
    def watermark(self) -> int:
        """The highest row ever added, -1 before the first."""
        return self._state.watermark

    @property
    def covered(self) -> int:
        """How many vectors are in graphs."""
        return sum(part.covered for part in self._state.partitions.values())

    def add(self, rows: RowArray, types: TypeArray, vectors: HalfArray) -> None:
        """Add distinct rows with their types and unit vectors; a row that is known is replaced."""
        assert vectors.shape == (len(rows), self.dimension), vectors.shape
        assert len(rows) < 2 or len(np.unique(rows)) == len(rows), "rows repeat"
        if not len(rows):
            return
        with self._writing:
            state = self._state
            if rows.min() <= state.watermark:
                state = self._without(state, rows)
            watermark = max(state.watermark, int(rows.max()))
            slot_of, type_of = _room_for(state, watermark)
            partitions = dict(state.partitions)
            for code, chosen in _by_type(types):
                part = partitions.get(code) or self._empty_partition()
                slot_of[rows[chosen]] = np.arange(part.count, part.count + len(rows[chosen]))
                type_of[rows[chosen]] = code
                partitions[code] = part.append(self._kernel, rows[chosen], vectors[chosen])
            self._state = State(partitions, slot_of, type_of, watermark)

    def remove(self, rows: RowArray) -> None:
        """Forget some rows; those without a vector are passed over."""
        with self._writing:
            self._state = self._without(self._state, rows)

    def retype(self, rows: RowArray, types: TypeArray) -> None:
        """Move rows to other types; those without a vector are passed over."""
        state = self._state
        for code, places, slots in _located(state, rows):
            self.add(rows[places], types[places], state.partitions[code].halves.take(slots))

    def nearest(
        self,
        vector: VectorArray,
        *,
        limit: int,
        types: Sequence[int] | None = None,
        allowed: MaskArray | None = None,
        among: RowArray | None = None,
        floor: float = -1.0,
    ) -> Nearest:
        """The rows most similar to a unit vector and their cosines, best first, ties by row.

        Only cosines of at least `floor` count. `types`, `allowed` (a mask by row; rows behind
        its end are not allowed) and `among` (distinct rows) narrow the search; None means
        everything.
        """
        queries = self._queries(vector[None])
        wish = Wish(limit, floor, allowed)
        if among is not None:
            return self._nearest_among(queries, among, wish, types)
        return self._search(queries, wish, types)[0]

    def _nearest_among(
        self, queries: Queries, rows: RowArray, wish: Wish, types: Sequence[int] | None
    ) -> Nearest:
        """`nearest` among listed rows: no part of the index but theirs is read."""
        state, hits = self._state, list[Nearest]()
        for code, _, slots in _located(state, rows):
            if wish.limit > 0 and (types is None or code in types):
                part = state.partitions[code]
                slots = part.candidates_among(self._kernel, queries, slots, wish)
                cosines = part.halves.cosines(self._kernel, slots, queries.vectors[0])
                hits.append((part.rows[slots], cosines))
        return _merged(hits, wish)

    def nearest_many(self, vectors: VectorArray, *, limit: int, floor: float) -> list[Nearest]:
        """`nearest` for each of many vectors, at a fraction of the cost of asking one by one."""
        if not len(vectors):
            return []
        return self._search(self._queries(vectors), Wish(limit, floor, None), None)

    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray:
        """The cosine of each row to a unit vector; -1 where a row has no vector."""
        state = self._state
        scores = np.full(len(rows), -1.0, np.float32)
        query = np.ascontiguousarray(vector, np.float32)
        for code, places, slots in _located(state, rows):
            halves = state.partitions[code].halves
            scores[places] = halves.cosines(self._kernel, slots, query)
        return scores

    def build_step(self, vectors_max: int = BUILD_STEP_VECTORS) -> bool:
        """Bring large partitions a little closer to a full graph; False when nothing is left.

        Until a graph is whole, scanning serves.
        """
        with self._building:
            growth = self._growth or self._next_growth()
            if growth is None:
                return False
            growth[1].advance(vectors_max)
            self._growth = growth if growth[1].remaining else None
            if self._growth is None:
                with self._writing:
                    self._publish(*growth)
            return self._growth is not None or self._next_due() is not None

    def save(self, directory: Path, *, fingerprint: str, generation: int) -> None:
        """Write the index to `directory`, replacing what was saved there; a crash leaves either.

        `fingerprint` names the vectors' encoder; `generation` is whatever tells the caller which
        later changes a loaded index lacks. What graphs cover is read from the files from now on.
        """
        directory.mkdir(parents=True, exist_ok=True)
        with self._building:
            state, previous = self._state, read_manifest(directory)
            serial = 1 if previous is None else previous.serial + 1
            saved = tuple(
                save_partition(part, directory, code, serial)
                for code, part in state.partitions.items()
            )
            manifest = Manifest(
                FORMAT, self.dimension, fingerprint, generation, state.watermark, serial, saved
            )
            write_manifest(directory, manifest)
            with self._writing:
                partitions = dict(self._state.partitions)
                for entry in saved:
                    part = partitions.get(entry.code)
                    if part is not None and part.layout is state.partitions[entry.code].layout:
                        partitions[entry.code] = remapped(part, directory, entry)
                self._state = replace(self._state, partitions=partitions)
                self.generation = generation

    @classmethod
    def load(
        cls,
        directory: Path,
        *,
        dimension: int,
        fingerprint: str,
        exact_max: int = EXACT_MAX,
        native: bool = True,
    ) -> VectorIndex | None:
        """The index saved in `directory`, with its `generation`; None unless all of it agrees."""
        manifest, wanted = read_manifest(directory), (dimension, fingerprint)
        if manifest is None or (manifest.dimension, manifest.fingerprint) != wanted:
            return None
        index = cls(dimension, exact_max=exact_max, native=native)
        try:
            partitions = {
                entry.code: load_partition(
                    directory, entry, index._kernel, dimension=dimension, graphs=index._graphs
                )
                for entry in manifest.partitions
            }
        except (OSError, ValueError, TypeError):
            return None
        slot_of, type_of = _room_for(index._state, manifest.watermark)
        for code, part in partitions.items():
            slots = np.flatnonzero(part.live)
            slot_of[part.rows[slots]] = slots
            type_of[part.rows[slots]] = code
        index._state = State(partitions, slot_of, type_of, manifest.watermark)
        index.generation = manifest.generation
        return index

    def _empty_partition(self) -> Partition:
        halves = Halves((np.empty((0, self.dimension), np.float16),), (0,))
        scan = Scan.empty(self._kernel, self.dimension)
        return Partition(np.empty(0, np.int64), np.empty(0, np.bool_), halves, scan)

    def _queries(self, vectors: VectorArray) -> Queries:
        vectors = np.ascontiguousarray(vectors, np.float32)
        assert vectors.shape[1] == self.dimension, vectors.shape
        return Queries(vectors, *self._kernel.encode(vectors))

    def _search(self, queries: Queries, wish: Wish, types: Sequence[int] | None) -> list[Nearest]:
        state, allowed = self._state, wish.allowed
        partitions = state.partitions if wish.limit > 0 else {}
        codes = partitions if types is None else dict.fromkeys(types)
        searched = [partitions[code] for code in codes if code in partitions]
        if not searched:
            return [_merged((), wish) for _ in queries.vectors]
        if allowed is not None and len(allowed) <= state.watermark:
            padded = np.pad(allowed, (0, state.watermark + 1 - len(allowed)))
            wish = replace(wish, allowed=padded)
        total = sum(part.count for part in searched)
        found = [self._hits(part, queries, wish, part.count / total) for part in searched]
        return [
            self._best(searched, hits, queries.at(place), wish)
            for place, hits in enumerate(zip(*found, strict=True))
        ]

    def _hits(self, part: Partition, queries: Queries, wish: Wish, share: float) -> list[Nearest]:
        """What one partition has for each query, when about a share of the hits is expected."""
        slots_of_each = part.candidates(self._kernel, queries, wish, share)
        return [
            (part.rows[slots], part.halves.cosines(self._kernel, slots, query))
            for slots, query in zip(slots_of_each, queries.vectors, strict=True)
        ]

    def _best(
        self, searched: Sequence[Partition], hits: Sequence[Nearest], query: Queries, wish: Wish
    ) -> Nearest:
        """The best of one query's hits, after a deeper search where more may be than expected."""
        rows, scores = _merged(hits, wish)
        if len(searched) == 1:
            return rows, scores
        worst = scores[-1] if len(rows) == wish.limit else np.float32(wish.floor)
        deeper = [
            self._hits(part, query, wish, 1.0)[0]
            if part.graph is not None and 2 * np.count_nonzero(found[1] >= worst) > len(found[1])
            else found
            for part, found in zip(searched, hits, strict=True)
        ]
        unchanged = all(new is old for new, old in zip(deeper, hits, strict=True))
        return (rows, scores) if unchanged else _merged(deeper, wish)

    def _without(self, state: State, rows: RowArray) -> State:
        """The state without some rows; large losses are compacted away."""
        partitions, slot_of = dict(state.partitions), state.slot_of
        for code, places, slots in _located(state, rows):
            state.type_of[rows[places]] = -1
            part = partitions[code].bury(np.unique(slots))
            if part.graph is None and outlived(part):
                part = part.compacted()
                slot_of = _renumbered(slot_of, part)
            partitions[code] = part
            if part.dead == part.count:
                del partitions[code]
        return replace(state, partitions=partitions, slot_of=slot_of)

    def _next_due(self) -> tuple[int, Partition] | None:
        """The partition that needs a new graph most, and its type, if there is one."""
        due = [entry for entry in self._state.partitions.items() if self._is_due(entry[1])]
        # The most that is scanned first: a type that is told all the time must not starve others.
        return max(due, key=lambda entry: entry[1].scan.count, default=None)

    def _is_due(self, part: Partition) -> bool:
        # A graph is copied to be extended; waiting for a share of it keeps that cheap.
        room = max(self._exact_max // 2, part.covered // 64) if part.graph else self._exact_max
        return self._graphs and (part.scan.count > room or outlived(part))

    def _next_growth(self) -> tuple[int, Growth] | None:
        due = self._next_due()
        return None if due is None else (due[0], Growth(due[1], self.dimension))

    def _publish(self, code: int, growth: Growth) -> None:
        current = self._state.partitions.get(code)
        if current is None or current.layout is not growth.source.layout:
            return  # its slots were renumbered meanwhile; the next step starts over
        part = growth.finish(current)
        slot_of = _renumbered(self._state.slot_of, part)
        partitions = {**self._state.partitions, code: part}
        self._state = replace(self._state, partitions=partitions, slot_of=slot_of)


def _by_type(types: TypeArray) -> Iterator[tuple[int, slice | npt.NDArray[np.int64]]]:
    first = int(types[0])
    if len(types) == 1 or (types == first).all():
        yield first, slice(None)
        return
    for code in np.unique(types).tolist():
        yield code, np.flatnonzero(types == code)


def _located(
    state: State, rows: RowArray
) -> Iterator[tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """For each type, the places in `rows` of rows that have a vector, and their slots."""
    inside = np.flatnonzero((rows >= 0) & (rows <= state.watermark))
    inside = inside[state.type_of[rows[inside]] >= 0]
    if not len(inside):
        return
    for code, chosen in _by_type(state.type_of[rows[inside]]):
        places = inside[chosen]
        slots = state.slot_of[rows[places]].astype(np.int64)
        part = state.partitions.get(code)
        if part is None:
            continue
        # A writer may be moving a row between types just now; then its slot is another row's.
        sure = slots < part.count
        sure[sure] = part.rows[slots[sure]] == rows[places[sure]]
        yield code, places[sure], slots[sure]


def _room_for(state: State, watermark: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    used, more = state.watermark + 1, watermark - state.watermark
    slot_of, type_of = grown(state.slot_of, used, more), grown(state.type_of, used, more)
    type_of[used : used + more] = -1
    return slot_of, type_of


def _renumbered(slot_of: npt.NDArray[np.int32], part: Partition) -> npt.NDArray[np.int32]:
    slots = np.flatnonzero(part.live[: part.count])
    moved = slot_of.copy()
    moved[part.rows[slots]] = slots
    return moved


def _merged(hits: Sequence[Nearest], wish: Wish) -> Nearest:
    if not hits:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    rows, scores = hits[0]
    if len(hits) > 1:
        rows = np.concatenate([rows for rows, _ in hits])
        scores = np.concatenate([scores for _, scores in hits])
    return best_first(rows, scores, limit=wish.limit, floor=wish.floor)
