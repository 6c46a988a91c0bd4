"""The metrics and their intervals, against numbers worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pytest
from bench.evaluation.abstention import ALL, abstention
from bench.evaluation.bootstrap import interval_of_banks, interval_of_questions, sign_flip_p
from bench.evaluation.metrics import (
    Scored,
    by_category,
    macro,
    means,
    score_sessions,
    score_stale,
    score_units,
)


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
    scored = [Scored("a", "b", "large", False, {"recall@10": 0.0}) for _ in range(9)]
    scored.append(Scored("b", "b", "small", False, {"recall@10": 1.0}))
    groups = {name: means(group) for name, group in by_category(scored).items()}
    assert list(groups) == ["large", "small"]
    assert macro(groups) == {"recall@10": 0.5}


def test_a_metric_that_only_some_questions_have_is_averaged_over_those() -> None:
    first = Scored("a", "b", "c", False, {"x": 1.0, "y": 1.0})
    second = Scored("b", "b", "c", False, {"x": 0.0})
    assert means([first, second]) == {"x": 0.5, "y": 1.0}


def test_hit_at_1_wants_the_evidence_first() -> None:
    assert score_units(["a", "x"], ["a"])["hit@1"] == 1.0
    assert score_units(["x", "a"], ["a"])["hit@1"] == 0.0


@pytest.mark.parametrize(
    ("ranked", "value"),
    [
        (["x", "new", "old"], 0.0),
        (["x", "old", "new"], 1.0),
        (["old"], 1.0),
        (["x", "y"], 0.0),
    ],
)
def test_stale_at_1_says_that_what_is_no_longer_so_came_before_what_is(
    ranked: list[str], value: float
) -> None:
    assert score_stale(ranked, ["new", "newer"], ["old", "older"]) == {"stale@1": value}
    assert score_stale(ranked, ["new"], []) == {}


def questions(banks: Mapping[str, Sequence[float]]) -> list[Scored]:
    return [
        Scored(f"{bank}{n}", bank, f"c{n % 2}", False, {"x": value})
        for bank, values in banks.items()
        for n, value in enumerate(values)
    ]


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few = interval_of_questions(questions({"b": [0.0, 0.0, 1.0, 1.0] * 5}), "x")
    many = interval_of_questions(questions({"b": [0.0, 0.0, 1.0, 1.0] * 500}), "x")
    assert few[0] < 0.5 < few[1]
    assert many[1] - many[0] < (few[1] - few[0]) / 5


def test_more_questions_do_not_tell_more_of_other_banks() -> None:
    asked = questions({"easy": [1.0] * 400, "hard": [0.0] * 400, "middling": [0.5] * 400})
    low, high = interval_of_questions(asked, "x")
    assert high - low < 0.01
    others = interval_of_banks(asked, "x")
    assert others is not None
    assert others[0] < 0.2 < 0.8 < others[1]


def test_one_bank_says_nothing_of_others() -> None:
    assert interval_of_banks(questions({"b": [0.0, 1.0]}), "x") is None


def test_an_interval_is_the_same_every_time() -> None:
    asked = questions({"a": [0.1, 0.9, 0.4], "b": [0.3, 0.2]})
    assert interval_of_questions(asked, "x") == interval_of_questions(asked, "x")
    assert interval_of_banks(asked, "x") == interval_of_banks(asked, "x")


def test_abstention_is_told_by_kind_and_all_together() -> None:
    found = abstention([0.9, 0.8, 0.6, 0.3], {"near": [0.7, 0.6], "absent": [0.1, 0.2], "": [0.1]})
    assert list(found) == [ALL, "absent", "near"]
    assert found["absent"].auroc == 1.0
    assert found["absent"].false_alarms == 0.0
    # Of the eight pairs .9 and .8 win four, .6 ties one and loses one, .3 loses two.
    assert found["near"].auroc == pytest.approx(4.5 / 8)
    # To catch three quarters of two is to catch both: a floor at .7 refuses .6 and .3 as well.
    assert found["near"].false_alarms == 0.5
    assert (found[ALL].answerable, found[ALL].unanswerable) == (4, 5)


def test_without_questions_of_both_sorts_there_is_no_abstention() -> None:
    assert abstention([0.5], {}) == abstention([], {"near": [0.5]}) == {}


def test_a_consistent_difference_is_unlikely_by_chance_and_a_balanced_one_is_not() -> None:
    assert sign_flip_p([0.5] * 20) < 0.001
    assert sign_flip_p([0.5, -0.5] * 20) == 1.0
    assert sign_flip_p([0.0, 0.0]) == 1.0
