"""Spells out how people misspell time words: "febuary", "tommorrow", "mondat", "apirl"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

# Shorter words are too near to others: "may", "mary"; "march", "marsh". Of those of six letters a
# vowel may not be another, nor the last letter be missing: "monday", "Mandy"; "friday", "Frida".
# Words of five letters have two of them swapped at most: "apirl".
_LETTERS_MIN = 6
_SWAPPED_MIN = 5
_HURRIED_MIN = 8
_SKELETON_MIN = 5
_VOWELS_MISTAKEN_MIN = 7
_VOWELS = "aeiou"
_DOUBLED = re.compile(r"(.)\1")
# Words of their own.
_WORDS = frozenset(
    (
        "toady",
        "sturdy",
        "marche",
        "augusta",
        "auguste",
        "augusto",
        "augustus",
        "eater",
        "ester",
        "esther",
    )
)
_KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_BESIDE = {
    letter: row[max(0, at - 1) : at] + row[at + 1 : at + 2]
    for row in _KEYBOARD
    for at, letter in enumerate(row)
}


def misspellings(words: Iterable[str]) -> dict[str, str]:
    """For each misspelling the word it stands for; what may stand for two words is left out."""
    correct = {word for word in words if len(word) >= _SWAPPED_MIN and word.isascii()}
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for word in sorted(correct):
        for typo in _misspelt(word):
            if found.setdefault(typo, word) != word:
                doubtful.add(typo)
    wrong = doubtful | correct | _WORDS
    return {typo: word for typo, word in found.items() if typo not in wrong}


def _misspelt(word: str) -> Iterator[str]:
    """A letter left out, doubled, swapped, hit beside, or a vowel for another or too many."""
    if len(word) < _LETTERS_MIN:
        yield from (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(1, len(word) - 1)
        )
        return
    if len(word) >= _HURRIED_MIN:
        yield from (typo for typo in _hurried(word) if len(typo) >= _SKELETON_MIN)
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
        if at and len(word) >= _VOWELS_MISTAKEN_MIN:
            yield from (before + vowel + letter + after for vowel in _VOWELS)
        if letter in _VOWELS and len(word) >= _VOWELS_MISTAKEN_MIN:
            yield from (before + vowel + after for vowel in _VOWELS)
        if at:
            yield from (before + beside + after for beside in _BESIDE.get(letter, ""))


def _hurried(word: str) -> Iterator[str]:
    """Two vowels left out, or all but the first letter's: "ystrday", "septmbr", "thrsdy"."""
    vowels = [at for at, letter in enumerate(word) if at and letter in _VOWELS]
    for first, second in combinations(vowels, 2):
        yield word[:first] + word[first + 1 : second] + word[second + 1 :]
    yield "".join(letter for at, letter in enumerate(word) if at not in vowels)
