"""Embedding by averaging rows of a table: no transformer, a thousand times cheaper."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Model
from scrubjay.encoder.catalogue_encoder import CatalogueEncoder
from scrubjay.encoder.model_files import read_verified
from scrubjay.encoder.onnx_graph import CHARACTERS_PER_TOKEN_MAX, readable, special_token
from scrubjay.errors import ModelMissing
from scrubjay.types.arrays import VectorArray


class StaticTable:
    """A tokenizer and the vector of each of its tokens."""

    def __init__(self, model: Model, directory: Path) -> None:
        import tokenizers  # slow to import, and many commands embed nothing

        self._vectors = read_table(read_verified(model, model.weights, directory), model.name)
        self._tokenizer = tokenizers.Tokenizer.from_buffer(
            read_verified(model, model.tokenizer, directory)
        )
        self._unknown = special_token(self._tokenizer, "[UNK]")
        self._tokens_max = model.tokens_max

    def average(self, text: str) -> VectorArray:
        """The unit mean of the text's known tokens; of the unknown token where there is none."""
        kept = readable(text[: self._tokens_max * CHARACTERS_PER_TOKEN_MAX])
        ids = self._tokenizer.encode(kept, add_special_tokens=False).ids[: self._tokens_max]
        known = [token for token in ids if token != self._unknown] or [self._unknown]
        mean = self._vectors[known].mean(axis=0)
        unit: VectorArray = mean / np.linalg.norm(mean)
        return unit


class StaticEncoder(CatalogueEncoder):
    """An Encoder over a static table; questions and documents are encoded alike.

    Construction looks only at file sizes; the table is hash-checked and loaded on first use.
    """

    def load(self) -> None:
        """Load the table, if this process has not."""
        shared_table(self._model, self._directory)

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors, one row per text, in order."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        table = shared_table(self._model, self._directory)
        return np.stack([table.average(text) for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """The same as `encode_documents`."""
        return self.encode_documents(texts)


_tables: dict[tuple[str, Path], StaticTable] = {}
_loading = threading.Lock()


def shared_table(model: Model, directory: Path) -> StaticTable:
    """The process's one table of `model`, loaded on first use; ModelMissing if it cannot be."""
    with _loading:
        key = (model.fingerprint, directory)
        if key not in _tables:
            _tables[key] = StaticTable(model, directory)
        return _tables[key]


def read_table(content: bytes, name: str) -> VectorArray:
    """The one float32 matrix of a safetensors file: 8 bytes of length, a JSON header, the data."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    tensor = header["embeddings"]
    if tensor["dtype"] != "F32":
        raise ModelMissing(f"Model {name!r} holds {tensor['dtype']} numbers; only F32 is read.")
    start, end = tensor["data_offsets"]
    data = np.frombuffer(content, np.float32, (end - start) // 4, 8 + length + start)
    return data.reshape(tensor["shape"])
