"""Expressions that are tried only on texts with one of the words they need: most have none."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[a-z]+")


# A question is read by one module after the other.
@lru_cache(maxsize=16)
def _words_of(text: str) -> frozenset[str] | None:
    # Where case is ignored other signs pass for plain letters, as the long s does for an s.
    return frozenset(_WORD.findall(text.lower())) if text.isascii() else None


class Cued:
    """An expression in any case, and its cues: of these one stands whole in all that it matches.

    To look at the words of a short text once takes less time than to go through it with one
    expression after the other. A text that is not plain ASCII is always gone through.
    """

    __slots__ = ("cues", "expression")

    def __init__(self, cues: str, expression: str) -> None:
        self.cues = frozenset(cues.split())
        self.expression = re.compile(expression, re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """What `re.Pattern.search` finds in a text."""
        words = _words_of(text)
        if words is not None and self.cues.isdisjoint(words):
            return None
        return self.expression.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """What `re.Pattern.match` finds at the start of a text."""
        words = _words_of(text)
        if words is not None and self.cues.isdisjoint(words):
            return None
        return self.expression.match(text)
