"""Immutable runs of postings, sorted by term: built and merged."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from scrubjay.store.shared.bm25 import LENGTH_MAX, ImpactArray, impact_growth, impacts
from scrubjay.types.arrays import RowArray

# A segment is left alone while it has more than this many times the documents of all after it:
# 1M documents lie in at most six segments, for 6 us of merging each.
MERGE_RATIO = 2
# A segment with a greater share of removed documents is rewritten.
DEAD_SHARE_MAX = 0.25

TermArray = npt.NDArray[np.uint32]
PlaceArray = npt.NDArray[np.intp]
DocumentArray = npt.NDArray[np.int32]  # rows, at half the width: postings are many
CountArray = npt.NDArray[np.int32]
OffsetArray = npt.NDArray[np.int64]
PairArray = npt.NDArray[np.uint16] | npt.NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Postings:
    """A batch of documents, one after the other, rows ascending.

    Document `i` has row `rows[i]`, `lengths[i]` tokens, and the distinct terms
    `term_ids[offsets[i]:offsets[i + 1]]` with their weighted frequencies, 1 to 255, in `tfs`.
    """

    rows: RowArray
    lengths: CountArray
    offsets: OffsetArray
    term_ids: TermArray
    tfs: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Impacts:
    """What BM25 gives each pair at one average length, before the weight of the term."""

    average_length: float
    table: ImpactArray


class Pairs:
    """Numbers the distinct (length, tf) pairs of postings; BM25 needs no more of a posting.

    Millions of postings have a few thousand pairs, so a 16-bit number and a small table stand
    for a stored impact: as small as a float16, right whatever the average length becomes, and
    faster to read (0.75 ns a posting; 1.8 to widen a float16, 1.5 to compute from tf and length).
    """

    def __init__(self, keys: CountArray) -> None:
        self.keys = np.zeros(0, np.int32)  # by number: length << 8 | tf
        self._numbers = np.full(1 << 14, -1, np.int32)  # by key; -1 where unseen
        self._impacts = Impacts(1.0, np.zeros(0, np.float32))
        self._learn(keys)

    def number(self, lengths: CountArray, tfs: npt.NDArray[np.uint8]) -> TermArray:
        """The pair of each posting; unseen ones get the next numbers."""
        keys = (np.minimum(lengths, LENGTH_MAX) << 8) | tfs
        self._numbers = grown(self._numbers, int(keys.max(initial=0)) + 1, -1)
        numbers = self._numbers.take(keys)
        if numbers.min(initial=0) < 0:
            self._learn(np.unique(keys[numbers < 0]))
            numbers = self._numbers.take(keys)
        return numbers.astype(np.uint32)

    def impacts(self, average_length: float) -> Impacts:
        """The impact of every pair seen so far; the last answer is kept for the next search."""
        keys, known = self.keys, self._impacts
        if known.average_length == average_length and len(known.table) == len(keys):
            return known
        table = impacts(keys & 0xFF, keys >> 8, average_length)
        known = self._impacts = Impacts(average_length, table)
        return known

    def _learn(self, unseen: CountArray) -> None:
        first = len(self.keys)
        self._numbers = grown(self._numbers, int(unseen.max(initial=0)) + 1, -1)
        self._numbers[unseen] = np.arange(first, first + len(unseen), dtype=np.int32)
        self.keys = np.concatenate((self.keys, unseen))


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Postings by term: those of `terms[i]` lie at `starts[i]:starts[i + 1]`, rows ascending.

    No other segment holds rows between `first_row` and `last_row`, so the postings of a term in
    successive segments ascend as a whole. `peaks[i]` is the term's greatest impact at
    `average_length`.
    """

    terms: TermArray
    starts: OffsetArray
    rows: DocumentArray
    pairs: PairArray
    peaks: ImpactArray
    average_length: float
    first_row: int
    last_row: int
    documents: int  # with the removed ones, until a merge drops them

    def find(
        self, terms: TermArray, average_length: float
    ) -> Iterator[tuple[int, DocumentArray, PairArray, float]]:
        """For each term found: its place in `terms`, rows, pairs, and a bound on its impacts."""
        if not len(self.terms):
            return
        places, at = self._located(terms)
        bounds = self.peaks.take(at) * impact_growth(self.average_length, average_length)
        found = (places, self.starts.take(at), self.starts.take(at + 1), bounds)
        for place, start, end, bound in zip(*(each.tolist() for each in found), strict=True):
            yield place, self.rows[start:end], self.pairs[start:end], bound

    def rows_of(self, terms: TermArray) -> DocumentArray:
        """The rows of all postings of these terms, in no order, some more than once."""
        if not len(self.terms):
            return self.rows
        _, at = self._located(terms)
        starts = self.starts.take(at)
        sizes = self.starts.take(at + 1) - starts
        # Where a posting lies: where those of its term begin, and how far it is from there.
        begin = np.repeat(starts - _starts(sizes)[:-1], sizes)
        return self.rows.take(begin + np.arange(len(begin)))

    def _located(self, terms: TermArray) -> tuple[PlaceArray, PlaceArray]:
        """The terms that are here: their places in `terms`, and in its own."""
        at = np.searchsorted(self.terms, terms)
        at[at == len(self.terms)] = 0
        places = (self.terms.take(at) == terms).nonzero()[0]
        return places, at.take(places)

    def terms_of(self, rows: RowArray) -> TermArray:
        """The terms of these documents, once for each document; reads the whole segment."""
        hits = np.flatnonzero(self._marked(rows).take(self.rows - self.first_row))
        return self.terms.take(np.searchsorted(self.starts, hits, side="right") - 1)

    def without(self, dead: RowArray) -> Segment:
        """The same segment less these documents, those of other segments ignored."""
        marked = self._marked(dead)
        keep = ~marked.take(self.rows - self.first_row)
        counts = np.diff(_starts(keep)[self.starts])
        used = counts > 0
        return replace(
            self,
            terms=self.terms[used],
            starts=_starts(counts[used]),
            rows=self.rows[keep],
            pairs=self.pairs[keep],
            peaks=self.peaks[used],
            documents=self.documents - int(np.count_nonzero(marked)),
        )

    def _marked(self, rows: RowArray) -> npt.NDArray[np.bool_]:
        marked = np.zeros(self.last_row - self.first_row + 1, np.bool_)
        marked[rows[(rows >= self.first_row) & (rows <= self.last_row)] - self.first_row] = True
        return marked


class Fresh:
    """The newest documents, kept so that one more is cheap: a growing array for each term.

    One writer appends. Readers name the last row that was published, so they never see half a
    document, and copy each array in one step, because an array that numpy looks into cannot grow.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._first_row = self._last_row = -1
        # By term, ascending: row << 32 | pair.
        self._packed: defaultdict[int, array[int]] = defaultdict(partial(array, "q"))

    def append(self, postings: Postings, pairs: TermArray) -> None:
        """Add documents, to be seen once the caller publishes their rows."""
        packed = (np.repeat(postings.rows, np.diff(postings.offsets)) << 32) | pairs
        if len(postings.rows) == 1:  # with each term once
            for term, posting in zip(postings.term_ids.tolist(), packed.tolist(), strict=True):
                self._packed[term].append(posting)
        else:
            self._extend(postings.term_ids, packed)
        self._first_row = self._first_row if self.documents else int(postings.rows[0])
        self._last_row = int(postings.rows[-1])
        self.documents += len(postings.rows)

    def _extend(self, term_ids: TermArray, packed: npt.NDArray[np.int64]) -> None:
        """Grow the array of each term once."""
        order = _order(term_ids)
        terms, listed = term_ids.take(order), packed.take(order).tobytes()
        first = np.flatnonzero(np.diff(terms, prepend=~terms[:1]))
        edges = (np.append(first, len(order)) * packed.itemsize).tolist()
        for term, (start, end) in zip(terms.take(first).tolist(), pairwise(edges), strict=True):
            self._packed[term].frombytes(listed[start:end])

    def find(self, term: int, last_row: int) -> tuple[DocumentArray, PairArray]:
        """The rows up to `last_row` that hold the term, and the pairs of its postings."""
        listed = self._packed.get(term)
        packed = np.frombuffer(listed.tobytes() if listed else b"", np.int64)
        if len(packed) and packed[-1] >> 32 > last_row:
            packed = packed[: np.searchsorted(packed, (last_row + 1) << 32)]
        return _unpacked(packed)

    def freeze(self, impacts: Impacts) -> Segment:
        """The same documents as a segment."""
        listed = sorted(self._packed.items())
        terms = np.array([term for term, _ in listed], np.uint32)
        starts = _starts(np.array([len(each) for _, each in listed], np.int64))
        packed = np.frombuffer(b"".join([each for _, each in listed]), np.int64)
        extent = (self._first_row, self._last_row, self.documents)
        return _segment(terms, starts, *_unpacked(packed), impacts, extent)


def build(postings: Postings, pairs: TermArray, impacts: Impacts) -> Segment:
    """A segment of these documents; `pairs` numbers the pair of each posting."""
    order = _order(postings.term_ids)
    terms = postings.term_ids.take(order)
    first = np.flatnonzero(np.diff(terms, prepend=~terms[:1]))
    starts = np.append(first, len(order))
    rows = np.repeat(postings.rows.astype(np.int32), np.diff(postings.offsets)).take(order)
    extent = (int(postings.rows[0]), int(postings.rows[-1]), len(postings.rows))
    return _segment(terms.take(first), starts, rows, pairs.take(order), impacts, extent)


def merge(segments: Sequence[Segment], dead: RowArray, impacts: Impacts) -> Segment:
    """One segment of successive ones, without the documents in `dead`."""
    parts = [segment.without(dead) for segment in segments] if len(dead) else segments
    terms = np.unique(np.concatenate([part.terms for part in parts]))
    places = [np.searchsorted(terms, part.terms) for part in parts]
    counts = np.zeros(len(terms), np.int64)
    for part, place in zip(parts, places, strict=True):
        counts[place] += np.diff(part.starts)
    starts = _starts(counts)
    rows = np.empty(int(starts[-1]), np.int32)
    pairs = np.empty(int(starts[-1]), np.uint32)
    cursors = starts[:-1].copy()
    for part, place in zip(parts, places, strict=True):
        sizes = np.diff(part.starts)
        targets = np.repeat(cursors[place] - part.starts[:-1], sizes)
        targets += np.arange(len(targets))
        rows[targets] = part.rows
        pairs[targets] = part.pairs
        cursors[place] += sizes
    extent = (parts[0].first_row, parts[-1].last_row, sum(part.documents for part in parts))
    return _segment(terms, starts, rows, pairs, impacts, extent)


def choose_merge(
    segments: Sequence[Segment], dead: RowArray, documents_max: int | None
) -> tuple[int, int] | None:
    """The range of segments to merge next, at most `documents_max` in all; None: none is due."""
    sizes = [segment.documents for segment in segments]
    ceiling = sum(sizes) if documents_max is None else documents_max
    start, after = len(sizes), 0
    for place in reversed(range(len(sizes))):
        if 0 < after >= sizes[place] / MERGE_RATIO and sizes[place] + after <= ceiling:
            start = place
        after += sizes[place]
    if start < len(sizes):
        return start, len(sizes)
    for place, segment in enumerate(segments):
        first, last = np.searchsorted(dead, (segment.first_row, segment.last_row + 1))
        if last - first > DEAD_SHARE_MAX * sizes[place] and sizes[place] <= ceiling:
            return place, place + 1
    return None


def grown(values: CountArray, size: int, fill: int) -> CountArray:
    """The same array, or a longer copy with room to spare when it is shorter than `size`."""
    if size <= len(values):
        return values
    longer = np.full(max(size, 2 * len(values)), fill, np.int32)
    longer[: len(values)] = values
    return longer


def _order(terms: TermArray) -> OffsetArray:
    # numpy sorts 16-bit keys by radix: two passes take 20 ns a posting, one of 32 bits takes 36.
    low = np.argsort((terms & 0xFFFF).astype(np.uint16), kind="stable")
    return low.take(np.argsort((terms >> 16).astype(np.uint16).take(low), kind="stable"))


def _starts(counts: OffsetArray | npt.NDArray[np.bool_]) -> OffsetArray:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))


def _unpacked(packed: npt.NDArray[np.int64]) -> tuple[DocumentArray, TermArray]:
    return (packed >> 32).astype(np.int32), (packed & 0xFFFFFFFF).astype(np.uint32)


def _segment(
    terms: TermArray,
    starts: OffsetArray,
    rows: DocumentArray,
    pairs: TermArray,
    impacts: Impacts,
    extent: tuple[int, int, int],
) -> Segment:
    values = impacts.table.take(pairs)
    peaks = np.maximum.reduceat(values, starts[:-1]) if len(terms) else values
    narrow = pairs.astype(np.uint16) if len(impacts.table) <= 1 << 16 else pairs
    return Segment(terms, starts, rows, narrow, peaks, impacts.average_length, *extent)
