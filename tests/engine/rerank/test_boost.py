"""Boosts stay small: they settle ties and never turn a mediocre new memory into the best."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.engine.presets import HINDSIGHT
from scrubjay.engine.rerank.boost import factor, recency
from scrubjay.engine.retrieve.proximity import proximity
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.values import Window

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def columns(
    told: list[datetime | None],
    starts: list[datetime | None] | None = None,
    ends: list[datetime | None] | None = None,
) -> Columns:
    count = len(told)

    def times(moments: list[datetime | None]) -> npt.NDArray[np.int64]:
        return np.array([NO_TIME if m is None else to_micros(m) for m in moments], np.int64)

    none: list[datetime | None] = [None] * count
    return Columns(
        rows=np.arange(count),
        types=np.zeros(count, np.uint8),
        told_at=times(told),
        occurred_start=times(starts or none),
        occurred_end=times(ends or none),
        valid_from=times(none),
        valid_to=times(none),
        sessions=np.full(count, -1, np.int32),
        tokens=np.ones(count, np.int32),
    )


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def test_recency_fades_over_a_year_to_a_tenth_and_is_neutral_without_a_date() -> None:
    found = recency(columns([ago(0), ago(73), ago(365), ago(4000), None]), NOW)
    assert found.tolist() == pytest.approx([1.0, 0.8, 0.1, 0.1, 0.5])


def test_recency_counts_from_when_it_happened_not_from_when_it_was_told() -> None:
    found = recency(columns([ago(0)], [ago(146)]), NOW)
    assert found.tolist() == pytest.approx([0.6])


def test_what_is_planned_is_as_recent_as_today() -> None:
    assert recency(columns([ago(-30)]), NOW).tolist() == [1.0]


def test_hindsight_each_boost_lies_between_0_9_and_1_1() -> None:
    edges = factor(np.array([0.0, 0.5, 1.0]), HINDSIGHT.recency_weight)
    assert edges.tolist() == pytest.approx([0.9, 1.0, 1.1])


def test_hindsight_both_boosts_together_give_at_most_21_and_take_at_most_19_percent() -> None:
    both = [
        factor(np.array([v]), HINDSIGHT.recency_weight)
        * factor(np.array([v]), HINDSIGHT.temporal_weight)
        for v in (1.0, 0.0)
    ]
    assert [round(float(b[0]) - 1, 2) for b in both] == [0.21, -0.19]


def test_hindsight_a_highly_relevant_old_memory_beats_a_mediocre_new_one() -> None:
    old = 0.8 * factor(np.array([0.1]), 0.2)[0] * factor(np.array([0.0]), 0.2)[0]
    new = 0.5 * factor(np.array([1.0]), 0.2)[0] * factor(np.array([1.0]), 0.2)[0]
    assert old > new


@given(st.floats(0, 1), st.floats(0, 0.5))
def test_a_boost_never_leaves_half_its_weight_around_1(value: float, weight: float) -> None:
    boosted = float(factor(np.array([value]), weight)[0])
    assert 1 - weight / 2 - 1e-9 <= boosted <= 1 + weight / 2 + 1e-9


@given(st.integers(-4000, 4000))
def test_recency_is_always_between_a_tenth_and_one(days: int) -> None:
    assert 0.1 <= recency(columns([ago(days)]), NOW)[0] <= 1.0


WEEK = Window(ago(7), ago(0))


def test_proximity_is_1_in_the_middle_of_the_window_and_0_at_its_edges_and_beyond() -> None:
    found = proximity(columns([ago(3.5), ago(7), ago(0), ago(30), ago(5.25)]), WEEK)
    assert found.tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.5], abs=1e-6)


def test_what_lasted_is_as_close_as_its_nearest_moment_by_how_much_the_window_has_of_it() -> None:
    around, reaching_in = proximity(
        columns([ago(0), ago(0)], [ago(5), ago(20)], [ago(3), ago(3)]), WEEK
    ).tolist()
    assert around == pytest.approx(1.0, abs=1e-6)
    assert 0.2 < reaching_in < 0.5


def test_an_open_window_or_none_is_neutral() -> None:
    assert proximity(columns([ago(1)]), Window(ago(7), None)).tolist() == [0.5]
    assert proximity(columns([ago(1)]), None).tolist() == [0.5]


@given(st.floats(-400, 400), st.floats(0, 100), st.floats(0, 50))
def test_proximity_is_always_in_range(begin: float, length: float, lasted: float) -> None:
    window = Window(ago(length), ago(0))
    start = ago(begin)
    found = proximity(columns([start], [start], [start + timedelta(days=lasted)]), window)
    assert 0.0 <= found[0] <= 1.0
