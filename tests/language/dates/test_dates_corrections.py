"""Of several times in a statement, the one that holds: not the old, the denied, the reason's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, told_times

# A Wednesday.
CONTEXT = TimeContext(now=datetime(2026, 10, 14, 10, 0, tzinfo=UTC), zone=UTC)


def day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.date().isoformat()


def occurred(text: str) -> str | None:
    found = told_times(text, CONTEXT).occurred
    return None if found is None else day(found.window.start)


@pytest.mark.parametrize(
    ("text", "held", "was"),
    [
        ("The review of 12 November was moved to the 26th.", "2026-11-26", "2026-11-12"),
        ("Our dinner on 3 December is now on the 10th.", "2026-12-10", "2026-12-03"),
        ("The talk on 28 November was moved to the 3rd.", "2026-12-03", "2026-11-28"),
        ("The talk on 28 November was moved to the 20th.", "2026-11-20", "2026-11-28"),
        ("The old date was 3 November, the new one is 10 November.", "2026-11-10", "2026-11-03"),
        ("It's not Tuesday, it's Thursday.", "2026-10-15", "2026-10-20"),
        ("The call is Thursday, not Tuesday.", "2026-10-15", "2026-10-20"),
        ("Can't make Tuesday, Thursday is fine.", "2026-10-15", "2026-10-20"),
        ("The class moved from Tuesday to Thursday.", "2026-10-22", "2026-10-20"),
        ("The show, originally on 7 November, is on 21 November.", "2026-11-21", "2026-11-07"),
        ("Der Termin vom 20.10. ist auf den 27.10. verlegt.", "2026-10-27", "2026-10-20"),
        ("La reunión no es el martes sino el jueves.", "2026-10-15", "2026-10-20"),
        ("Am 3.11. geht es nicht, neuer Termin ist der 10.11.", "2026-11-10", "2026-11-03"),
    ],
)
def test_what_holds_now_is_kept_with_what_it_replaces(text: str, held: str, was: str) -> None:
    assert occurred(text) == held
    before = told_times(text, CONTEXT).was
    assert before is not None and day(before.start) == was


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("We left on Monday because the storm on Sunday closed the road.", "2026-10-12"),
        ("Because the storm on Sunday closed the road, we left on Monday.", "2026-10-12"),
        ("Wir sind am Montag gefahren, weil am Sonntag kein Zug fuhr.", "2026-10-12"),
        ("I stayed in because it rained on Sunday.", "2026-10-11"),
    ],
)
def test_the_day_of_the_event_wins_over_that_of_its_reason(text: str, start: str) -> None:
    assert occurred(text) == start


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Wir haben ausgemacht, uns im Mai zu sehen.", "2027-05-01"),
        ("Er hat versprochen, dass er am Freitag kommt.", "2026-10-16"),
        ("Abbiamo deciso di partire a maggio.", "2027-05-01"),
        ("Combinamos de nos encontrar em maio.", "2027-05-01"),
        ("Wir haben im Mai geheiratet.", "2026-05-01"),
    ],
)
def test_a_plan_that_was_made_is_for_the_time_to_come(text: str, start: str) -> None:
    assert occurred(text) == start


def test_an_act_asked_for_until_a_day_is_due_on_it_and_what_lasts_ends_with_it() -> None:
    due = told_times("Please send me the plans until Friday.", CONTEXT)
    assert due.valid_to is None and occurred("Hand in the form until Friday.") == "2026-10-16"
    lasting = told_times("Stay with us until Friday.", CONTEXT)
    assert lasting.occurred is None and day(lasting.valid_to) == "2026-10-16"


def test_what_is_valid_from_one_day_to_another_has_both_edges() -> None:
    found = told_times("The pass is valid from 1 October 2026 to 30 September 2027.", CONTEXT)
    assert (day(found.valid_from), day(found.valid_to)) == ("2026-10-01", "2027-09-30")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("We saw Ines on Tuesday. She moves to Lyon on 1 December.", "2026-10-13"),
        ("It is for the August issue. Deadline is 2 November.", "2026-11-02"),
        ("The invoice of 28 September was paid yesterday.", "2026-10-13"),
        ("Die Rechnung vom 28.9. habe ich gestern bezahlt.", "2026-10-13"),
        ("Schule beginnt wieder am 2.11.", "2026-11-02"),
        ("Nächster Ölwechsel im Mai", "2027-05-01"),
        ("I had a bad spell lately. On 2 October I fell.", "2026-10-02"),
        ("No delivery today. New date is 4 November.", "2026-11-04"),
        ("The weekly report was late on Monday.", "2026-10-12"),
    ],
)
def test_the_first_sentence_dates_what_is_told_and_no_paper_does(text: str, start: str) -> None:
    assert occurred(text) == start


def test_a_time_of_something_else_is_not_what_was_replaced() -> None:
    found = told_times("I work on Monday, so the visit is now Wednesday 21 October.", CONTEXT)
    assert found.occurred is not None and day(found.occurred.window.start) == "2026-10-21"
    assert found.was is None


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("She cancelled Saturday's lesson because she was ill.", "2026-10-17"),
        ("Die Praxis ist am 2.11. geschlossen.", "2026-11-02"),
        ("Abgabe ist bis spätestens 9.11.", "2026-11-09"),
        ("Moved in May, second floor.", "2026-05-01"),
    ],
)
def test_the_words_beside_a_day_say_which_one_it_is(text: str, start: str) -> None:
    assert occurred(text) == start


def test_pairs_of_numbers_in_one_text_are_written_in_one_order() -> None:
    found = told_times("I was off from 29/9 to 2/10.", CONTEXT).occurred
    assert found is not None and day(found.window.end) == "2026-10-02"
    weekend = told_times("Das Fest ist am 14./15. November.", CONTEXT).occurred
    assert weekend is not None and day(weekend.window.end) == "2026-11-15"


def test_days_in_a_list_keep_all_their_days() -> None:
    found = told_times("Lessons on Mon 19, Wed 21 and Fri 23 October.", CONTEXT).occurred
    assert found is not None
    assert (day(found.window.start), day(found.window.end)) == ("2026-10-19", "2026-10-23")


def test_a_day_and_its_month_in_numbers_do_not_end_the_sentence() -> None:
    found = told_times("Das Angebot vom 2.10. gilt bis 30.10.", CONTEXT)
    assert day(found.valid_to) == "2026-10-30"
