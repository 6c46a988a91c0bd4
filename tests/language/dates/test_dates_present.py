"""What holds now is no window, and other senses of time words that the tense or the verb tells."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, question_window, told_window

MONDAY = TimeContext(now=datetime(2026, 11, 16, 10, tzinfo=UTC), zone=UTC)


@pytest.mark.parametrize(
    "question",
    [
        "What do I pay for the storage unit these days?",
        "who owns the bakery today",
        "how much rent do we pay this year",
        "Who is our treasurer this year?",
        "what is the fee this month",
        "was zahle ich dieses Jahr für Strom",
        "combien je paie cette année pour le parking",
        "who wrote Yesterday",
        "who is the girl from Friday Night Dinner",
        "does Rosa prefer winter to summer",
        "what's the polish for friday",
    ],
)
def test_what_holds_now_or_is_only_called_so_is_no_window(question: str) -> None:
    assert question_window(question, MONDAY) is None


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("who is off today", "2026-11-16"),
        ("who pays today", "2026-11-16"),
        ("what should I do today", "2026-11-16"),
        ("Has the parcel come on Friday?", "2026-11-13"),
        ("do they come on friday", "2026-11-20"),
        ("Put me down for Tuesday", "2026-11-17"),
        ("whens the match on sunday", "2026-11-22"),
        ("is the 5th ok", "2026-12-05"),
        ("c'était quoi le resto de mardi", "2026-11-10"),
    ],
)
def test_what_happens_is_on_its_day(question: str, day: str) -> None:
    found = question_window(question, MONDAY)
    assert found is not None
    assert found.window.start is not None
    assert found.window.start.date().isoformat() == day


@pytest.mark.parametrize("question", ["what have I been eating these days", "what's on this month"])
def test_days_that_are_looked_at_are_a_window(question: str) -> None:
    assert question_window(question, MONDAY) is not None


@pytest.mark.parametrize(
    ("told", "day"),
    [
        ("rang the bank on friday, they call back on the 20th", "2026-11-13"),
        ("test results come out 3 dec", "2026-12-03"),
        ("wir haben uns die Reise für Mai vorgenommen", "2027-05-01"),
        ("no calls on friday please", "2026-11-20"),
        ("we split up in february", "2026-02-01"),
        ("Am Samstag habe ich das Dach draufgesetzt.", "2026-11-14"),
    ],
)
def test_a_statement_looks_where_its_verb_does(told: str, day: str) -> None:
    found = told_window(told, MONDAY)
    assert found is not None
    assert found.window.start is not None
    assert found.window.start.date().isoformat() == day


@pytest.mark.parametrize(
    "told",
    [
        "I drive a van these days",
        "tomorrow is another day",
        "das ist Schnee von gestern",
        "I prefer winter to summer",
        "we don't celebrate Thanksgiving",
        "j'adore le printemps",
        "my favourite novel is 1Q84",
    ],
)
def test_a_saying_or_a_liking_dates_nothing(told: str) -> None:
    assert told_window(told, MONDAY) is None
