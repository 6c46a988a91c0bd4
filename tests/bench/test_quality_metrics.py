"""The metrics and their intervals, against numbers worked out by hand."""

from __future__ import annotations

import math

import pytest
from bench.evaluation.bootstrap import macro_interval, sign_flip_p
from bench.evaluation.metrics import Scored, by_category, macro, means, score_sessions, score_units


def test_recall_is_the_share_of_the_evidence_in_the_first_k() -> None:
    ranked = [f"u{n}" for n in range(50)]
    values = score_units(ranked, ["u0", "u7", "u19", "missing"])
    assert [values[f"recall@{k}"] for k in (5, 10, 20, 50)] == [0.25, 0.5, 0.75, 0.75]


def test_hit_wants_one_and_full_wants_all() -> None:
    values = score_units(["a", "x", "x2", "x3", "x4", "b"], ["a", "b"])
    assert (values["hit@5"], values["full@5"], values["full@10"]) == (1.0, 0.0, 1.0)
    assert score_units(["x"], ["a"])["hit@50"] == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_place() -> None:
    values = score_units(["x", "a", "y", "b"], ["a", "b"])
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    assert values["ndcg@10"] == pytest.approx(gain / (1 + 1 / math.log2(3)))


def test_ndcg_is_one_when_the_first_ten_are_all_evidence() -> None:
    ranked = [f"u{n}" for n in range(10)]
    assert score_units(ranked, [f"u{n}" for n in range(30)])["ndcg@10"] == pytest.approx(1.0)


def test_mrr_is_one_over_the_first_place() -> None:
    assert score_units(["x", "y", "a", "b"], ["b", "a"])["mrr"] == pytest.approx(1 / 3)
    assert score_units(["x"], ["a"])["mrr"] == 0.0


def test_sessions_are_scored_like_units() -> None:
    values = score_sessions(["s1", "s2", "s3", "s4", "s5", "s6"], ["s6", "s2"])
    assert (values["session_recall@5"], values["session_recall@10"]) == (0.5, 1.0)


def test_the_macro_counts_each_category_the_same() -> None:
    scored = [Scored("a", "large", False, {"recall@10": 0.0}) for _ in range(9)]
    scored.append(Scored("b", "small", False, {"recall@10": 1.0}))
    groups = {name: means(group) for name, group in by_category(scored).items()}
    assert list(groups) == ["large", "small"]
    assert macro(groups) == {"recall@10": 0.5}


def test_a_metric_that_only_some_questions_have_is_averaged_over_those() -> None:
    scored = [Scored("a", "c", False, {"x": 1.0, "y": 1.0}), Scored("b", "c", False, {"x": 0.0})]
    assert means(scored) == {"x": 0.5, "y": 1.0}


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few = macro_interval([[0.0, 1.0] * 10])
    many = macro_interval([[0.0, 1.0] * 1_000])
    assert few[0] < 0.5 < few[1]
    assert many[1] - many[0] < (few[1] - few[0]) / 5


def test_an_interval_is_the_same_every_time() -> None:
    groups = [[0.1, 0.9, 0.4], [0.3, 0.2]]
    assert macro_interval(groups) == macro_interval(groups)


def test_a_consistent_difference_is_unlikely_by_chance_and_a_balanced_one_is_not() -> None:
    assert sign_flip_p([0.5] * 20) < 0.001
    assert sign_flip_p([0.5, -0.5] * 20) == 1.0
    assert sign_flip_p([0.0, 0.0]) == 1.0
