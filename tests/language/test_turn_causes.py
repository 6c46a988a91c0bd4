"""What a turn takes up from the one before it, or gives as its reason, is read from its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.turn_causes import cause_across_turns

TOLD = "The pier was closed after the storm."

TAKEN_UP = [
    "Because of that, the launch moved to May.",
    "As a result, we lost two bookings.",
    "That's why the launch moved to May.",
    "Yeah, that is exactly why I took the bus.",
    "Which is why nobody came to the market.",
    "For that reason the band played inside.",
    "Deshalb fiel der Markt aus.",
    "Por eso el mercado se canceló.",
    "C'est pourquoi le marché est annulé.",
]
OWN = [
    "So we moved the launch to May.",
    "That's when we decided to sell the boat.",
    "Therefore the market is off.",
]
REASONS = [
    "Because the waves broke three planks.",
    "It was because the waves broke three planks.",
    "The reason was a broken plank.",
    "Weil drei Planken gebrochen sind.",
]
NEITHER = [
    "As a result of the storm we lost two bookings.",
    "That's why, I guess, if it happens again, we should leave.",
    "So we are nine people in the team.",
    "That is a pity.",
    "Why is that?",
]


@pytest.mark.parametrize("text", TAKEN_UP)
@pytest.mark.parametrize("own", [True, False])
def test_what_a_turn_takes_up_is_its_cause(text: str, own: bool) -> None:
    claim = cause_across_turns(text, TOLD, own=own, asked=lambda: True)
    assert claim is not None and claim.before_is_cause


@pytest.mark.parametrize("text", OWN)
def test_words_that_also_only_go_on_need_a_turn_of_the_same_speaker(text: str) -> None:
    claim = cause_across_turns(text, TOLD, own=True, asked=lambda: True)
    assert claim is not None and claim.before_is_cause
    assert cause_across_turns(text, TOLD, own=False, asked=lambda: True) is None


@pytest.mark.parametrize("text", REASONS)
def test_a_reason_given_in_the_next_turn_is_the_cause_of_the_one_before(text: str) -> None:
    claim = cause_across_turns(text, TOLD, own=True, asked=lambda: True)
    assert claim is not None and not claim.before_is_cause


@pytest.mark.parametrize("text", NEITHER)
def test_other_beginnings_say_nothing_of_causes(text: str) -> None:
    assert cause_across_turns(text, TOLD, own=True, asked=lambda: True) is None


@pytest.mark.parametrize(
    "question",
    [
        "Oh no! Why did you sell the boat?",
        "Nice. What made you choose Porto?",
        "How come you left?",
        "Warum hast du das Boot verkauft?",
    ],
)
def test_an_answer_to_why_is_the_cause_of_what_was_asked(question: str) -> None:
    answer = "We needed the money for the roof."
    claim = cause_across_turns(answer, question, own=False, asked=lambda: True)
    assert claim is not None and not claim.before_is_cause
    assert cause_across_turns(answer, question, own=True, asked=lambda: True) is None
    assert cause_across_turns(answer, question, own=False, asked=lambda: False) is None
    assert (
        cause_across_turns("I don't know, honestly.", question, own=False, asked=lambda: True)
        is None
    )


def test_a_reproach_is_no_question_for_a_reason() -> None:
    asked = "Why is the council still doing nothing about the pier after all these years?"
    answer = "We have put two plans on the table."
    assert cause_across_turns(answer, asked, own=False, asked=lambda: True) is None


@given(st.text(), st.text(), st.booleans(), st.booleans())
def test_any_two_turns_are_read(text: str, before: str, own: bool, asked: bool) -> None:
    claim = cause_across_turns(text, before, own=own, asked=lambda: asked)
    assert claim is None or 0 < claim.confidence <= 1
