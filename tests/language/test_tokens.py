"""Estimating how many tokens a model counts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.tokens import estimate_tokens

ASCII = st.text(st.characters(max_codepoint=127))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("The heron stood on the old pier and waited for the tide to turn.", 13, 17),
        ("Reset the router, then call support (ext. 4471).", 11, 15),
        ("暴风雨前我们把皮划艇放进了棚子", 12, 18),
        ("嵐の前にカヤックを小屋にしまいました", 12, 20),
        ("Der Zimmermann hat die Fensterläden über Nacht geölt.", 11, 19),
        ("Мы убрали каяк в сарай перед бурей", 10, 15),
    ],
)
def test_the_estimate_is_near_what_a_tokenizer_gives(text: str, low: int, high: int) -> None:
    assert low <= estimate_tokens(text) <= high


def test_nothing_is_nothing_and_anything_is_something() -> None:
    assert estimate_tokens("") == 0
    for text in (" ", "\u200b", "\t", "a", "🎉"):
        assert estimate_tokens(text) == 1


def test_long_words_and_numbers_cost_more() -> None:
    assert estimate_tokens("antidisestablishmentarianism") > estimate_tokens("paper")
    assert estimate_tokens("1234567890") > estimate_tokens("123")


def test_one_foreign_name_does_not_change_the_reading_of_a_text() -> None:
    plain = "We walked along the harbour with Zoe and afterwards everybody wanted ice cream. " * 3
    named = plain.replace("Zoe", "Zoë", 1)
    assert abs(estimate_tokens(named) - estimate_tokens(plain)) <= 1


@given(ASCII, ASCII)
def test_two_texts_together_cost_what_they_cost_apart(first: str, second: str) -> None:
    apart = estimate_tokens(first) + estimate_tokens(second)
    assert abs(estimate_tokens(f"{first}\t{second}") - apart) <= 2


@given(st.text(min_size=1))
def test_the_estimate_lies_between_one_and_the_number_of_characters(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text)


@given(st.text("aB1 \n\t'_.s", max_size=60))
def test_tokens_counted_by_words_are_those_of_the_whole_text(text: str) -> None:
    told = "x " + text
    # A text with another letter is counted as a whole; of a name's accent alone it costs one.
    assert estimate_tokens(told) == sum(map(estimate_tokens, told.split())) + between(told)


def between(text: str) -> int:
    """How many breaks and wide gaps a text has."""
    return len(re.findall(r"\n+| {2,}", text))
