"""A loaded transformer: its tokenizer and its ONNX graph, shared by all who use the model."""

from __future__ import annotations

import os
import threading
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
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


class TokenizedTexts:
    """Texts as the ids that a model reads; safe to use from many threads."""

    def __init__(self, model: Model, directory: Path) -> None:
        # Imported here because it takes a tenth of a second, and many commands embed nothing.
        import tokenizers

        self._tokenizer = tokenizers.Tokenizer.from_buffer(
            read_verified(model, model.tokenizer, directory)
        )
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._first = special_token(self._tokenizer, "[CLS]")
        self._separator = special_token(self._tokenizer, "[SEP]")
        self._tokens_max = model.tokens_max

    def tokens(self, text: str, limit: int) -> list[int]:
        """The ids of the first `limit` tokens of `text`, without special tokens."""
        kept = readable(text[: limit * CHARACTERS_PER_TOKEN_MAX])
        ids: list[int] = self._tokenizer.encode(kept, add_special_tokens=False).ids
        return ids[:limit]

    def text_ids(self, text: str) -> list[int]:
        """The ids that stand for one text, special tokens included."""
        return [self._first, *self.tokens(text, self._tokens_max - 2), self._separator]

    def text_ids_from(self, text: str, start: int) -> tuple[list[int], int]:
        """The ids of one text, and the place of the first token that begins at a character."""
        limit = self._tokens_max - 2
        kept = readable(text[: limit * CHARACTERS_PER_TOKEN_MAX])
        found = self._tokenizer.encode(kept, add_special_tokens=False)
        ids: list[int] = found.ids[:limit]
        before = bisect_left(found.offsets, start, hi=len(ids), key=lambda each: each[0])
        return [self._first, *ids, self._separator], 1 + before

    def vocabulary(self) -> dict[str, int]:
        """Every token, with its id."""
        found: dict[str, int] = self._tokenizer.get_vocab()
        return found


class GraphSession:
    """One inference session on one core; safe to use from many threads."""

    def __init__(self, name: str, weights: bytes) -> None:
        onnxruntime = import_onnxruntime()
        states = onnxruntime.capi.onnxruntime_pybind11_state
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_mem_pattern = False  # every text has its own length; plans would pile up
        self._session = onnxruntime.InferenceSession(
            weights, options, providers=["CPUExecutionProvider"]
        )
        self._inputs = frozenset(given.name for given in self._session.get_inputs())
        self._output = self._session.get_outputs()[0].name
        self._failures = (states.Fail, states.EPFail, states.RuntimeException)
        self._name = name

    def run(self, feed: Mapping[str, npt.NDArray[np.generic]]) -> FloatArray:
        """The graph's output for those of the values that it takes; all are rows of tokens."""
        wanted = {name: value for name, value in feed.items() if name in self._inputs}
        try:
            output = self._session.run([self._output], wanted)[0]
        except self._failures as error:
            tokens = next(iter(wanted.values())).shape[1]
            raise EncoderError(
                f"Model {self._name!r} failed on {tokens} tokens: {error}"
            ) from error
        return np.asarray(output, np.float32)


class OnnxGraph(TokenizedTexts):
    """One tokenizer and one inference session; safe to use from many threads.

    A graph whose scales are taken from its whole input gives a text in a batch a vector that
    depends on its neighbours (measured: cosine 0.995 with itself), so its texts are run one at a
    time. One whose scales are constants takes texts of one length together: nothing is padded,
    and every row is computed as it is alone.
    """

    def __init__(self, model: Model, directory: Path) -> None:
        super().__init__(model, directory)
        weights = read_verified(model, model.weights, directory)
        self._session = GraphSession(model.name, weights)

    def run_texts(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """The last layer for texts of one length, each a row per token, by their `text_ids`."""
        ids = np.array(texts, np.int64)
        return self._run(ids, np.zeros_like(ids))

    def run_pair(self, first: Sequence[int], second: Sequence[int]) -> float:
        """The single number the graph gives for two token sequences joined."""
        ids = [self._first, *first, self._separator, *second, self._separator]
        kinds = [0] * (len(first) + 2) + [1] * (len(second) + 1)
        return float(self._run(np.array([ids], np.int64), np.array([kinds], np.int64))[0, 0])

    def _run(self, ids: npt.NDArray[np.int64], kinds: npt.NDArray[np.int64]) -> FloatArray:
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        return self._session.run(feed)


_Loaded = TypeVar("_Loaded", bound=TokenizedTexts)
_loaded: dict[tuple[type[TokenizedTexts], int, str, Path], TokenizedTexts] = {}
_loading = threading.Lock()


def shared_graph(model: Model, directory: Path) -> OnnxGraph:
    """The process's one graph of `model`, loaded on first use; ModelMissing if it cannot be."""
    return shared(OnnxGraph, model, directory)


def shared(kind: type[_Loaded], model: Model, directory: Path) -> _Loaded:
    """The process's one `kind` of `model`, loaded on first use; ModelMissing if it cannot be."""
    # A session does not survive a fork, so a child process loads its own.
    key = (kind, os.getpid(), model.fingerprint, directory)
    found = _loaded.get(key)
    if found is None:
        with _loading:
            found = _loaded.get(key)
            if found is None:
                found = _loaded[key] = kind(model, directory)
    assert isinstance(found, kind), "the key names the kind"
    return found


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
