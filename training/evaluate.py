"""Measures search by meaning alone on labelled sets, each half of the banks by itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from bench.evaluation.metrics import Scored, by_category, macro, means, score_units

from training.average import AVERAGED, load_bert
from training.bert import Bert, bert_from
from training.config import Config
from training.distil import student_name
from training.embedders import AskingEmbedder, Embedder, GraphEmbedder, Vectors, WeightsEmbedder
from training.encoding import device_name
from training.measured import HALVES, MeasuredSet, read_set
from training.onnx_weights import read_weights
from training.progress import say
from training.tokens import read_tokenizer

BASE = "base"
INT8 = "-int8"
DEPTH = 50
ALL = "all"


@dataclass(frozen=True, slots=True)
class SetScore:
    """One half of a set, or all of it: macro means, and how well best scores tell what is known."""

    questions: int
    recall: float
    ndcg: float
    categories: dict[str, tuple[float, float]]  # recall@10, nDCG@10
    strangers: float  # mean cosine of a question and a unit of another set's bank
    known_auc: float | None  # answerable against not, by the best cosine; None: all answerable


def evaluate(config: Config, names: Sequence[str]) -> dict[str, dict[str, dict[str, SetScore]]]:
    """Scores by encoder, set and half; added to `scores.json` in the working directory.

    `base` is the encoder that training began with; a name that ends in "-int8" is the exported
    graph, others are weights. A student asks; the units are the averaged encoder's.
    """
    sets = [read_set(path) for path in config.paths.sets]
    path = config.paths.work / "scores.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    found = {}
    for name in names:
        embedder = open_embedder(config, name)
        found[name] = {one.name: score_set(one, embedder) for one in sets}
        known[name] = {
            one: {half: as_json(score) for half, score in halves.items()}
            for one, halves in found[name].items()
        }
        path.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        say(f"evaluate {name}: " + ", ".join(
            f"{one} {halves[ALL].recall:.3f}/{halves[ALL].ndcg:.3f}"
            for one, halves in found[name].items()
        ))  # fmt: skip
    return found


def open_embedder(config: Config, name: str) -> Embedder:
    """The encoder called `name`, ready to embed."""
    if name.endswith(INT8):
        stem = name.removesuffix(INT8)
        base = stem == BASE
        graph = config.paths.base / "model.onnx" if base else config.paths.graph(stem)
        return GraphEmbedder(graph, config.paths.base, config.lists.processes)
    if name in [student_name(layers) for layers in config.students.layers]:
        documents = _weights_embedder(config, load_bert(config.paths.weights(AVERAGED)))
        asking = _weights_embedder(config, load_bert(config.paths.weights(name)))
        return AskingEmbedder(asking, documents)
    if name == BASE:
        weights = read_weights(config.paths.base / "model.onnx")
        return _weights_embedder(config, bert_from(weights, config.training.layers))
    return _weights_embedder(config, load_bert(config.paths.weights(name)))


def _weights_embedder(config: Config, model: Bert) -> WeightsEmbedder:
    # In full precision: bfloat16 moved a set's recall by more than some changes worth keeping.
    torch.set_float32_matmul_precision("high")
    model.to(device_name()).eval()
    return WeightsEmbedder(model, read_tokenizer(config.paths.base), config.lists.batch_tokens)


def score_set(measured: MeasuredSet, embedder: Embedder) -> dict[str, SetScore]:
    """The scores of each half, and of all."""
    units = [unit for bank in measured.banks.values() for unit in bank]
    vectors = embedder.documents([unit.text for unit in units])
    follow = [place for place, unit in enumerate(units) if unit.in_context is not None]
    if follow:
        again = embedder.documents([str(units[place].in_context) for place in follow])
        # The mean of two readings, not stretched to length 1: the mean of two cosines.
        vectors[follow] = (vectors[follow] + again) / 2
    asked = embedder.questions([question.text for question in measured.questions])
    starts, start = {}, 0
    for bank, told in measured.banks.items():
        starts[bank] = start
        start += len(told)
    ranked = [_ranked(measured, number, vectors, asked, starts) for number in range(len(asked))]
    strangers = float((asked.mean(0) @ vectors.mean(0)).item())
    halves = [measured.half_of(question.bank) for question in measured.questions]
    places = {
        half: [n for n, own in enumerate(halves) if half in (own, ALL)] for half in (*HALVES, ALL)
    }
    return {half: _score(measured, ranked, own, strangers) for half, own in places.items()}


def _ranked(
    measured: MeasuredSet, number: int, vectors: Vectors, asked: Vectors, starts: dict[str, int]
) -> tuple[list[str], float]:
    """A question's best units, best first, and the best cosine."""
    question = measured.questions[number]
    told = measured.banks[question.bank]
    start = starts[question.bank]
    cosines = vectors[start : start + len(told)] @ asked[number]
    order = np.argsort(-cosines, kind="stable")[:DEPTH]
    return [told[place].unit_id for place in order], float(cosines[order[0]])


def _score(
    measured: MeasuredSet,
    ranked: Sequence[tuple[list[str], float]],
    places: Sequence[int],
    strangers: float,
) -> SetScore:
    scored = []
    for place in places:
        question = measured.questions[place]
        if question.counted:
            values = score_units(ranked[place][0], question.gold)
            scored.append(Scored(str(place), question.bank, question.category, False, values))
    categories = {name: means(each) for name, each in by_category(scored).items()}
    overall = macro(categories)
    known = [ranked[n][1] for n in places if measured.questions[n].gold]
    unknown = [ranked[n][1] for n in places if not measured.questions[n].gold]
    return SetScore(
        questions=len(scored),
        recall=overall.get("recall@10", 0.0),
        ndcg=overall.get("ndcg@10", 0.0),
        categories={k: (v["recall@10"], v["ndcg@10"]) for k, v in categories.items()},
        strangers=strangers,
        known_auc=area_under_curve(known, unknown) if known and unknown else None,
    )


def area_under_curve(higher: Sequence[float], lower: Sequence[float]) -> float:
    """How often one of `higher` is above one of `lower`, ties counting half."""
    gaps = np.subtract.outer(np.array(higher), np.array(lower))
    return float((gaps > 0).mean() + (gaps == 0).mean() / 2)


def as_json(score: SetScore) -> dict[str, object]:
    """A score with few digits."""
    auc = None if score.known_auc is None else round(score.known_auc, 4)
    return {
        "questions": score.questions,
        "recall@10": round(score.recall, 4),
        "ndcg@10": round(score.ndcg, 4),
        "strangers": round(score.strangers, 4),
        "known_auc": auc,
        "categories": {k: [round(x, 4) for x in v] for k, v in score.categories.items()},
    }
