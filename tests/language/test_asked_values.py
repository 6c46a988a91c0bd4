"""Which value a question asks for, and whether a text gives one."""

from __future__ import annotations

import pytest

from scrubjay.language.asked_values import asked_value, gives_value


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How much does the sofa cost?", "a price"),
        ("What was the deposit?", "a price"),
        ("How many seats are left?", "a number"),
        ("What time is the rehearsal?", "a time of day"),
        ("On which day does the boat leave?", "a day"),
        ("What is Ana's phone number?", "a phone number"),
        ("Who sold the sofa?", None),
        ("Why did the bowls crack?", None),
    ],
)
def test_the_kind_of_value_is_read_from_the_question(question: str, kind: str | None) -> None:
    assert asked_value(question) == kind


@pytest.mark.parametrize(
    ("kind", "text", "given"),
    [
        ("a price", "The sofa is 80 euros.", True),
        ("a price", "The sofa is eighty.", True),
        ("a price", "The sofa is blue.", False),
        ("a day", "The boat leaves on Friday.", True),
        ("a phone number", "Call Ana at 0171 555 0123.", True),
        ("a phone number", "Ana lives at number 12.", False),
        ("a number", "Seats are left.", False),
    ],
)
def test_only_a_text_that_surely_gives_none_is_said_to(kind: str, text: str, given: bool) -> None:
    assert gives_value(kind, text) is given
