"""One spelling of a word: without case, without accents, normalised in linear time."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from scrubjay.limits import COMBINING_MARKS_MAX

# What becomes a combining mark when it is normalised: the half-width sound marks of katakana,
# which count as letters, and three vowels of Tibetan.
_BECOMES_MARKS = "\uff9e\uff9f\u0f73\u0f75\u0f81"
# No other combining mark is a letter, a digit or ASCII, so only such a run can hold too many.
_SIGNS = re.compile(rf"(?:[^\w\s\x00-\x7f]|[{_BECOMES_MARKS}]){{{COMBINING_MARKS_MAX + 1},}}")


def few_marks(text: str) -> str:
    """The text without the combining marks that no letter can bear: those behind the thirtieth."""
    return _SIGNS.sub(_thinned, text)


def _thinned(run: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for sign in run.group():
        marks = marks + 1 if unicodedata.combining(sign) or sign in _BECOMES_MARKS else 0
        if marks <= COMBINING_MARKS_MAX:
            kept.append(sign)
    return "".join(kept)


def casefolded(word: str) -> str:
    """The word without case, composed."""
    if word.isascii():
        return word.lower()
    # Casefolding may undo the composition, and leaves a dot on the Turkish capital İ.
    return unicodedata.normalize("NFKC", word.casefold()).replace("i\u0307", "i")


_ACCENT = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0670]")
_LETTERS_WITHOUT_ACCENT = {
    **{"ё": "е", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ð": "d"},
    **{"æ": "ae", "œ": "oe", "þ": "th"},
}


def unaccented(word: str) -> str:
    """The word without its accents, where they are not part of the letter."""
    return word if word.isascii() else "".join(map(_unaccented_letter, word)) or word


@lru_cache(4_096)
def _unaccented_letter(letter: str) -> str:
    if _ACCENT.match(letter):
        return ""
    base = unicodedata.normalize("NFD", letter)[0]
    # Elsewhere the mark is part of the letter: й is not и, and が is not か.
    plain = base if base < "\u0400" or "\u0600" <= base < "\u0700" else letter
    return _LETTERS_WITHOUT_ACCENT.get(plain, plain)
