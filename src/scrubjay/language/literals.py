"""Finds which of many literals a text holds, by its words: most texts are made of few."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product, starmap

from scrubjay.language.alternatives import any_of

# Words that are remembered, at a hundred bytes each.
_REMEMBERED_MAX = 16_384
_REMEMBERED_CHARACTERS_MAX = 40


class Literals:
    """Some literals, each with a word in it, looked for in one text after the other."""

    __slots__ = ("_any", "_first", "_silent", "_telling")

    def __init__(self, literals: Iterable[str]) -> None:
        # A word of the text holds the first word of a literal: it ends so if more comes behind,
        # and begins so if a space comes before.
        self._first = tuple(
            (literal, first, literal[0].isspace(), first != literal.lstrip())
            for literal in sorted(set(literals))
            for first in literal.split()[:1]
        )
        # Most words hold none of them.
        edges = product((False, True), repeat=2)
        self._any = re.compile("|".join(starmap(self._expression, edges)))
        # Two, so that all words that say nothing are left out at once.
        self._silent: set[str] = set()
        self._telling: dict[str, tuple[str, ...]] = {}

    def _expression(self, begins: bool, ends: bool) -> str:
        firsts = {first for _, first, *edges in self._first if edges == [begins, ends]}
        return "^" * begins + any_of(sorted(firsts)) + "$" * ends

    def held_by(self, text: str) -> set[str]:
        """Those that stand in a text."""
        perhaps: set[str] = set()
        telling = self._telling
        for word in {*text.split()} - self._silent:
            perhaps.update(telling.get(word) or self._look_up(word))
        return {literal for literal in perhaps if literal in text}

    def _look_up(self, word: str) -> tuple[str, ...]:
        found: tuple[str, ...] = ()
        if self._any.search(word) is not None:
            found = tuple(
                literal
                for literal, first, begins, ends in self._first
                if first in word
                and (not begins or word.startswith(first))
                and (not ends or word.endswith(first))
            )
        if len(word) <= _REMEMBERED_CHARACTERS_MAX:
            if len(self._silent) + len(self._telling) >= _REMEMBERED_MAX:
                self._silent, self._telling = set(), {}
            if found:
                self._telling[word] = found
            else:
                self._silent.add(word)
        return found
