"""Fits `relevance` to labelled answers, and measures how far its probabilities hold.

Measured first is what the weights were not fitted to: each bank with those of the others, each set
with those of the others, and the banks that are kept apart.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from bench.evaluation.calibration import (
    FOREIGN,
    ITEMS,
    Asked,
    Calibration,
    calibration,
    fit,
    fit_reading,
)
from bench.evaluation.datasets import Dataset, Split, choose, find_sets, load_set, split_of
from bench.evaluation.runner import TOKENS_UNLIMITED, Told, told
from bench.evaluation.session import open_models
from bench.evaluation.tables import console, plain_table
from bench.evaluation.telling import unit_of_key
from bench.evaluation.variants import find_preset, patient
from bench.machine import ROOT, commit, describe
from bench.quality import add_subject, subject_of
from scrubjay.answers import Recall, RecallOptions
from scrubjay.engine.relevance import SIGNALS, Model, Weights, fitted
from scrubjay.engine.run import INSTRUCTION_SIGN
from scrubjay.planning import MEANING
from scrubjay.preset import Preset
from scrubjay.types.arrays import FloatArray
from scrubjay.types.values import Json

DATA_FILE = ROOT / "src" / "scrubjay" / "engine" / "relevance.json"
# So many are asked for, that the best by any signal is among them.
_DEPTH = 30
# Questions of other banks asked of each bank.
_FOREIGN_PER_BANK = 40
_DIGITS = 5
Fitted = Callable[[Asked], Weights]


def main(arguments: Sequence[str]) -> int:
    """Fit, measure left out, print, and write what was asked for."""
    given = _parser().parse_args(arguments)
    progress = Console(stderr=True)
    subject = replace(subject_of(given), split=Split.ALL)
    models = open_models(subject)
    name = None if models.encoder is None else models.encoder.name
    presets = [find_preset(one) for one in given.preset.split(",")]
    asked: dict[str, list[Asked]] = {preset.name: [] for preset in presets}
    beside = find_sets(given.measure) if given.measure else []
    for path in [*find_sets(subject.data, subject.sets), *beside]:
        dataset = choose(load_set(path), sample=subject.sample, limit=subject.limit_queries)
        held = {bank for bank, split in split_of(path).items() if split is Split.HELD}
        foreign = _foreign(dataset, held)
        progress.print(f"{dataset.name}: {len(dataset.questions)} + {len(foreign.questions)}")
        with told(dataset, models, advance=lambda _: None) as holding:
            for preset in presets:
                ask = partial(_ask, holding, held=held, preset=preset, rerank=given.rerank)
                asked[preset.name] += [*ask(dataset), *ask(foreign)]
    first = asked[presets[0].name]
    apart = {path.name for path in beside}
    report = _measured(first, apart, name)
    whole = fit(_fitting(first, apart), _names(name))
    for preset in presets[1:]:
        others = [one for one in asked[preset.name] if one.set_name not in apart]
        report[f"preset {preset.name}"] = _with(others, lambda _: whole)
    console().print(_table(report))
    content: dict[str, Json] = {
        "command": " ".join(["scrubjay bench relevance", *arguments]),
        "commit": commit(),
        "machine": describe(),
        "encoder": name,
        "weights": _rounded(asdict(whole)),
        "measured": {part: _rounded(asdict(one)) for part, one in report.items()},
    }
    if given.rerank and models.reranker is not None:
        reading = fit_reading(_fitting(first, apart), whole)
        content["reader"] = {models.reranker.name: _rounded(asdict(reading))}
    if given.json is not None:
        given.json.write_text(_dumped(content), encoding="utf-8")
    if given.plots is not None:
        from bench.evaluation import plots  # matplotlib is an extra, and slow to import

        drawn = {part: report[part].bins for part in report if part in _DRAWN}
        progress.print(f"wrote {plots.draw_reliability(drawn, given.plots)}")
    if given.write:
        _write(name, content)
    return 0


_DRAWN = ("held banks", "bank left out", "set left out")


def _foreign(dataset: Dataset, held: set[str]) -> Dataset:
    """Each bank asked what others of the set can answer; kept apart stays apart."""
    drawn, questions = random.Random(0), []
    for bank in dataset.units:
        others = [
            question
            for question in dataset.questions
            if question.answerable
            and question.bank_id != bank
            # What happened last week, or to keep an instruction, can be asked anywhere.
            and question.category not in ("window", "instruction", "list")
            and (question.bank_id in held) == (bank in held)
        ]
        for question in drawn.sample(others, min(_FOREIGN_PER_BANK, len(others))):
            questions.append(
                replace(
                    question,
                    bank_id=bank,
                    gold=(),
                    gold_sessions=(),
                    stale=(),
                    answerable=False,
                    absence=FOREIGN,
                )
            )
    banks = len(dataset.units)
    # A set of hundreds of banks has a few units in each, and the same questions for all.
    return replace(dataset, questions=tuple(questions) if 1 < banks <= 20 else ())


def _ask(
    holding: Told, dataset: Dataset, *, held: set[str], preset: Preset, rerank: bool
) -> list[Asked]:
    labels = {bank: {u.unit_id: u for u in units} for bank, units in dataset.units.items()}
    asked = []
    for question in dataset.questions:
        options = RecallOptions(
            limit=_DEPTH, max_tokens=TOKENS_UNLIMITED, now=question.now, trace=True,
            preset=patient(preset), rerank=rerank,
        )  # fmt: skip
        recall = holding.memory.bank(question.bank_id).recall(question.text, options)
        units = [unit_of_key(item.key or "", labels[question.bank_id]) for item in recall]
        read = [np.nan if item.why.rerank is None else item.why.rerank for item in recall]
        asked.append(
            Asked(
                dataset.name,
                question.bank_id,
                question.bank_id in held,
                question.answerable,
                question.absence,
                _signals(recall),
                np.array([unit in question.gold for unit in units], np.float64),
                np.array(read, np.float64),
                bool(recall.parsed.unheard),
                _floor(recall) > 0
                and not any(INSTRUCTION_SIGN in item.why.signs for item in recall),
            )
        )
    return asked


def _signals(recall: Recall) -> dict[str, FloatArray]:
    """The signals of each item, as the engine traced them."""
    assert recall.trace is not None, "it was asked for"
    traced = recall.trace["relevance"]
    assert isinstance(traced, Mapping) and isinstance(traced["signals"], Mapping)
    return {name: np.array(values, np.float64) for name, values in traced["signals"].items()}


def _floor(recall: Recall) -> float:
    """What the best must reach; 0 where nothing is said to be absent."""
    assert recall.trace is not None, "it was asked for"
    traced = recall.trace["relevance"]
    assert isinstance(traced, Mapping) and isinstance(traced["floor"], float)
    return traced["floor"]


def _names(encoder: str | None) -> tuple[str, ...]:
    return tuple(name for name in SIGNALS if encoder is not None or name != MEANING)


def _fitting(asked: Sequence[Asked], apart: set[str]) -> list[Asked]:
    """What weights may be fitted to."""
    with_meaning = any(one.compared for one in asked)
    return [
        one
        for one in asked
        if not (one.held or one.unheard)
        and one.set_name not in apart
        and one.absence != FOREIGN
        and one.compared == with_meaning
    ]


def _measured(
    asked: Sequence[Asked], apart: set[str], encoder: str | None
) -> dict[str, Calibration]:
    """What the weights were not fitted to, part by part."""
    names, open_ones = _names(encoder), _fitting(asked, apart)
    whole = fit(open_ones, names)
    by_bank = _left_out(open_ones, names, lambda one: f"{one.set_name}/{one.bank}")
    by_set = _left_out(open_ones, names, lambda one: one.set_name)
    inner = [one for one in asked if not one.held and one.set_name not in apart]
    report = {}
    held = [one for one in asked if one.held]
    if held:
        report["held banks"] = _with(held, lambda _: whole)
    report["bank left out"] = _with(inner, lambda one: by_bank[f"{one.set_name}/{one.bank}"])
    report["set left out"] = _with(inner, lambda one: by_set[one.set_name])
    for name in dict.fromkeys(one.set_name for one in inner):
        chosen = [one for one in inner if one.set_name == name]
        report[f"{name}, left out"] = _with(chosen, lambda one: by_set[one.set_name])
    for name in sorted(apart):
        report[f"{name}, never fitted"] = _with(
            [one for one in asked if one.set_name == name], lambda _: whole
        )
    report["as fitted"] = _with(inner, lambda _: whole)
    return report


def _left_out(
    asked: Sequence[Asked], names: Sequence[str], group_of: Callable[[Asked], str]
) -> dict[str, Weights]:
    """For each group the weights that the others give."""
    groups = dict.fromkeys(map(group_of, asked))
    if len(groups) < 2:
        return dict.fromkeys(groups, fit(asked, names))
    return {group: fit([one for one in asked if group_of(one) != group], names) for group in groups}


def _with(asked: Sequence[Asked], weights_of: Fitted) -> Calibration:
    """What was asked, each with its weights; what was not compared by meaning, as is shipped."""
    shipped: Model = fitted()
    any_compared = any(one.compared for one in asked)
    weights = [
        weights_of(one) if one.compared == any_compared else shipped.no_meaning for one in asked
    ]
    return calibration(asked, weights)


def _table(report: Mapping[str, Calibration]) -> Table:
    kinds = list(dict.fromkeys(kind for one in report.values() for kind in one.caught))
    table = plain_table(
        f"relevance of the first {ITEMS} items; AUROC / share caught of what has no answer / "
        "the same if only what is found were not to be hidden",
        "what", "questions", "error", "Brier", "log loss", *kinds, "false alarms", "hidden",
    )  # fmt: skip
    for part, one in report.items():
        caught = [
            f"{one.auroc[kind]:.3f} / {one.caught[kind]:.2f} / {one.caught_at_hidden[kind]:.2f}"
            if kind in one.auroc
            else "-"
            for kind in kinds
        ]
        table.add_row(
            part, str(one.questions), f"{one.error:.3f}", f"{one.brier:.3f}",
            f"{one.log_loss:.3f}", *caught, f"{one.false_alarms:.3f}", f"{one.hidden:.3f}",
        )  # fmt: skip
    return table


def _write(encoder: str | None, content: Mapping[str, Json]) -> None:
    """Put what was fitted into the file that the engine reads, with where it comes from."""
    said = json.loads(DATA_FILE.read_text(encoding="utf-8"))
    origin = {name: content[name] for name in ("command", "commit", "machine")}
    readers = content.get("reader")
    if isinstance(readers, dict):
        said["readers"] |= {name: {"weights": one, **origin} for name, one in readers.items()}
    elif encoder is None:
        said["no_meaning"] = {"weights": content["weights"], **origin}
    else:
        said["encoders"][encoder] = {"weights": content["weights"], **origin}
    DATA_FILE.write_text(_dumped(said), encoding="utf-8")


def _dumped(content: Mapping[str, Json]) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _rounded(value: Json) -> Json:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench relevance", description=__doc__)
    add_subject(parser)
    parser.add_argument(
        "--measure", type=Path, nargs="+", help="sets that are measured and never fitted to"
    )
    parser.add_argument(
        "--preset", default="default", help="fitted to the first, measured with all of them"
    )
    parser.add_argument("--rerank", action="store_true", help="fit how a cross-encoder counts")
    parser.add_argument("--write", action="store_true", help="keep it for the engine to read")
    return parser
