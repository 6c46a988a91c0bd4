"""Reranking reads what its budget allows, as the design writes it, and the rest stays below."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.engine.rerank.pairs import above, blended, pairs_within, score_pairs, shown
from scrubjay.errors import EncoderError
from scrubjay.testing import OverlapReranker
from scrubjay.types.arrays import ScoreArray
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import UnitId

MARCH = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def unit(text: str, **given: object) -> StoredUnit:
    return StoredUnit(UnitId("u"), text, "fact", JUNE, JUNE, **given)  # type: ignore[arg-type]


class Costly(OverlapReranker):
    """Says what each pair costs: a millisecond for each character of its text."""

    def costs_ms(self, question: str, texts: Sequence[str]) -> list[float]:
        del question
        return [float(len(text)) for text in texts]


class Saying(OverlapReranker):
    """Answers what it was given to say."""

    def __init__(self, answer: ScoreArray | Exception) -> None:
        self.answer = answer

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        del question, texts
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_hindsight_the_cross_encoder_reads_the_date_in_words_and_digits_and_the_context() -> None:
    told = unit("The lock was changed.", occurred_start=MARCH, context="Boathouse")
    assert shown(told) == "[Date: March 02, 2026 (2026-03-02)] Boathouse: The lock was changed."


def test_a_unit_without_a_date_of_its_own_is_dated_when_it_was_told() -> None:
    told = unit("Fine by me.", speaker="Ines")
    assert shown(told) == "[Date: June 01, 2026 (2026-06-01)] Ines: Fine by me."


@pytest.mark.parametrize(
    ("budget_ms", "pairs"), [(None, 6), (12.0, 3), (11.9, 2), (1.0, 1), (10_000.0, 6)]
)
def test_the_budget_bounds_the_number_of_pairs(budget_ms: float | None, pairs: int) -> None:
    assert pairs_within(budget_ms, "q", ["four"] * 6, Costly()) == pairs


def test_long_texts_use_up_the_budget_sooner() -> None:
    texts = ["four", "four" * 20, "four", "four"]
    assert pairs_within(20.0, "q", texts, Costly()) == 1
    assert pairs_within(90.0, "q", texts, Costly()) == 3


def test_a_reranker_that_does_not_know_its_cost_reads_whatever_it_is_given() -> None:
    assert pairs_within(1.0, "q", ["four"] * 80, OverlapReranker()) == 80


def test_no_texts_are_no_pairs() -> None:
    assert pairs_within(1.0, "q", [], Costly()) == 0


def test_logits_become_scores_between_0_and_1_even_far_out() -> None:
    read = score_pairs("q", ["a", "b", "c"], Saying(np.array([-2000.0, 0, 2000])))
    assert read.tolist() == pytest.approx([0.0, 0.5, 1.0])


@pytest.mark.parametrize(
    "answer",
    [
        np.array([0.1]),
        np.array([0.1, np.nan]),
        np.array([[0.1, 0.2]]),
        RuntimeError("out of memory"),
        EncoderError("the endpoint is down"),
    ],
)
def test_a_reranker_that_fails_or_answers_nonsense_is_an_encoder_error(
    answer: ScoreArray | Exception,
) -> None:
    with pytest.raises(EncoderError):
        score_pairs("q", ["a", "b"], Saying(answer))


def test_a_share_of_one_replaces_the_fused_score_and_less_mixes_both() -> None:
    fused, read = np.array([0.03, 0.02, 0.01]), np.array([0.1, 0.9, 0.5])
    assert blended(fused, read, 1.0).tolist() == [0.1, 0.9, 0.5]
    assert blended(fused, read, 0.5).tolist() == pytest.approx([0.5, 0.75, 0.25])


def test_what_was_not_read_stays_below_what_was_in_its_own_order() -> None:
    joined = above(np.array([0.4, 0.2]), np.array([5.0, 7.0, 1.0]))
    assert joined[:2].tolist() == [0.4, 0.2]
    assert joined[3] < 0.2
    assert joined[3] > joined[2] > joined[4]


@given(
    st.lists(st.floats(0, 1), max_size=10),
    st.lists(st.floats(0, 2), max_size=10),
)
def test_no_unread_candidate_ever_passes_a_read_one(read: list[float], rest: list[float]) -> None:
    joined = above(np.array(read), np.array(rest))
    assert len(joined) == len(read) + len(rest)
    if read and rest:
        assert joined[len(read) :].max() <= joined[: len(read)].min()
