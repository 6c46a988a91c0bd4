"""Fusion gives the designs' worked numbers, and loses, invents and reshuffles nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.engine.fuse import Candidates, RankedList, fuse
from scrubjay.preset import Fusion


def ranked(
    retriever: str,
    rows: Sequence[int],
    scores: Sequence[float] | None = None,
    weight: float = 1.0,
    hit_weights: Sequence[float] | None = None,
) -> RankedList:
    return RankedList(
        retriever,
        weight,
        np.array(rows, np.int64),
        np.array([1.0] * len(rows) if scores is None else scores, np.float32),
        None if hit_weights is None else np.array(hit_weights, np.float32),
    )


def fused(lists: Sequence[RankedList], method: Fusion = Fusion.RRF, k: int = 60) -> Candidates:
    return fuse(lists, method=method, rank_constant=k)


def score_of(candidates: Candidates, row: int) -> float:
    return float(candidates.scores[candidates.rows.tolist().index(row)])


def test_dense_fts_a_unit_first_by_meaning_and_fifth_by_words_scores_0_0318() -> None:
    found = fused([ranked("semantic", [7, 1, 2]), ranked("lexical", [3, 4, 5, 6, 7])])
    assert score_of(found, 7) == pytest.approx(1 / 61 + 1 / 65)
    assert round(score_of(found, 7), 4) == 0.0318
    assert found.rows[0] == 7


def test_dense_fts_a_unit_first_in_one_list_only_scores_0_0164() -> None:
    assert round(score_of(fused([ranked("semantic", [7]), ranked("lexical", [])]), 7), 4) == 0.0164


def test_polyant_the_tenth_of_a_list_scores_0_0141() -> None:
    found = fused([ranked("lexical", range(1, 11))])
    assert score_of(found, 10) == pytest.approx(1 / 70)
    # The design counts from 0 and adds 1: its "rank 10" is the eleventh place, 1/71.
    found = fused([ranked("lexical", range(11))])
    assert round(score_of(found, 10), 4) == 0.0141


def test_polyant_a_unit_in_both_lists_sums_because_there_is_one_id_space() -> None:
    found = fused([ranked("semantic", [4, 9]), ranked("lexical", [8, 9])])
    assert found.rows[0] == 9
    assert score_of(found, 9) == pytest.approx(2 / 62)


# The design says 1.4 for k 200; it is (200 + 50) / (200 + 1).
@pytest.mark.parametrize(("k", "spread"), [(60, 1.80), (10, 5.45), (200, 1.24)])
def test_recall5_rank_1_counts_so_many_times_rank_50(k: int, spread: float) -> None:
    found = fused([ranked("semantic", range(50))], k=k)
    assert score_of(found, 0) / score_of(found, 49) == pytest.approx(spread, abs=0.01)


def test_recall5_a_cosine_of_0_95_keeps_0_975_of_its_weight() -> None:
    found = fused([ranked("semantic", [1], [0.95])], Fusion.WEIGHTED_RRF)
    assert round(score_of(found, 1) * 61, 3) == 0.975
    quarter = fused([ranked("semantic", [1], [0.25])], Fusion.WEIGHTED_RRF)
    assert score_of(quarter, 1) * 61 == pytest.approx(0.5)


def test_recall5_multi_hop_hits_and_speculative_lists_count_less() -> None:
    lists = [
        ranked("graph", [1, 2], hit_weights=[1.0, 0.8]),
        ranked("temporal", [3], weight=0.5),
    ]
    found = fused(lists, Fusion.WEIGHTED_RRF)
    assert score_of(found, 2) == pytest.approx(0.8 / 62)
    assert score_of(found, 3) == pytest.approx(0.5 / 61)


def test_rank_alone_decides_in_plain_rrf() -> None:
    weak = fused([ranked("semantic", [1], [0.01])])
    assert score_of(weak, 1) == pytest.approx(1 / 61)


def test_scores_beyond_the_range_are_clamped_before_the_root() -> None:
    found = fused([ranked("semantic", [1, 2], [1.5, -0.5])], Fusion.WEIGHTED_RRF)
    assert score_of(found, 1) == pytest.approx(1 / 61)
    assert score_of(found, 2) == 0.0


def test_no_lists_give_no_candidates() -> None:
    assert len(fused([]).rows) == 0


def test_a_candidate_keeps_its_rank_and_score_in_every_list() -> None:
    found = fused([ranked("semantic", [5, 6], [0.9, 0.4]), ranked("lexical", [6], [0.7])])
    at = found.rows.tolist().index(6)
    assert (found.ranks["semantic"][at], found.ranks["lexical"][at]) == (2, 1)
    assert found.hits["semantic"][at] == pytest.approx(0.4)
    other = found.rows.tolist().index(5)
    assert found.ranks["lexical"][other] == 0


hits = st.lists(st.integers(0, 30), unique=True, max_size=20).flatmap(
    lambda rows: st.tuples(
        st.just(rows),
        st.lists(st.floats(0, 1, width=32), min_size=len(rows), max_size=len(rows)),
    )
)
lists_of_hits = st.lists(hits, max_size=4)
methods = st.sampled_from(list(Fusion))


def _lists(parts: list[tuple[list[int], list[float]]]) -> list[RankedList]:
    return [ranked(f"r{n}", rows, scores) for n, (rows, scores) in enumerate(parts)]


@given(lists_of_hits, methods)
def test_the_same_units_come_out_as_went_in_each_once(
    parts: list[tuple[list[int], list[float]]], method: Fusion
) -> None:
    found = fused(_lists(parts), method)
    assert sorted(found.rows.tolist()) == sorted({row for rows, _ in parts for row in rows})


@given(lists_of_hits, methods)
def test_the_order_is_by_score_and_ties_are_by_row(
    parts: list[tuple[list[int], list[float]]], method: Fusion
) -> None:
    found = fused(_lists(parts), method)
    keys = list(zip((-found.scores).tolist(), found.rows.tolist(), strict=True))
    assert keys == sorted(keys)


@given(lists_of_hits, methods)
def test_a_score_is_the_sum_of_what_each_list_gives(
    parts: list[tuple[list[int], list[float]]], method: Fusion
) -> None:
    found = fused(_lists(parts), method)
    alone = [fused([one], method) for one in _lists(parts)]
    for row in found.rows.tolist():
        shares = [score_of(one, row) for one in alone if row in one.rows.tolist()]
        assert score_of(found, row) == pytest.approx(sum(shares))


@given(lists_of_hits, methods, st.randoms(use_true_random=False))
def test_the_order_of_the_lists_does_not_matter(
    parts: list[tuple[list[int], list[float]]], method: Fusion, chance: Random
) -> None:
    lists = _lists(parts)
    shuffled = sorted(lists, key=lambda _: chance.random())
    one, other = fused(lists, method), fused(shuffled, method)
    np.testing.assert_allclose(
        one.scores[np.argsort(one.rows)], other.scores[np.argsort(other.rows)]
    )


def test_spread_gives_the_best_of_a_list_its_weight_and_the_last_nothing() -> None:
    part = RankedList("semantic", 2.0, np.array([5, 6, 7]), np.array([0.9, 0.8, 0.5], np.float32))
    fused = fuse([part], method=Fusion.SPREAD, rank_constant=60)
    assert fused.rows.tolist() == [5, 6, 7]
    assert fused.scores.tolist() == pytest.approx([2.0, 1.5, 0.0], abs=1e-6)


def test_spread_gives_equal_scores_their_whole_weight() -> None:
    part = RankedList("lexical", 1.0, np.array([5, 6]), np.array([0.4, 0.4], np.float32))
    assert fuse([part], method=Fusion.SPREAD, rank_constant=60).scores.tolist() == [1.0, 1.0]


def test_evidence_counts_scores_as_they_stand_however_the_list_spreads() -> None:
    poor = RankedList("semantic", 1.0, np.array([5, 6]), np.array([0.3, 0.2], np.float32))
    good = RankedList("graph", 0.5, np.array([7]), np.array([0.8], np.float32))
    fused = fuse([poor, good], method=Fusion.EVIDENCE, rank_constant=60)
    assert fused.rows.tolist() == [7, 5, 6]
    assert fused.scores.tolist() == pytest.approx([0.4, 0.3, 0.2])


def test_evidence_takes_what_a_list_does_not_have_for_what_it_may_score_at_most() -> None:
    meaning = RankedList(
        "semantic", 1.0, np.array([5, 6]), np.array([0.6, 0.4], np.float32), rest=0.4
    )
    words = RankedList("lexical", 0.5, np.array([7]), np.array([0.2], np.float32))
    fused = fuse([meaning, words], method=Fusion.EVIDENCE, rank_constant=60)
    assert dict(zip(fused.rows.tolist(), fused.scores.tolist(), strict=True)) == pytest.approx(
        {5: 0.6, 7: 0.5, 6: 0.4}
    )


def test_a_score_that_tells_nothing_counts_little_less_than_the_last_that_does() -> None:
    likeness = replace(ranked("semantic", [1, 2, 3, 4], [0.8, 0.5, 0.2, 0.1]), rest=0.1)
    words = ranked("lexical", [5], [0.3])
    plain = fused([likeness, words], Fusion.EVIDENCE)
    assert score_of(plain, 4) == pytest.approx(0.1)
    assert score_of(plain, 5) == pytest.approx(0.4)
    found = fused([replace(likeness, telling=0.3), words], Fusion.EVIDENCE)
    assert [score_of(found, row) for row in (1, 2)] == pytest.approx([0.8, 0.5])
    assert [score_of(found, row) for row in (3, 4)] == pytest.approx([0.47, 0.46])
    assert score_of(found, 5) == pytest.approx(0.46 + 0.3)
    alone = np.array([True, True, False, True])
    found = fused([replace(likeness, telling=0.3, alone=alone), words], Fusion.EVIDENCE)
    assert [score_of(found, row) for row in (3, 4)] == pytest.approx([0.47, 0.28])


def test_where_no_score_tells_anything_each_counts_as_it_is() -> None:
    likeness = replace(ranked("semantic", [1, 2], [0.2, 0.1]), rest=0.1, telling=0.3)
    assert fused([likeness], Fusion.EVIDENCE).scores.tolist() == pytest.approx([0.2, 0.1])
