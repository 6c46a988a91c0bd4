"""When the thing a memory tells of happened, relative to when it was told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import reading_at

from scrubjay.language.dates import SessionSpan, TimeContext, told_window

TOLD = datetime(2024, 6, 19, 14, 30, tzinfo=UTC)
LOG = (SessionSpan(datetime(2024, 6, 1, tzinfo=UTC), datetime(2024, 6, 2, tzinfo=UTC)),)
CONTEXT = TimeContext(now=TOLD, zone=UTC, sessions=LOG)


def days(text: str) -> tuple[str, str] | None:
    mention = told_window(text, CONTEXT)
    if mention is None:
        return None
    window = mention.window
    return (
        "" if window.start is None else window.start.date().isoformat(),
        "" if window.end is None else window.end.date().isoformat(),
    )


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I flew to Rome in March.", "2024-03-01", "2024-03-31"),
        ("We had dinner with Ann on Friday.", "2024-06-14", "2024-06-14"),
        ("My sister's wedding was on August 5.", "2023-08-05", "2023-08-05"),
        ("Yesterday I signed up for a pottery class!", "2024-06-18", "2024-06-18"),
        ("I adopted a cat two weeks ago.", "2024-06-03", "2024-06-09"),
        ("I was born on 4 March 1990.", "1990-03-04", "1990-03-04"),
        ("I worked at the mill from 2015 to 2018.", "2015-01-01", "2018-12-31"),
        ("I recently bought a bike.", "2024-05-20", "2024-06-19"),
        ("Ann moved the rehearsal to 14 May.", "2025-05-14", "2025-05-14"),
        ("The call was rescheduled to Friday.", "2024-06-21", "2024-06-21"),
    ],
)
def test_what_happened_lies_in_the_past(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("We'll fly to Rome in March.", "2025-03-01", "2025-03-31"),
        ("We are having dinner with Ann on Friday.", "2024-06-21", "2024-06-21"),
        ("Dentist appointment on Tuesday at 3pm", "2024-06-25", "2024-06-25"),
        ("The launch is on August 5.", "2024-08-05", "2024-08-05"),
        ("See you next Tuesday!", "2024-06-25", "2024-06-25"),
        ("I'll move house in two weeks.", "2024-07-01", "2024-07-07"),
        ("My exam is in three days.", "2024-06-22", "2024-06-22"),
        ("The deadline is tomorrow.", "2024-06-20", "2024-06-20"),
    ],
)
def test_what_is_planned_lies_in_the_future(text: str, start: str, end: str) -> None:
    assert days(text) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "I like green tea.",
        "Every Friday we play tennis.",
        "During Thanksgiving we usually watch a film.",
        "Do you have plans for the weekend?",
        "A lot has happened since we last talked.",
        "I wake up at 7am.",
        "Christmas is my favourite holiday.",
        "I read that book in two weeks.",
        "She may be right about the second option.",
    ],
)
def test_text_that_does_not_say_when_is_not_dated(text: str) -> None:
    assert days(text) is None


def test_a_question_after_a_statement_does_not_date_it() -> None:
    assert days("I ran a race last Sunday. What did you do yesterday?") == (
        "2024-06-16",
        "2024-06-16",
    )


def test_the_date_is_relative_to_when_it_was_told() -> None:
    earlier = TimeContext(now=datetime(2020, 1, 1, 9, tzinfo=UTC), zone=UTC)
    mention = told_window("I met him yesterday.", earlier)
    assert mention is not None and mention.window.start == datetime(2019, 12, 31, tzinfo=UTC)


def test_a_reading_noted_within_its_minute_is_of_today() -> None:
    context = TimeContext(now=datetime(2026, 5, 23, 20, 7, 12, tzinfo=UTC), zone=UTC)
    _, occurred = reading_at(context)
    assert occurred("Air in the study 900 ppm at 20:06, 23 May.") == ("2026-05-23", "2026-05-23")
    assert occurred("Dentist at 20:30, 24 May.") == ("2026-05-24", "2026-05-24")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("They will open a studio called Quay on 15 December.", "2026-12-15"),
        ("The club have ordered rolls for their supper on Friday 30 October.", "2026-10-30"),
    ],
)
def test_what_is_to_come_is_not_read_back(text: str, day: str) -> None:
    context = TimeContext(now=datetime(2026, 10, 5, 9, tzinfo=UTC), zone=UTC)
    _, occurred = reading_at(context)
    assert occurred(text) == (day, day)


def test_what_comes_round_from_a_day_to_a_day_is_not_dated() -> None:
    assert days("Jocasta covers from Friday six pm to Monday six am every second weekend.") is None
