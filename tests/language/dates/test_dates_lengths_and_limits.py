"""How long something took is no time, and a day to be done by is no end of what holds."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, ToldTimes, told_times

# A Monday.
TOLD = datetime(2026, 11, 16, 10, tzinfo=UTC)
CONTEXT = TimeContext(now=TOLD, zone=UTC)


def told(text: str) -> ToldTimes:
    return told_times(text, CONTEXT)


def first_day(text: str) -> str | None:
    found = told(text).occurred
    if found is None or found.window.start is None:
        return None
    return found.window.start.date().isoformat()


@pytest.mark.parametrize(
    "text",
    [
        "The film ran 2h45 and nobody left",
        "She finished in 2h05.",
        "The flight takes 1h05 from Nantes",
        "The backup took 1h26",
        "My swim was 1h26 min",
        "She said 2h02 is enough",
        "1h 45 on the road",
        "The film runs 1H45",
        "La réunion a duré 1h30",
        "Fahrzeit 2h30",
    ],
)
def test_a_running_time_is_no_half_of_a_year(text: str) -> None:
    assert told(text) == ToldTimes()


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Revenue in 1H26 was flat", "2026-01-01"),
        ("2H25 margin fell", "2025-07-01"),
        ("Sales 1h26 were flat", "2026-01-01"),
        ("H1 2026 results are out", "2026-01-01"),
        ("H1/26 guidance", "2026-01-01"),
    ],
)
def test_a_half_of_a_year_is_written_large_or_beside_its_record(text: str, start: str) -> None:
    assert first_day(text) == start


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Den Bericht bis Freitag abgeben", "2026-11-20"),
        ("Das Formular bis 12. März ausfüllen", "2027-03-12"),
        ("Das Auto bis Freitag zurückbringen.", "2026-11-20"),
        ("Il rapporto va consegnato fino al 12 marzo", "2027-03-12"),
        ("Entregar el trabajo hasta el 12 de marzo", "2027-03-12"),
        ("Rendre le dossier jusqu'au 12 mars", "2027-03-12"),
    ],
)
def test_what_is_to_be_done_by_a_day_is_on_it_and_holds_on(text: str, start: str) -> None:
    assert first_day(text) == start
    assert told(text).valid_to is None


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Der Vertrag läuft bis 31. März", "2027-03-31"),
        ("Gutschein gültig bis 31.12.2026", "2026-12-31"),
        ("Wir müssen bis Freitag warten", "2026-11-20"),
        ("Die Milch soll bis Freitag reichen", "2026-11-20"),
        ("Wir sind bis Freitag offen", "2026-11-20"),
        ("L'offre est valable jusqu'au 12 mars", "2027-03-12"),
        ("I'm in Rome until Friday", "2026-11-20"),
    ],
)
def test_what_goes_on_until_a_day_ends_with_it(text: str, last: str) -> None:
    ends = told(text).valid_to
    assert told(text).occurred is None
    assert ends is not None and ends.date().isoformat() == last


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("We've agreed to meet in May", "2027-05-01"),
        ("We have booked the cabin in March", "2027-03-01"),
        ("They decided to marry in June", "2027-06-01"),
        ("On a convenu de se voir en mai", "2027-05-01"),
        ("Hemos quedado en vernos en mayo", "2027-05-01"),
        ("They agreed to the price in March", "2026-03-01"),
        ("She has visited us in June", "2026-06-01"),
        ("I booked the cabin on 3 March", "2026-03-03"),
    ],
)
def test_what_was_agreed_to_be_done_lies_ahead_and_what_was_done_does_not(
    text: str, start: str
) -> None:
    assert first_day(text) == start


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Mon 8.15 dentist", "2026-11-23T08:15"),
        ("Friday 14.30 call with Ann", "2026-11-20T14:30"),
        ("Fri 12.00 lunch with Bo", "2026-11-20T12:00"),
        ("Zahnarzt Fr 14.30", "2026-11-20T14:30"),
        ("We met on Friday 12.03.", "2026-03-12T00:00"),
    ],
)
def test_a_point_after_a_weekday_is_in_an_hour_where_no_month_follows(
    text: str, start: str
) -> None:
    found = told(text).occurred
    assert found is not None and found.window.start is not None
    assert found.window.start.strftime("%Y-%m-%dT%H:%M") == start


def test_weekdays_that_recur_by_their_article_are_no_one_day() -> None:
    assert told("Los martes tengo yoga") == ToldTimes()
    assert told("Los lunes y los jueves hay clase") == ToldTimes()
    assert first_day("El martes tengo yoga") == "2026-11-17"
    assert told("Los últimos tres días fueron duros").occurred is not None
