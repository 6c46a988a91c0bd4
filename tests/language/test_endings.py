"""Questions about how long something holds, and those about what holds."""

from __future__ import annotations

import pytest

from scrubjay.language.endings import asks_for_endings


@pytest.mark.parametrize(
    "question",
    [
        "Until when can I exchange the railway?",
        "When does the warranty expire?",
        "How long was the road shut?",
        "Bis wann läuft der Vertrag?",
        "¿Hasta cuándo dura la garantía?",
        "Who was Anna's boss before Rui?",
        "Where did we live previously?",
    ],
)
def test_a_question_about_an_end_is_told(question: str) -> None:
    assert asks_for_endings(question)


@pytest.mark.parametrize(
    "question",
    [
        "What must be done before Friday?",
        "Where do I live?",
        "Who sends the invoices?",
        "Wo wohnt Ann?",
    ],
)
def test_another_question_is_not(question: str) -> None:
    assert not asks_for_endings(question)
