"""Averages the seeds, and goes some of the way back to the encoder they started from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from training.bert import Bert, bert_from
from training.config import Config
from training.onnx_weights import read_weights
from training.progress import say

AVERAGED = "averaged"


def average(config: Config, share: float | None = None, name: str = AVERAGED) -> dict[str, Tensor]:
    """The averaged weights, also written as `name`; `share` is how much of training is kept.

    Seeds differ in what they happened to see; their mean is better than each. Going back keeps
    what the base encoder knows of texts that were not trained on.
    """
    kept = config.average.share if share is None else share
    base = bert_from(
        read_weights(config.paths.base / "model.onnx"), config.training.layers
    ).state_dict()
    paths = [config.paths.weights(f"seed-{seed}") for seed in config.training.seeds]
    mean = mean_weights(paths)
    mixed = {key: (1 - kept) * base[key] + kept * mean[key] for key in base}
    torch.save(mixed, config.paths.weights(name))
    say(f"average: {len(paths)} seeds, {kept:.2f} of the way")
    return mixed


def mean_weights(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of several weight files."""
    states = [torch.load(path, map_location="cpu", weights_only=True) for path in paths]
    return {key: torch.stack([state[key] for state in states]).mean(0) for key in states[0]}


def load_bert(path: Path) -> Bert:
    """An encoder from a weight file, however many layers it has."""
    state = torch.load(path, map_location="cpu", weights_only=True)
    layers = 1 + max(int(key.split(".")[1]) for key in state if key.startswith("layers."))
    model = Bert(layers)
    model.load_state_dict(state)
    return model
