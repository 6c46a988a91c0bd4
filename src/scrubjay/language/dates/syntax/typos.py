"""Spells out how people misspell long time words: "febuary", "tommorrow", "wendesday"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# Shorter words are too near to others: "may", "mary"; "march", "marsh". Of those of six letters a
# vowel may not be another, nor the last letter be missing: "monday", "Mandy"; "friday", "Frida".
_LETTERS_MIN = 6
_VOWELS_MISTAKEN_MIN = 7
_VOWELS = "aeiou"
_DOUBLED = re.compile(r"(.)\1")


def misspellings(words: Iterable[str]) -> dict[str, str]:
    """For each misspelling the word it stands for; what may stand for two words is left out."""
    correct = {word for word in words if len(word) >= _LETTERS_MIN and word.isascii()}
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for word in sorted(correct):
        for typo in _misspelt(word):
            if found.setdefault(typo, word) != word:
                doubtful.add(typo)
    return {typo: word for typo, word in found.items() if typo not in doubtful | correct}


def _misspelt(word: str) -> Iterator[str]:
    """A letter left out, doubled, swapped with the next, or a vowel taken for another."""
    single = _DOUBLED.sub(r"\1", word)
    if single != word:
        yield from (single[:at] + single[at] + single[at:] for at in range(len(single)))
    for at, letter in enumerate(word):
        before, after = word[:at], word[at + 1 :]
        if at and (after or len(word) >= _VOWELS_MISTAKEN_MIN):
            yield before + after
        yield before + letter + letter + after
        if after:
            yield before + after[0] + letter + after[1:]
        if letter in _VOWELS and len(word) >= _VOWELS_MISTAKEN_MIN:
            yield from (before + vowel + after for vowel in _VOWELS)
