"""Turns texts into vectors for measuring: with weights on the device, or with an int8 graph."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer

from training.bert import Bert
from training.mine import embed_table
from training.tokens import (
    DOCUMENT_PREFIX,
    FIRST,
    QUERY_PREFIX,
    SEPARATOR,
    prefixes,
    read_tokenizer,
    tokenize,
)

TOKENS_MAX = 500  # with prefix and ends, what the model's positions allow
_PARTS_PER_PROCESS = 8

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Vectors of length 1, one per text, in order."""

    def questions(self, texts: Sequence[str]) -> Vectors: ...
    def documents(self, texts: Sequence[str]) -> Vectors: ...


class WeightsEmbedder:
    """Many texts at a time, in full precision unless the model is not."""

    def __init__(self, model: Bert, tokenizer: Tokenizer, batch_tokens: int) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._prefixes = prefixes(tokenizer)
        self._batch_tokens = batch_tokens

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._vectors(texts, self._prefixes.question)

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be stored."""
        return self._vectors(texts, self._prefixes.document)

    def _vectors(self, texts: Sequence[str], prefix: Sequence[int]) -> Vectors:
        table = tokenize(self._tokenizer, texts, TOKENS_MAX)
        found = embed_table(self._model, table, prefix, self._batch_tokens)
        vectors: Vectors = found.float().cpu().numpy()
        return vectors


class AskingEmbedder:
    """Questions by one embedder, texts to be stored by another that has the same vectors."""

    def __init__(self, asking: Embedder, documents: Embedder) -> None:
        self.questions = asking.questions
        self.documents = documents.documents


class GraphEmbedder:
    """One text at a time with onnxruntime, as the engine does, in several processes."""

    def __init__(self, graph: Path, tokenizer_directory: Path, processes: int) -> None:
        self._graph = graph
        self._directory = tokenizer_directory
        self._processes = processes

    def questions(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._vectors([QUERY_PREFIX + text for text in texts])

    def documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be stored."""
        return self._vectors([DOCUMENT_PREFIX + text for text in texts])

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        # Long and short texts are dealt out alike, so that no process is left with the long ones.
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        count = min(len(texts), self._processes * _PARTS_PER_PROCESS)
        parts = [order[start::count] for start in range(count)]
        tasks = [([texts[n] for n in part], self._graph, self._directory) for part in parts]
        if self._processes == 1:
            found = [_run_graph(task) for task in tasks]
        else:
            with multiprocessing.get_context("spawn").Pool(self._processes) as pool:
                found = pool.map(_run_graph, tasks, 1)
        vectors = np.zeros((len(texts), found[0].shape[1]), np.float32)
        for part, rows in zip(parts, found, strict=True):
            vectors[part] = rows
        return vectors


def _run_graph(task: tuple[list[str], Path, Path]) -> Vectors:
    import onnxruntime  # in the worker only

    texts, graph, directory = task
    torch.set_num_threads(1)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(graph), options, ["CPUExecutionProvider"])
    names = {given.name for given in session.get_inputs()}
    tokenizer = read_tokenizer(directory)
    found = []
    for text in texts:
        tokens = tokenizer.encode(text[: TOKENS_MAX * 16], add_special_tokens=False).ids
        ids = np.array([[FIRST, *tokens[:TOKENS_MAX], SEPARATOR]], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        feed["token_type_ids"] = np.zeros_like(ids)
        feed = {name: value for name, value in feed.items() if name in names}
        mean = session.run(["last_hidden_state"], feed)[0][0].mean(0)
        found.append(mean / np.linalg.norm(mean))
    return np.stack(found).astype(np.float32)
