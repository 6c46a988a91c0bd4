"""One bit for each component of every vector, by row: a first look at many listed rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.store.embedded.index.vectors.exact_scan import grown
from scrubjay.store.shared.kernels import ROWS_AT_ONCE, HalfArray, widened
from scrubjay.types.arrays import RowArray, VectorArray

BitArray = npt.NDArray[np.uint64]

WORD_BITS = 64

# Of a stretch of time the units were told in turn, but their codes lie by likeness, each in another
# place of memory: 0.2 us for each. Up to this many rows that is little.
LISTED_MAX = 4_096

# Rows that are kept: some, so many for each hit wanted, and one of so many. Measured on vectors
# like those of e5-small-v2, that leaves .99 of the best 200 of 16,000 rows, .98 of 160,000.
KEPT_MIN = 1_000
KEPT_PER_HIT = 20
KEPT_ONE_OF = 64

# Rows of a stretch are compared where they lie if no less than this share of it is wanted.
WANTED_SHARE_MIN = 0.8

# Rows whose bits, and what is made of them, stay in the processor's cache.
ROWS_IN_CACHE = 8_192


@dataclass(frozen=True, slots=True)
class BinaryCodes:
    """Which components of the vector of each row are above those of a centre.

    Two vectors are the nearer, the fewer of these differ. A writer fills room behind what readers
    of an earlier one look at; a row that gets another vector is written over, since whoever reads
    it half written only takes a first look.
    """

    centre: VectorArray
    bits: BitArray  # by row, in words; room for more behind

    @classmethod
    def around(cls, sample: HalfArray, count: int) -> BinaryCodes:
        """Room for so many rows; the centre is that of some vectors."""
        bits = np.zeros((count, words_of(sample.shape[1])), np.uint64)
        return cls(widened(sample).mean(axis=0), bits)

    def with_rows(self, count: int, rows: RowArray, vectors: HalfArray) -> BinaryCodes:
        """The same with the vectors of some rows, the first `count` of which may be known."""
        more = max(0, int(rows.max(initial=-1)) + 1 - count)
        bits = grown(self.bits, count, more)
        for start in range(0, len(rows), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            bits[rows[part]] = self._bits_of(widened(vectors[part]))
        return BinaryCodes(self.centre, bits)

    def agree(self, rows: RowArray, vectors: HalfArray) -> bool:
        """Whether these are the vectors of the rows."""
        return np.array_equal(self.bits[rows], self._bits_of(widened(vectors)))

    def promising(self, vector: VectorArray, rows: RowArray, limit: int) -> RowArray:
        """Of distinct rows, those that hold the `limit` nearest, most likely."""
        wanted = KEPT_MIN + KEPT_PER_HIT * limit + len(rows) // KEPT_ONE_OF
        if len(rows) <= max(wanted, LISTED_MAX):
            return rows
        rows = rows[(rows >= 0) & (rows < len(self.bits))]
        apart = self._apart(self._bits_of(vector[None]), rows)
        reached = np.cumsum(np.bincount(apart))
        return rows[np.flatnonzero(apart <= np.searchsorted(reached, wanted))]

    def _apart(self, asked: BitArray, rows: RowArray) -> npt.NDArray[np.uint16]:
        """In how many components each row differs."""
        first, end = int(rows.min(initial=len(self.bits))), int(rows.max(initial=-1)) + 1
        together = len(rows) >= WANTED_SHARE_MIN * (end - first)
        bits = self.bits[first:end] if together else self.bits.take(rows, axis=0)
        apart = np.empty(len(bits), np.uint16)
        for start in range(0, len(bits), ROWS_IN_CACHE):
            part = slice(start, start + ROWS_IN_CACHE)
            differing = np.bitwise_count(bits[part] ^ asked)
            # Column by column: a sum along rows of six takes numpy three times as long.
            apart[part] = differing[:, 0]
            for word in range(1, differing.shape[1]):
                apart[part] += differing[:, word]
        return apart.take(rows - first) if together else apart

    def _bits_of(self, vectors: VectorArray) -> BitArray:
        words = np.zeros((len(vectors), self.bits.shape[1]), np.uint64)
        packed = np.packbits(vectors > self.centre, axis=1)
        words.view(np.uint8)[:, : packed.shape[1]] = packed
        return words


def words_of(dimension: int) -> int:
    """How many words hold a bit for each component."""
    return -(-dimension // WORD_BITS)
