"""Reranking with a catalogue cross-encoder: question and text read together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder.catalogue import Model
from scrubjay.encoder.model_files import require_usable
from scrubjay.encoder.onnx_graph import THREADS_DEFAULT, OnnxGraph, map_each, shared_graph
from scrubjay.types.arrays import ScoreArray

# The pair whose cost is measured: a question of 8 words and a memory of about 30, 40 tokens.
TYPICAL_QUESTION = "When did we move the office to Rotterdam?"
TYPICAL_TEXT = (
    "[Date: March 02, 2026 (2026-03-02)] the desks and the plants went to the new building by "
    "the river on Friday"
)
MEASURED_PAIRS = 3
# Around and between the two texts of a pair.
SPECIAL_TOKENS = 3
# Attention looks from every token at every other: at so many tokens it costs as much as the rest
# of the model, whose cost grows with their number alone (measured from 30 to 490 tokens).
EVEN_TOKENS = 400


class CrossEncoder:
    """A Reranker whose scores are logits; a pair's score depends on that pair alone.

    A question keeps at most half of the model's `tokens_max`, a text gets the rest, and what is
    beyond is not read. Construction looks only at file sizes; the graph is hash-checked and
    loaded on first use, once per process. `threads` is how many pairs are scored at a time.
    """

    def __init__(
        self,
        model: Model,
        directory: Path,
        threads: int = THREADS_DEFAULT,
        cpu_clock: Callable[[], float] = time.thread_time,
    ) -> None:
        require_usable(model, directory)
        self.name, self.fingerprint = model.name, model.fingerprint
        self._model, self._directory, self._threads = model, directory, threads
        self._cpu_clock = cpu_clock
        self._cost_ms: float | None = None  # None: not measured yet
        self._measuring = threading.Lock()

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        """The logit of each text, in order: above 0 reads as an answer, below as none."""
        if not texts:
            return np.zeros(0, np.float32)
        graph = shared_graph(self._model, self._directory)
        asked, room = self._asked(graph, question)

        def score_one(text: str) -> float:
            return graph.run_pair(asked, graph.tokens(text, room))

        return np.array(map_each(score_one, texts, self._threads), np.float32)

    def costs_ms(self, question: str, texts: Sequence[str]) -> list[float]:
        """CPU milliseconds that each pair will take, by its tokens and what one typical pair of
        40 took; that is measured once.
        """
        typical = self._typical_ms()
        graph = shared_graph(self._model, self._directory)
        asked, room = self._asked(graph, question)
        unit = _work(len(graph.tokens(TYPICAL_QUESTION, room) + graph.tokens(TYPICAL_TEXT, room)))
        return [
            typical * _work(len(asked) + len(graph.tokens(text, room))) / unit for text in texts
        ]

    def _asked(self, graph: OnnxGraph, question: str) -> tuple[list[int], int]:
        """The question's tokens, and how many a text may have beside them."""
        asked = graph.tokens(question, self._model.tokens_max // 2)
        return asked, self._model.tokens_max - len(asked) - SPECIAL_TOKENS

    def _typical_ms(self) -> float:
        with self._measuring:
            if self._cost_ms is None:
                self._cost_ms = self._measure(shared_graph(self._model, self._directory))
            return self._cost_ms

    def _measure(self, graph: OnnxGraph) -> float:
        asked = graph.tokens(TYPICAL_QUESTION, self._model.tokens_max)
        told = graph.tokens(TYPICAL_TEXT, self._model.tokens_max)
        graph.run_pair(asked, told)  # the first run also allocates
        spent: list[float] = []
        for _ in range(MEASURED_PAIRS):
            started = self._cpu_clock()
            graph.run_pair(asked, told)
            spent.append(self._cpu_clock() - started)
        return min(spent) * 1_000


def _work(tokens: int) -> float:
    """What a pair of so many tokens asks of the model, in no unit."""
    whole = tokens + SPECIAL_TOKENS
    return whole * (1 + whole / EVEN_TOKENS)
