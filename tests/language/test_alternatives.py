"""One of many words is found where trying each of them finds it."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.language.alternatives import any_of

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
