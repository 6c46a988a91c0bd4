"""An encoder that hands out vectors made beforehand, so that a benchmark pays for none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bench.corpus.vector_space import DIMENSION, RANDOM_PAIR_COSINE
from scrubjay.encoder.base import Calibration
from scrubjay.store.base import EncoderPin
from scrubjay.types.arrays import VectorArray

PIN = EncoderPin(f"clustered@1/f32/{DIMENSION}", DIMENSION)


class GivenVectors:
    """Knows the vectors of some texts and of no other."""

    def __init__(self, vectors: Mapping[str, VectorArray]) -> None:
        self._vectors = vectors

    @property
    def name(self) -> str:
        """`clustered`."""
        return "clustered"

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return PIN.dimension

    @property
    def fingerprint(self) -> str:
        """The one the stores of this benchmark are pinned to."""
        return PIN.fingerprint

    @property
    def calibration(self) -> Calibration:
        """Of the corpus's vectors."""
        return Calibration(RANDOM_PAIR_COSINE)

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Their vectors; KeyError for a text that was not given."""
        return np.stack([self._vectors[text] for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """The same as `encode_documents`."""
        return self.encode_documents(texts)
