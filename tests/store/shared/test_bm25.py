"""BM25: the formula as its paper has it, and the bounds that searches rely on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.shared.bm25 import (
    COUNT_MAX,
    IMPACT_MAX,
    K1,
    LENGTH_MAX,
    B,
    Corpus,
    impact_growth,
    impacts,
    pack_counts,
)

counts = st.integers(1, COUNT_MAX)
lengths = st.integers(1, LENGTH_MAX)
averages = st.floats(0.5, 2_000)


def impact(count: int, length: int, average: float) -> float:
    return float(impacts(np.array([count]), np.array([length]), average)[0])


@given(count=counts, length=lengths, average=averages)
def test_an_impact_is_that_of_the_formula(count: int, length: int, average: float) -> None:
    expected = count * (K1 + 1) / (count + K1 * (1 - B + B * length / average))
    assert impact(count, length, average) == pytest.approx(expected, rel=1e-5)


@given(count=counts, length=lengths, before=averages, now=averages)
def test_an_impact_is_never_above_its_bounds(
    count: int, length: int, before: float, now: float
) -> None:
    then, at_last = impact(count, length, before), impact(count, length, now)
    assert at_last <= then * impact_growth(before, now) * (1 + 1e-5)
    assert at_last <= IMPACT_MAX


@given(documents=st.integers(0, 10**7), holders=st.integers(0, 10**7))
def test_a_rare_word_weighs_more_and_none_less_than_nothing(documents: int, holders: int) -> None:
    corpus = Corpus(documents, documents)
    assert corpus.weight(holders) >= corpus.weight(holders + 1) > 0


def test_the_ceiling_is_the_sum_of_the_weights() -> None:
    corpus = Corpus(10, 50)
    assert corpus.average_length == 5.0
    assert corpus.ceiling([1, 2]) == corpus.weight(1) + corpus.weight(2)
    assert corpus.weight(10) == pytest.approx(math.log(1 + 0.5 / 10.5))
    assert Corpus().average_length == 1.0


def test_counts_are_kept_in_a_byte_each() -> None:
    assert list(pack_counts([1, 255, 256, 10_000])) == [1, 255, 255, 255]
