"""Numbers that name a thing are no dates, and numbers that are dates need no month's name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, ToldTimes, question_window, told_times

# A Wednesday.
CONTEXT = TimeContext(now=datetime(2026, 10, 14, 10, 0, tzinfo=UTC), zone=UTC)


def start(text: str) -> str | None:
    found = told_times(text, CONTEXT).occurred
    if found is None or found.window.start is None:
        return None
    return found.window.start.strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(
    "text",
    [
        "Part no. 11.04.27 fits the old pump.",
        "The serial number is 07.06.2019.",
        "The gate's code is 12.11.",
        "Item 03.08.25 is sold out.",
        "The safe's combination is 10-12-30.",
        "Batch 2025-11 was recalled.",
        "Invoice RE-2026-09-04 is open.",
        "Build 2026.9.2 is broken.",
        "We use the 10-8-2 mix.",
        "Der Code lautet 10-11-12.",
        "Wer hat die 20er-Karte?",
        "Die Gerätenummer ist 04.10.2021.",
        "Artikel 03.08.25 ist vergriffen.",
        "La pièce 04.07.25 manque.",
        "La referencia es 04.07.25.",
        "A peça 04.07.25 acabou.",
        "Che codice è il 04.07.25?",
        "The tag reads 09.12.48.",
        "We live at 12 June Avenue.",
        "Ticket 2019 is a copy of 2017.",
    ],
)
def test_a_number_that_names_a_thing_is_no_date(text: str) -> None:
    assert told_times(text, CONTEXT) == ToldTimes()
    assert question_window(text, CONTEXT) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Invoice 12.09.2026 is paid.", "2026-09-12"),
        ("She was born on 09.12.48.", "1948-12-09"),
        ("Impftermin 9.11.", "2026-11-09"),
        ("Müll 17.10., Papier 24.10.", "2026-10-17"),
        ("The tax return is due 31.10.", "2026-10-31"),
        ("Team meeting 11/20", "2026-11-20"),
        ("Paid on 10-12-26.", "2026-10-12"),
    ],
)
def test_a_date_in_numbers_is_read_where_its_place_says_so(text: str, day: str) -> None:
    found = start(text)
    assert found is not None and found[:10] == day


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        # The 9th of October is a Friday in 2026, and the 20th of November, too.
        ("Tue 9.10 train to Bern", "2026-10-20T09:10"),
        ("Fri 9.10 train to Bern", "2026-10-09T00:00"),
        ("Physio Thursday 8.05", "2026-10-15T08:05"),
    ],
)
def test_a_pair_of_numbers_is_a_date_only_if_its_weekday_agrees(text: str, moment: str) -> None:
    assert start(text) == moment


def test_the_weekday_tells_the_year_where_the_tense_does_not() -> None:
    assert start("Ferry Tuesday 9 March") == "2027-03-09T00:00"
    assert start("Ferry Monday 9 March") == "2026-03-09T00:00"


@pytest.mark.parametrize(
    "text",
    [
        "Who has the car every second Friday?",
        "Who cooks on weekends?",
        "Qui cuisine le mardi ?",
        "What do we wear, our Sunday best?",
        "Where is Autumn's lunch box?",
        "How old are Augusta and her sister?",
    ],
)
def test_what_comes_round_and_who_is_called_so_is_no_time(text: str) -> None:
    assert question_window(text, CONTEXT) is None


@pytest.mark.parametrize(
    "text",
    [
        "The weekly sync is on Tuesday at 10.",
        "Open Mon-Fri 9-5.",
        "The rent is always due on the 3rd.",
        "Die Miete ist immer am 3. fällig.",
        "Il martedì vado in palestra.",
    ],
)
def test_a_habit_is_not_dated_by_its_hour_or_its_day(text: str) -> None:
    assert told_times(text, CONTEXT) == ToldTimes()
