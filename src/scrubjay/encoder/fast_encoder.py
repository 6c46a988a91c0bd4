"""Asking with fewer layers: units as the whole model reads them, questions as a student does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Model
from scrubjay.encoder.model_files import read_verified
from scrubjay.encoder.onnx_encoder import OnnxEncoder
from scrubjay.encoder.onnx_graph import FloatArray, GraphSession, TokenizedTexts, shared
from scrubjay.types.arrays import VectorArray


class AskingGraph(TokenizedTexts):
    """A model's graph for questions, and the table of words that it shares with the model."""

    def __init__(self, model: Model, directory: Path) -> None:
        super().__init__(model, directory)
        assert model.asking is not None, f"{model.name} has a graph for questions"
        assert model.embedding is not None, f"{model.name} is listed as an encoder"
        self._asking = model.asking
        weights = read_verified(model, model.weights, directory)
        width = model.embedding.dimension
        count = len(self.vocabulary()) * width
        table = np.frombuffer(weights, np.uint8, count, model.asking.offset)
        self._words = table.reshape(-1, width).copy()  # the rest of the weights is not kept
        content = read_verified(model, model.asking.file, directory)
        self._session = GraphSession(model.name, content)

    def run_question(self, text: str) -> FloatArray:
        """The last layer for one question, a row per token."""
        words = self._words[self.text_ids(text)].astype(np.float32)
        words -= np.float32(self._asking.zero)
        words *= np.float32(self._asking.scale)
        layer: FloatArray = self._session.run({"word_vectors": words[None]})[0]
        return layer


class FastEncoder(OnnxEncoder):
    """The same bank, asked for a third of the CPU: docs/models.md says what that loses.

    Its fingerprint is the model's, since what is stored is: a bank may be opened with either, any
    time. The whole graph is loaded only when something is told.
    """

    def load(self) -> None:
        """Load the graph for questions, if this process has not."""
        self._asking()

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of questions, one row each, in order."""
        return _unit([self._layer(text).mean(axis=0) for text in texts], self.dimension)

    def encode_queries_late(self, texts: Sequence[str]) -> tuple[VectorArray, list[VectorArray]]:
        """The same, and of the same reading the vectors of each question's tokens, weighed."""
        head, graph = self._token_head(), self._asking()
        prefix = len(graph.tokens(self._embedding.query_prefix, self._model.tokens_max))
        layers = [self._layer(text) for text in texts]
        vectors = _unit([layer.mean(axis=0) for layer in layers], self.dimension)
        return vectors, [head.question(layer, prefix) for layer in layers]

    def _layer(self, text: str) -> FloatArray:
        return self._asking().run_question(self._embedding.query_prefix + text)

    def _asking(self) -> AskingGraph:
        return shared(AskingGraph, self._model, self._directory)

    def _texts(self) -> TokenizedTexts:
        return self._asking()


def _unit(means: Sequence[FloatArray], dimension: int) -> VectorArray:
    if not means:
        return np.zeros((0, dimension), np.float32)
    vectors = np.stack(means)
    unit: VectorArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
