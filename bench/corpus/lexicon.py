"""The words and names of the clustered corpus: a Zipf vocabulary and entities with a heavy tail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from scrubjay.language.analyzer import Analyzer
from scrubjay.language.names import derived_aliases, fold
from scrubjay.language.stopwords import noise_words

VOCABULARY_WORDS = 250_000
ENTITIES = 400_000

# Zipf-Mandelbrot: the usual fit to English has an exponent near 1 and a small shift. Entities are
# flatter at the head: nobody is in every tenth memory.
_WORD_EXPONENT, _WORD_SHIFT = 1.05, 2.7
_ENTITY_EXPONENT, _ENTITY_SHIFT = 1.0, 20.0
_GIVEN_NAMES = 2_000
_SURNAMES = 30_000
_KINDS_EVERY = 10

# The tail is long and named once; about a kilobyte an entry.
_CACHED_NAMES_MAX = 65_536

_ONSETS = ("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n",
    "p", "pl", "r", "s", "sh", "st", "t", "tr", "v", "w", "z")  # fmt: skip
_NUCLEI = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_CODAS = ("", "l", "m", "n", "nd", "r", "rk", "s", "st", "t", "x")
_SYLLABLES = tuple("".join(parts) for parts in product(_ONSETS, _NUCLEI, _CODAS))
# Prime, so that its multiples visit every pair of syllables before one comes again.
_STRIDE = 1_299_709

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Name:
    """An entity as texts name it, with what the write path derives from that."""

    text: str
    folded: str
    kind: str
    aliases: tuple[tuple[str, float], ...]
    terms: tuple[str, ...]


class Zipf:
    """Draws numbers from 0 on, small ones most often."""

    def __init__(self, count: int, exponent: float, shift: float) -> None:
        weights = (np.arange(1, count + 1) + shift) ** -exponent
        self._cumulative = np.cumsum(weights) / weights.sum()

    def draw(self, uniform: npt.NDArray[np.float64]) -> IntArray:
        """One number for each of `uniform`, which are in [0, 1)."""
        return np.searchsorted(self._cumulative, uniform, side="right").astype(np.int64)


@cache
def word_ranks() -> Zipf:
    """How often each word of the vocabulary is used."""
    return Zipf(VOCABULARY_WORDS, _WORD_EXPONENT, _WORD_SHIFT)


@cache
def entity_ranks() -> Zipf:
    """How often each entity is named."""
    return Zipf(ENTITIES, _ENTITY_EXPONENT, _ENTITY_SHIFT)


@cache
def function_words() -> int:
    """How many words at the head of the vocabulary say nothing by themselves."""
    return len(_function_words())


def _function_words() -> list[str]:
    # The short ones are the frequent ones.
    return [word for word in sorted(noise_words("en")) if len(word) <= 3 and word.isalpha()]


@cache
def vocabulary() -> tuple[str, ...]:
    """All words, the most frequent first; English function words lead."""
    words = dict.fromkeys(_function_words())
    pairs, number = len(_SYLLABLES) ** 2, 0
    while len(words) < VOCABULARY_WORDS:
        number = (number + _STRIDE) % pairs
        words[_made_word(number)] = None
    return tuple(words)


@cache
def word_terms(word: int) -> tuple[str, ...]:
    """What the word index keeps of a word: itself and, if it differs, its stem."""
    return tuple(Analyzer("english").document_terms(vocabulary()[word]))


@lru_cache(_CACHED_NAMES_MAX)
def entity(number: int) -> Name:
    """The entity of a rank: a person, a team or a ticket."""
    text, kind = _called(number)
    return Name(
        text,
        fold(text),
        kind,
        tuple(derived_aliases(text, kind)),
        tuple(Analyzer("english").document_terms(text)),
    )


def is_identifier(number: int) -> bool:
    """Whether an entity is a ticket: one in ten, as is a team."""
    return number % _KINDS_EVERY == 0


def _called(number: int) -> tuple[str, str]:
    mixed = number * 2_654_435_761 % (1 << 32)
    given, surname = _given_name(mixed), _made_word(mixed % _SURNAMES * 77 + 11).title()
    if is_identifier(number):
        return f"TKT-{10_000 + number}", "identifier"
    if number % _KINDS_EVERY == 1:
        return f"{surname} {given} Team", "organisation"
    return f"{given} {surname}", "person"


def _given_name(mixed: int) -> str:
    # Squared, so that some given names are borne by many and most by few.
    place = int((mixed / (1 << 32)) ** 2 * _GIVEN_NAMES)
    return _made_word(place * 1_013 + 5).title()


def _made_word(number: int) -> str:
    first, second = divmod(number % len(_SYLLABLES) ** 2, len(_SYLLABLES))
    return _SYLLABLES[first] + _SYLLABLES[second]
