"""Tells everyday English words from words that only names are made of."""

from __future__ import annotations

import re
from functools import lru_cache

from scrubjay.language.detection import UNDECIDED, detect_language
from scrubjay.language.names.lists import (
    COMMON_WORDS,
    FOREIGN_FUNCTION_WORDS,
    FUNCTION_WORDS,
    FUNCTION_WORDS_OF,
    GIVEN_NAMES,
)

# Words that are remembered, at a hundred bytes each; most texts are made of few.
_CACHED_WORDS_MAX = 16_384

_SAMPLE_CHARACTERS = 200  # of a text in no language, that are enough to tell English words
_WORD = re.compile(r"[^\W\d_]+")

_EVERYDAY_ENDING = re.compile(
    "(?:(?:ing|tion|sion|ment|able|ive|ism|ship|ance|ence|ize|ise|ate)s?"
    "|ed|ly|ness|ible|ful|less|ous|ity|ical|ional|ify)$"
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


def names_nothing(word: str, text: str) -> bool:
    """Whether a folded word is one of the small words of the language its text is written in.

    "Mia" is a pronoun in Italian and a name in English or French.
    """
    if word in FUNCTION_WORDS:
        return True
    if word not in FOREIGN_FUNCTION_WORDS:
        return False
    language = detect_language(text)
    if language in FUNCTION_WORDS_OF:
        return word in FUNCTION_WORDS_OF[language]
    # Too short to tell: a given name among English words is one.
    if language == UNDECIDED and word in GIVEN_NAMES:
        said = set(_WORD.findall(text[:_SAMPLE_CHARACTERS].lower())) - {word}
        english = sum(map(looks_everyday, said)) * 2 > len(said)
        return not english or not said.isdisjoint(FOREIGN_FUNCTION_WORDS)
    return language != "en"
