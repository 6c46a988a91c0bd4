"""Changes: how likely it is that what was told later takes the place of what was told before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from scrubjay.encoder.base import Encoder
from scrubjay.encoder.catalogue import Model
from scrubjay.encoder.model_files import read_verified
from scrubjay.encoder.onnx_graph import GraphSession
from scrubjay.encoder.word_vectors import WordVectors
from scrubjay.types.arrays import ScoreArray

Pair = tuple[str, str]  # what was told before, and what was told later

# Of each of the two so many tokens are read: what a change is told in stands at the beginning, and
# the model was taught with as many (training/changes.py).
PAIR_TOKENS_MAX = 96


@runtime_checkable
class ChangeReader(Protocol):
    """What an encoder may have besides: it reads two memories as one, the older first.

    `read_changes` gives for each pair, in order, how likely it is that the newer takes the place
    of the older, from 0 to 1. One that has the method and cannot, as a wrapper of one that has it
    not, says so with `reads_changes` False.
    """

    def read_changes(self, pairs: Sequence[Pair]) -> ScoreArray: ...


def as_change_reader(encoder: Encoder | None) -> ChangeReader | None:
    """The encoder, if it tells what takes the place of what."""
    if getattr(encoder, "reads_changes", True) and isinstance(encoder, ChangeReader):
        return encoder
    return None


class ChangeGraph:
    """The graph for changes of a model; safe to use from many threads.

    Its scales are constants, so a pair has one number, whatever is read beside it.
    """

    def __init__(self, model: Model, directory: Path) -> None:
        assert model.changes is not None, f"{model.name} has a graph for changes"
        self._words = WordVectors.of(model, directory)
        content = read_verified(model, model.changes, directory)
        self._session = GraphSession(model.name, content)

    def likelihood(self, older: str, newer: str) -> float:
        """How likely it is that the newer takes the place of the older, from 0 to 1."""
        ids = self._words.pair_ids(older, newer, PAIR_TOKENS_MAX)
        logit = self._session.run({"word_vectors": self._words.vectors(ids)})[0, 0]
        return float(1 / (1 + np.exp(-logit)))
