"""Times as they are typed in a hurry, and what beside them says that they are times, or none."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from scrubjay.language.dates import TimeContext, question_window, told_times

# A Wednesday.
NOW = datetime(2026, 2, 11, 10, tzinfo=UTC)
CONTEXT = TimeContext(now=NOW, zone=UTC, born=date(1990, 5, 20))


def days(question: str) -> tuple[str, str] | None:
    mention = question_window(question, CONTEXT)
    if mention is None:
        return None
    start, end = mention.window.start, mention.window.end
    assert start is not None and end is not None
    return start.date().isoformat(), end.date().isoformat()


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("nxt wk plans", "2026-02-16", "2026-02-22"),
        ("whats on 2moro", "2026-02-12", "2026-02-12"),
        ("who rang the day b4 yest", "2026-02-09", "2026-02-09"),
        ("what did ann say fri pm", "2026-02-06", "2026-02-06"),
        ("mondat standup", "2026-02-09", "2026-02-09"),
        ("what did i eat ystrday", "2026-02-10", "2026-02-10"),
        ("last academic yr fees", "2024-09-01", "2025-08-31"),
        ("revenue q4/25", "2025-10-01", "2025-12-31"),
        ("was war heute Morgen los", "2026-02-11", "2026-02-11"),
        ("rdv de la sem pro", "2026-02-16", "2026-02-22"),
    ],
)
def test_an_abbreviation_or_a_slip_stands_for_its_word(question: str, start: str, end: str) -> None:
    assert days(question) == (start, end)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("expenses jan pls", "2026-01-01", "2026-01-31"),
        ("May's power bill", "2025-05-01", "2025-05-31"),
        ("2025 sales", "2025-01-01", "2025-12-31"),
        ("friday standup, who was late", "2026-02-06", "2026-02-06"),
        ("friday - who rang", "2026-02-06", "2026-02-06"),
        ("who called friday", "2026-02-06", "2026-02-06"),
        ("who is coming friday", "2026-02-13", "2026-02-13"),
        ("anything planned friday", "2026-02-13", "2026-02-13"),
        ("tomorrow am I free", "2026-02-12", "2026-02-12"),
        ("Was haben wir Freitag beschlossen?", "2026-02-06", "2026-02-06"),
        ("what did we spend last 7 days", "2026-02-04", "2026-02-11"),
        ("what did we do on my birthday", "2025-05-20", "2025-05-20"),
        ("the year i was born where did mum work", "1990-01-01", "1990-12-31"),
    ],
)
def test_what_stands_beside_it_says_that_it_is_a_time(question: str, start: str, end: str) -> None:
    assert days(question) == (start, end)


@pytest.mark.parametrize(
    "question",
    [
        "ticket JUN-2041 owner",
        "our dog Sunday's vet",
        "Friday is my cat, what does she eat",
        "chords of the song yesterday song",
        "eod meaning",
        "friday.example password",
        "did May call back",
        "how many steps are there in a day",
        "teléfono de Domingo",
        "二号方案是什么",
        "sturdy boots",
    ],
)
def test_the_name_of_something_else_is_no_time(question: str) -> None:
    assert days(question) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Promised Ann the draft by Friday.", "2026-02-13"),
        ("Report due Friday.", "2026-02-13"),
        ("Cancelled: yoga on Friday.", "2026-02-13"),
        ("Got a haircut on Monday.", "2026-02-09"),
        ("Abgabe bis Freitag.", "2026-02-13"),
        ("会议改到2月20日。", "2026-02-20"),
    ],
)
def test_a_statement_is_dated_by_what_it_does(text: str, day: str) -> None:
    told = told_times(text, CONTEXT)
    assert told.occurred is not None and told.occurred.window.start is not None
    assert told.occurred.window.start.date().isoformat() == day
    assert told.valid_from is None and told.valid_to is None


@pytest.mark.parametrize(
    "text",
    [
        "Meeting was on the 20th, now it's the 24th.",
        "Der Termin am 20. Februar wurde auf den 24. Februar verschoben.",
        "La cita se movió del 20 al 24 de febrero.",
        "会议从2月20日改到2月24日。",
    ],
)
def test_what_was_moved_keeps_both_days(text: str) -> None:
    told = told_times(text, CONTEXT)
    assert told.was is not None and told.was.start == datetime(2026, 2, 20, tzinfo=UTC)
    assert told.occurred is not None
    assert told.occurred.window.start == datetime(2026, 2, 24, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("where was the chirstmas party", "2025-12-25", "2025-12-25"),
        ("what did we do in the easter holidays", "2025-04-13", "2025-04-27"),
        ("Wo waren wir in den Osterferien 2025?", "2025-04-13", "2025-04-27"),
        ("What was the temperature at 6 a.m. on Saturday?", "2026-02-07", "2026-02-07"),
        ("Is there a train after noon tomorrow?", "2026-02-12", "2026-02-12"),
    ],
)
def test_holidays_and_times_of_day_are_read_as_people_put_them(
    question: str, first: str, last: str
) -> None:
    assert days(question) == (first, last)
