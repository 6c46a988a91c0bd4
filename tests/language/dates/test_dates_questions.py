"""How much of the questions about time is read right: shares, because no grammar reads them all."""

from __future__ import annotations

import pytest
from tests.language.dates.questions import numbers, told_right


@pytest.mark.parametrize(
    ("half", "exact_min", "alarms_max"),
    [
        ("seen", 0.99, 0.0),
        ("kept_apart", 0.98, 0.01),
        ("fresh", 0.8, 0.0),
        ("asked_dev", 0.98, 0.03),
        ("asked_apart", 0.94, 0.01),
        ("later_asked_dev", 0.98, 0.01),
        ("later_asked_apart", 0.93, 0.05),
        ("third_asked_dev", 0.97, 0.05),
        ("third_asked_apart", 0.97, 0.03),
        ("fourth_asked_dev", 0.99, 0.01),
        ("fourth_asked_apart", 0.99, 0.02),
        ("fifth_asked_dev", 0.99, 0.01),
        ("fifth_asked_apart", 0.98, 0.01),
        ("sixth_asked_dev", 0.95, 0.01),
        ("sixth_asked_apart", 0.93, 0.03),
        ("seventh_asked_dev", 0.99, 0.01),
        ("seventh_asked_apart", 0.98, 0.0),
        ("eighth_asked_dev", 0.99, 0.01),
        ("eighth_asked_apart", 0.96, 0.02),
        ("ninth_asked_dev", 0.98, 0.01),
        ("ninth_asked_apart", 0.95, 0.06),
        ("tenth_asked_dev", 0.98, 0.02),
        ("tenth_asked_apart", 0.94, 0.05),
    ],
)
def test_questions_about_time_are_read_as_meant(
    half: str, exact_min: float, alarms_max: float
) -> None:
    exact, alarms = numbers(half)
    assert exact >= exact_min
    assert alarms <= alarms_max


@pytest.mark.parametrize(
    ("half", "right_min"),
    [
        ("told_dev", 0.98),
        ("told_apart", 0.97),
        ("later_told_dev", 0.98),
        ("later_told_apart", 0.88),
        ("third_told_dev", 0.99),
        ("third_told_apart", 0.93),
        ("fourth_told_dev", 0.96),
        ("fourth_told_apart", 0.97),
        ("fifth_told_dev", 0.99),
        ("fifth_told_apart", 0.99),
        ("sixth_told_dev", 0.99),
        ("sixth_told_apart", 0.98),
        ("seventh_told_dev", 0.98),
        ("seventh_told_apart", 0.99),
        ("eighth_told_dev", 0.99),
        ("eighth_told_apart", 0.99),
        ("ninth_told_dev", 0.99),
        ("ninth_told_apart", 0.8),
        ("ninth_plain_dev", 0.99),
        ("ninth_plain_apart", 0.99),
        ("tenth_told_dev", 0.96),
        ("tenth_told_apart", 0.96),
        ("tenth_plain_dev", 0.97),
        ("tenth_plain_apart", 0.97),
    ],
)
def test_statements_about_time_are_read_as_meant(half: str, right_min: float) -> None:
    assert told_right(half) >= right_min
