"""What each kind of evidence should count in `default`: fitted, judged on what was left out."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rich.console import Console

from bench.evaluation.datasets import Question, Split, choose, find_sets, load_set, only, split_of
from bench.evaluation.runner import DEEPLY, Told, told
from bench.evaluation.session import open_models
from bench.evaluation.tables import console, plain_table
from bench.evaluation.telling import unit_of_key
from bench.evaluation.variants import patient
from bench.machine import commit, describe
from bench.quality import add_subject, subject_of, write_flat
from scrubjay.answers import Quality, RecallOptions
from scrubjay.engine import read_path
from scrubjay.engine.presets import DEFAULT, WEIGHTS_FILE
from scrubjay.engine.tuning import (
    KINDS,
    Example,
    example_of,
    fitted,
    left_out,
    quality,
    weighed,
    weights_of,
)
from scrubjay.operations.operation import Address, Engine, KeyScope, Operation
from scrubjay.types.values import Json

# Questions of a large set count less, that it may not drown the others.
_CROWDING = 0.75
_PARTS_MAX = 10
# So much better, on what was left out, fitted weights must be to take the place of those in use.
_WORTH_IT = 0.005
Times = Mapping[str, float]
_AS_THEY_ARE: Times = dict.fromkeys(KINDS, 1.0)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One question of a set, as the fit sees it."""

    set: str
    bank: str
    example: Example


def main(arguments: Sequence[str]) -> int:
    """Fit the weights, show what they do on banks and sets left out, and write the file."""
    given = _parser().parse_args(arguments)
    labelled = _labelled(given, Console(stderr=True))
    examples = [one.example for one in labelled]
    fit = partial(fitted, prior=given.prior)
    times: dict[str, Sequence[Times]] = {
        "in use": [_AS_THEY_ARE] * len(examples),
        "fitted, bank left out": left_out(examples, _parts(labelled), fit),
        "fitted, set left out": left_out(examples, [one.set for one in labelled], fit),
        "fitted on all": [fit(examples)] * len(examples),
    }
    rows = {name: _by_set(labelled, own) for name, own in times.items()}
    _show(rows, times["fitted on all"][0])
    in_use, apart = (_mean(rows[name]) for name in ("in use", "fitted, set left out"))
    better = apart.ndcg - in_use.ndcg > _WORTH_IT
    if given.write is not None:
        chosen = weighed(DEFAULT, times["fitted on all"][0]) if better else DEFAULT
        content: dict[str, Json] = {
            "weights": {name: float(f"{value:.3g}") for name, value in weights_of(chosen).items()},
            "kept": "fitted" if better else "as they were: fitted ones do no better left out",
            "command": " ".join(["scrubjay bench fit", *arguments]),
            "commit": commit(),
            "machine": describe(),
            "questions": dict(Counter(one.set for one in labelled)),
            "recall@10, ndcg@10, hit@1": {
                name: {each: [got.recall, got.ndcg, got.first] for each, got in by_set.items()}
                for name, by_set in rows.items()
            },
            "times of those in use": times["fitted on all"][0],
        }
        write_flat(given.write, content)
    return 0


def _parts(labelled: Sequence[Labelled]) -> list[str]:
    """By example what is left out with it: its bank, or of a set of many banks a tenth of them."""
    numbers: dict[str, dict[str, int]] = {}
    for one in labelled:
        banks = numbers.setdefault(one.set, {})
        banks.setdefault(one.bank, len(banks))
    return [f"{one.set}/{numbers[one.set][one.bank] % _PARTS_MAX}" for one in labelled]


def _labelled(given: argparse.Namespace, progress: Console) -> list[Labelled]:
    subject = subject_of(given)
    models = open_models(subject)
    found: list[Labelled] = []
    for path in find_sets(subject.data, subject.sets):
        kept = {bank for bank, split in split_of(path).items() if split is Split.OPEN}
        dataset = only(load_set(path), kept)
        dataset = choose(dataset, sample=subject.sample, limit=subject.limit_queries)
        with told(dataset, models, store=subject.store, advance=lambda _: None) as held:
            asked = [q for q in dataset.questions if q.answerable and q.gold]
            weight = len(asked) ** -_CROWDING
            found += [
                Labelled(
                    dataset.name,
                    f"{dataset.name}/{question.bank_id}",
                    replace(_example(held, question), weight=weight),
                )
                for question in asked
            ]
        progress.print(f"{dataset.name}: {len(asked)} questions")
    return found


def _look(engine: Engine, question: Question) -> Example:
    options = RecallOptions(
        limit=DEEPLY.limit, max_tokens=DEEPLY.max_tokens, now=question.now, preset=patient(DEFAULT)
    )
    with engine.reading() as (bank, tools):
        run = read_path.run(bank, question.text, options, tools)
        units = bank.hydrate_rows(run.ranking.fused.rows)
    gold, rows = dict.fromkeys(question.gold), dict[str, int]()
    for row in run.ranking.fused.rows.tolist():
        # A long unit is stored in pieces; it counts once, at its best.
        label = unit_of_key(units[row].key or "", gold)
        if label in gold:
            rows.setdefault(label, row)
    return replace(example_of(run, list(rows.values())), answers=len(gold))


_LOOK = Operation(_look, Address("POST", "/v1/banks/{bank}/example", KeyScope.READ, "Never sent."))


def _example(held: Told, question: Question) -> Example:
    return held.memory.bank(question.bank_id)._run(_LOOK, question)


def _by_set(
    labelled: Sequence[Labelled], times: Sequence[Mapping[str, float]]
) -> dict[str, Quality]:
    sets = dict.fromkeys(one.set for one in labelled)
    chosen = {
        name: [
            (one.example, own) for one, own in zip(labelled, times, strict=True) if one.set == name
        ]
        for name in sets
    }
    return {
        name: quality([one for one, _ in pairs], [own for _, own in pairs])
        for name, pairs in chosen.items()
    }


def _mean(by_set: Mapping[str, Quality]) -> Quality:
    count = len(by_set)
    return Quality(
        sum(each.recall for each in by_set.values()) / count,
        sum(each.ndcg for each in by_set.values()) / count,
        sum(each.first for each in by_set.values()) / count,
    )


def _show(rows: Mapping[str, Mapping[str, Quality]], times: Mapping[str, float]) -> None:
    out = console()
    sets = list(next(iter(rows.values())))
    table = plain_table("recall@10 / nDCG@10 / hit@1 over questions", "weights", *sets, "mean")
    for name, by_set in rows.items():
        cells = [*(by_set[each] for each in sets), _mean(by_set)]
        table.add_row(name, *(f"{q.recall:.3f}/{q.ndcg:.3f}/{q.first:.3f}" for q in cells))
    out.print(table)
    out.print(
        "times those in use:", ", ".join(f"{name} {value:g}" for name, value in times.items())
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench fit", description=__doc__)
    add_subject(parser)
    parser.add_argument(
        "--prior", type=float, default=0.05, help="how firmly weights stay; sets count about 1 each"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help=f"the file of weights: {WEIGHTS_FILE.name}"
    )
    return parser
