"""The transformer that is trained, and the cross-encoder that teaches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from training.onnx_weights import FloatArray

WIDTH = 384
HEADS = 12
INNER = 4 * WIDTH
VOCABULARY = 30_522
POSITIONS = 512
EPSILON = 1e-12


class Layer(nn.Module):
    """Attention and a feed-forward net, each added to its input and normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.attend = nn.Linear(WIDTH, 3 * WIDTH)  # queries, keys and values in one product
        self.mix = nn.Linear(WIDTH, WIDTH)
        self.mixed_norm = nn.LayerNorm(WIDTH, EPSILON)
        self.widen = nn.Linear(WIDTH, INNER)
        self.narrow = nn.Linear(INNER, WIDTH)
        self.output_norm = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        """The next state; `mask` is true where there is a token."""
        rows, tokens, width = state.shape
        parts = self.attend(state).view(rows, tokens, 3, HEADS, width // HEADS)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        state = self.mixed_norm(state + self.mix(seen.transpose(1, 2).reshape(state.shape)))
        return self.output_norm(state + self.narrow(F.gelu(self.widen(state))))


class Bert(nn.Module):
    """Token ids to one vector per token."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.kind = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.layers = nn.ModuleList([Layer() for _ in range(layers)])

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor | None = None) -> Tensor:
        """The last layer; `kinds` is 1 for tokens of a second text."""
        kind = self.kind.weight[0] if kinds is None else self.kind(kinds)
        state = self.norm(self.word(ids) + self.position.weight[: ids.shape[1]] + kind)
        seen = mask[:, None, None, :]
        for layer in self.layers:
            state = layer(state, seen)
        return state


class CrossEncoder(nn.Module):
    """Question and text read together, to one logit."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.body = Bert(layers)
        self.pool = nn.Linear(WIDTH, WIDTH)
        self.classify = nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """One logit per row."""
        first = self.body(ids, mask, kinds)[:, 0]
        return self.classify(torch.tanh(self.pool(first)))[:, 0]


def bert_from(weights: Mapping[str, FloatArray], layers: int, prefix: str = "") -> Bert:
    """A Bert with the first `layers` layers of `weights`."""
    model = Bert(layers)
    names = {
        "word.weight": "embeddings.word_embeddings.weight",
        "position.weight": "embeddings.position_embeddings.weight",
        "kind.weight": "embeddings.token_type_embeddings.weight",
        "norm": "embeddings.LayerNorm",
    }
    state: dict[str, Tensor] = {}
    for own, usual in names.items():
        state |= _named(weights, own, [prefix + usual])
    for number in range(layers):
        own, usual = f"layers.{number}", f"{prefix}encoder.layer.{number}"
        thirds = [f"{usual}.attention.self.{part}" for part in ("query", "key", "value")]
        state |= _named(weights, f"{own}.attend", thirds)
        for mine, theirs in (
            ("mix", "attention.output.dense"),
            ("mixed_norm", "attention.output.LayerNorm"),
            ("widen", "intermediate.dense"),
            ("narrow", "output.dense"),
            ("output_norm", "output.LayerNorm"),
        ):
            state |= _named(weights, f"{own}.{mine}", [f"{usual}.{theirs}"])
    model.load_state_dict(state)
    return model


def cross_encoder_from(weights: Mapping[str, FloatArray], layers: int) -> CrossEncoder:
    """A CrossEncoder with the first `layers` layers of `weights`."""
    model = CrossEncoder(layers)
    model.body = bert_from(weights, layers, "bert.")
    model.pool.load_state_dict(_parts(weights, "bert.pooler.dense"))
    model.classify.load_state_dict(_parts(weights, "classifier"))
    return model


def cut_layers(model: Bert, kept: Sequence[int]) -> Bert:
    """A copy with only the `kept` layers."""
    small = Bert(len(kept))
    places = {f"layers.{old}.": f"layers.{new}." for new, old in enumerate(kept)}
    state = {}
    for name, value in model.state_dict().items():
        head = ".".join(name.split(".")[:2]) + "."
        if not name.startswith("layers."):
            state[name] = value
        elif head in places:
            state[places[head] + name.removeprefix(head)] = value
    small.load_state_dict(state)
    return small


def _named(weights: Mapping[str, FloatArray], own: str, usual: Sequence[str]) -> dict[str, Tensor]:
    if own.endswith(".weight"):
        return {own: torch.tensor(weights[usual[0]])}
    return {
        f"{own}.{part}": torch.from_numpy(
            np.concatenate([weights[f"{name}.{part}"] for name in usual])
        )
        for part in ("weight", "bias")
    }


def _parts(weights: Mapping[str, FloatArray], name: str) -> dict[str, Tensor]:
    parts = {part: weights[f"{name}.{part}"] for part in ("weight", "bias")}
    return {part: torch.tensor(array) for part, array in parts.items()}
