"""Writes an expression for one of many that is decided by their first letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# So many letters decide; after two, a list of a thousand words is down to a handful.
_DECIDING = 2


def any_of(words: Iterable[str]) -> str:
    """An expression for one of some words in one case; of several that fit, the first given.

    The engine tries one alternative after the other, of a thousand verbs all at every place. By
    their letters it tries a few. Of no words, it is an expression that matches nowhere.
    """
    return f"(?:{_branches([*dict.fromkeys(words)], _DECIDING) or '(?!)'})"


def any_said(expressions: Sequence[str]) -> str:
    """An expression for one of some expressions, each of which begins with a certain letter.

    These letters stand before it, so that at most words no alternative is tried: where case is
    ignored, each that fails takes as long as one that begins well.
    """
    letters = {each[0] for each in expressions}
    assert all(map(str.isalpha, letters)), "any other beginning would be passed over"
    return f"(?=[{''.join(sorted(letters))}])(?:{'|'.join(expressions)})"


def _branches(words: list[str], deciding: int) -> str:
    # A word that ends here comes before or behind all others, as it is given.
    if not deciding or len(words) < 2 or "" in words:
        return "|".join(map(re.escape, words))
    # The order within a letter stays, and words of two letters never fit in one place.
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[0], []).append(word[1:])
    return "|".join(
        f"{re.escape(letter)}(?:{_branches(rest, deciding - 1)})"
        for letter, rest in by_letter.items()
    )
