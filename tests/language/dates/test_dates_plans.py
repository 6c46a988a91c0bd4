"""What a sentence does decides which of two possible dates it means, and what its date is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from scrubjay.language.dates import TimeContext, question_window, told_times

# A Monday.
TOLD = datetime(2026, 10, 5, 10, 0, tzinfo=UTC)
CONTEXT = TimeContext(now=TOLD, zone=UTC)


def day(moment: datetime | None) -> str:
    return "" if moment is None else moment.date().isoformat()


def occurred(text: str) -> tuple[str, str] | None:
    found = told_times(text, CONTEXT).occurred
    return None if found is None else (day(found.window.start), day(found.window.end))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("The plumber is booked for 3 November", "2026-11-03", "2026-11-03"),
        ("We reserved the cabin for 14 January", "2027-01-14", "2027-01-14"),
        ("Retreat planned for 21 and 22 November", "2026-11-21", "2026-11-22"),
        ("I said I'd ring her on Thursday", "2026-10-08", "2026-10-08"),
        ("The inspection on 12 October was moved to 26 October", "2026-10-26", "2026-10-26"),
        ("The audit is booked with Kiwa: 15 and 16 March", "2027-03-15", "2027-03-16"),
        ("I signed up for the run on 9 May.", "2027-05-09", "2027-05-09"),
        ("She promised the report for Wednesday", "2026-10-07", "2026-10-07"),
        ("The tax return is due on 31 July.", "2027-07-31", "2027-07-31"),
        ("The slides are due Friday.", "2026-10-09", "2026-10-09"),
        ("Landlord confirmed: we move on 11 January, third floor.", "2027-01-11", "2027-01-11"),
        ("Bart told me he's starting in Rotterdam in September.", "2027-09-01", "2027-09-30"),
        ("The heat pump gets installed on 14 September.", "2027-09-14", "2027-09-14"),
        ("Enrolment opens on 15 June.", "2027-06-15", "2027-06-15"),
        ("Opening day moves from 1 March to 15 April.", "2027-04-15", "2027-04-15"),
        ("The exam was moved from 12 to 26 October.", "2026-10-26", "2026-10-26"),
        ("Mail: the audit is rescheduled to 6 and 7 November", "2026-11-06", "2026-11-07"),
        ("The visit is now Wednesday 14 October, usual time.", "2026-10-14", "2026-10-14"),
        ("Camp on 3, 4 and 5 December, bring boots", "2026-12-03", "2026-12-05"),
        ("Booked our fortnight in Brittany, 4 to 18 August.", "2027-08-04", "2027-08-18"),
        ("They'll cut the ribbon on 6 May instead of the 15th.", "2027-05-06", "2027-05-06"),
        ("I moved us to Eneco from November.", "2026-11-01", "2026-11-30"),
        ("The bank has agreed to 2.4 % as of January.", "2027-01-01", "2027-01-31"),
        ("Der Klempner ist für den 3. November bestellt.", "2026-11-03", "2026-11-03"),
        ("Wir haben die Hütte für den 14. Januar reserviert.", "2027-01-14", "2027-01-14"),
        ("Hemos reservado la cabaña para el 14 de enero.", "2027-01-14", "2027-01-14"),
        ("On a réservé le chalet pour le 14 janvier.", "2027-01-14", "2027-01-14"),
    ],
)
def test_a_plan_is_dated_to_the_next_such_day(text: str, start: str, end: str) -> None:
    assert occurred(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("I booked the cabin on 3 March.", "2026-03-03", "2026-03-03"),
        ("We met the plumber on Thursday.", "2026-10-01", "2026-10-01"),
        ("Tore a ligament at futsal on Tuesday.", "2026-09-29", "2026-09-29"),
        ("The boiler was serviced in November.", "2025-11-01", "2025-11-30"),
        ("She has been to Rome in January.", "2026-01-01", "2026-01-31"),
        ("He had his third fit in a month on Saturday.", "2026-10-03", "2026-10-03"),
        ("He'd broken his arm on 12 December.", "2025-12-12", "2025-12-12"),
        ("Wir waren am 14. Januar dort.", "2026-01-14", "2026-01-14"),
    ],
)
def test_a_report_is_dated_to_the_last_such_day(text: str, start: str, end: str) -> None:
    assert occurred(text) == (start, end)


def test_without_a_verb_the_nearest_is_meant_and_said_to_be_unsure() -> None:
    near = told_times("Plumber, 3 November", CONTEXT).occurred
    past = told_times("Plumber, 3 September", CONTEXT).occurred
    said = told_times("The plumber is booked for 3 November", CONTEXT).occurred
    assert near is not None and past is not None and said is not None
    assert day(near.window.start) == "2026-11-03"
    assert day(past.window.start) == "2026-09-03"
    assert max(near.confidence, past.confidence) <= 0.65 < said.confidence


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("The hearing is adjourned until 28 October.", "2026-10-28"),
        ("Match delayed until Thursday.", "2026-10-08"),
        ("I'll send it Friday at the latest.", "2026-10-09"),
    ],
)
def test_what_is_put_off_until_a_day_is_on_it(text: str, start: str) -> None:
    assert occurred(text) == (start, start)
    assert told_times(text, CONTEXT).valid_to is None


def test_a_moved_appointment_keeps_what_was_and_what_holds() -> None:
    for text in (
        "The inspection on 12 October was moved to 26 October",
        "The inspection moves from 12 October to 26 October.",
        "The inspection was postponed from 12 to 26 October.",
        "The inspection on 12 October was postponed until 26 October.",
    ):
        told = told_times(text, CONTEXT)
        assert told.was is not None and day(told.was.start) == "2026-10-12", text
        assert told.occurred is not None and day(told.occurred.window.start) == "2026-10-26", text


@pytest.mark.parametrize(
    ("text", "valid_from", "valid_to"),
    [
        ("The warranty runs until March 2029", "", "2029-03-31"),
        ("The voucher is valid till 12 December", "", "2026-12-12"),
        ("I have lived in Oslo since 2019.", "2019-01-01", ""),
        ("Frankfurt has been off since December.", "2025-12-01", ""),
        ("Der Vertrag läuft bis März 2029.", "", "2029-03-31"),
        ("La garantía dura hasta marzo de 2029.", "", "2029-03-31"),
        ("La garantie court jusqu'en mars 2029.", "", "2029-03-31"),
        ("Seit 2019 wohne ich in Oslo.", "2019-01-01", ""),
        ("J'habite à Oslo depuis 2019.", "2019-01-01", ""),
        ("The lease was extended until June 2028.", "", "2028-06-30"),
        ("Interest is fixed at 3.1 until 31.12.2029.", "", "2029-12-31"),
    ],
)
def test_what_holds_for_a_time_is_no_event_of_it(text: str, valid_from: str, valid_to: str) -> None:
    told = told_times(text, CONTEXT)
    assert (day(told.valid_from), day(told.valid_to)) == (valid_from, valid_to)
    assert told.occurred is None


@pytest.mark.parametrize(
    ("text", "valid_from", "valid_to"),
    [
        ("My passport expires on 12 June 2031.", "", "2031-06-12"),
        ("The offer ends on 30 November.", "", "2026-11-30"),
        ("840 a month from December", "2026-12-01", ""),
        ("As of 1 November Lars takes over.", "2026-11-01", ""),
        ("The gym costs 40 euros from January on.", "2027-01-01", ""),
        ("Starting 1 December lunch is at noon.", "2026-12-01", ""),
    ],
)
def test_a_change_to_come_is_an_event_and_the_edge_of_what_holds(
    text: str, valid_from: str, valid_to: str
) -> None:
    told = told_times(text, CONTEXT)
    assert (day(told.valid_from), day(told.valid_to)) == (valid_from, valid_to)
    assert told.occurred is not None
    window = told.occurred.window
    assert valid_from in ("", day(window.start)) and valid_to in ("", day(window.end))


def test_how_long_a_later_sentence_holds_says_nothing_of_the_first() -> None:
    told = told_times("Wooden railway, 39.95. Exchange until 15 January.", CONTEXT)
    assert told.valid_to is None


def test_what_was_over_when_it_was_told_has_not_ended_since() -> None:
    told = told_times("I worked at the mill until 2019.", CONTEXT)
    assert told.valid_to is None


def asked(text: str) -> tuple[str, str] | None:
    found = question_window(text, CONTEXT)
    return None if found is None else (day(found.window.start), day(found.window.end))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Get us a table on Sunday", "2026-10-11"),
        ("Look for a flight on the 2nd", "2026-11-02"),
        ("Ring Ilse on Sunday", "2026-10-11"),
        ("Please pick up the parcel on Saturday.", "2026-10-10"),
        ("Let's talk on Friday", "2026-10-09"),
        ("I could come on Sunday", "2026-10-11"),
        ("She might call on Friday", "2026-10-09"),
        ("Remind me on 14 September", "2027-09-14"),
        ("Weck mich am Samstag", "2026-10-10"),
        ("Réserve une table samedi", "2026-10-10"),
        ("Apunta la cena el sábado", "2026-10-10"),
    ],
)
def test_what_is_asked_to_be_done_is_ahead(text: str, meant: str) -> None:
    assert asked(text) == occurred(text) == (meant, meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Könntest du mich am Samstag fahren?", "2026-10-10"),
        ("Peux-tu venir samedi ?", "2026-10-10"),
        ("¿Podrías venir el sábado?", "2026-10-10"),
        ("How about Friday?", "2026-10-09"),
        ("Would Friday suit you?", "2026-10-09"),
        ("Does Friday work?", "2026-10-09"),
    ],
)
def test_what_is_offered_is_ahead(text: str, meant: str) -> None:
    assert asked(text) == (meant, meant)


@pytest.mark.parametrize(
    "text",
    [
        "Find the letter from Friday",
        "Send me the file from Friday",
        "Show me what Ilse drew on Friday",
        "Give me a summary of Friday",
        "Bought a lamp on Friday",
        "Call with Ilse on Friday, what was it about?",
    ],
)
def test_what_is_looked_for_was(text: str) -> None:
    assert asked(text) == ("2026-10-02", "2026-10-02")


def test_an_hour_bounds_the_day_that_it_is_named_with() -> None:
    found = question_window("Who comes before noon on Friday?", CONTEXT)
    assert found is not None
    assert found.window.start == datetime(2026, 10, 9, tzinfo=UTC)
    assert found.window.end == datetime(2026, 10, 9, 11, 59, 59, 999_999, tzinfo=UTC)


def test_a_number_in_words_is_no_day_of_a_list() -> None:
    assert asked("What is on stage two, 15 November?") == ("2026-11-15", "2026-11-15")
