"""Embedding with a catalogue transformer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Embedding, Model, Pooling
from scrubjay.encoder.catalogue_encoder import CatalogueEncoder
from scrubjay.encoder.late import TOKEN_NUMBERS, CodeArray
from scrubjay.encoder.model_files import read_verified
from scrubjay.encoder.onnx_graph import (
    THREADS_DEFAULT,
    FloatArray,
    TokenizedTexts,
    map_each,
    shared_graph,
)
from scrubjay.encoder.token_head import TokenHead
from scrubjay.types.arrays import VectorArray

KeepLayer = Callable[[int, FloatArray], None]

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
        self._loaded_head: TokenHead | None = None

    def load(self) -> None:
        """Load the graph, if this process has not."""
        shared_graph(self._model, self._directory)

    @property
    def head(self) -> str | None:
        """What makes its token vectors, by the hash of the file; None: it has none."""
        return None if self._model.head is None else self._model.head.sha256[:12]

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of texts to be stored, one row each, in order."""
        return self._encode(self._embedding.document_prefix, texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors of questions, one row each, in order."""
        return self._encode(self._embedding.query_prefix, texts)

    def encode_documents_late(
        self, texts: Sequence[str], own: Sequence[int]
    ) -> tuple[VectorArray, list[CodeArray]]:
        """The same, and of the same reading the vectors of each text's `own` last characters."""
        graph, head = shared_graph(self._model, self._directory), self._token_head()
        prefix = self._embedding.document_prefix
        found: list[CodeArray] = [np.empty((0, TOKEN_NUMBERS), np.int8)] * len(texts)
        read = [
            graph.text_ids_from(prefix + text, len(prefix) + len(text) - count)
            for text, count in zip(texts, own, strict=True)
        ]

        def keep(place: int, layer: FloatArray) -> None:
            ids, first = read[place]
            if own[place]:
                found[place] = head.document(layer, ids, first)

        return self._encode_ids([ids for ids, _ in read], keep), found

    def encode_queries_late(self, texts: Sequence[str]) -> tuple[VectorArray, list[VectorArray]]:
        """The same, and of the same reading the vectors of each question's tokens, weighed."""
        graph, head = shared_graph(self._model, self._directory), self._token_head()
        prefix = self._embedding.query_prefix
        prefix_tokens = len(graph.tokens(prefix, self._model.tokens_max))
        found: list[VectorArray] = [np.empty((0, TOKEN_NUMBERS), np.float32)] * len(texts)

        def keep(place: int, layer: FloatArray) -> None:
            found[place] = head.question(layer, prefix_tokens)

        return self._encode(prefix, texts, keep), found

    def _token_head(self) -> TokenHead:
        if self._loaded_head is None:
            file = self._model.head
            assert file is not None, "who has no head is not asked for token vectors"
            content = read_verified(self._model, file, self._directory)
            self._loaded_head = TokenHead(content, self._texts().vocabulary())
        return self._loaded_head

    def _texts(self) -> TokenizedTexts:
        return shared_graph(self._model, self._directory)

    def _encode(
        self, prefix: str, texts: Sequence[str], keep: KeepLayer | None = None
    ) -> VectorArray:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        graph = shared_graph(self._model, self._directory)
        return self._encode_ids([graph.text_ids(prefix + text) for text in texts], keep)

    def _encode_ids(
        self, ids: Sequence[Sequence[int]], keep: KeepLayer | None = None
    ) -> VectorArray:
        """The vector of each text; `keep` is told of each one's last layer, by its place."""
        graph = shared_graph(self._model, self._directory)
        tokens_max = BATCH_TOKENS_MAX if self._embedding.batched else 0
        batches = batches_by_length([len(row) for row in ids], tokens_max)

        def encode_batch(places: Sequence[int]) -> list[FloatArray]:
            layers = graph.run_texts([ids[place] for place in places])
            if keep is not None:
                for place, layer in zip(places, layers, strict=True):
                    keep(place, layer)
            return [self._pool(layer) for layer in layers]

        vectors = np.empty((len(ids), self.dimension), np.float32)
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
