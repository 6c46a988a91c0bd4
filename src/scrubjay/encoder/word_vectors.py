"""The table of words in a model's weights, for graphs beside it that hold none of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Model
from scrubjay.encoder.model_files import read_verified
from scrubjay.encoder.onnx_graph import FloatArray, TokenizedTexts, shared


class WordVectors(TokenizedTexts):
    """A model's tokenizer, and the vector of each token; safe to use from many threads."""

    def __init__(self, model: Model, directory: Path) -> None:
        super().__init__(model, directory)
        assert model.words is not None, f"{model.name} says where its words are"
        assert model.embedding is not None, f"{model.name} is listed as an encoder"
        self._place = model.words
        weights = read_verified(model, model.weights, directory)
        width = model.embedding.dimension
        count = len(self.vocabulary()) * width
        table = np.frombuffer(weights, np.uint8, count, model.words.offset)
        self._table = table.reshape(-1, width).copy()  # the rest of the weights is not kept

    @classmethod
    def of(cls, model: Model, directory: Path) -> WordVectors:
        """The process's one table of `model`, loaded on first use."""
        return shared(cls, model, directory)

    def vectors(self, ids: Sequence[int]) -> FloatArray:
        """The vectors of tokens, as a graph takes those of one text."""
        words = self._table[ids].astype(np.float32)
        words -= np.float32(self._place.zero)
        words *= np.float32(self._place.scale)
        one: FloatArray = words[None]
        return one
