"""The spellings a mistyped name may have been meant as, each one slip of the finger away."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

from scrubjay.language.names.everyday import looks_everyday
from scrubjay.language.names.lists import GIVEN_NAMES, PLACES

# In a shorter word one letter is too much of it; a longer one would be looked up a thousandfold.
_LETTERS_MIN = 4
_LETTERS_MAX = 16


def may_be_mistyped(word: str) -> bool:
    """Whether a folded word may be a name with a slip in it: no word, and no name, as it stands."""
    return (
        _LETTERS_MIN <= len(word) <= _LETTERS_MAX
        and word.isascii()
        and word.isalpha()
        and word not in GIVEN_NAMES
        and word not in PLACES
        and not looks_everyday(word)
    )


def near_spellings(word: str) -> frozenset[str]:
    """The words one letter too many, too few, wrong or swapped away; at most 54 for each letter."""
    return frozenset(_slips(word)) - {word}


def _slips(word: str) -> Iterator[str]:
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in ascii_lowercase:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]
