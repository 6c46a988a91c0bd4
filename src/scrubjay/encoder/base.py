"""What the engine asks of an embedder and of a reranker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import getattr_static
from typing import Protocol, TypeGuard, runtime_checkable

import numpy as np

from scrubjay.types.arrays import ScoreArray, VectorArray

# The designs' thresholds assume that unrelated texts score about 0.2.
UNRELATED_SCORE = 0.2


@dataclass(frozen=True, slots=True)
class Calibration:
    """Maps a model's cosine to a common scale: random pairs near 0.2, identical texts 1."""

    random_pair_cosine: float

    def apply(self, cosine: ScoreArray) -> ScoreArray:
        """The calibrated similarity in [0, 1] of each raw cosine; monotone."""
        spread = (1.0 - UNRELATED_SCORE) / (1.0 - self.random_pair_cosine)
        scaled = 1.0 - (1.0 - np.asarray(cosine, np.float32)) * np.float32(spread)
        # np.clip takes three times as long.
        bounded: ScoreArray = np.minimum(np.maximum(scaled, np.float32(0)), np.float32(1))
        return bounded

    def cosine_at(self, similarity: float) -> float:
        """The raw cosine that calibrates to `similarity`."""
        spread = (1.0 - UNRELATED_SCORE) / (1.0 - self.random_pair_cosine)
        return 1.0 - (1.0 - similarity) / spread


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into vectors of unit length, one row per text, in order.

    `fingerprint` names the model, its revision and its precision; two encoders with the same
    fingerprint must give the same vectors, because a bank is pinned to it. An encoder may also
    carry a `calibration`; without one its cosines are taken as they are. It may carry
    `context_words`: units of fewer words are then also read after the turn before them. One that
    is `instant` never makes a question wait, and is asked on the caller's own thread. One that has
    to be loaded may have `load()`: no deadline counts what that takes, once per process.
    """

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    def encode_documents(self, texts: Sequence[str]) -> VectorArray: ...
    def encode_queries(self, texts: Sequence[str]) -> VectorArray: ...


@runtime_checkable
class Reranker(Protocol):
    """Scores how well each text answers the question; higher is better, any real number.

    One that is `instant` never makes a question wait, and is asked on the caller's own thread.
    """

    @property
    def name(self) -> str: ...
    def score(self, question: str, texts: Sequence[str]) -> ScoreArray: ...


def is_encoder(given: object) -> TypeGuard[Encoder]:
    """Whether an object has what an Encoder has.

    What its class declares is not asked for, as `isinstance` does before Python 3.12: an endpoint
    is not to be asked for its dimension before it is needed.
    """
    names = ("name", "dimension", "fingerprint", "encode_documents", "encode_queries")
    return all(getattr_static(given, n, None) is not None or hasattr(given, n) for n in names)


def calibration_of(encoder: Encoder) -> Calibration:
    """The encoder's own calibration, or the identity."""
    own = getattr(encoder, "calibration", None)
    return own if isinstance(own, Calibration) else Calibration(UNRELATED_SCORE)


def context_words_of(encoder: Encoder) -> int:
    """Below how many words the encoder also reads a unit with the turn before it; 0: never."""
    own = getattr(encoder, "context_words", 0)
    return own if isinstance(own, int) else 0


def is_instant(model: Encoder | Reranker) -> bool:
    """Whether it says of itself that it takes no time worth a deadline."""
    return getattr(model, "instant", False) is True
