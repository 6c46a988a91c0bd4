"""What words say is found at first and when it is known, whatever was read between."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.word_memory import WordMemory

TEXTS = st.lists(st.text("ab \n", max_size=60), max_size=8)


def _pairs(word: str) -> tuple[str, ...]:
    return tuple(word[at : at + 2] for at in range(len(word) - 1) if word[at] != word[at + 1])


@given(TEXTS)
def test_a_text_says_what_its_words_say_in_their_order(texts: list[str]) -> None:
    memory = WordMemory(_pairs)
    for text in (*texts, *texts):
        said = [pair for word in memory.said(text) for pair in word]
        assert said == [pair for word in text.split() for pair in _pairs(word)]


def test_a_word_that_says_nothing_is_read_once_and_a_long_one_each_time() -> None:
    read: list[str] = []

    def reading(word: str) -> tuple[str, ...]:
        read.append(word)
        return ()

    memory = WordMemory(reading)
    for _ in range(3):
        assert not any(memory.said("a quiet word " + "w" * 100))
    assert read.count("quiet") == 1
    assert read.count("w" * 100) == 3
