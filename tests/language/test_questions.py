"""Turns that only ask something, and questions for what was asked."""

from __future__ import annotations

import pytest

from scrubjay.language.questions import is_of_questions, only_asks


@pytest.mark.parametrize(
    "text",
    [
        "Which boat should we take?",
        "Oh! Which boat should we take?",
        "Really? And where did you moor it?",
        "Wo liegt das Boot?",
        "船在哪里？",
    ],
)
def test_a_short_turn_that_only_asks_is_known(text: str) -> None:
    assert only_asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "We took the blue boat.",
        "The blue boat is at the east pier since Monday. Did you know that?",
        "Could you write to the harbour that our blue boat, the one with the two masts and the "
        "torn sail, needs a place at the east pier from the first week of June on?",
        "",
    ],
)
def test_one_that_says_something_too_is_not(text: str) -> None:
    assert not only_asks(text)


@pytest.mark.parametrize(
    ("question", "of_questions"),
    [
        ("What did I ask about the boat?", True),
        ("Which questions did Bo have?", True),
        ("Was hat Bo gefragt?", True),
        ("Where is the boat?", False),
        ("What did the task force say?", False),
    ],
)
def test_it_is_known_whether_a_question_is_about_questions(
    question: str, of_questions: bool
) -> None:
    assert is_of_questions(question) is of_questions
