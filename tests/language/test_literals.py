"""Literals are found by the words of a text, wherever they stand in it."""

from __future__ import annotations

import pytest

from scrubjay.language.literals import Literals

LITERALS = ("because", "due to", ", so ", " ever", "in ", "so that", "因为")
TEXTS = (
    "late because of rain",
    "due  to rain",
    "it was due to rain, so we left",
    "it was due,so we left",
    "no calls, ever",
    "never ever",
    "forever",
    "in",
    "within reach",
    "inside",
    "so\nthat",
    "我迟到了因为下雨",
    "",
    "a" * 100 + "because",
)


@pytest.mark.parametrize("text", TEXTS)
def test_those_that_stand_in_a_text_are_found_at_first_and_when_its_words_are_known(
    text: str,
) -> None:
    literals = Literals(LITERALS)
    expected = {literal for literal in LITERALS if literal in text}
    assert literals.held_by(text) == expected
    for other in TEXTS:
        literals.held_by(other)
    assert literals.held_by(text) == expected
