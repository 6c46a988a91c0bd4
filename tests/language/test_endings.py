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
        "When was the pass valid?",
        "Was Ann's permit valid then?",
        "What warranty is there on the oven?",
        "Has the certificate expired?",
        "Wann war die Karte gültig?",
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
        "Is Ann's passport valid?",
        "Does Ann still have a valid permit?",
        "Is the oven under warranty?",
        "Ist die Karte noch gültig?",
        "Ma carte est-elle valable ?",
        "¿Es válido el carné?",
    ],
)
def test_another_question_is_not(question: str) -> None:
    assert not asks_for_endings(question)
