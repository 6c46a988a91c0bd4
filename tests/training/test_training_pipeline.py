"""The whole pipeline in miniature, on a CPU: every step runs, and int8 keeps the vectors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from training.average import load_bert
from training.bert import Bert, bert_from, cut_layers
from training.distil import kept_layers
from training.embedders import GraphEmbedder, WeightsEmbedder
from training.export import fitted_products, quantised_table, write_graph
from training.losses import kept_ties, ranking
from training.onnx_weights import read_weights
from training.quantise import quantise
from training.references import REFERENCES
from training.tokens import TokenTable, joined, read_tokenizer

ROOT = Path(__file__).parents[2]
MODELS = Path(os.environ.get("SCRUBJAY_MODELS", ROOT / ".models"))
BASE = MODELS / "e5-small-v2"
TEXTS = ["The ferry leaves at seven.", "user: Yes.", "Der Hund heißt Waffle.", "我住在杭州。"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    work = tmp_path_factory.mktemp("tiny")
    text = (ROOT / "training" / "configs" / "tiny.toml").read_text(encoding="utf-8")
    text = text.replace("build/training/tiny", str(work)).replace(".models", str(MODELS))
    config = work / "tiny.toml"
    config.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "training", "all", "--config", str(config)]
    # More threads than free cores wait for each other longer than they compute.
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    subprocess.run(command, check=True, cwd=ROOT, env=environment, timeout=300)
    return work


@pytest.mark.slow
def test_one_command_makes_weights_numbers_and_a_card(made: Path) -> None:
    scores = json.loads((made / "scores.json").read_text(encoding="utf-8"))
    assert {"base", "seed-1", "seed-2", "averaged", "questions-1", "averaged-int8"} <= set(scores)
    card = (made / "CARD.md").read_text(encoding="utf-8")
    assert "averaged.onnx" in card
    assert "friendsqa" in card
    with np.load(made / "head.npz") as head:
        assert head["project_weight"].shape == (16, 384)


@pytest.mark.slow
def test_the_average_lies_half_way_between_the_seeds_and_the_base(made: Path) -> None:
    base = bert_from(read_weights(BASE / "model.onnx"), 2).state_dict()
    averaged = load_bert(made / "averaged.pt").state_dict()
    seeds = [load_bert(made / f"seed-{seed}.pt").state_dict() for seed in (1, 2)]
    for name, value in averaged.items():
        wanted = base[name] / 2 + (seeds[0][name] + seeds[1][name]) / 4
        torch.testing.assert_close(value, wanted)
    assert torch.equal(averaged["word.weight"], base["word.weight"])
    assert not torch.equal(averaged["layers.1.mix.weight"], base["layers.1.mix.weight"])


@pytest.mark.slow
def test_int8_gives_nearly_the_vectors_of_full_precision(tmp_path: Path) -> None:
    model = bert_from(read_weights(BASE / "model.onnx"), 12).eval()
    tokenizer = read_tokenizer(BASE)
    full = WeightsEmbedder(model, tokenizer, 4_000).documents(TEXTS)
    fitted = fitted_products(model, tokenizer, [f"passage: {text}" for text in REFERENCES])
    graph = tmp_path / "model.onnx"
    write_graph({name: value.numpy() for name, value in model.state_dict().items()}, fitted, graph)
    small = GraphEmbedder(graph, BASE, 1).documents(TEXTS)
    assert (full * small).sum(1).min() > 0.995


def test_a_product_of_bytes_is_nearly_the_product() -> None:
    matrix, inputs, wanted = _uneven_product()
    found = quantise(matrix, inputs)
    smooth = inputs.numpy() / found.smoothing
    bytes_ = np.clip(np.round(smooth / found.scale) + found.zero, 0, 255) - found.zero
    product = (bytes_ @ found.values) * (found.scale * found.scales)
    error = np.square(product - wanted).mean() / np.square(wanted).mean()
    assert error < 2e-4


def test_no_two_neighbouring_weights_overflow_sixteen_bits() -> None:
    matrix, inputs, _ = _uneven_product()
    matrix[:, 6:8] *= 9
    sizes = np.abs(quantise(matrix, inputs, smooth=False).values.astype(int))
    assert sizes.max() <= 127
    assert (sizes[0::2] + sizes[1::2]).max() * 255 < 2**15


def _uneven_product() -> tuple[torch.Tensor, torch.Tensor, npt.NDArray[np.float32]]:
    chance = torch.Generator().manual_seed(1)
    inputs = torch.randn(500, 32, generator=chance)
    inputs[:, 3] *= 20  # one loud channel, as transformers have
    matrix = torch.randn(24, 32, generator=chance)
    return matrix, inputs, (inputs @ matrix.T).numpy()


def test_a_table_that_was_quantised_before_does_not_change() -> None:
    steps = np.arange(0, 256, dtype=np.float32).reshape(16, 16)
    table = (steps - 100) * np.float32(0.01)
    values, scale, zero = quantised_table(table)
    again = (values.astype(np.float32) - np.float32(zero)) * scale
    np.testing.assert_allclose(again, table, atol=1e-5)


def test_rows_of_unequal_length_are_joined_without_gaps() -> None:
    first = TokenTable(torch.tensor([[1, 2], [3, 0]]), torch.tensor([2, 1]))
    second = TokenTable(torch.tensor([[7, 0], [8, 9]]), torch.tensor([1, 2]))
    batch = joined([first, second], marked=1)
    assert batch.ids[:, :3].tolist() == [[1, 2, 7], [3, 8, 9]]
    assert batch.starts.tolist() == [2, 1]
    assert batch.mask.sum(1).tolist() == [3, 3]


def test_ties_are_kept_when_all_cosines_move_alike() -> None:
    before = torch.rand(4, 6, generator=torch.Generator().manual_seed(0))
    assert kept_ties(before - 0.2, before, 30.0).item() == pytest.approx(0, abs=1e-5)
    assert kept_ties(before.flip(1), before, 30.0).item() > 0.1


def test_the_right_order_costs_least() -> None:
    targets = torch.tensor([[4.0, 0.0, -4.0]])
    right, wrong = targets.clone(), targets.flip(1)
    assert ranking(right, targets, 1.0) < ranking(wrong, targets, 1.0)


def test_a_student_starts_from_layers_spread_evenly() -> None:
    assert kept_layers(3, 12) == [3, 7, 11]
    assert kept_layers(6, 12) == [1, 3, 5, 7, 9, 11]
    small = cut_layers(model := Bert(4), [1, 3])
    assert torch.equal(small.layers[1].mix.weight, model.layers[3].mix.weight)
