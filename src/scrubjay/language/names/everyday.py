"""Tells everyday English words from words that only names are made of."""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.language.names.lists import COMMON_WORDS, FUNCTION_WORDS, GIVEN_NAMES

# Words that are remembered, at a hundred bytes each; most texts are made of few.
_CACHED_WORDS_MAX = 16_384

_EVERYDAY_ENDING = re.compile(
    "(?:ing|ed|ly|tion|sion|ness|ment|able|ible|ful|less|ous|ive|ism|ity|ship|ance|ence|ical|ional"
    "|ize|ise|ify|ate)s?$"
)


@lru_cache(_CACHED_WORDS_MAX)
def looks_everyday(word: str) -> bool:
    """Whether a folded word, or every word of a compound, is common English by list or ending."""
    if " " in word:
        return all(map(looks_everyday, word.split()))
    return (
        word in COMMON_WORDS
        or word in FUNCTION_WORDS
        or (word.endswith("s") and word[:-1] in COMMON_WORDS)
        or (len(word) > 5 and word not in GIVEN_NAMES and bool(_EVERYDAY_ENDING.search(word)))
    )


def has_everyday_ending(word: str) -> bool:
    """Whether a folded word ends as verbs, adjectives and abstract nouns do."""
    return _EVERYDAY_ENDING.search(word) is not None
