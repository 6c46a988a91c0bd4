"""A word that is a time in one language and a plain word of another is read in its sentence's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.language.dates.days_read import Days, reading_at

from scrubjay.language.dates import TimeContext

CONTEXT = TimeContext(now=datetime(2026, 7, 10, 9, tzinfo=UTC), zone=UTC)  # a Friday
asked, occurred = reading_at(CONTEXT)
YESTERDAY = ("2026-07-09", "2026-07-09")


@pytest.mark.parametrize(
    "text",
    [
        "Hier gibts kein Netz im Keller",
        "hier kein Empfang",
        "Hier darf man nicht parken",
        "Hier im Haus wohnt Frau Roth",
        "Ihr Fahrrad hier abstellen",
        "Schlüssel hier beim Nachbarn",
        "a friendly Kind word for her",
    ],
)
def test_a_time_of_another_language_is_none(text: str) -> None:
    assert asked(text) is None
    assert occurred(text) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("hier soir pizza chez Luc", YESTERDAY),
        ("Hier j'ai vu Paul", YESTERDAY),
        ("Panne de réseau hier", YESTERDAY),
        ("hier", YESTERDAY),
        ("plombier venu hier", YESTERDAY),
    ],
)
def test_the_same_word_is_a_time_in_its_own(text: str, days: Days) -> None:
    asked_days = asked(text)
    assert asked_days is not None and asked_days[0] == days[0]


@pytest.mark.parametrize(
    "text",
    ["Abito in via IV Novembre", "abitiamo in via 4 novembre", "Studio in via XX Settembre"],
)
def test_a_word_of_one_language_is_no_misspelling_of_another_s(text: str) -> None:
    assert occurred(text) is None
