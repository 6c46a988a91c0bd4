"""What of something that changed a question asks for, in the languages whose words are known."""

from __future__ import annotations

import pytest

from scrubjay.language.asked_change import OF_THE_PAST, Asked, asked_version


@pytest.mark.parametrize(
    "question",
    [
        "Who was our old dentist?",
        "Who did we use to have as dentist?",
        "Didn't we use to have another dentist?",
        "Which dentist did we replace?",
        "What dentist did you move away from?",
        "Who had been our dentist?",
        "What's my old address?",
        "What was the old meeting time?",
        "Who cut my hair before Norda?",
        "Before Norda, who cut my hair?",
        "Wer war unser alter Zahnarzt?",
        "Welchen Zahnarzt hatten wir davor?",
        "Von wem war der Strom vor Enera?",
        "Qui était notre ancien dentiste ?",
        "¿Quién era nuestro antiguo dentista?",
        "Chi era il nostro vecchio dentista?",
        "Quem era o nosso antigo dentista?",
    ],
)
def test_a_question_for_what_was_before_is_told(question: str) -> None:
    assert asked_version(question) is Asked.BEFORE


@pytest.mark.parametrize(
    "question",
    [
        "What was the locker code again?",
        "Remind me, what was the locker code?",
        "I forgot, what was the locker code?",
        "What was the locker code, I can't remember?",
        "When was it that the pool opens again?",
        "Wie war noch mal der Code?",
        "Wie lautete gleich noch der Code?",
        "C'était quoi déjà, le code ?",
        "Rappelle-moi le code de la porte, quel était-il ?",
        "¿Cuál era la clave otra vez?",
        "Com'era già il codice del cancello?",
        "Qual era mesmo o código do cofre?",
    ],
)
def test_who_has_forgotten_something_asks_for_what_holds(question: str) -> None:
    assert asked_version(question) is Asked.NOW


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What was the previous code again?", Asked.BEFORE),
        ("What was the offsite budget?", Asked.WAS),
        ("Wer war unser Zahnarzt?", Asked.WAS),
        ("Have we ever had another dentist?", Asked.ALL),
        ("Which dentists have we had?", Asked.ALL),
        ("Welche Zahnärzte hatten wir schon mal?", Asked.ALL),
        ("What was the price originally?", Asked.FIRST),
        ("Why did we replace the dentist?", Asked.WHY),
        ("Did it rain again?", Asked.HAPPENED),
        ("How much did the old car bring in?", Asked.HAPPENED),
        ("What must be done before Easter?", Asked.NOW),
        ("Was steht vor der Haustür?", Asked.NOW),
        ("Which tool do we use to send invoices?", Asked.NOW),
        ("Where does my old friend Tom live?", Asked.NOW),
        ("Who is our dentist?", Asked.NOW),
    ],
)
def test_what_else_is_asked_is_told_apart(question: str, asked: Asked) -> None:
    assert asked_version(question) is asked


def test_what_holds_or_happened_is_not_of_the_past() -> None:
    assert not OF_THE_PAST & {Asked.NOW, Asked.HAPPENED, Asked.WHY}
