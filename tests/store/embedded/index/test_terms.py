"""The word index against a BM25 written as plainly as can be."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.store.embedded.index.max_score import Tuning
from scrubjay.store.embedded.index.segments import Postings
from scrubjay.store.embedded.index.terms import TermIndex
from scrubjay.store.shared.bm25 import LENGTH_MAX, Corpus
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray

TERMS = 12
# Every way of working within reach of a few documents.
SMALL = Tuning(3, 4, 9, 10**9, 10**9)
PRUNED = Tuning(3, 4, 9, 0, 0)
SPARSE = Tuning(3, 4, 9, 10**9, 1, rows_per_posting_min=0)


@dataclass(frozen=True, slots=True)
class Document:
    length: int
    tfs: Mapping[int, int]


def postings(documents: Mapping[int, Document]) -> Postings:
    counts = [len(document.tfs) for document in documents.values()]
    return Postings(
        np.array(list(documents), np.int64),
        np.array([document.length for document in documents.values()], np.int32),
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        np.array([term for each in documents.values() for term in each.tfs], np.uint32),
        np.array([tf for each in documents.values() for tf in each.tfs.values()], np.uint8),
    )


def naive_bm25(documents: Mapping[int, Document], terms: Sequence[int]) -> dict[int, float]:
    average = sum(document.length for document in documents.values()) / max(len(documents), 1)
    scores: dict[int, float] = {}
    for term in terms:
        df = sum(term in document.tfs for document in documents.values())
        idf = math.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
        for row, document in documents.items():
            if tf := document.tfs.get(term, 0):
                norm = 1.2 * (1 - 0.75 + 0.75 * document.length / average)
                share = idf * tf * 2.2 / (tf + norm)
                scores[row] = scores.get(row, 0.0) + share
    return scores


def check_against_naive(
    found: tuple[RowArray, ScoreArray], expected: Mapping[int, float], limit: int
) -> None:
    rows, scores = found
    best = sorted(expected.values(), reverse=True)[:limit]
    assert scores.tolist() == pytest.approx(best, rel=1e-4)
    assert [expected[row] for row in rows.tolist()] == pytest.approx(best, rel=1e-4)
    order = sorted(zip(-scores, rows, strict=True))
    assert [row for _, row in order] == rows.tolist()
    assert len(set(rows.tolist())) == len(rows)


def random_documents(count: int, *, first_row: int = 0, seed: int = 1) -> dict[int, Document]:
    generator = np.random.default_rng(seed)
    documents = {}
    for row in range(first_row, first_row + count):
        length = int(generator.integers(3, 40))
        words = np.minimum(generator.zipf(1.4, length), 400) - 1
        terms, tfs = np.unique(words, return_counts=True)
        documents[row] = Document(length, dict(zip(terms.tolist(), tfs.tolist(), strict=True)))
    return documents


def index_of(documents: Mapping[int, Document], tuning: Tuning | None = None) -> TermIndex:
    index = TermIndex(tuning)
    index.add(postings(documents))
    return index


def assert_same_answers(one: TermIndex, other: TermIndex) -> None:
    assert one.rows().tolist() == other.rows().tolist()
    assert one.corpus == other.corpus
    assert one.frequencies().tolist() == other.frequencies().tolist()
    for terms in ([0], [9, 1, 5], [0, 1, 2, 3, 40, 200], list(range(12))):
        ours, theirs = one.search(terms, limit=20), other.search(terms, limit=20)
        assert ours[0].tolist() == theirs[0].tolist()
        assert ours[1].tolist() == theirs[1].tolist()


document_strategy = st.builds(
    Document,
    st.integers(1, 9),
    st.dictionaries(st.integers(0, TERMS - 1), st.integers(1, 5), max_size=6),
)


@dataclass
class History:
    """A bank told step by step, and what it should hold."""

    indexes: list[TermIndex]
    live: dict[int, Document] = field(default_factory=dict)
    next_row: int = 0

    def add(self, documents: Sequence[Document], gap: int) -> None:
        added = {self.next_row + gap + place: each for place, each in enumerate(documents)}
        self.live |= added
        self.next_row += gap + len(documents)
        for index in self.indexes:
            index.add(postings(added))

    def remove(self, places: Sequence[int], with_postings: bool) -> None:
        rows = sorted({list(self.live)[place % len(self.live)] for place in places if self.live})
        gone = {row: self.live.pop(row) for row in rows}
        for index in self.indexes:
            given_postings = postings(gone) if with_postings else None
            # A row that was never there changes nothing.
            index.remove(np.array([*rows, 10_000], np.int64), given_postings)

    def merge(self) -> None:
        for index in self.indexes:
            index.merge_step()


step_strategy = st.one_of(
    st.tuples(st.just("add"), st.lists(document_strategy, max_size=7), st.integers(0, 3)),
    st.tuples(st.just("add"), st.lists(document_strategy, max_size=2), st.just(0)),
    st.tuples(st.just("remove"), st.lists(st.integers(0, 99), max_size=4), st.booleans()),
    st.tuples(st.just("merge")),
)


@settings(max_examples=150, deadline=None)
@given(
    steps=st.lists(step_strategy, max_size=14),
    terms=st.lists(st.integers(-1, TERMS), max_size=7),
    limit=st.integers(0, 12),
    mask=st.none() | st.lists(st.booleans(), max_size=60),
)
def test_any_history_leaves_the_answers_of_a_naive_bm25(
    steps: Sequence[tuple[str, ...]],
    terms: Sequence[int],
    limit: int,
    mask: Sequence[bool] | None,
) -> None:
    history = History([TermIndex(tuning) for tuning in (SMALL, PRUNED, SPARSE, None)])
    for name, *arguments in steps:
        getattr(history, name)(*arguments)
    allowed = None if mask is None else np.array(mask, np.bool_)
    expected = naive_bm25(history.live, terms)
    if allowed is not None:
        expected = {r: s for r, s in expected.items() if r < len(allowed) and allowed[r]}
    answers = []
    for index in history.indexes:
        found = index.search(terms, limit=limit, allowed=allowed)
        check_against_naive(found, expected, limit)
        answers.append((found[0].tolist(), found[1].tolist()))
        assert index.rows().tolist() == sorted(history.live)
        for term in range(TERMS):
            holding = sorted(row for row, each in history.live.items() if term in each.tfs)
            assert index.document_frequency(term) == len(holding)
            assert index.rows_with(term).tolist() == holding
        for row in (0, 3, history.next_row):
            score = naive_bm25(history.live, terms).get(row, 0.0)
            assert index.score(terms, row) == pytest.approx(score, rel=1e-4)
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("limit", [1, 10, 100, 2_500])
@pytest.mark.parametrize("share", [None, 0.6, 0.02])
def test_looking_up_long_lists_finds_what_adding_up_finds(limit: int, share: float | None) -> None:
    documents = random_documents(3_000)
    added_up = index_of(documents, Tuning(pruned_postings_min=10**9, look_up_cost=10**9))
    others = [
        index_of(documents, tuning)
        for tuning in (
            Tuning(pruned_postings_min=0, look_up_cost=0),
            Tuning(rows_per_posting_min=0),
            Tuning(rows_per_posting_min=2),
        )
    ]
    generator = np.random.default_rng(5)
    allowed: MaskArray | None = None if share is None else generator.random(3_000) < share
    for _ in range(25):
        terms = [int(term) for term in np.minimum(generator.zipf(1.3, 6), 400) - 1]
        one = added_up.search(terms, limit=limit, allowed=allowed)
        for index in others:
            other = index.search(terms, limit=limit, allowed=allowed)
            assert one[0].tolist() == other[0].tolist()
            assert one[1].tolist() == other[1].tolist()
        if allowed is not None:
            listed = others[0].search(terms, limit=limit, among=np.flatnonzero(allowed))
            assert one[0].tolist() == listed[0].tolist()


def test_a_rare_word_outranks_a_common_one() -> None:
    documents = {row: Document(4, {0: 1}) for row in range(20)} | {20: Document(4, {1: 1})}
    rows, scores = index_of(documents).search([0, 1], limit=3)
    assert rows.tolist() == [20, 0, 1]
    assert scores[0] > scores[1]


def test_equal_scores_come_in_the_order_of_rows_wherever_they_lie() -> None:
    index = TermIndex(SMALL)
    for first, count in ((5, 6), (20, 1), (21, 1), (30, 2)):
        index.add(postings({row: Document(3, {7: 1}) for row in range(first, first + count)}))
    rows, scores = index.search([7], limit=8)
    assert rows.tolist() == [5, 6, 7, 8, 9, 10, 20, 21]
    assert len(set(scores.tolist())) == 1


def test_a_long_list_of_equal_scores_gives_its_first_rows_after_those_that_hold_more() -> None:
    documents = {row: Document(4, {0: 1}) for row in range(3_000)}
    documents |= {row: Document(4, {0: 1, 1: 1}) for row in (700, 2_999)}
    documents |= {50: Document(4, {1: 1})}
    index = index_of(documents)
    assert index.search([0, 1], limit=6)[0].tolist() == [700, 2_999, 50, 0, 1, 2]
    index.remove(np.array([0, 700]), postings({row: documents[row] for row in (0, 700)}))
    allowed = np.ones(3_000, np.bool_)
    allowed[2] = False
    found, _ = index.search([0, 1], limit=5, allowed=allowed)
    assert found.tolist() == [2_999, 50, 1, 3, 4]
    shorter, _ = index.search([0, 1], limit=5, allowed=allowed[:2_000])
    assert shorter.tolist() == [50, 1, 3, 4, 5]


def test_each_document_is_found_as_soon_as_it_is_added() -> None:
    index = TermIndex(Tuning(fresh_documents_max=16))
    for row in range(100):
        index.add(postings({row: Document(2, {row: 1, 500: 1})}))
        assert index.search([row], limit=5)[0].tolist() == [row]
        assert index.document_frequency(500) == row + 1
        assert index.watermark == row


def test_a_removed_document_leaves_the_answers_and_the_statistics() -> None:
    documents = random_documents(300)
    index = index_of(documents, SMALL)
    gone = {row: documents.pop(row) for row in (0, 17, 150, 299)}
    index.remove(np.array(list(gone), np.int64), postings(gone))
    assert_same_answers(index, index_of(documents))
    assert index.watermark == 299


def test_removing_twice_changes_nothing_more() -> None:
    documents = random_documents(50)
    once, twice = index_of(documents), index_of(documents)
    gone = postings({row: documents[row] for row in (3, 4)})
    once.remove(gone.rows, gone)
    twice.remove(gone.rows, gone)
    twice.remove(gone.rows, gone)
    twice.remove(gone.rows)
    assert_same_answers(once, twice)


def test_one_at_a_time_and_all_at_once_answer_exactly_alike() -> None:
    documents = random_documents(400)
    one_by_one = TermIndex(SMALL)
    for row, document in documents.items():
        one_by_one.add(postings({row: document}))
    while one_by_one.merge_step():
        pass
    assert_same_answers(one_by_one, index_of(documents))


def test_a_term_named_twice_counts_twice() -> None:
    index = index_of(random_documents(100))
    rows, scores = index.search([3], limit=10)
    doubled_rows, doubled = index.search([3, 3], limit=10)
    assert rows.tolist() == doubled_rows.tolist()
    assert doubled.tolist() == (2 * scores).tolist()


def test_nothing_is_found_in_an_empty_index_or_for_unknown_terms() -> None:
    assert TermIndex().search([1, 2], limit=5)[0].tolist() == []
    assert TermIndex().rows_with(1).tolist() == []
    assert TermIndex().corpus.average_length == 1.0
    index = index_of(random_documents(10))
    assert index.search([], limit=5)[0].tolist() == []
    assert index.search([10**6], limit=5)[0].tolist() == []
    assert index.search([0], limit=0)[0].tolist() == []
    assert index.document_frequency(10**6) == 0


def test_a_document_without_words_counts_and_is_never_found() -> None:
    index = index_of({0: Document(0, {}), 1: Document(2, {4: 1})})
    assert index.corpus == Corpus(documents=2, total_length=2)
    assert index.search([4], limit=5)[0].tolist() == [1]
    index.remove(np.array([0], np.int64))
    assert index.rows().tolist() == [1]


def test_a_very_long_document_counts_as_the_longest() -> None:
    others = {row: Document(50, {1: 1}) for row in range(1, 4)}
    index = index_of({0: Document(10 * LENGTH_MAX, {1: 255})} | others)
    rows, scores = index.search([1], limit=4)
    assert sorted(rows.tolist()) == [0, 1, 2, 3]
    assert np.isfinite(scores).all()


def test_a_row_cannot_be_used_twice() -> None:
    index = index_of({4: Document(1, {1: 1})})
    with pytest.raises(AssertionError):
        index.add(postings({4: Document(1, {2: 1})}))


def test_more_shapes_than_sixteen_bits_still_score_exactly() -> None:
    lengths = range(1, 12_001)
    documents = {n: Document(n, {t: t + 1 for t in range(6)}) for n in lengths}
    index = index_of(documents)
    check_against_naive(index.search([5], limit=7), naive_bm25(documents, [5]), limit=7)
    assert index.search([5], limit=12_000)[0].tolist() == list(lengths)
    while index.merge_step():
        pass
    assert index.search([5], limit=12_000)[0].tolist() == list(lengths)


def test_a_saved_index_answers_alike_and_grows_on(tmp_path: Path) -> None:
    documents = random_documents(500)
    index = index_of(documents, SMALL)
    index.remove(np.arange(0, 40, 7))
    index.save(tmp_path)
    first = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    loaded = TermIndex.load(tmp_path, SMALL)
    assert loaded is not None
    assert loaded.watermark == 499
    assert_same_answers(loaded, index)

    more = random_documents(30, first_row=500, seed=2)
    for each in (loaded, index):
        each.add(postings({500: more[500]}))
        each.remove(np.array([41, 500]))
        each.add(postings({row: each for row, each in more.items() if row > 500}))
    assert_same_answers(loaded, index)
    loaded.save(tmp_path)
    again = TermIndex.load(tmp_path)
    assert again is not None
    assert_same_answers(again, index)
    kept = [path for path in tmp_path.iterdir() if first.get(path.name) == path.stat().st_mtime_ns]
    assert kept, "the large segment did not change and is not written again"


def test_an_empty_index_can_be_saved(tmp_path: Path) -> None:
    TermIndex().save(tmp_path)
    loaded = TermIndex.load(tmp_path)
    assert loaded is not None
    assert loaded.watermark == -1


def test_merging_leaves_nothing_of_many_removed_in_the_files(tmp_path: Path) -> None:
    index = index_of(random_documents(400))
    index.save(tmp_path)
    before = sum(path.stat().st_size for path in tmp_path.iterdir())
    index.remove(np.arange(101))
    index.save(tmp_path)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 0.85 * before
    index.remove(np.arange(400))
    assert index.corpus.documents == 0
    assert index.search([0, 1, 2], limit=5)[0].tolist() == []


def test_a_damaged_or_missing_file_is_refused(tmp_path: Path) -> None:
    index = index_of(random_documents(200))
    index.save(tmp_path)
    names = [path.name for path in sorted(tmp_path.iterdir())]
    assert len(names) == 3
    for name in names:
        path = tmp_path / name
        content = path.read_bytes()
        flipped = bytearray(content)
        flipped[len(flipped) // 2] ^= 1
        for damaged in (content[: len(content) // 2], content + b"x", bytes(flipped), b""):
            # Replaced, not overwritten: a mapped file must not change under its readers.
            path.unlink()
            path.write_bytes(damaged)
            assert TermIndex.load(tmp_path) is None
        path.unlink()
        assert TermIndex.load(tmp_path) is None
        path.write_bytes(content)
    assert TermIndex.load(tmp_path) is not None
    assert TermIndex.load(tmp_path / "elsewhere") is None


def test_leftovers_of_a_crash_are_swept_by_the_next_save(tmp_path: Path) -> None:
    (tmp_path / "terms-7.bin").write_bytes(b"stale")
    (tmp_path / "terms-8.bin.tmp").write_bytes(b"torn")
    index_of(random_documents(20)).save(tmp_path)
    assert TermIndex.load(tmp_path) is not None
    assert not {"terms-7.bin", "terms-8.bin.tmp"} & {path.name for path in tmp_path.iterdir()}


def search_until(done: threading.Event, index: TermIndex, removed: Sequence[int]) -> None:
    while not done.is_set():
        gone = set(removed)
        rows, scores = index.search([0, 1, 2, 3, 7], limit=50)
        assert not gone & set(rows.tolist())
        assert (np.diff(scores) <= 0).all()
        assert (scores > 0).all()


def merge_until(done: threading.Event, index: TermIndex) -> None:
    while not done.is_set():
        index.merge_step()


def test_searches_beside_a_writer_never_fail_nor_find_what_was_removed() -> None:
    documents = random_documents(1_500)
    index = TermIndex(Tuning(fresh_documents_max=64, inline_merge_documents_max=256))
    removed: list[int] = []
    done = threading.Event()
    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(search_until, done, index, removed) for _ in range(2)]
        others.append(pool.submit(merge_until, done, index))
        try:
            for row, document in documents.items():
                index.add(postings({row: document}))
                if row % 3 == 2:
                    gone = postings({row - 1: documents[row - 1]})
                    index.remove(gone.rows, gone)
                    removed.append(row - 1)
        finally:
            done.set()
        for other in others:
            other.result()
    kept = {row: each for row, each in documents.items() if row not in set(removed)}
    assert_same_answers(index, index_of(kept))
