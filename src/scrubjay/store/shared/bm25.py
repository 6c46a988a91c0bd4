"""BM25, once for both stores: what a word gives a unit, and what that takes of the whole bank."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

K1, B = 1.2, 0.75
# No impact is greater, whatever a unit holds.
IMPACT_MAX = K1 + 1

# A word that stands more often in a unit counts as so often: a byte holds it.
COUNT_MAX = 255
# Longer units count as this long. Units are cut well below; it bounds the table of pairs.
LENGTH_MAX = 16_383

ImpactArray: TypeAlias = npt.NDArray[np.float32]
_Integers: TypeAlias = npt.NDArray[np.unsignedinteger] | npt.NDArray[np.signedinteger]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What BM25 needs of the whole bank: how many units it holds, and their words in all."""

    documents: int = 0
    total_length: int = 0

    @property
    def average_length(self) -> float:
        """The mean length of a unit, 1 where there is nothing to be read."""
        return self.total_length / self.documents if self.total_length else 1.0

    def plus(self, documents: int, length: int) -> Corpus:
        """The same with more units, or fewer, of so many words together."""
        return Corpus(self.documents + documents, self.total_length + length)

    def weight(self, holders: int) -> float:
        """The inverse document frequency of a word that so many units hold; never negative."""
        # A writer may be counting: no word is in more units than there are.
        return math.log1p((max(self.documents - holders, 0) + 0.5) / (holders + 0.5))

    def ceiling(self, holders: Iterable[int]) -> float:
        """The score of a unit of average length that holds each of some words once."""
        return sum(self.weight(held) for held in holders)


def impacts(counts: _Integers, lengths: _Integers, average_length: float) -> ImpactArray:
    """What a word gives each unit that holds it so often, before the word's weight."""
    frequencies = counts.astype(np.float32)
    table: ImpactArray = lengths.astype(np.float32)
    table *= K1 * B / average_length
    table += frequencies + np.float32(K1 * (1 - B))
    np.divide(frequencies * np.float32(IMPACT_MAX), table, out=table)
    return table


def impact_growth(average_before: float, average_now: float) -> float:
    """By which factor an impact is greater, at most, since the average length is another."""
    return max(1.0, average_now / average_before)


def pack_counts(counts: Collection[int]) -> bytes:
    """How often each word stands in a unit, a byte each."""
    # Whatever is more, few units have: all counts as they are take a third of the time.
    if max(counts, default=0) <= COUNT_MAX:
        return bytes(counts)
    return bytes([count if count < COUNT_MAX else COUNT_MAX for count in counts])
