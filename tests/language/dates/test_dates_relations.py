"""Times that are told by another time, by what they are not, or by a verb of another language."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from scrubjay.language.dates import (
    TimeContext,
    ToldTimes,
    find_times,
    question_window,
    told_times,
)

# A Wednesday.
CONTEXT = TimeContext(now=datetime(2025, 9, 17, 9, 30, tzinfo=UTC), zone=UTC, born=date(1990, 4, 2))


def day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.date().isoformat()


def asked(question: str) -> tuple[str | None, str | None] | None:
    mention = question_window(question, CONTEXT)
    return None if mention is None else (day(mention.window.start), day(mention.window.end))


def told(text: str) -> ToldTimes:
    return told_times(text, CONTEXT)


def occurred(text: str) -> str | None:
    mention = told(text).occurred
    return None if mention is None else day(mention.window.start)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("what did I do three days before my exam on 20 June", "2025-06-17", "2025-06-17"),
        ("who did I see the week after the wedding on 9 Aug", "2025-08-10", "2025-08-16"),
        ("what sold in the 10 days to 31 August", "2025-08-22", "2025-08-31"),
        ("where were we a year ago last June", "2024-06-01", "2024-06-30"),
        ("what's on tomorrow in two weeks", "2025-10-02", "2025-10-02"),
        ("was ist morgen in drei Wochen", "2025-10-09", "2025-10-09"),
        ("what's on a fortnight on Saturday", "2025-10-04", "2025-10-04"),
        ("rainfall over the last half year", "2025-03-17", "2025-09-17"),
        ("sales q1 vs q2", "2025-01-01", "2025-06-30"),
        ("les trois prochains mois, quoi de prévu", "2025-09-17", "2025-12-17"),
    ],
)
def test_a_time_may_be_counted_from_another(question: str, start: str, end: str) -> None:
    assert asked(question) == (start, end)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("who helped me before I turned 30", None, "2020-04-01"),
        ("how many jobs since I was 12", "2002-04-02", "2025-09-17"),
        ("where did I live until I was 18", None, "2008-04-02"),
    ],
)
def test_an_age_may_be_a_limit(question: str, start: str | None, end: str) -> None:
    assert asked(question) == (start, end)


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("what to pack for saturday", "2025-09-20"),
        ("anything to buy by friday", "2025-09-17"),
        ("what did we plan for the last two weeks of October", "2025-10-18"),
        ("que fait Paul le 3 octobre", "2025-10-03"),
        ("que faisait Paul le 3 octobre", "2024-10-03"),
        ("chi è tornato lunedì", "2025-09-15"),
        ("quem comprou o carro em julho", "2025-07-01"),
    ],
)
def test_the_form_of_a_verb_says_which_way_a_question_looks(question: str, start: str) -> None:
    found = asked(question)
    assert found is not None and found[0] == start


@pytest.mark.parametrize(
    ("text", "holds", "was"),
    [
        ("The meeting isn't on Friday, it's on Monday.", "2025-09-22", "2025-09-19"),
        ("The flight leaves on 3 October instead of 1 October.", "2025-10-03", "2025-10-01"),
        (
            "La riunione del 20 settembre è stata rinviata al 27 settembre.",
            "2025-09-27",
            "2025-09-20",
        ),
        ("A consulta mudou do dia 20 para o dia 27 de setembro.", "2025-09-27", "2025-09-20"),
    ],
)
def test_what_something_is_not_is_kept_beside_what_it_is(text: str, holds: str, was: str) -> None:
    times = told(text)
    assert occurred(text) == holds
    assert times.was is not None and day(times.was.start) == was


def test_what_does_not_begin_until_a_time_holds_from_it() -> None:
    times = told("The lease doesn't start until 1 November.")
    assert (day(times.valid_from), day(times.valid_to)) == ("2025-11-01", None)
    times = told("The pass is good until 1 November.")
    assert (day(times.valid_from), day(times.valid_to)) == (None, "2025-11-01")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("My 2020 laptop died yesterday.", "2025-09-16"),
        ("hairdresser sat 11am", "2025-09-20"),
        ("The contract was cancelled, it stops on 31 May.", "2026-05-31"),
        ("Parcel expected between 3 and 5 October.", "2025-10-03"),
        ("The deal fell through last quarter.", "2025-04-01"),
        ("Wir heiraten im Juni.", "2026-06-01"),
        ("Am Samstag gingen wir ins Kino.", "2025-09-13"),
        ("La réunion de samedi est annulée.", "2025-09-20"),
    ],
)
def test_a_statement_is_dated_by_what_its_words_do(text: str, start: str) -> None:
    assert occurred(text) == start


@pytest.mark.parametrize(
    "question",
    [
        "how do you pronounce september",
        "what does tuesday mean in latin",
        "version 1.12.23 changes",
        "host 10.12.20.25 owner",
        "the 2000 piece puzzle",
        "name of the may queen",
        "was bedeutet donnerstag",
    ],
)
def test_a_word_or_number_that_is_only_spoken_of_is_no_time(question: str) -> None:
    assert asked(question) is None


def test_a_run_of_hours_to_midnight_ends_after_it_begins() -> None:
    mention = question_window("what happened on 3 January from 2 to 24", CONTEXT)
    assert mention is not None
    start, end = mention.window.start, mention.window.end
    assert start is not None and end is not None and start < end


@pytest.mark.parametrize(
    "text",
    [
        "thirteen hence 2024 late qtd days",
        "ungefähr zehnter montagvormittag ende ausgang vorletztem wochenende donnerstagabend",
    ],
)
def test_times_that_contradict_each_other_never_end_before_they_begin(text: str) -> None:
    for mention in find_times(text, CONTEXT):
        start, end = mention.window.start, mention.window.end
        assert start is None or end is None or start <= end
