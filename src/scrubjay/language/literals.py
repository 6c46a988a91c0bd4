"""Finds which of many literals a text holds, by its words: most texts are made of few."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product, starmap

from scrubjay.language.alternatives import any_of
from scrubjay.language.word_memory import WordMemory


class Literals:
    """Some literals, each with a word in it, looked for in one text after the other."""

    __slots__ = ("_any", "_longest", "_words")

    def __init__(self, literals: Iterable[str]) -> None:
        self._longest = tuple(map(_longest, sorted(set(literals))))
        # Most words hold none of them.
        edges = product((False, True), repeat=2)
        self._any = re.compile("|".join(starmap(self._expression, edges)))
        self._words = WordMemory(self._in_word)

    def _expression(self, begins: bool, ends: bool) -> str:
        words = {word for _, word, *edges in self._longest if edges == [begins, ends]}
        return "^" * begins + any_of(sorted(words)) + "$" * ends

    def held_by(self, text: str) -> set[str]:
        """Those that stand in a text."""
        perhaps: set[str] = set()
        perhaps.update(*self._words.said(text))
        return {literal for literal in perhaps if literal in text}

    def _in_word(self, word: str) -> tuple[str, ...]:
        """Those whose longest word a word of a text holds."""
        if self._any.search(word) is None:
            return ()
        return tuple(
            literal
            for literal, longest, begins, ends in self._longest
            if longest in word
            and (not begins or word.startswith(longest))
            and (not ends or word.endswith(longest))
        )


def _longest(literal: str) -> tuple[str, str, bool, bool]:
    """A literal, and its longest word, which fewest texts have; whether a word of a text that
    holds it begins with it, since a space comes before, and ends with it, since one comes behind.
    """
    words = literal.split()
    place = max(range(len(words)), key=lambda at: len(words[at]))
    begins = place > 0 or literal[0].isspace()
    ends = place < len(words) - 1 or literal[-1].isspace()
    return literal, words[place], begins, ends
