"""Keeps what single words say, each of which is read once: most texts are made of few."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

Said = TypeVar("Said", bound=Collection[str])

# Words that are remembered, at a hundred bytes each.
_REMEMBERED_MAX = 16_384
_REMEMBERED_CHARACTERS_MAX = 40


class WordMemory(Generic[Said]):
    """What `read` finds in a word, for one text after the other; in most words that is nothing.

    A word is what stands between spaces, with the signs at its ends.
    """

    __slots__ = ("_read", "_silent", "_telling")

    def __init__(self, read: Callable[[str], Said]) -> None:
        self._read = read
        # Two, so that all words that say nothing are left out at once.
        self._silent: set[str] = set()
        self._telling: dict[str, Said] = {}

    def said(self, text: str) -> list[Said]:
        """What the words of a text say, one after the other."""
        telling, silent = self._telling, self._silent
        return [
            telling.get(word) or self._look_up(word) for word in text.split() if word not in silent
        ]

    def _look_up(self, word: str) -> Said:
        found = self._read(word)
        if len(word) <= _REMEMBERED_CHARACTERS_MAX:
            if len(self._silent) + len(self._telling) >= _REMEMBERED_MAX:
                self._silent, self._telling = set(), {}
            if found:
                self._telling[word] = found
            else:
                self._silent.add(word)
        return found
