"""Reads the weights out of a dynamically quantised ONNX graph."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

FloatArray = npt.NDArray[np.float32]
_QUANTISED = "_quantized"
# From a product to the addition of its bias: a cast, a scaling, perhaps one more.
_STEPS_TO_BIAS = 6


def read_weights(path: Path) -> dict[str, FloatArray]:
    """Every weight by its usual name, dequantised; matrices as (outputs, inputs)."""
    graph = onnx.load(str(path)).graph
    stored = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    found = {
        name: np.asarray(array, np.float32)
        for name, array in stored.items()
        if name.endswith((".weight", ".bias")) and array.dtype == np.float32
    }
    for name in stored:
        if "embeddings" in name and name.endswith(_QUANTISED):
            found[name.removesuffix(_QUANTISED)] = _dequantised(stored, name)
    for name, weight in _matrix_names(graph, stored).items():
        found[name] = np.ascontiguousarray(_dequantised(stored, weight).T)
    return found


@dataclass(frozen=True, slots=True)
class WordTable:
    """Where an exported graph keeps its words: bytes from `offset` of the file on."""

    offset: int
    scale: float
    zero: int


def word_table(path: Path) -> WordTable:
    """The table of words in a graph that `export` wrote, for who reads it without the graph."""
    content = path.read_bytes()
    graph = onnx.load_from_string(content).graph
    stored = {each.name: each for each in graph.initializer}
    looked_up = next(node for node in graph.node if node.op_type == "Gather")
    _, scale, zero = next(n for n in graph.node if n.op_type == "DequantizeLinear").input
    return WordTable(
        content.index(stored[looked_up.input[0]].raw_data),
        float(numpy_helper.to_array(stored[scale])),
        int(numpy_helper.to_array(stored[zero])),
    )


def _dequantised(stored: dict[str, npt.NDArray[np.generic]], name: str) -> FloatArray:
    base = name.removesuffix(_QUANTISED)
    whole = stored[name].astype(np.float32) - stored[f"{base}_zero_point"].astype(np.float32)
    return np.asarray(whole * stored[f"{base}_scale"].astype(np.float32), np.float32)


def _matrix_names(
    graph: onnx.GraphProto, stored: dict[str, npt.NDArray[np.generic]]
) -> dict[str, str]:
    """Usual name -> stored name; the exporter kept names of biases only, so follow to those."""
    readers: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for given in node.input:
            readers.setdefault(given, []).append(node)
    names = {}
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1] in stored:
            bias = _bias_after(node, readers, stored)
            usual = node.input[1].removesuffix(_QUANTISED)
            names[f"{bias.removesuffix('.bias')}.weight" if bias else usual] = node.input[1]
    return names


def _bias_after(
    node: onnx.NodeProto,
    readers: dict[str, list[onnx.NodeProto]],
    stored: dict[str, npt.NDArray[np.generic]],
) -> str | None:
    for _ in range(_STEPS_TO_BIAS):
        following = [n for n in readers[node.output[0]] if n.op_type in ("Cast", "Mul", "Add")]
        if not following:
            return None
        node = following[0]
        biases = [n for n in node.input if n in stored and n.endswith(".bias")]
        if node.op_type == "Add" and biases:
            return str(biases[0])
    return None
