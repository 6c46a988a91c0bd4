"""Writes an encoder as an ONNX graph with int8 weights, one scale per output channel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from training.bert import EPSILON, HEADS, WIDTH
from training.config import Config
from training.progress import say

OPSET = 17  # the first with LayerNormalization
IR_VERSION = 8
HEAD_WIDTH = WIDTH // HEADS
# Where there is no token; far below any score, and safe in half precision.
MASKED = -10_000.0

Weights = Mapping[str, npt.NDArray[np.float32]]


def export(config: Config, name: str) -> Path:
    """The int8 graph of the weights called `name`."""
    state = torch.load(config.paths.weights(name), map_location="cpu", weights_only=True)
    path = config.paths.graph(name)
    write_graph({key: value.float().numpy() for key, value in state.items()}, path)
    say(f"export: {path.name}, {path.stat().st_size / 1e6:.1f} MB")
    return path


def write_graph(weights: Weights, path: Path) -> None:
    """An int8 graph: `input_ids` and `attention_mask` to `last_hidden_state`."""
    builder = _GraphBuilder()
    builder.encoder(weights)
    onnx.save(builder.model(), str(path))


def quantised_columns(
    matrix: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """int8 values and one scale per column; one scale for all costs cosine .07 (MODELS.md)."""
    scales = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / 127
    return np.round(matrix / scales).astype(np.int8), scales.astype(np.float32)


def quantised_table(
    table: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.uint8], np.float32, np.uint8]:
    """uint8 values, their scale and their zero; the base's own values come back unchanged."""
    low, high = min(0.0, float(table.min())), max(0.0, float(table.max()))
    scale = (high - low) / 255
    zero = round(-low / scale)
    values = np.clip(np.round(table / scale) + zero, 0, 255).astype(np.uint8)
    return values, np.float32(scale), np.uint8(zero)


class _GraphBuilder:
    """Adds nodes in order; every method takes and gives the names of values."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._stored: list[onnx.TensorProto] = []
        self._count = 0

    def model(self) -> onnx.ModelProto:
        axes = ["batch", "tokens"]
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, axes)
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, [*axes, WIDTH]
        )
        graph = helper.make_graph(self._nodes, "encoder", inputs, [output], self._stored)
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="scrubjay")
        model.ir_version = IR_VERSION
        onnx.checker.check_model(model)
        return model

    def encoder(self, weights: Weights) -> None:
        layers = 1 + max(int(key.split(".")[1]) for key in weights if key.startswith("layers."))
        mask = self._mask()
        state = self._embedded(weights)
        for number in range(layers):
            state = self._layer(state, mask, weights, f"layers.{number}")
        self._node("Identity", [state], "last_hidden_state")

    def _embedded(self, weights: Weights) -> str:
        values, scale, zero = quantised_table(weights["word.weight"])
        rows = self._node("Gather", [self._store(values), "input_ids"])
        words = self._node("DequantizeLinear", [rows, self._store(scale), self._store(zero)])
        # One text has one kind of token, so its vector can stand in the positions already.
        places = self._store(weights["position.weight"] + weights["kind.weight"][0])
        shape = self._node("Shape", ["input_ids"], start=1, end=2)
        zeros = self._store(np.zeros(1, np.int64))
        used = self._node("Slice", [places, zeros, shape, zeros])
        return self._norm(self._node("Add", [words, used]), weights, "norm")

    def _mask(self) -> str:
        present = self._node("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        absent = self._node("Sub", [self._store(np.float32(1)), present])
        added = self._node("Mul", [absent, self._store(np.float32(MASKED))])
        return self._node("Unsqueeze", [added, self._store(np.array([1, 2], np.int64))])

    def _layer(self, state: str, mask: str, weights: Weights, name: str) -> str:
        seen = self._attention(state, mask, weights, name)
        mixed = self._product(seen, weights, f"{name}.mix")
        state = self._norm(self._node("Add", [mixed, state]), weights, f"{name}.mixed_norm")
        wide = self._gelu(self._product(state, weights, f"{name}.widen"))
        narrow = self._product(wide, weights, f"{name}.narrow")
        return self._norm(self._node("Add", [narrow, state]), weights, f"{name}.output_norm")

    def _attention(self, state: str, mask: str, weights: Weights, name: str) -> str:
        # Scores are divided by a constant; dividing the queries' weights by it costs nothing.
        matrix, bias = (weights[f"{name}.attend.{part}"].copy() for part in ("weight", "bias"))
        matrix[:WIDTH] /= math.sqrt(HEAD_WIDTH)
        bias[:WIDTH] /= math.sqrt(HEAD_WIDTH)
        together = self._affine(state, matrix, bias)
        thirds = self._store(np.full(3, WIDTH, np.int64))
        heads = self._store(np.array([0, 0, HEADS, HEAD_WIDTH], np.int64))
        split = self._split(together, thirds)
        orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        query, key, value = (
            self._node("Transpose", [self._node("Reshape", [part, heads])], perm=order)
            for part, order in zip(split, orders, strict=True)
        )
        scores = self._node("Add", [self._node("MatMul", [query, key]), mask])
        seen = self._node("MatMul", [self._node("Softmax", [scores], axis=-1), value])
        back = self._node("Transpose", [seen], perm=[0, 2, 1, 3])
        return self._node("Reshape", [back, self._store(np.array([0, 0, WIDTH], np.int64))])

    def _product(self, state: str, weights: Weights, name: str) -> str:
        return self._affine(state, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def _affine(
        self, state: str, matrix: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]
    ) -> str:
        values, scales = quantised_columns(np.ascontiguousarray(matrix.T))
        given, scale, zero = (self._name() for _ in range(3))
        self._nodes.append(helper.make_node("DynamicQuantizeLinear", [state], [given, scale, zero]))
        zeros = self._store(np.zeros(len(scales), np.int8))
        whole = self._node("MatMulInteger", [given, self._store(values), zero, zeros])
        real = self._node("Cast", [whole], to=TensorProto.FLOAT)
        both = self._node("Mul", [scale, self._store(scales)])
        return self._node("Add", [self._node("Mul", [real, both]), self._store(bias)])

    def _norm(self, state: str, weights: Weights, name: str) -> str:
        parts = [self._store(weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self._node("LayerNormalization", [state, *parts], axis=-1, epsilon=EPSILON)

    def _gelu(self, state: str) -> str:
        # Spelled out in the order that onnxruntime recognises and fuses.
        inner = self._node("Div", [state, self._store(np.float32(math.sqrt(2)))])
        above = self._node("Add", [self._node("Erf", [inner]), self._store(np.float32(1))])
        return self._node("Mul", [self._node("Mul", [state, above]), self._store(np.float32(0.5))])

    def _split(self, value: str, sizes: str) -> list[str]:
        parts = [self._name() for _ in range(3)]
        self._nodes.append(helper.make_node("Split", [value, sizes], parts, axis=-1))
        return parts

    def _node(
        self, kind: str, inputs: list[str], output: str | None = None, **attributes: object
    ) -> str:
        name = output or self._name()
        self._nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def _store(self, array: npt.NDArray[np.generic] | np.generic) -> str:
        name = self._name()
        self._stored.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"
