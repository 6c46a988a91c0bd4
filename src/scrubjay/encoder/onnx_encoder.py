"""Embedding with a catalogue transformer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Embedding, Model, Pooling
from scrubjay.encoder.catalogue_encoder import CatalogueEncoder
from scrubjay.encoder.onnx_graph import THREADS_DEFAULT, FloatArray, map_each, shared_graph
from scrubjay.types import VectorArray


class OnnxEncoder(CatalogueEncoder):
    """An Encoder over an ONNX transformer; a text's vector depends on that text alone.

    Construction looks only at file sizes; the graph is hash-checked and loaded on first use, once
    per process. Texts are cut at the model's `tokens_max`. `threads` is how many texts are
    encoded at the same time.
    """

    def __init__(
        self, model: Model, embedding: Embedding, directory: Path, threads: int = THREADS_DEFAULT
    ) -> None:
        super().__init__(model, embedding, directory)
        self._threads = threads

    def load(self) -> None:
        """Load the graph, if this process has not."""
        shared_graph(self._model, self._directory)

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of texts to be stored, one row each, in order."""
        return self._encode(self._embedding.document_prefix, texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of questions, one row each, in order."""
        return self._encode(self._embedding.query_prefix, texts)

    def _encode(self, prefix: str, texts: Sequence[str]) -> VectorArray:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        graph = shared_graph(self._model, self._directory)

        def encode_one(text: str) -> FloatArray:
            return self._pool(graph.run_text(prefix + text))

        vectors = np.stack(map_each(encode_one, texts, self._threads))
        unit: VectorArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    def _pool(self, layer: FloatArray) -> FloatArray:
        first_only = self._embedding.pooling is Pooling.CLS
        pooled: FloatArray = layer[0] if first_only else layer.mean(axis=0, dtype=np.float32)
        return pooled
