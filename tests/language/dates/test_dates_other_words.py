"""Times in other words: the day of a feast, days of a range, notes, and kinds that name no time."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from tests.language.dates.days_read import day, reading_at

from scrubjay.language.dates import TimeContext, question_window, told_times

# A Wednesday.
CONTEXT = TimeContext(now=datetime(2026, 10, 14, 10, tzinfo=UTC), zone=UTC, born=date(1985, 6, 30))


asked, occurred = reading_at(CONTEXT)


@pytest.mark.parametrize(
    "question", ["When was the last Easter?", "wann war Ostern", "easter 2026"]
)
def test_who_asks_when_a_feast_is_means_its_day(question: str) -> None:
    assert asked(question) == ("2026-04-05", "2026-04-05")
    assert asked("what did we do at easter") == ("2026-04-03", "2026-04-06")


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("how did the interview on the 5th go", "2026-10-05", "2026-10-05"),
        ("hows my friday looking", "2026-10-16", "2026-10-16"),
        ("what did the nurse say this am", "2026-10-14", "2026-10-14"),
        ("what happened a year ago to the day", "2025-10-14", "2025-10-14"),
        ("who came on easter saturday", "2026-04-04", "2026-04-04"),
        ("Was war zwischen den Jahren los", "2025-12-24", "2026-01-01"),
        ("qué colegio tenía yo con 10 años", "1995-06-30", "1996-06-29"),
        ("notes from the call w/ Ingrid 9/18", "2026-09-18", "2026-09-18"),
        ("notes from the call w/ acme 30.06.", "2026-06-30", "2026-06-30"),
    ],
)
def test_a_time_is_read_in_other_words(question: str, first: str, last: str) -> None:
    assert asked(question) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("on part au ski du 20 au 27", "2026-10-20", "2026-10-27"),
        ("nos vamos de viaje del 20 al 27", "2026-10-20", "2026-10-27"),
        ("siamo in ferie dal 20 al 27", "2026-10-20", "2026-10-27"),
        ("estamos fora do dia 20 ao dia 27", "2026-10-20", "2026-10-27"),
        ("Wir sind vom 20. bis 27. weg", "2026-10-20", "2026-10-27"),
        ("We reserved two rooms from 27 to 30 December", "2026-12-27", "2026-12-30"),
        ("I promised Ola to ring her on Friday.", "2026-10-16", "2026-10-16"),
        ("The boiler man came on Friday and swapped the valve.", "2026-10-09", "2026-10-09"),
        (
            "parents evening got pushed back, now its the 29th not the 22nd",
            "2026-10-29",
            "2026-10-29",
        ),
        ("Der Kurs am Dienstag fällt aus", "2026-10-20", "2026-10-20"),
        ("Delivery's not coming this Thursday", "2026-10-15", "2026-10-15"),
    ],
)
def test_a_statement_is_dated_in_other_words(text: str, first: str, last: str) -> None:
    assert occurred(text) == (first, last)


def test_what_is_valid_between_two_days_has_both_edges() -> None:
    times = told_times("Parking permit valid 1 Nov - 31 Oct", CONTEXT)
    assert (day(times.valid_from), day(times.valid_to)) == ("2026-11-01", "2027-10-31")


@pytest.mark.parametrize(
    "question",
    [
        "play some 80s music",
        "what was that 90s film with the bus",
        "combien de jours dans une année bissextile",
        "cuántos días hay en un año bisiesto",
        "Was kostet ein Mai Tai in der Bar",
        "what's in invoice 20260311",
        "what is the year-end bonus policy",
    ],
)
def test_a_kind_or_a_number_is_no_time(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("gran's coming to stay xmas eve till the 28th", "2026-12-24", "2026-12-28"),
        ("gran comes on friday and stays till the 28th", "2026-10-16", "2026-10-16"),
        ("am we bei oma gewesen, apfelkuchen gabs", "2026-10-10", "2026-10-11"),
        ("mondays fasting glucose came back 5.4", "2026-10-12", "2026-10-12"),
        ("picked up the keys yesterday, moving in on sat", "2026-10-13", "2026-10-13"),
        ("no choir this thurs, its back on the 29th", "2026-10-29", "2026-10-29"),
        ("ferie dall'1 all'8 novembre", "2026-11-01", "2026-11-08"),
        ("esame spostato al 29", "2026-10-29", "2026-10-29"),
        ("examen reporté au 29", "2026-10-29", "2026-10-29"),
        ("the hub restarted at 10:08, 14 Oct", "2026-10-14", "2026-10-14"),
        ("the hub restarted its network at 10:08, 14 Oct", "2026-10-14", "2026-10-14"),
        ("she will send a detailed plan on friday", "2026-10-16", "2026-10-16"),
        ("从10月24日到10月28日放假", "2026-10-24", "2026-10-28"),
        ("mês que vem começo o curso", "2026-11-01", "2026-11-30"),
        ("consegna maggio", "2027-05-01", "2027-05-31"),
        ("comincio lunedì", "2026-10-19", "2026-10-19"),
        ("empiezo el lunes", "2026-10-19", "2026-10-19"),
        ("la garantia del movil vence a fin de año", "2026-12-31", "2026-12-31"),
        ("the licence expires at the end of the year", "2026-12-31", "2026-12-31"),
        ("estou de férias de 16 a 20 de novembro", "2026-11-16", "2026-11-20"),
        ("11月1日から8日まで休み", "2026-11-01", "2026-11-08"),
        ("12/29から31まで実家にいる", "2026-12-29", "2026-12-31"),
        ("奶奶周六来", "2026-10-17", "2026-10-17"),
    ],
)
def test_a_hasty_statement_is_dated(text: str, first: str, last: str) -> None:
    assert occurred(text) == (first, last)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("how come the hall lost its line in feb", "2026-02-01", "2026-02-28"),
        ("who came by the friday before last", "2026-10-02", "2026-10-02"),
        ("what must i finish by friday", "2026-10-14", "2026-10-16"),
        ("how many hrs did i bill wk before last", "2026-09-28", "2026-10-04"),
        ("stuff happening mid december?", "2026-12-11", "2026-12-20"),
        ("what did i pay into my isa in the uk tax year 25/26", "2025-04-06", "2026-04-05"),
        ("quanto ho speso ad agosto", "2026-08-01", "2026-08-31"),
        ("quanto gastei em agosto", "2026-08-01", "2026-08-31"),
        ("che c'è questo weekend", "2026-10-17", "2026-10-18"),
        ("quem veio aqui no sábado", "2026-10-10", "2026-10-10"),
        ("cosa ho mangiato ieri sera", "2026-10-13", "2026-10-13"),
        ("on s'appelle vendredi ?", "2026-10-16", "2026-10-16"),
    ],
)
def test_a_hasty_question_has_its_time(question: str, first: str, last: str) -> None:
    assert asked(question) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "la signora agosto abita ancora qui",
        "avril est végétarienne ou pas",
        "où habite avril maintenant",
        "dónde vive abril",
        "qué talla usa julio",
        "dove abita aprile",
        "quel âge a juin",
        "est-ce que noël aime les chats",
        "who sang ruby tuesday",
        "mein chef heißt dieter freitag",
        "o cachorro se chama sábado",
        "il gatto si chiama lunedì",
        "le chat s'appelle vendredi",
        "we live at 12 june close",
        "on passe au 17, à côté du fromager",
    ],
)
def test_somebody_in_small_letters_is_no_time(text: str) -> None:
    assert asked(text) is None
    assert occurred(f"{text}?") is None


@pytest.mark.parametrize(
    "text",
    [
        "you can return it within 30 days",
        "open mon to fri 9-5",
        "she's in her 70s",
        "they're in their twenties",
        "im sommer ist es heiß",
        "en hiver il fait froid",
        "en verano hace calor",
        "d'estate fa caldo",
        "no verão faz calor",
        "opa heißt mit nachnamen sonntag",
    ],
)
def test_what_is_so_always_has_no_time(text: str) -> None:
    assert occurred(text) is None


def test_what_is_to_come_within_some_days_has_its_time() -> None:
    assert occurred("they will call within 3 days") == ("2026-10-14", "2026-10-17")
    assert occurred("away from fri to mon") == ("2026-10-16", "2026-10-19")


def test_the_end_of_the_year_is_looked_back_on_in_january() -> None:
    january = TimeContext(now=datetime(2027, 1, 6, 10, tzinfo=UTC), zone=UTC)
    mention = question_window("what did we do at the end of the year", january)
    assert mention is not None and day(mention.window.end) == "2026-12-31"


@pytest.mark.parametrize(
    "question",
    [
        "what was new in 2.3",
        "what did we do on our first weekend in Trieste",
        "was haben wir am ersten Wochenende in Triest gemacht",
        "how was our second Christmas in Oslo",
    ],
)
def test_releases_and_what_is_counted_from_nothing_are_no_times(question: str) -> None:
    assert asked(question) is None


def test_what_is_counted_from_a_month_is_a_time() -> None:
    assert asked("what did we do the first weekend of May") == ("2026-05-02", "2026-05-03")
    assert asked("what's on on 2.11.") == ("2026-11-02", "2026-11-02")


@pytest.mark.parametrize(
    "text",
    [
        "Choir moves to Thursday from November because the hall is let on Tuesdays.",
        "Ruben only has Mondays, so from November rehearsals are on Monday.",
    ],
)
def test_the_weekday_of_what_begins_later_is_not_the_one_before(text: str) -> None:
    assert day(told_times(text, CONTEXT).valid_from) == "2026-11-01"
    assert occurred(text) in (None, ("2026-11-01", "2026-11-30"))


def test_a_weekday_in_another_clause_than_what_begins_is_a_day() -> None:
    assert occurred("Dentist on Friday, and the new fee is from November.") == (
        "2026-10-16",
        "2026-10-16",
    )
    assert occurred("I handed in my notice on Friday. From the first of June I share a unit.") == (
        "2026-10-09",
        "2026-10-09",
    )


def test_what_is_so_these_days_is_told_of_no_day() -> None:
    assert (
        occurred("120 a minute hurt the database, and the partner caches properly these days.")
        is None
    )
