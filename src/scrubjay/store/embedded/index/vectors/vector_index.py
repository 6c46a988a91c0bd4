"""The vector index of a bank: cosine search by type, derived from the rows and rebuilt at will."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scrubjay.store.base import EncoderPin
from scrubjay.store.embedded.directory.saved_files import NewFiles, SavedFiles
from scrubjay.store.embedded.index.vectors.exact_scan import (
    HalfVectors,
    Scan,
    most_rescored,
    shortlist,
)
from scrubjay.store.embedded.index.vectors.growth import Growth, OverviewGrowth
from scrubjay.store.embedded.index.vectors.hnsw import GRAPHS
from scrubjay.store.embedded.index.vectors.partition import (
    NO_HITS,
    Criteria,
    Nearest,
    Partition,
    merged,
    outlived,
)
from scrubjay.store.embedded.index.vectors.partition_files import (
    FORMAT,
    Manifest,
    load_overview,
    load_partition,
    make_current,
    next_serial,
    read_saved,
    remapped,
    save_codes,
    save_overview,
    save_partition,
    with_first_looks,
)
from scrubjay.store.embedded.index.vectors.state import State, TypeArray, by_type
from scrubjay.store.shared.kernels import (
    HalfArray,
    NativeKernel,
    Queries,
    bound_of_best,
    kernel_for,
)
from scrubjay.store.shared.middle import middle_of
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray

# Vectors of one type up to which every one is compared. Measured on clustered vectors of 384
# components, microseconds of CPU per query for 100 hits, scan | graph: 470 | 430 at 20,000,
# 1,080 | 620 at 50,000, 4,000 | 840 at 200,000. The graph breaks even near 20,000, but it costs
# 0.1-0.4 ms per vector to build and misses one hit in 500, so it has to save more than that.
EXACT_MAX = 50_000

# Vectors one step of building adds: under a tenth of a second of one core.
BUILD_STEP_VECTORS = 256


class VectorIndex:
    """Cosine search over the unit vectors of one bank.

    Any number of threads may search while one writes; `build_step` and `save` may run beside
    both. A search sees every change that returned before it began.
    """

    def __init__(self, dimension: int, *, exact_max: int = EXACT_MAX, native: bool = True) -> None:
        self.dimension = dimension
        self.pin: EncoderPin | None = None  # whose vectors they are
        self.generation = 0
        self._exact_max = exact_max
        self._kernel = kernel_for(native=native)
        self._graphs = GRAPHS and isinstance(self._kernel, NativeKernel)
        self._growth: Growth | OverviewGrowth | None = None
        self._writing = threading.Lock()
        self._building = threading.Lock()
        self._state = State()
        self._replaced = 0  # how often vectors were removed, or replaced by others
        self._middle: tuple[tuple[int, int, int], VectorArray | None] = ((0, 0, 0), None)

    def __len__(self) -> int:
        return sum(part.count - part.dead for part in self._state.partitions.values())

    def rows(self) -> RowArray:
        """The rows that have a vector, ascending, for the store to compare with its own."""
        state = self._state
        return np.flatnonzero(state.type_of[: state.watermark + 1] >= 0)

    @property
    def watermark(self) -> int:
        """The highest row ever added, -1 before the first."""
        return self._state.watermark

    @property
    def covered(self) -> int:
        """How many vectors are in graphs, those in two of them twice."""
        state = self._state
        whole = 0 if state.overview is None else state.overview.graph.count
        return whole + sum(part.covered for part in state.partitions.values())

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
                if state.overview or isinstance(self._growth, OverviewGrowth):
                    known = rows[rows <= state.watermark]
                    state = replace(state, renewed=np.concatenate((state.renewed, known)))
            if state.codes is not None:
                codes = state.codes.with_rows(state.watermark + 1, rows, vectors)
                state = replace(state, codes=codes)
            state = state.with_room_for(max(state.watermark, int(rows.max())))
            partitions = dict(state.partitions)
            for code, chosen in by_type(types):
                part = partitions.get(code) or self._empty_partition()
                slots = np.arange(part.count, part.count + len(rows[chosen]))
                state.slot_of[rows[chosen]] = slots
                state.type_of[rows[chosen]] = code
                partitions[code] = part.append(self._kernel, rows[chosen], vectors[chosen])
            self._state = replace(state, partitions=partitions)

    def remove(self, rows: RowArray) -> None:
        """Forget some rows; those without a vector are passed over."""
        with self._writing:
            self._state = self._without(self._state, rows)

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
        criteria = Criteria(limit, floor, allowed)
        if among is not None:
            return merged(self._hits_among(self._state, queries, among, criteria, types), criteria)
        found = self._in_overview(queries, criteria) if types is None else None
        return found or self._search(queries, criteria, types)[0]

    def _hits_among(
        self,
        state: State,
        queries: Queries,
        rows: RowArray,
        criteria: Criteria,
        types: Sequence[int] | None = None,
    ) -> list[Nearest]:
        """The best of listed rows, by type: no part of the index but theirs is read."""
        hits = list[Nearest]()
        if types is None:
            rows = state.promising(queries.vectors[0], rows, criteria.limit)
        for code, _, slots in state.located(rows):
            if criteria.limit > 0 and (types is None or code in types):
                part = state.partitions[code]
                slots = part.candidates_among(self._kernel, queries, slots, criteria)
                cosines = part.halves.cosines(self._kernel, slots, queries.vectors[0])
                hits.append((part.rows[slots], cosines))
        return hits

    def _in_overview(self, queries: Queries, criteria: Criteria) -> Nearest | None:
        """The best of all types by the graph over them; None when there is none that serves."""
        state, vector = self._state, queries.vectors[0]
        overview = state.answering_overview(self._exact_max)
        if overview is None or criteria.limit < 1:
            return None
        criteria = criteria.reaching(state.watermark + 1)
        rows = overview.candidates(vector, criteria, state.gone_share())
        if rows is None:
            return None
        if len(state.renewed):
            rows = rows[~np.isin(rows, state.renewed)]
        hits = [
            (rows[places], state.partitions[code].halves.cosines(self._kernel, slots, vector))
            for code, places, slots in state.located(rows)
        ]
        beside = state.beside_overview()
        if criteria.allowed is not None:
            beside = beside[criteria.allowed.take(beside)]
        return merged([*hits, *self._hits_among(state, queries, beside, criteria)], criteria)

    def nearest_many(self, vectors: VectorArray, *, limit: int, floor: float) -> list[Nearest]:
        """`nearest` for each of many vectors, at a fraction of the cost of asking one by one."""
        if not len(vectors):
            return []
        return self._search(self._queries(vectors), Criteria(limit, floor, None), None)

    def similarity(self, vector: VectorArray, rows: RowArray) -> ScoreArray:
        """The cosine of each row to a unit vector; -1 where a row has no vector."""
        state = self._state
        scores = np.full(len(rows), -1.0, np.float32)
        query = np.ascontiguousarray(vector, np.float32)
        for code, places, slots in state.located(rows):
            halves = state.partitions[code].halves
            scores[places] = halves.cosines(self._kernel, slots, query)
        return scores

    def middle(self, rows: RowArray) -> VectorArray | None:
        """The mean of those vectors that some rows have; None if they have none."""
        replaced, state = self._replaced, self._state
        inside = rows[rows <= state.watermark]
        there = int(np.count_nonzero(state.type_of[inside] >= 0))
        made_of = len(rows) and int(rows[-1]), there, replaced
        known, middle = self._middle
        if known != made_of:
            middle = middle_of(state.vectors_of(inside)[1]) if there else None
            self._middle = made_of, middle
        return middle

    def build_step(self, vectors_max: int = BUILD_STEP_VECTORS) -> bool:
        """Bring large partitions a little closer to a full graph; False when nothing is left.

        Until a graph is whole, scanning serves.
        """
        with self._building:
            growth = self._growth or self._next_growth()
            if growth is None:
                return self._sign()
            growth.advance(vectors_max)
            if not growth.remaining:
                with self._writing:
                    self._state, self._growth = growth.finish(self._state).with_codes(), None
            return self._growth is not None or self._is_anything_due()

    def _sign(self) -> bool:
        """Make the codes that the files of an earlier version lack; False: nothing is lacking."""
        with self._writing:
            lacking = self._state.lacks_codes()
            self._state = self._state.with_codes()
        return lacking

    def save(self, directory: Path, *, fingerprint: str, generation: int, stamp: str = "") -> None:
        """Write the index to `directory`, replacing what was saved there; a crash leaves either.

        `fingerprint` names the vectors' encoder; `generation` is whatever tells the caller which
        later changes a loaded index lacks. What graphs cover is read from the files from now on.
        """
        directory.mkdir(parents=True, exist_ok=True)
        with self._building:
            state, serial, files = self._state, next_serial(directory), NewFiles(directory)
            saved = tuple(
                save_partition(part, files, code, serial) for code, part in state.partitions.items()
            )
            codes = save_codes(state.codes, state.watermark + 1, files, serial)
            whole = save_overview(state.overview, state.renewed, files, serial)
            manifest = Manifest(
                FORMAT, stamp, self.dimension, fingerprint, generation, state.watermark, serial,
                saved, codes, whole, files.written,
            )  # fmt: skip
            make_current(directory, manifest)
            overview = state.confirmed(load_overview(files, whole, dimension=self.dimension))
            with self._writing:
                partitions = dict(self._state.partitions)
                for entry in saved:
                    part = partitions.get(entry.code)
                    if part is not None and part.layout is state.partitions[entry.code].layout:
                        partitions[entry.code] = remapped(
                            part, files, entry, in_memory=whole is None
                        )
                self._state = replace(self._state, partitions=partitions, overview=overview)
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
        files: SavedFiles | None = None,
    ) -> VectorIndex | None:
        """The index saved in `directory`, with its `generation`; None unless all of it agrees."""
        index = cls(dimension, exact_max=exact_max, native=native)
        files = files or SavedFiles(directory)
        try:
            manifest = read_saved(files)
            if (manifest.dimension, manifest.fingerprint) != (dimension, fingerprint):
                return None
            partitions = {
                entry.code: load_partition(
                    files,
                    entry,
                    index._kernel,
                    dimension=dimension,
                    watermark=manifest.watermark,
                    graphs=index._graphs,
                    in_memory=manifest.overview is None,
                )
                for entry in manifest.partitions
            }
        except (OSError, ValueError) as problem:
            files.report(problem, "the vectors are read from the rows again")
            return None
        state = index._state.with_room_for(manifest.watermark)
        for code, part in partitions.items():
            slots = np.flatnonzero(part.live)
            state.slot_of[part.rows[slots]] = slots
            state.type_of[part.rows[slots]] = code
        state = replace(state, partitions=partitions)
        index._state = with_first_looks(state, manifest, files, graphs=index._graphs)
        index.generation = manifest.generation
        return index

    def _empty_partition(self) -> Partition:
        halves = HalfVectors((np.empty((0, self.dimension), np.float16),), (0,))
        scan = Scan.empty(self._kernel, self.dimension)
        return Partition(np.empty(0, np.int64), np.empty(0, np.bool_), halves, scan)

    def _queries(self, vectors: VectorArray) -> Queries:
        vectors = np.ascontiguousarray(vectors, np.float32)
        assert vectors.shape[1] == self.dimension, vectors.shape
        return Queries(vectors, *self._kernel.encode(vectors))

    def _search(
        self, queries: Queries, criteria: Criteria, types: Sequence[int] | None
    ) -> list[Nearest]:
        state = self._state
        partitions = state.partitions if criteria.limit > 0 else {}
        codes = partitions if types is None else dict.fromkeys(types)
        searched = [partitions[code] for code in codes if code in partitions]
        # The largest first: it has most of the best, and what it has spares the others work.
        searched.sort(key=lambda part: -part.count)
        if not searched:
            return [merged((), criteria) for _ in queries.vectors]
        criteria = criteria.reaching(state.watermark + 1)
        total = sum(part.count for part in searched)
        exact = all(part.graph is None for part in searched)
        if len(queries.vectors) == 1:
            if exact:
                return [merged([*self._scanned(searched, queries, criteria)], criteria)]
            hits = list(self._hits_in_turn(searched, queries, criteria, total))
            return [self._best(searched, hits, queries, criteria)]
        found = [self._hits(part, queries, criteria, part.count / total) for part in searched]
        if exact:
            return [merged(hits, criteria) for hits in zip(*found, strict=True)]
        return [
            self._best(searched, hits, queries.at(place), criteria)
            for place, hits in enumerate(zip(*found, strict=True))
        ]

    def _scanned(
        self, searched: Sequence[Partition], queries: Queries, criteria: Criteria
    ) -> Iterator[Nearest]:
        """What partitions without graphs have for one query: one short list for all of them.

        What is far behind the best of one is so in another, and is not compared again.
        """
        found = [part.estimates(self._kernel, queries, criteria) for part in searched]
        step, most = float(queries.steps[0]), most_rescored(criteria.limit, self.dimension)
        chosen = shortlist(
            np.concatenate([estimates for _, estimates in found]),
            criteria.limit,
            error=max(self._kernel.error(part.scan.step_max, step) for part in searched),
            floor=criteria.floor,
            most=most,
        )
        start = begun = 0
        for part, (picked, estimates) in zip(searched, found, strict=True):
            start, first = start + len(estimates), start
            begun, place = int(chosen.searchsorted(start)), begun
            if begun > place:
                slots = chosen[place:begun] - first
                slots = slots if picked is None else picked[slots]
                cosines = part.halves.cosines(self._kernel, slots, queries.vectors[0])
                yield part.rows[slots], cosines

    def _hits_in_turn(
        self, searched: Sequence[Partition], queries: Queries, criteria: Criteria, total: int
    ) -> Iterator[Nearest]:
        """What each partition has for one query, where it may be among the best of all.

        What an earlier partition has enough of, a scan of a later one need not bring.
        """
        best = np.empty(0, np.float32)
        for part in searched:
            reached = criteria
            if part.graph is None and len(best) >= criteria.limit:
                floor = max(criteria.floor, bound_of_best(best, criteria.limit))
                reached = replace(criteria, floor=floor)
            (hits,) = self._hits(part, queries, reached, part.count / total)
            best = np.concatenate((best, hits[1]))
            yield hits

    def _hits(
        self, part: Partition, queries: Queries, criteria: Criteria, share: float
    ) -> list[Nearest]:
        """What one partition has for each query, when about a share of the hits is expected."""
        slots_of_each = part.candidates(self._kernel, queries, criteria, share)
        return [
            (part.rows[slots], part.halves.cosines(self._kernel, slots, query))
            if len(slots)
            else NO_HITS
            for slots, query in zip(slots_of_each, queries.vectors, strict=True)
        ]

    def _best(
        self,
        searched: Sequence[Partition],
        hits: Sequence[Nearest],
        query: Queries,
        criteria: Criteria,
    ) -> Nearest:
        """The best of one query's hits, after a deeper search where more may be than expected."""
        rows, scores = merged(hits, criteria)
        if len(searched) == 1:
            return rows, scores
        worst = scores[-1] if len(rows) == criteria.limit else np.float32(criteria.floor)
        deeper = [
            self._hits(part, query, criteria, 1.0)[0]
            if part.graph is not None and 2 * np.count_nonzero(found[1] >= worst) > len(found[1])
            else found
            for part, found in zip(searched, hits, strict=True)
        ]
        unchanged = all(new is old for new, old in zip(deeper, hits, strict=True))
        return (rows, scores) if unchanged else merged(deeper, criteria)

    def _without(self, state: State, rows: RowArray) -> State:
        """The state without some rows; large losses are compacted away."""
        self._replaced += 1
        for code, places, slots in list(state.located(rows)):
            state.type_of[rows[places]] = -1
            part = state.partitions[code].with_tombstones(np.unique(slots))
            if part.dead == part.count:
                left = {other: each for other, each in state.partitions.items() if other != code}
                state = replace(state, partitions=left)
            elif part.graph is None and outlived(part):
                state = state.with_partition(code, part.compacted())
            else:
                state = replace(state, partitions={**state.partitions, code: part})
        return state

    def _is_overview_due(self) -> bool:
        return self._graphs and self._state.wants_overview(self._exact_max)

    def _is_anything_due(self) -> bool:
        return self._next_due() is not None or self._is_overview_due()

    def _next_due(self) -> tuple[int, Partition] | None:
        """The partition that needs a new graph most, and its type, if there is one."""
        due = [entry for entry in self._state.partitions.items() if self._is_due(entry[1])]
        # The most that is scanned first: a type that is told all the time must not starve others.
        return max(due, key=lambda entry: entry[1].scan.count, default=None)

    def _is_due(self, part: Partition) -> bool:
        # A graph is copied to be extended; waiting for a share of it keeps that cheap.
        room = max(self._exact_max // 2, part.covered // 64) if part.graph else self._exact_max
        return self._graphs and (part.scan.count > room or outlived(part))

    def _next_growth(self) -> Growth | OverviewGrowth | None:
        due = self._next_due()
        if due is not None:
            self._growth = Growth(*due, self.dimension)
        elif self._is_overview_due():
            with self._writing:  # from now on it is told which rows get another vector
                self._growth = OverviewGrowth(self._state, self.dimension)
        return self._growth
