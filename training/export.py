"""Writes an encoder as an ONNX graph of int8 products whose scales are constants."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.average import load_bert
from training.bert import EPSILON, HEADS, WIDTH, Bert
from training.config import Config
from training.corpus import load_corpus
from training.distil import student_name
from training.embedders import TOKENS_MAX
from training.progress import say
from training.quantise import Quantised, quantise
from training.references import REFERENCES
from training.tokens import DOCUMENT_PREFIX, FIRST, QUERY_PREFIX, SEPARATOR, read_tokenizer

OPSET = 17  # the first with LayerNormalization
IR_VERSION = 8
HEAD_WIDTH = WIDTH // HEADS
FITTED_TEXTS = 200  # their tokens, about 7,000, decide the scales
FITTED_CHARACTERS = 250
FITTED_SEED = 1
CONTRIBUTED = "com.microsoft"

Weights = Mapping[str, npt.NDArray[np.float32]]


def export(config: Config, name: str) -> Path:
    """The int8 graph of the weights called `name`, and what full precision makes of a few texts.

    The scales are fitted to texts that were trained on, questions and units alike; nothing that is
    measured is among them.
    """
    model = load_bert(config.paths.weights(name)).eval()
    path = config.paths.graph(name)
    tokenizer = read_tokenizer(config.paths.base)
    reference = reference_vectors(model, tokenizer)
    texts = fitting_texts(config)
    asks = name in [student_name(layers) for layers in config.students.layers]
    if asks:
        texts = [text for text in texts if text.startswith(QUERY_PREFIX)]
    fitted = fitted_products(model, tokenizer, texts)
    weights = {key: value.numpy() for key, value in model.state_dict().items()}
    write_graph(weights, fitted, path, words_given=asks)
    np.save(path.with_suffix(".npy"), reference)
    say(f"export: {path.name}, {path.stat().st_size / 1e6:.1f} MB")
    return path


def fitting_texts(config: Config) -> list[str]:
    """Questions and units of the corpus, in every language it has."""
    corpus = load_corpus(config.paths.corpus)
    chance = random.Random(FITTED_SEED)
    questions = chance.sample(corpus.questions, min(FITTED_TEXTS // 3, len(corpus.questions)))
    units = chance.sample(corpus.units, min(FITTED_TEXTS - len(questions), len(corpus.units)))
    told = [DOCUMENT_PREFIX + unit.text[:FITTED_CHARACTERS] for unit in units]
    return [QUERY_PREFIX + question.text for question in questions] + told


def reference_vectors(model: Bert, tokenizer: Tokenizer) -> npt.NDArray[np.float32]:
    """What full precision makes of the calibration texts: asked, then told."""
    texts = [prefix + text for prefix in (QUERY_PREFIX, DOCUMENT_PREFIX) for text in REFERENCES]
    means = np.stack([_last_layer(model, tokenizer, text).mean(0).numpy() for text in texts])
    unit: npt.NDArray[np.float32] = means / np.linalg.norm(means, axis=1, keepdims=True)
    return unit


def _last_layer(model: Bert, tokenizer: Tokenizer, text: str) -> Tensor:
    tokens = tokenizer.encode(text, add_special_tokens=False).ids[:TOKENS_MAX]
    ids = torch.tensor([[FIRST, *tokens, SEPARATOR]])
    with torch.no_grad():
        layer: Tensor = model(ids, torch.ones_like(ids, dtype=torch.bool))[0]
    return layer


def fitted_products(
    model: Bert, tokenizer: Tokenizer, texts: Sequence[str]
) -> dict[str, Quantised]:
    """Every product of the model by its name, fitted to what it is given for these texts.

    What the mixing product's inputs are divided by, the values are divided by: the weights of
    `attend` are changed so, and `model` with them.
    """
    seen: dict[str, list[Tensor]] = {}
    hooks = [
        module.register_forward_pre_hook(_keep_inputs(seen.setdefault(name, [])))
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear)
    ]
    for text in texts:
        _last_layer(model, tokenizer, text)
    for hook in hooks:
        hook.remove()
    products = {name: torch.cat(rows) for name, rows in seen.items()}
    fitted: dict[str, Quantised] = {}
    for number, layer in enumerate(model.layers):
        name = f"layers.{number}"
        fitted[f"{name}.mix"] = mix = quantise(layer.mix.weight.data, products[f"{name}.mix"])
        with torch.no_grad():
            smoothing = torch.from_numpy(mix.smoothing)
            layer.attend.weight[2 * WIDTH :] /= smoothing[:, None]
            layer.attend.bias[2 * WIDTH :] /= smoothing
            # Scores are divided by a constant; dividing the queries by it costs nothing.
            layer.attend.weight[:WIDTH] /= math.sqrt(HEAD_WIDTH)
            layer.attend.bias[:WIDTH] /= math.sqrt(HEAD_WIDTH)
        for part in ("attend", "widen", "narrow"):
            product = getattr(layer, part).weight.data
            # Dividing the widest layer costs more time than it wins.
            given = products[f"{name}.{part}"]
            fitted[f"{name}.{part}"] = quantise(product, given, smooth=part != "narrow")
        say(f"export: {name} fitted to {len(given)} tokens")
    return fitted


def _keep_inputs(rows: list[Tensor]) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
    def keep(_module: nn.Module, given: tuple[Tensor, ...]) -> None:
        rows.append(given[0][0])

    return keep


def write_graph(
    weights: Weights, fitted: Mapping[str, Quantised], path: Path, *, words_given: bool = False
) -> None:
    """An int8 graph: `input_ids` of texts of one length to `last_hidden_state`.

    With `words_given` it takes `word_vectors` instead and holds no table of words, which is that
    of the encoder it goes with.
    """
    builder = _GraphBuilder(fitted, words_given)
    builder.encoder(weights)
    onnx.save(builder.model(), str(path))


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

    def __init__(self, fitted: Mapping[str, Quantised], words_given: bool) -> None:
        self._fitted = fitted
        self._words_given = words_given
        self._nodes: list[onnx.NodeProto] = []
        self._stored: list[onnx.TensorProto] = []
        self._count = 0

    def model(self) -> onnx.ModelProto:
        axes = ["batch", "tokens"]
        inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, axes)]
        if self._words_given:
            given = helper.make_tensor_value_info("word_vectors", TensorProto.FLOAT, [*axes, WIDTH])
            inputs = [given]
        output = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, [*axes, WIDTH]
        )
        graph = helper.make_graph(self._nodes, "encoder", inputs, [output], self._stored)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(CONTRIBUTED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="scrubjay")
        model.ir_version = IR_VERSION
        onnx.checker.check_model(model)
        return model

    def encoder(self, weights: Weights) -> None:
        layers = 1 + max(int(key.split(".")[1]) for key in weights if key.startswith("layers."))
        state = self._embedded(weights)
        for number in range(layers):
            state = self._layer(state, weights, f"layers.{number}")
        self._node("Identity", [state], "last_hidden_state")

    def _embedded(self, weights: Weights) -> str:
        words = "word_vectors" if self._words_given else self._words(weights["word.weight"])
        # One text has one kind of token, so its vector can stand in the positions already.
        places = self._store(weights["position.weight"] + weights["kind.weight"][0])
        shape = self._node("Shape", [words], start=1, end=2)
        zeros = self._store(np.zeros(1, np.int64))
        used = self._node("Slice", [places, zeros, shape, zeros])
        return self._norm(self._node("Add", [words, used]), weights, "norm")

    def _words(self, table: npt.NDArray[np.float32]) -> str:
        values, scale, zero = quantised_table(table)
        rows = self._node("Gather", [self._store(values), "input_ids"])
        return self._node("DequantizeLinear", [rows, self._store(scale), self._store(zero)])

    def _layer(self, state: str, weights: Weights, name: str) -> str:
        seen = self._attention(state, weights, name)
        mixed = self._product(self._bytes(seen, f"{name}.mix"), weights, f"{name}.mix")
        state = self._norm(self._node("Add", [mixed, state]), weights, f"{name}.mixed_norm")
        smooth = self._smooth(state, f"{name}.widen")
        wide = self._product(self._bytes(smooth, f"{name}.widen"), weights, f"{name}.widen")
        bent = self._node("Gelu", [wide], domain=CONTRIBUTED)
        narrow = self._product(self._bytes(bent, f"{name}.narrow"), weights, f"{name}.narrow")
        return self._norm(self._node("Add", [narrow, state]), weights, f"{name}.output_norm")

    def _attention(self, state: str, weights: Weights, name: str) -> str:
        # Texts of one length have nothing to mask. Three products over the same bytes are cheaper
        # than one that has to be split.
        given = self._bytes(self._smooth(state, f"{name}.attend"), f"{name}.attend")
        heads = self._store(np.array([0, 0, HEADS, HEAD_WIDTH], np.int64))
        orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
        query, key, value = (
            self._node(
                "Transpose",
                [
                    self._node(
                        "Reshape", [self._product(given, weights, f"{name}.attend", n), heads]
                    )
                ],
                perm=order,
            )
            for n, order in enumerate(orders)
        )
        scores = self._node("Softmax", [self._node("MatMul", [query, key])], axis=-1)
        back = self._node("Transpose", [self._node("MatMul", [scores, value])], perm=[0, 2, 1, 3])
        return self._node("Reshape", [back, self._store(np.array([0, 0, WIDTH], np.int64))])

    def _smooth(self, state: str, name: str) -> str:
        smoothing = self._fitted[name].smoothing
        if (smoothing == 1).all():
            return state
        return self._node("Mul", [state, self._store(1 / smoothing)])

    def _bytes(self, state: str, name: str) -> str:
        fitted = self._fitted[name]
        scale, zero = self._store(fitted.scale), self._store(fitted.zero)
        return self._node("QuantizeLinear", [state, scale, zero])

    def _product(self, given: str, weights: Weights, name: str, third: int | None = None) -> str:
        fitted, bias = self._fitted[name], weights[f"{name}.bias"]
        own = slice(None) if third is None else slice(third * WIDTH, (third + 1) * WIDTH)
        values = np.ascontiguousarray(fitted.values[:, own])
        zeros = np.zeros(values.shape[1], np.int8)
        scales = (self._store(fitted.scale), self._store(fitted.scales[own]))
        offsets = (self._store(fitted.zero), self._store(zeros))
        parts = [given, self._store(values), *scales, *offsets, self._store(bias[own])]
        return self._node("MatMulIntegerToFloat", parts, domain=CONTRIBUTED)

    def _norm(self, state: str, weights: Weights, name: str) -> str:
        parts = [self._store(weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self._node("LayerNormalization", [state, *parts], axis=-1, epsilon=EPSILON)

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
