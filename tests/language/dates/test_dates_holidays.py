"""Holidays fall where the world's calendars put them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from scrubjay.language.dates import TimeContext, question_window
from scrubjay.language.dates.semantics.holidays import holidays


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("easter", "2024-03-31"),
        ("easter", "2000-04-23"),
        ("easter", "1954-04-18"),
        ("orthodox_easter", "2024-05-05"),
        ("good_friday", "2025-04-18"),
        ("pentecost", "2023-05-28"),
        ("thanksgiving", "2023-11-23"),
        ("black_friday", "2024-11-29"),
        ("memorial_day", "2024-05-27"),
        ("mothers_day", "2025-05-11"),
        ("christmas", "2030-12-25"),
        ("rosh_hashanah", "2024-10-03"),
        ("yom_kippur", "2023-09-25"),
        ("passover", "2025-04-13"),
        ("hanukkah", "2023-12-08"),
        ("chinese_new_year", "2025-01-29"),
        ("chinese_new_years_eve", "2024-02-09"),
        ("mid_autumn", "2024-09-17"),
        ("dragon_boat", "2023-06-22"),
        ("qingming", "2024-04-04"),
        ("eid_al_fitr", "2024-04-10"),
        ("diwali", "2022-10-24"),
    ],
)
def test_a_holiday_begins_on_its_day(name: str, day: str) -> None:
    bounds = holidays()[name].bounds(int(day[:4]))
    assert bounds is not None and bounds[0].date().isoformat() == day


def test_a_year_outside_a_table_has_no_such_holiday() -> None:
    assert holidays()["diwali"].bounds(1980) is None


def test_long_holidays_last() -> None:
    bounds = holidays()["hanukkah"].bounds(2023)
    assert bounds is not None and (bounds[1] - bounds[0]).days == 8


@pytest.mark.parametrize(
    "question",
    [
        "How did I spend Valentine's Day?",
        "How did we spend Valentines?",
        "what did I do on valentine day",
        "How did we spend St Patrick's Day?",
    ],
)
def test_a_feast_is_found_whole_with_and_without_its_apostrophe(question: str) -> None:
    context = TimeContext(now=datetime(2026, 4, 20, 12, tzinfo=UTC), zone=ZoneInfo("UTC"))
    found = question_window(question, context)
    assert found is not None
    wanted = question.split("spend " if "spend" in question else "on ")[1].rstrip("?")
    assert found.text == wanted
