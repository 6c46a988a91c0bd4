"""Measures reading: CPU per recall without a reranker, its tail, and each stage's share.

Every retriever may return as many candidates as asked for and the token budget decides how many
items come back. Each question is asked three times: with the question to be embedded, with its
vector remembered, which is what is left when the encoder costs nothing, and for ten items only.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bench import machine
from bench.corpus.generated import Question
from bench.machine import Result, rounded, summary
from bench.workload import add_workload_options, built, workload_of
from scrubjay.answers import Recall, RecallOptions
from scrubjay.bank import Bank
from scrubjay.engine.presets import DEFAULT
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.preset import Preset
from scrubjay.types.values import Json

# `retrieve` holds the branches, so it is left out of the sum.
STAGES = ("parse", "plan", *RETRIEVERS, "fuse", "rerank", "budget", "hydrate")
_WARM_QUESTIONS = 20
# What a recall returns by default; a token budget alone lets in some hundred and fifty.
_FEW_ITEMS = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """One recall: what it cost in milliseconds of CPU and of time, and what it answered."""

    question: Question
    cpu_ms: float
    wall_ms: float
    recall: Recall  # without its items
    items: int


def preset_with(candidates: int, fanout: str = "auto") -> Preset:
    """The default preset with `candidates` from each retriever and no reranker."""
    base = DEFAULT
    assert base.semantic and base.lexical and base.graph and base.temporal, "it runs all four"
    return replace(
        base,
        name="bench",
        semantic=replace(base.semantic, per_limit=0, at_least=candidates),
        lexical=replace(base.lexical, per_limit=0, at_least=candidates),
        graph=replace(base.graph, nodes_max=candidates),
        temporal=replace(base.temporal, depth=candidates),
        candidates_max=candidates,
        rerank=None,
        fanout=fanout,
    )


def options_with(preset: Preset, max_tokens: int) -> RecallOptions:
    """Options under which only the token budget cuts."""
    return RecallOptions(preset=preset, limit=preset.candidates_max, max_tokens=max_tokens)


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="scrubjay bench recall", description=__doc__)
    parser.add_argument("--units", default="10000,100000", help="bank sizes, by commas")
    parser.add_argument("--candidates", type=int, default=300, help="per retriever")
    parser.add_argument("--max-tokens", type=int, default=4_096, help="of an answer")
    parser.add_argument("--questions", type=int, default=200, help="asked of each bank")
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    workload, sizes = workload_of(options), [int(size) for size in options.units.split(",")]
    asking = options_with(preset_with(options.candidates), options.max_tokens)
    questions = workload.questions(options.questions + _WARM_QUESTIONS)
    numbers: dict[str, Json] = {}
    for size in sizes:
        path = built(workload, size, options.stores)
        with workload.open(path) as memory:
            _, open_cpu = machine.cpu_of(memory.stats)
            measured = measure(memory.bank(), questions, asking)
        numbers[str(size)] = {"open_cpu_s": rounded(open_cpu), **measured}
    parameters: dict[str, Json] = {
        "corpus": options.corpus,
        "units": sizes,
        "candidates": options.candidates,
        "max_tokens": options.max_tokens,
        "questions": options.questions,
    }
    machine.report(Result("recall", arguments, parameters, numbers), options.json)
    return 0


def measure(bank: Bank, questions: Sequence[Question], options: RecallOptions) -> dict[str, Json]:
    """Ask all but the first few, which warm up, with the vector to be made and with it known."""
    warm, counted = questions[:_WARM_QUESTIONS], questions[_WARM_QUESTIONS:]
    for question in warm:
        bank.recall(question.text, options)
    first = [ask(bank, question, options) for question in counted]
    again = [ask(bank, question, options) for question in counted]
    ten = [ask(bank, question, replace(options, limit=_FEW_ITEMS)) for question in counted]
    return {
        "cpu_ms": summary([asked.cpu_ms for asked in again]),
        "cpu_ms_with_encoding": summary([asked.cpu_ms for asked in first]),
        "cpu_ms_ten_items": summary([asked.cpu_ms for asked in ten]),
        "wall_ms": summary([asked.wall_ms for asked in again]),
        "cpu_ms_by_kind": _by_kind(again),
        "stages": stages(again),
        "items_mean": rounded(sum(asked.items for asked in again) / len(again)),
        "degraded": sum(bool(asked.recall.degraded) for asked in again),
        "mode": again[0].recall.plan.mode,
    }


def ask(bank: Bank, question: Question, options: RecallOptions) -> Asked:
    """One recall, measured."""
    begun = time.perf_counter()
    recall, cpu = machine.cpu_of(partial(bank.recall, question.text, options))
    wall = time.perf_counter() - begun
    # Thousands of items that nobody lets go of would make each full collection of garbage dearer.
    kept = replace(recall, items=())
    return Asked(question, 1e3 * cpu, 1e3 * wall, kept, len(recall.items))


def _by_kind(asked: Sequence[Asked]) -> dict[str, Json]:
    kinds = dict.fromkeys(one.question.kind for one in asked)
    return {
        kind: summary([one.cpu_ms for one in asked if one.question.kind == kind]) for kind in kinds
    }


def stages(asked: Sequence[Asked]) -> dict[str, Json]:
    """CPU of each stage: its mean in milliseconds and its share of the whole."""
    total = sum(one.cpu_ms for one in asked)
    spent = {
        stage: sum(one.recall.timings[stage].cpu_ms for one in asked if stage in one.recall.timings)
        for stage in STAGES
    }
    spent["rest"] = max(0.0, total - sum(spent.values()))
    return {
        stage: {"mean_ms": rounded(cpu / len(asked)), "share": rounded(cpu / total)}
        for stage, cpu in spent.items()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
