"""What a text says has changed, and what it only seems to."""

from __future__ import annotations

import time

import pytest

from scrubjay.language.analyzer import Analyzer
from scrubjay.language.changes import ChangeKind, changes_in, statement_of
from scrubjay.language.told_values import ANY, differing, values_of

ENGLISH = Analyzer("en")


@pytest.mark.parametrize(
    ("text", "kind", "word"),
    [
        ("The night bus is gone.", ChangeKind.ENDED, "bus"),
        ("Trello was switched off on Monday.", ChangeKind.ENDED, "trello"),
        ("We threw out the printer.", ChangeKind.ENDED, "printer"),
        ("Ravi no longer eats fish.", ChangeKind.ENDED, "fish"),
        ("Rehearsal moved to Thursday.", ChangeKind.CHANGED, "rehears"),
        ("Sam switched the newsletter to Ghost.", ChangeKind.CHANGED, "newslett"),
        ("Rent goes up to 950.", ChangeKind.CHANGED, "rent"),
        ("Lena takes over the payroll from Tim.", ChangeKind.CHANGED, "payrol"),
        ("The site was rolled back to version 4.", ChangeKind.CHANGED, "site"),
        ("The nurse put him on 40 mg.", ChangeKind.CHANGED, "nurs"),
        ("Bread comes from Ohlsen since Kringle closed.", ChangeKind.ENDED, "kringl"),
        ("Our piano tuner retired in May.", ChangeKind.ENDED, "tuner"),
        ("No more night buses!", ChangeKind.ENDED, "buse"),
        ("The speed limit is 30 now.", ChangeKind.HOLDS_NOW, "speed"),
        ("This summer the camp is by the lake instead.", ChangeKind.HOLDS_NOW, "camp"),
        ("The parade is two weeks later.", ChangeKind.HOLDS_NOW, "parad"),
        ("Chess night on the 4th is off.", ChangeKind.ENDED, "chess"),
        ("Olga has left Brandt Prints.", ChangeKind.ENDED, "olga"),
        ("She's done with the paper round.", ChangeKind.ENDED, "paper"),
        ("Ines takes on the newsletter from then.", ChangeKind.CHANGED, "newslett"),
        ("The fair is on the green this time.", ChangeKind.HOLDS_NOW, "fair"),
        ("New password for the scanner: 5512.", ChangeKind.NEW, "scanner"),
        ("Tuesday is the new market day for us.", ChangeKind.NEW, "market"),
    ],
)
def test_a_change_is_read_with_what_it_is_about(text: str, kind: ChangeKind, word: str) -> None:
    assert any(
        change.kind is kind and word in change.about
        for change in changes_in(text, ENGLISH.document_terms(text), ENGLISH)
    )


@pytest.mark.parametrize(
    ("text", "language", "kind", "word"),
    [
        ("Der Chor hat die Probe auf den 18. März verschoben.", "de", ChangeKind.CHANGED, "prob"),
        ("Das Hoffest fällt aus.", "de", ChangeKind.ENDED, "hoff"),
        ("Die Kasse übernimmt dann Herr Oltmann.", "de", ChangeKind.HOLDS_NOW, "kass"),
        ("La réunion est reportée à jeudi.", "fr", ChangeKind.CHANGED, "réunion"),
        ("La cuota sube a 12 euros.", "es", ChangeKind.CHANGED, "cuot"),
        ("La prova è stata spostata a giovedì.", "it", ChangeKind.CHANGED, "prov"),
        ("De repetitie is verzet naar 18 maart.", "nl", ChangeKind.CHANGED, "repetit"),
    ],
)
def test_a_change_is_read_in_other_languages(
    text: str, language: str, kind: ChangeKind, word: str
) -> None:
    reader = Analyzer(language)
    found = changes_in(text, Analyzer("standard").document_terms(text), reader)
    wanted = reader.key_terms(word)[0][:4]
    assert [change.kind for change in found] == [kind]
    assert any(term.startswith(wanted) for term in found[0].about)


@pytest.mark.parametrize(
    "text",
    [
        "The report is out.",
        "I won't give up on the garden.",
        "Should rehearsal move to Thursday?",
        "If rent goes up to 950 we leave.",
        "She raised funds for the shelter.",
        "We went to the beach on Sunday.",
        "The yoga class costs 14 euros.",
        "The museum closed at six.",
        "The garden door opened and closed, 10:38, 5 Jan.",
        "Wanda left us a box of pencils.",
        "Grandma's history of the town is a delight.",
    ],
)
def test_what_only_sounds_like_a_change_is_none(text: str) -> None:
    assert changes_in(text, ENGLISH.document_terms(text), ENGLISH) == ()


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("It costs £49.50.", "money", "49.50"),
        ("twenty-five per cent off", "share", "25"),
        ("75 mg twice a day", "measure in mg", "75"),
        ("at 9:15", "clock", "9:15"),
        ("Ring 01228 555041.", "phone", "01228555041"),
        ("on Thursday", "weekday", "thursday"),
        ("on 3 May", "date", "3 may"),
        ("am 18. März", "date", "18 march"),
        ("May 3rd", "date", "3 may"),
        ("jeudi", "weekday", "thursday"),
        ("um 19 Uhr", "clock", "19"),
        ("88 micrograms", "measure in microgram", "88"),
        ("licensed for three shifts", "number of shifts", "3"),
        ("run `make test`", "code", "make test"),
    ],
)
def test_a_value_is_read_with_its_kind(text: str, kind: str, value: str) -> None:
    assert value in values_of(text)[kind]


def test_values_differ_when_neither_side_names_all_of_the_other() -> None:
    old = values_of("Open on 3 May and 4 May, 12 euros.")
    assert differing(values_of("Open on 3 May."), old) == ()
    assert "money" in differing(values_of("Now 14 euros."), old)
    assert differing({ANY: frozenset({"14"})}, old) == (ANY,)
    assert differing({ANY: frozenset({"12"})}, old) == ()


def test_a_day_without_its_month_is_that_of_any_month() -> None:
    assert differing(values_of("On the 21st."), values_of("On 21 May.")) == ()
    assert "date" in differing(values_of("On the 22nd."), values_of("On 21 May."))


def test_a_weekday_and_a_date_are_no_two_values_of_one_thing() -> None:
    assert differing(values_of("Hail on Monday."), values_of("Booked from 6 July.")) == ()
    assert differing(values_of("It's Monday."), values_of("It's Friday.")) == ("weekday",)


@pytest.mark.parametrize(
    "piece",
    [
        "moved to ",
        "is gone, ",
        "no longer ",
        "9",
        "instead of a ",
        "`",
        "£9 from today. ",
        "no more ",
        "two cups ",
    ],
)
def test_reading_takes_time_in_proportion_to_the_text(piece: str) -> None:
    def seconds(text: str) -> float:
        begun = time.process_time()
        changes_in(text, ENGLISH.document_terms(text), ENGLISH)
        statement_of(text, ENGLISH)
        return time.process_time() - begun

    # Longer texts are not read at all, so the longest that is must be quick.
    longest = (piece * 400)[:220]
    assert min(seconds(longest) for _ in range(3)) < 0.05
