"""What readers of a vector index see at one moment, and where in it each row is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.index.vectors.binary_codes import BinaryCodes
from scrubjay.store.embedded.index.vectors.codings import SAMPLED_VECTORS
from scrubjay.store.embedded.index.vectors.exact_scan import SlotArray, grown
from scrubjay.store.embedded.index.vectors.hnsw import RESCORED_MAX
from scrubjay.store.embedded.index.vectors.overview import Overview
from scrubjay.store.embedded.index.vectors.partition import WANTED_MIN, Partition
from scrubjay.store.shared.kernels import HalfArray
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.types.arrays import RowArray, VectorArray

# Vectors that are looked at together: 200 MiB of them at 384 components.
ROWS_PER_PORTION = 262_144

# Vectors whose codes are compared with those that were kept.
_CHECKED = 16

# With more vectors than this there is no overview: to build one of ten million takes hours.
OVERVIEW_MAX = 2_000_000

# An overview of which more than this share is gone is made anew.
GONE_SHARE_MAX = 0.2

TypeArray = npt.NDArray[np.uint8] | npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class State:
    """The partitions by type code, where each row is, and the graph over all of them."""

    partitions: dict[int, Partition] = field(default_factory=dict)
    slot_of: npt.NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    type_of: npt.NDArray[np.int16] = field(default_factory=lambda: np.empty(0, np.int16))
    watermark: int = -1  # `slot_of` is valid where `type_of` is, and that is -1 without a vector
    codes: BinaryCodes | None = None  # from the first graph on
    overview: Overview | None = None
    # Rows up to the overview's last that have another vector than it knows, or that it missed.
    renewed: RowArray = field(default_factory=lambda: np.empty(0, np.int64))

    def located(self, rows: RowArray) -> Iterator[tuple[int, SlotArray, SlotArray]]:
        """For each type, the places in `rows` of rows that have a vector, and their slots."""
        inside = ((rows >= 0) & (rows <= self.watermark)).nonzero()[0]
        inside = inside[self.type_of[rows[inside]] >= 0]
        if not len(inside):
            return
        for code, chosen in by_type(self.type_of[rows[inside]]):
            places = inside[chosen]
            slots = self.slot_of[rows[places]].astype(np.int64)
            part = self.partitions.get(code)
            if part is None:
                continue
            # A writer may be moving a row between types just now; then its slot is another row's.
            sure = slots < part.count
            sure[sure] = part.rows[slots[sure]] == rows[places[sure]]
            yield code, places[sure], slots[sure]

    def vectors_of(self, rows: RowArray) -> tuple[RowArray, HalfArray]:
        """Those of the rows that have a vector, and their vectors."""
        found, parts = [np.empty(0, np.int64)], list[HalfArray]()
        for code, places, slots in self.located(rows):
            found.append(rows[places])
            parts.append(self.partitions[code].halves.take(slots))
        return np.concatenate(found), np.concatenate(parts or [np.empty((0, 0), np.float16)])

    def listed(self) -> RowArray:
        """Every row that has a vector, ascending."""
        return np.flatnonzero(self.type_of[: self.watermark + 1] >= 0)

    def beside_overview(self) -> RowArray:
        """The rows that the overview does not answer for, ascending; some may have no vector."""
        first = 0 if self.overview is None else self.overview.last + 1
        later = np.arange(first, self.watermark + 1)
        return distinct(np.concatenate((self.renewed, later))) if len(self.renewed) else later

    def lacks_codes(self) -> bool:
        """Whether it is large enough for a first look by codes, and has none."""
        return self.codes is None and any(p.graph for p in self.partitions.values())

    def with_codes(self) -> State:
        """The same with the codes of every vector, if it lacks them."""
        if not self.lacks_codes():
            return self
        rows, count = self.listed(), self.watermark + 1
        codes = BinaryCodes.around(self.vectors_of(_some(rows, SAMPLED_VECTORS))[1], count)
        for start in range(0, len(rows), ROWS_PER_PORTION):
            portion = rows[start : start + ROWS_PER_PORTION]
            codes = codes.with_rows(count, *self.vectors_of(portion))
        return replace(self, codes=codes)

    def with_kept_codes(self, kept: BinaryCodes | None) -> State:
        """The same with codes that were kept, if they agree with some of the vectors."""
        some = _some(self.listed(), _CHECKED)
        agreed = kept is not None and kept.agree(*self.vectors_of(some))
        return replace(self, codes=kept) if agreed else self

    def promising(self, vector: VectorArray, rows: RowArray, limit: int) -> RowArray:
        """Of many distinct rows, those that hold the `limit` nearest to a vector, most likely."""
        if self.codes is not None:
            rows = self.codes.promising(vector, rows, limit)
        if self.overview is None or len(rows) <= RESCORED_MAX:
            return rows
        # All its codes are in memory; those of the types are in files.
        other = np.isin(rows, self.renewed) if len(self.renewed) else np.zeros(len(rows), np.bool_)
        found = self.overview.closest(vector, rows[~other], limit + WANTED_MIN)
        return np.concatenate((found, rows[other]))

    def confirmed(self, overview: Overview | None) -> Overview | None:
        """An overview from its files, its codes compared with some of the vectors."""
        if overview is None:
            return None
        rows, vectors = self.vectors_of(_some(overview.rows, _CHECKED))
        graph = overview.graph.checked(overview.slot_of[rows].astype(np.int64), vectors)
        return replace(overview, graph=graph)

    def seen_in(self, overview: Overview) -> State:
        """The same with an overview; rows that it should have and has not are noted."""
        missing = self.type_of[: overview.last + 1] >= 0
        missing[overview.rows[overview.rows >= 0]] = False
        return replace(self, overview=overview, renewed=np.flatnonzero(missing))

    def gone_share(self) -> float:
        """About which share of the overview has no vector any more, or another one."""
        if self.overview is None:
            return 0.0
        live = sum(part.count - part.dead for part in self.partitions.values())
        count = self.overview.graph.count
        return min(1.0, max(0, count + self._beside(self.overview) - live) / count)

    def wants_overview(self, exact_max: int) -> bool:
        """Whether a graph over all types is missing, or lacks too much."""
        graphs = sum(part.graph is not None for part in self.partitions.values())
        if graphs < 2 or self.watermark >= OVERVIEW_MAX:
            return False
        if self.overview is None or self.gone_share() > GONE_SHARE_MAX:
            return True
        return self._beside(self.overview) > self.overview.room(exact_max)

    def answering_overview(self, exact_max: int) -> Overview | None:
        """The overview, unless so many rows are beside it that the types' graphs are faster."""
        overview = self.overview
        if overview is None or self._beside(overview) > 2 * overview.room(exact_max):
            return None
        return overview

    def _beside(self, overview: Overview) -> int:
        return self.watermark - overview.last + len(self.renewed)

    def with_room_for(self, watermark: int) -> State:
        """The same with room for rows up to a watermark, none of which has a vector yet."""
        used, more = self.watermark + 1, watermark - self.watermark
        slot_of, type_of = grown(self.slot_of, used, more), grown(self.type_of, used, more)
        type_of[used : used + more] = -1
        overview = self.overview if watermark < OVERVIEW_MAX else None
        return replace(
            self, slot_of=slot_of, type_of=type_of, watermark=watermark, overview=overview
        )

    def with_partition(self, code: int, part: Partition) -> State:
        """The same with a type's partition in another order of slots."""
        slots = np.flatnonzero(part.live[: part.count])
        slot_of = self.slot_of.copy()
        slot_of[part.rows[slots]] = slots
        return replace(self, partitions={**self.partitions, code: part}, slot_of=slot_of)


def _some(rows: RowArray, count: int) -> RowArray:
    return rows[:: max(1, -(-len(rows) // count))]


def by_type(types: TypeArray) -> Iterator[tuple[int, slice | SlotArray]]:
    """Each type code and the places where it stands."""
    first = int(types[0])
    if len(types) == 1 or (types == first).all():
        yield first, slice(None)
        return
    # There are few types: to count them takes half the time that sorting does.
    for code in np.bincount(types).nonzero()[0].tolist():
        yield code, (types == code).nonzero()[0]
