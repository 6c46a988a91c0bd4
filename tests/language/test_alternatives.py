"""One of many words is found where trying each of them finds it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.alternatives import any_of, any_said

WORDS = st.lists(st.text("ab .", min_size=1, max_size=4), max_size=8)


@given(WORDS, st.text("ab .", max_size=20))
def test_the_same_places_are_found_as_by_trying_one_word_after_the_other(
    words: list[str], text: str
) -> None:
    tried = "|".join(map(re.escape, words)) or "(?!)"
    for behind in ("", r"\b", "(?= |$)"):
        plain, decided = re.compile(rf"(?:{tried}){behind}"), re.compile(any_of(words) + behind)
        assert [*map(str, decided.finditer(text))] == [*map(str, plain.finditer(text))]


def test_of_no_words_nothing_is_found() -> None:
    assert re.search(any_of([]), "anything") is None


@given(st.lists(st.sampled_from(["may", "maybe", "if", "hop(?:e|ing)", "ümit"]), min_size=1), WORDS)
def test_expressions_are_found_by_their_first_letters_as_by_trying_each(
    expressions: list[str], texts: list[str]
) -> None:
    tried = re.compile(rf"\b(?:{'|'.join(expressions)})\b", re.IGNORECASE)
    decided = re.compile(rf"\b{any_said(expressions)}\b", re.IGNORECASE)
    for text in (*texts, "IF", "Maybe, may I", "hoping", "Ümit", "a hope"):
        assert [*map(str, decided.finditer(text))] == [*map(str, tried.finditer(text))]


def test_an_expression_with_another_beginning_is_refused() -> None:
    with pytest.raises(AssertionError):
        any_said(["if", r"\w+"])
