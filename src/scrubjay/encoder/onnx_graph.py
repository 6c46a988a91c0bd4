"""A loaded transformer: its tokenizer and its ONNX graph, shared by all who use the model."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from scrubjay.encoder.catalogue import Model
from scrubjay.encoder.model_files import read_verified
from scrubjay.errors import EncoderError
from scrubjay.onnx_import import import_onnxruntime

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FloatArray = npt.NDArray[np.float32]
Item = TypeVar("Item")
Result = TypeVar("Result")

# More cores than this gain nothing while a bank's other work needs some too.
THREADS_DEFAULT = min(2, os.cpu_count() or 1)

# Text is cut here before it is tokenized: a token of prose has about 4 characters, so nothing that
# could still fit is lost, and a megabyte of input costs no more than a page.
CHARACTERS_PER_TOKEN_MAX = 16


class OnnxGraph:
    """One tokenizer and one inference session; safe to use from many threads.

    Texts are run one at a time. The graphs are quantised with scales taken from the whole input,
    so the vector of a text in a batch would depend on its neighbours (measured: cosine 0.995 with
    itself). Single runs side by side cost 10 to 20 % more CPU and about the same time as a batch.
    """

    def __init__(self, model: Model, directory: Path) -> None:
        # Imported here because both take a tenth of a second, and many commands embed nothing.
        import tokenizers

        onnxruntime = import_onnxruntime()
        states = onnxruntime.capi.onnxruntime_pybind11_state
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_mem_pattern = False  # every text has its own length; plans would pile up
        weights = read_verified(model, model.weights, directory)
        self._session = onnxruntime.InferenceSession(
            weights, options, providers=["CPUExecutionProvider"]
        )
        self._inputs = frozenset(given.name for given in self._session.get_inputs())
        self._output = self._session.get_outputs()[0].name
        self._tokenizer = tokenizers.Tokenizer.from_buffer(
            read_verified(model, model.tokenizer, directory)
        )
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._first = special_token(self._tokenizer, "[CLS]")
        self._separator = special_token(self._tokenizer, "[SEP]")
        self._failures = (states.Fail, states.EPFail, states.RuntimeException)
        self._name = model.name
        self._tokens_max = model.tokens_max

    def tokens(self, text: str, limit: int) -> list[int]:
        """The ids of the first `limit` tokens of `text`, without special tokens."""
        kept = readable(text[: limit * CHARACTERS_PER_TOKEN_MAX])
        ids: list[int] = self._tokenizer.encode(kept, add_special_tokens=False).ids
        return ids[:limit]

    def run_text(self, text: str) -> FloatArray:
        """The last layer for one text, a row per token, special tokens included."""
        ids = [self._first, *self.tokens(text, self._tokens_max - 2), self._separator]
        layer: FloatArray = self._run(ids, [0] * len(ids))[0]
        return layer

    def run_pair(self, first: Sequence[int], second: Sequence[int]) -> float:
        """The single number the graph gives for two token sequences joined."""
        ids = [self._first, *first, self._separator, *second, self._separator]
        kinds = [0] * (len(first) + 2) + [1] * (len(second) + 1)
        return float(self._run(ids, kinds)[0, 0])

    def _run(self, ids: list[int], kinds: list[int]) -> FloatArray:
        feed = {
            "input_ids": np.array([ids], np.int64),
            "attention_mask": np.ones((1, len(ids)), np.int64),
            "token_type_ids": np.array([kinds], np.int64),
        }
        wanted = {name: value for name, value in feed.items() if name in self._inputs}
        try:
            output = self._session.run([self._output], wanted)[0]
        except self._failures as error:
            raise EncoderError(
                f"Model {self._name!r} failed on {len(ids)} tokens: {error}"
            ) from error
        return np.asarray(output, np.float32)


_graphs: dict[tuple[int, str, Path], OnnxGraph] = {}
_loading = threading.Lock()


def shared_graph(model: Model, directory: Path) -> OnnxGraph:
    """The process's one graph of `model`, loaded on first use; ModelMissing if it cannot be."""
    # A session does not survive a fork, so a child process loads its own.
    key = (os.getpid(), model.fingerprint, directory)
    graph = _graphs.get(key)
    if graph is None:
        with _loading:
            graph = _graphs.get(key)
            if graph is None:
                graph = _graphs[key] = OnnxGraph(model, directory)
    return graph


def map_each(
    function: Callable[[Item], Result], items: Sequence[Item], threads: int
) -> list[Result]:
    """`function` of each item, in order, at most `threads` at a time."""
    if threads == 1 or len(items) < 2:
        return [function(item) for item in items]
    with ThreadPoolExecutor(min(threads, len(items)), "scrubjay-encode") as pool:
        return list(pool.map(function, items))


def special_token(tokenizer: Tokenizer, token: str) -> int:
    """The id of a token that every pinned tokenizer has."""
    found = tokenizer.token_to_id(token)
    assert found is not None, f"the pinned tokenizer has no {token}"
    return found


def readable(text: str) -> str:
    """`text` with lone surrogates replaced, since tokenizers read UTF-8."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
