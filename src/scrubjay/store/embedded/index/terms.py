"""The word index of a bank: exact BM25 over its segments of postings."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scrubjay.store.embedded.directory.saved_files import SavedFiles
from scrubjay.store.embedded.index.max_score import (
    SLACK,
    Scratch,
    Sums,
    TermList,
    Tuning,
    findable,
    look_up,
    marked,
)
from scrubjay.store.embedded.index.segment_files import Saved, load_segments, save_segments
from scrubjay.store.embedded.index.segments import (
    CountArray,
    DocumentArray,
    Fresh,
    PairArray,
    Pairs,
    Postings,
    Segment,
    build,
    choose_merge,
    grown,
    merge,
)
from scrubjay.store.shared.bm25 import IMPACT_MAX, Corpus
from scrubjay.store.shared.ranked_rows import best
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """All that one search reads; writers replace it whole."""

    segments: tuple[Segment, ...]
    fresh: Fresh
    dead: RowArray  # ascending: removed, but still among the postings
    frequencies: CountArray  # live documents by term; small batches are counted in place
    corpus: Corpus
    watermark: int


class TermIndex:
    """Finds the rows that hold any of some terms, best first by BM25.

    Any number of threads may search. The caller serialises the writers, but `merge_step` may run
    beside them all. A search that starts after `add` or `remove` returned sees what they did.
    """

    def __init__(self, tuning: Tuning | None = None) -> None:
        self._tuning = tuning or Tuning()
        self._pairs = Pairs(np.zeros(0, np.int32))
        self._lengths = np.zeros(0, np.int32)  # by row; -1 where no document is live
        none = np.zeros(0, np.int64)
        self._snapshot = _Snapshot((), Fresh(), none, np.zeros(0, np.int32), Corpus(), -1)
        self._publishing = threading.Lock()
        self._merging = threading.Lock()
        self._scratch = Scratch()
        self._last_lists: tuple[_Snapshot, Sequence[int], Sequence[TermList]]
        self._last_lists = self._snapshot, (), ()
        self._saved: Saved = {}
        self._directory: Path | None = None  # where `_saved` lies; None before the first save
        self.generation = 0

    @classmethod
    def load(
        cls, directory: Path, tuning: Tuning | None = None, *, files: SavedFiles | None = None
    ) -> TermIndex | None:
        """The index as it was saved, its segments mapped; None when it must be rebuilt."""
        files = files or SavedFiles(directory)
        try:
            loaded = load_segments(files)
            lengths, frequencies, keys, dead = loaded.statistics
        except ValueError as problem:
            files.report(problem, "the words are read from the rows again")
            return None
        index = cls(tuning)
        index._directory, index._saved = directory, loaded.segments
        index.generation = loaded.generation
        index._lengths = np.array(lengths, np.int32)
        index._pairs = Pairs(np.array(keys, np.int32))
        live = index._lengths[index._lengths >= 0]
        index._snapshot = replace(
            index._snapshot,
            segments=tuple(loaded.segments),
            dead=np.array(dead, np.int64),
            frequencies=np.array(frequencies, np.int32),
            corpus=Corpus(len(live), int(live.sum())),
            watermark=len(lengths) - 1,
        )
        return index

    def save(self, directory: Path, *, generation: int = 0, stamp: str = "") -> None:
        """Write what changed since the last save there; a crash meanwhile costs only a rebuild.

        `generation` is whatever tells the caller which later changes a loaded index lacks.
        """
        self._freeze()
        if directory != self._directory:
            self._directory, self._saved = directory, {}
        now = self._snapshot
        lengths = self._lengths[: now.watermark + 1]
        statistics = (lengths, now.frequencies, self._pairs.keys, now.dead)
        self._saved = save_segments(
            directory, now.segments, statistics, self._saved, stamp=stamp, generation=generation
        )

    @property
    def corpus(self) -> Corpus:
        """How many documents are live, and their words in all."""
        return self._snapshot.corpus

    @property
    def watermark(self) -> int:
        """The highest row ever added; -1 before the first."""
        return self._snapshot.watermark

    def rows(self) -> RowArray:
        """The rows added and not removed, ascending, for the store to compare with its own."""
        return np.flatnonzero(self._lengths[: self.watermark + 1] >= 0)

    def document_frequency(self, term_id: int) -> int:
        """How many live documents hold the term."""
        counts = self._snapshot.frequencies
        return int(counts[term_id]) if term_id < len(counts) else 0

    def frequencies(self) -> CountArray:
        """How many live documents hold each term, up to the last term that any holds."""
        return np.trim_zeros(self._snapshot.frequencies, "b").copy()

    def add(self, batch: Postings) -> None:
        """Add documents; their rows ascend from above the watermark, for no row is used twice."""
        if not len(batch.rows):
            return
        now, last = self._snapshot, int(batch.rows[-1])
        assert int(batch.rows[0]) > now.watermark and bool((np.diff(batch.rows) > 0).all())
        self._lengths = grown(self._lengths, last + 1, -1)
        self._lengths[batch.rows] = batch.lengths
        corpus = now.corpus.plus(len(batch.rows), int(batch.lengths.sum()))
        pairs = self._pairs.number(np.repeat(batch.lengths, np.diff(batch.offsets)), batch.tfs)
        frequencies = grown(now.frequencies, int(batch.term_ids.max(initial=0)) + 1, 0)
        made: tuple[Segment, ...] = ()
        if len(batch.rows) < self._tuning.batch_documents_min:
            np.add.at(frequencies, batch.term_ids, 1)
            now.fresh.append(batch, pairs)
        else:
            # Counted in place, a large batch would skew the searches that run meanwhile.
            added = np.bincount(batch.term_ids, minlength=len(frequencies))
            frequencies = (frequencies + added).astype(np.int32)
            self._freeze()
            made = (build(batch, pairs, self._pairs.impacts(corpus.average_length)),)
        with self._publishing:
            now = self._snapshot
            segments = (*now.segments, *made)
            self._snapshot = _Snapshot(segments, now.fresh, now.dead, frequencies, corpus, last)
        if now.fresh.documents >= self._tuning.fresh_documents_max:
            self._freeze()
        if len(self._snapshot.segments) > len(now.segments):
            self.merge_step(self._tuning.inline_merge_documents_max)

    def remove(self, rows: RowArray, postings: Postings | None = None) -> None:
        """Remove documents; rows that are not live are ignored.

        `postings` are those of these rows; without them all is read, at 10 to 25 ns a posting.
        """
        now = self._snapshot
        gone = np.unique(rows[(rows >= 0) & (rows <= now.watermark)])
        gone = gone[self._lengths.take(gone) >= 0]
        if not len(gone):
            return
        if postings is None:
            fresh = now.fresh.freeze(self._pairs.impacts(now.corpus.average_length))
            terms = np.concatenate([each.terms_of(gone) for each in (*now.segments, fresh)])
        else:
            lives = np.isin(postings.rows, gone)
            terms = postings.term_ids[np.repeat(lives, np.diff(postings.offsets))]
        np.subtract.at(now.frequencies, terms, 1)
        length = int(self._lengths.take(gone).sum())
        self._lengths[gone] = -1
        with self._publishing:
            now = self._snapshot
            dead = np.sort(np.concatenate((now.dead, gone)), kind="stable")
            corpus = now.corpus.plus(-len(gone), -length)
            self._snapshot = replace(now, dead=dead, corpus=corpus)
        self.merge_step(self._tuning.inline_merge_documents_max)

    def merge_step(self, documents_max: int | None = None) -> bool:
        """Do one merge that is due, of at most so many documents; False when there is none."""
        if self._merging.locked():
            return False
        with self._merging:
            now = self._snapshot
            chosen = choose_merge(now.segments, now.dead, documents_max)
            if chosen is not None:
                self._merge(*chosen)
            return chosen is not None

    def _merge(self, start: int, stop: int) -> None:
        before = self._snapshot
        impacts = self._pairs.impacts(before.corpus.average_length)
        merged = merge(before.segments[start:stop], before.dead, impacts)
        inside = (before.dead >= merged.first_row) & (before.dead <= merged.last_row)
        with self._publishing:
            # Meanwhile a writer may have appended segments and removed more documents.
            now = self._snapshot
            kept = (merged,) if merged.documents else ()
            segments = (*now.segments[:start], *kept, *now.segments[stop:])
            dead = np.setdiff1d(now.dead, before.dead[inside], assume_unique=True)
            self._snapshot = replace(now, segments=segments, dead=dead)

    def _freeze(self) -> None:
        fresh = self._snapshot.fresh
        if fresh.documents:
            segment = fresh.freeze(self._pairs.impacts(self.corpus.average_length))
            with self._publishing:
                now = self._snapshot
                self._snapshot = replace(now, segments=(*now.segments, segment), fresh=Fresh())

    def search(
        self,
        term_ids: Sequence[int],
        *,
        limit: int,
        allowed: MaskArray | None = None,
        among: RowArray | None = None,
    ) -> tuple[RowArray, ScoreArray]:
        """The `limit` best rows that hold any of the terms: best first, ties by row, exact.

        `allowed` tells by row which may be found, and none beyond its end; `among` lists them,
        ascending. A term named twice counts twice.
        """
        now = self._snapshot
        lists = self._lists_again(now, term_ids)
        limit = min(limit, now.watermark + 1)
        if not lists or limit < 1:
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        end = now.watermark + 1
        cost, postings = self._tuning.look_up_cost * len(lists), sum(each.size for each in lists)
        if among is None and allowed is not None and np.count_nonzero(allowed) * cost < postings:
            among = np.flatnonzero(allowed[:end])
        if among is not None and len(among) * cost < postings:
            rows = among[: np.searchsorted(among, end)].astype(np.int32)
            rows = np.setdiff1d(rows, now.dead, assume_unique=True)
            scores = np.zeros(len(rows), np.float32)
        else:
            allowed = allowed if among is None else marked(among, end)
            allowed = findable(end, now.dead, allowed)
            sums = Sums(self._scratch.take(end), limit, allowed, self._tuning)
            rows, scores, lists = sums.candidates(lists)
        rows, scores = look_up(lists, rows, scores, limit)
        found, scores = best(rows.astype(np.int64), scores, limit)
        held = np.count_nonzero(scores)
        return found[:held], scores[:held]

    def score(self, term_ids: Sequence[int], row: int) -> float:
        """The score of one row, as `search` gives it; 0 when it holds none of the terms."""
        now = self._snapshot
        rows = np.setdiff1d(np.array([row], np.int32), now.dead)
        scores = np.zeros(len(rows), np.float32)
        return float(look_up(self._lists(now, term_ids), rows, scores, 1)[1].sum())

    def rows_with(self, term_id: int) -> RowArray:
        """The live rows that hold the term, ascending."""
        now = self._snapshot
        found = [rows for listed in self._lists(now, (term_id,)) for rows, _ in listed.parts]
        rows = np.concatenate((np.zeros(0, np.int64), *found))
        return np.setdiff1d(rows, now.dead, assume_unique=True)

    def rows_with_any(self, term_ids: Sequence[int]) -> RowArray:
        """The live rows that hold one of the terms, ascending."""
        now = self._snapshot
        terms = np.array(term_ids, np.uint32)
        held = np.zeros(now.watermark + 1, np.bool_)
        for segment in now.segments:
            held[segment.rows_of(terms)] = True
        for term in term_ids if now.fresh.documents else ():
            held[now.fresh.find(term, now.watermark)[0]] = True
        held[now.dead] = False
        return np.flatnonzero(held)

    def _lists_again(self, now: _Snapshot, term_ids: Sequence[int]) -> Sequence[TermList]:
        """`_lists`; the last answer is kept.

        A question that names a time looks for its words twice.
        """
        known, terms, lists = self._last_lists
        if known is not now or terms != term_ids:
            lists = self._lists(now, term_ids)
            self._last_lists = now, term_ids, lists
        return lists

    def _lists(self, now: _Snapshot, term_ids: Sequence[int]) -> Sequence[TermList]:
        """The postings of the terms, rarest first: the order of sums, so the same in any layout."""
        wanted: dict[int, int] = {}
        for term in term_ids:
            if 0 <= term < len(now.frequencies):
                wanted[term] = wanted.get(term, 0) + 1
        impacts = self._pairs.impacts(now.corpus.average_length)
        terms = np.fromiter(wanted, np.uint32, len(wanted))
        parts: list[list[tuple[DocumentArray, PairArray]]] = [[] for _ in wanted]
        peaks = [0.0] * len(wanted)
        for segment in now.segments:
            for place, rows, pairs, peak in segment.find(terms, impacts.average_length):
                parts[place].append((rows, pairs))
                peaks[place] = max(peaks[place], peak)
        for place, term in enumerate(wanted if now.fresh.documents else ()):
            rows, pairs = now.fresh.find(term, now.watermark)
            if len(rows):
                parts[place].append((rows, pairs))
                peaks[place] = IMPACT_MAX
        counts = now.frequencies.take(terms).tolist()
        every = sorted(zip(counts, wanted, peaks, parts, strict=True), reverse=True)
        held = [(count, term, peak, found) for count, term, peak, found in every if count and found]
        weights = [wanted[term] * now.corpus.weight(count) for count, term, *_ in held]
        values = np.multiply.outer(np.array(weights, np.float32), impacts.table)
        lists: list[TermList] = []
        rest = 0.0
        for (_, _, peak, found), weight, worth in zip(held, weights, values, strict=True):
            rest += weight * peak * (1 + SLACK)
            lists.append(TermList(sum([len(rows) for rows, _ in found]), found, worth, rest))
        return lists[::-1]
