"""Several times in one text: lists, ranges up to now, what is put off, papers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import day, reading_at

from scrubjay.language.dates import TimeContext, told_times

# A Thursday.
CONTEXT = TimeContext(now=datetime(2026, 6, 25, 16, 45, tzinfo=UTC), zone=UTC)


asked, occurred = reading_at(CONTEXT)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("what did i say in march and again in may", "2026-03-01", "2026-05-31"),
        ("who came on the 3rd and on the 10th", "2026-06-03", "2026-06-10"),
        ("quem veio no dia 3 e no dia 10 de maio", "2026-05-03", "2026-05-10"),
        ("was habe ich im März und nochmal im Mai notiert", "2026-03-01", "2026-05-31"),
        ("whats the plan for sept 19 + 20", "2026-09-19", "2026-09-20"),
        ("what did i buy feb/mar", "2026-02-01", "2026-03-31"),
        ("readings from 1st may till date", "2026-05-01", "2026-06-25"),
        ("spese dal 1 maggio ad oggi", "2026-05-01", "2026-06-25"),
        ("who rang the other day, monday", "2026-06-22", "2026-06-22"),
        ("Was war dieses Jahr an Ostern?", "2026-04-03", "2026-04-06"),
        (
            "what's on the weekend after next, or the next weekend but one",
            "2026-07-04",
            "2026-07-05",
        ),
        ("was liegt am 8. Juli an", "2026-07-08", "2026-07-08"),
    ],
)
def test_times_that_are_asked_for_together_give_one_window(
    text: str, first: str, last: str
) -> None:
    assert asked(text) == (first, last)


def test_the_week_after_a_feast_is_counted_from_its_day() -> None:
    assert asked("Who visited us in the week after Easter?") == ("2026-04-06", "2026-04-12")


@pytest.mark.parametrize(
    ("text", "held", "was"),
    [
        ("The hearing set for 2 July is postponed until the 29th.", "2026-07-29", "2026-07-02"),
        ("The hearing on 30 June got pushed back to the 14th.", "2026-07-14", "2026-06-30"),
        ("La reunión del martes se pasa al jueves.", "2026-07-02", "2026-06-30"),
        ("La riunione di martedì slitta a giovedì.", "2026-07-02", "2026-06-30"),
        ("Tuesday's meeting moves to Thursday.", "2026-07-02", "2026-06-30"),
    ],
)
def test_what_is_put_off_lies_behind_the_day_it_was_on(text: str, held: str, was: str) -> None:
    found = told_times(text, CONTEXT)
    assert occurred(text) == (held, held)
    assert found.was is not None and day(found.was.start) == was


@pytest.mark.parametrize(
    "text",
    [
        "My contract got extended until 31 March.",
        "Der Vertrag wurde bis 31. März verlängert.",
        "Le bail a été prolongé jusqu'au 31 mars.",
        "El contrato se ha prorrogado hasta el 31 de marzo.",
    ],
)
def test_what_was_extended_holds_until_a_day_to_come(text: str) -> None:
    found = told_times(text, CONTEXT)
    assert found.occurred is None and day(found.valid_to) == "2027-03-31"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("The estimate of 14 April got approved yesterday.", "2026-06-24", "2026-06-24"),
        ("Le devis du 3 juin a été accepté hier.", "2026-06-24", "2026-06-24"),
        ("The letter of 12 June says we owe 40.", "2026-06-12", "2026-06-12"),
        ("On a repeint la cuisine ce week-end.", "2026-06-20", "2026-06-21"),
        ("Ran 12k on Saturday and 5k on Sunday", "2026-06-20", "2026-06-21"),
        ("Had physio on the 16th and again on the 23rd.", "2026-06-16", "2026-06-23"),
        ("Our gite booking: 13.02.27 to 20.02.27", "2027-02-13", "2027-02-20"),
    ],
)
def test_a_statement_has_the_days_of_what_was_done(text: str, first: str, last: str) -> None:
    assert occurred(text) == (first, last)


def test_what_has_been_so_till_date_holds_since_its_start() -> None:
    found = told_times("I've had the rash from 3 June till date.", CONTEXT)
    assert found.occurred is None and day(found.valid_from) == "2026-06-03"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("was habe ich an Himmelfahrt gemacht", "2026-05-14"),
        ("was war am Totensonntag letztes Jahr los", "2025-11-23"),
        ("Was ist am 2. Weihnachtsfeiertag geplant", "2026-12-26"),
        ("republic day parade - where did we sit?", "2026-01-26"),
        ("and what about st patricks day, did anybody turn up drunk", "2026-03-17"),
        ("Independence Day function, who all gave speeches?", "2025-07-04"),
        ("what did we do on the august bank holiday", "2025-08-25"),
        ("qu'est-ce qu'on a fait pour la fête des mères", "2026-05-31"),
        ("qué hicimos el día de la madre", "2026-05-03"),
        ("cosa facciamo all'Immacolata", "2026-12-08"),
        ("お盆に何をした", "2025-08-13"),
    ],
)
def test_feasts_of_more_countries_are_known(text: str, first: str) -> None:
    found = asked(text)
    assert found is not None and found[0] == first
