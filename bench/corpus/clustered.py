"""A corpus of any size, made block by block: the same seed, size and place give the same units.

Words and names follow Zipf's law, vectors lie in topics (see `vector_space`), units are told in
sessions over five years. A unit comes as the write path would hand it to the store, because
reading millions of texts would measure the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice

import numpy as np
import numpy.typing as npt
from bench.corpus import lexicon
from bench.corpus.lexicon import IntArray, Name, Zipf
from bench.corpus.vector_space import TOPICS, unit_vectors

from scrubjay.types.arrays import VectorArray

# Another number makes another corpus; stores built from an earlier one are built again.
VERSION = 1

NOW = datetime(2026, 7, 1, 12, tzinfo=UTC)
SPAN = timedelta(days=5 * 365)
BLOCK_UNITS = 2_000
UNITS_PER_SESSION = 25
WORDS_MIN, WORDS_MAX = 10, 40
TYPES = ("fact", "event", "experience", "preference")

_TYPE_SHARES = (0.55, 0.2, 0.15, 0.1)
_NAMED_SHARES = (0.25, 0.4, 0.25, 0.1)  # of units with 0, 1, 2 and 3 names
_HAPPENED_SHARE = 0.3
_CAUSED_SHARE = 0.04
_CAUSE_REACH = 500
# So many of a unit's words come from its topic's part of the vocabulary.
_TOPIC_WORDS_SHARE = 0.25
_TOPIC_STRIDE = 11
_TOPIC_EXPONENT, _TOPIC_SHIFT = 0.9, 10.0
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class MadeUnit:
    """One unit with everything but its links; `causes` is an earlier unit's number."""

    number: int
    text: str
    type: str
    told_at: datetime
    happened_at: datetime | None
    session: str
    names: tuple[Name, ...]
    terms: Mapping[str, int]
    length: int
    vector: VectorArray
    topic: int
    causes: int | None


@dataclass(frozen=True, slots=True)
class Corpus:
    """`units` units from a seed."""

    units: int
    seed: int = 1

    @property
    def blocks(self) -> int:
        """How many blocks hold all units; the last one may be shorter."""
        return -(-self.units // BLOCK_UNITS)

    def block(self, number: int) -> Block:
        """One block, nothing of which is made until it is asked for."""
        first = number * BLOCK_UNITS
        return Block(self, first, min(BLOCK_UNITS, self.units - first))

    def units_from(self, first: int = 0) -> Iterator[MadeUnit]:
        """Every unit from a number on, made block by block as they are taken."""
        for number in range(first // BLOCK_UNITS, self.blocks):
            skipped = max(0, first - number * BLOCK_UNITS)
            yield from islice(self.block(number).units(), skipped, None)

    def told_at(self, number: int) -> datetime:
        """When a unit was told: all are spread evenly over the years before NOW."""
        return NOW - SPAN + SPAN * (number / max(self.units, 1))


@dataclass(frozen=True)
class Block:
    """Some consecutive units; each sort of thing has random numbers of its own."""

    corpus: Corpus
    first: int
    count: int

    def _random(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng([self.corpus.seed, self.first, purpose])

    @cached_property
    def topics(self) -> IntArray:
        """Each unit's topic."""
        return _TOPICS.draw(self._random(0).random(self.count))

    @cached_property
    def vectors(self) -> VectorArray:
        """Each unit's vector."""
        source = self._random(1)
        return unit_vectors(self.topics, _TOPICS.draw(source.random(self.count)), source)

    @cached_property
    def words(self) -> list[list[int]]:
        """The words of each unit, as places in the vocabulary."""
        source = self._random(2)
        lengths = source.integers(WORDS_MIN, WORDS_MAX + 1, self.count)
        drawn = lexicon.word_ranks().draw(source.random(int(lengths.sum())))
        topical = source.random(len(drawn)) < _TOPIC_WORDS_SHARE
        telling = drawn - lexicon.function_words()
        shifted = telling + np.repeat(self.topics, lengths) * _TOPIC_STRIDE
        room = lexicon.VOCABULARY_WORDS - lexicon.function_words()
        moved = lexicon.function_words() + shifted % room
        flat = np.where(topical & (telling >= 0), moved, drawn)
        return [part.tolist() for part in np.split(flat, np.cumsum(lengths)[:-1])]

    @cached_property
    def names(self) -> list[list[int]]:
        """The entities each unit names, none twice."""
        source = self._random(3)
        counts = _picked(source, _NAMED_SHARES, self.count)
        drawn = lexicon.entity_ranks().draw(source.random(int(counts.sum())))
        return [list(dict.fromkeys(p.tolist())) for p in np.split(drawn, np.cumsum(counts)[:-1])]

    @cached_property
    def types(self) -> list[str]:
        """Each unit's type."""
        return [TYPES[code] for code in _picked(self._random(4), _TYPE_SHARES, self.count)]

    def units(self) -> Iterator[MadeUnit]:
        """All of them, in order."""
        source = self._random(5)
        ages = np.where(
            source.random(self.count) < _HAPPENED_SHARE, source.integers(0, 60, self.count), -1
        ).tolist()
        causes = self._causes(source)
        for place in range(self.count):
            yield self._unit(place, ages[place], causes[place])

    def _causes(self, source: np.random.Generator) -> list[int | None]:
        numbers = np.arange(self.first, self.first + self.count)
        earlier = numbers - source.integers(1, _CAUSE_REACH, self.count)
        linked = (source.random(self.count) < _CAUSED_SHARE) & (earlier >= 0)
        return [
            cause if links else None
            for cause, links in zip(earlier.tolist(), linked.tolist(), strict=True)
        ]

    def _unit(self, place: int, age_days: int, causes: int | None) -> MadeUnit:
        number, words = self.first + place, self.words[place]
        names = tuple(lexicon.entity(entity) for entity in self.names[place])
        told_at = self.corpus.told_at(number)
        spoken = [lexicon.vocabulary()[word] for word in words]
        terms = [term for word in words for term in lexicon.word_terms(word)]
        for offset, name in enumerate(names):
            spoken.insert(3 + 5 * offset, name.text)
            terms += name.terms
        text = " ".join(spoken)
        return MadeUnit(
            number,
            f"{text[0].upper()}{text[1:]}.",
            self.types[place],
            told_at,
            told_at - age_days * _DAY if age_days >= 0 else None,
            f"session-{number // UNITS_PER_SESSION}",
            names,
            Counter(terms),
            len(terms),
            self.vectors[place],
            int(self.topics[place]),
            causes,
        )


_TOPICS = Zipf(TOPICS, _TOPIC_EXPONENT, _TOPIC_SHIFT)


def _picked(
    source: np.random.Generator, shares: tuple[float, ...], count: int
) -> npt.NDArray[np.int64]:
    bounds = np.cumsum(shares)[:-1]
    return np.searchsorted(bounds, source.random(count), side="right").astype(np.int64)
