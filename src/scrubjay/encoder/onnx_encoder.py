"""Embedding with a catalogue transformer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Embedding, Model, Pooling
from scrubjay.encoder.catalogue_encoder import CatalogueEncoder
from scrubjay.encoder.onnx_graph import THREADS_DEFAULT, FloatArray, map_each, shared_graph
from scrubjay.types import VectorArray

# Above this many tokens a batch gains nothing, and its widest layer leaves a core's cache.
BATCH_TOKENS_MAX = 256


class OnnxEncoder(CatalogueEncoder):
    """An Encoder over an ONNX transformer; a text's vector depends on that text alone.

    Construction looks only at file sizes; the graph is hash-checked and loaded on first use, once
    per process. Texts are cut at the model's `tokens_max`. `threads` is how many texts, or
    batches of them, are encoded at the same time.
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
        ids = [graph.text_ids(prefix + text) for text in texts]
        tokens_max = BATCH_TOKENS_MAX if self._embedding.batched else 0
        batches = batches_by_length([len(row) for row in ids], tokens_max)

        def encode_batch(places: Sequence[int]) -> list[FloatArray]:
            layers = graph.run_texts([ids[place] for place in places])
            return [self._pool(layer) for layer in layers]

        vectors = np.empty((len(texts), self.dimension), np.float32)
        for places, found in zip(
            batches, map_each(encode_batch, batches, self._threads), strict=True
        ):
            vectors[places] = found
        unit: VectorArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit

    def _pool(self, layer: FloatArray) -> FloatArray:
        first_only = self._embedding.pooling is Pooling.CLS
        pooled: FloatArray = layer[0] if first_only else layer.mean(axis=0, dtype=np.float32)
        return pooled


def batches_by_length(lengths: Sequence[int], tokens_max: int) -> list[list[int]]:
    """The places of texts of one length together, at most `tokens_max` tokens unless it is one.

    The longest come first, so that threads end together.
    """
    batches: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        length = lengths[place]
        last = batches[-1] if batches else []
        if last and lengths[last[0]] == length and (len(last) + 1) * length <= tokens_max:
            last.append(place)
        else:
            batches.append([place])
    return batches
