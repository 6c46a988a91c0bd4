"""Measures the fan-out: branches one after the other, in threads, and as the plan chooses.

Every question is asked in all three modes in turn, in rotating order, so that what else the
machine does hits them alike. The plan's choice is right when its median time is at most a tenth
above the better of the two.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from bench import machine
from bench.corpus.generated import Question
from bench.machine import Result, rounded, summary
from bench.recall import Asked, ask, options_with, preset_with
from bench.workload import add_workload_options, built, workload_of
from scrubjay.bank import Bank
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.types.values import Json

MODES = ("inline", "threads", "auto")
SLOWER_MAX = 1.10
_WARM_QUESTIONS = 20


def main(arguments: list[str]) -> int:
    """Run the benchmark; 1 when the plan chose a mode that is too slow."""
    parser = argparse.ArgumentParser(prog="scrubjay bench fanout", description=__doc__)
    parser.add_argument("--units", type=int, default=100_000, help="size of the bank")
    parser.add_argument("--candidates", type=int, default=300, help="per retriever")
    parser.add_argument("--max-tokens", type=int, default=4_096, help="of an answer")
    parser.add_argument("--questions", type=int, default=100, help="asked in every round")
    parser.add_argument("--rounds", type=int, default=3, help="each in all modes")
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    questions = workload.questions(options.questions + _WARM_QUESTIONS)
    with workload.open(built(workload, options.units, options.stores)) as memory:
        asked = interleaved(
            memory.bank(), questions, options.rounds, options.candidates, options.max_tokens
        )
    numbers = judge(asked)
    parameters: dict[str, Json] = {
        "corpus": options.corpus,
        "units": options.units,
        "candidates": options.candidates,
        "questions": options.questions,
        "rounds": options.rounds,
    }
    machine.report(Result("fanout", arguments, parameters, numbers), options.json)
    return 0 if numbers["plan_is_right"] else 1


def interleaved(
    bank: Bank, questions: Sequence[Question], rounds: int, candidates: int, max_tokens: int
) -> dict[str, list[Asked]]:
    """All questions in all modes, the first few only to warm up."""
    options = {mode: options_with(preset_with(candidates, mode), max_tokens) for mode in MODES}
    for question in questions[:_WARM_QUESTIONS]:
        for mode in MODES:
            bank.recall(question.text, options[mode])
    asked: dict[str, list[Asked]] = {mode: [] for mode in MODES}
    for number in range(rounds):
        for place, question in enumerate(questions[_WARM_QUESTIONS:]):
            for turn in range(len(MODES)):
                mode = MODES[(number + place + turn) % len(MODES)]
                asked[mode].append(ask(bank, question, options[mode]))
    return asked


def judge(asked: Mapping[str, Sequence[Asked]]) -> dict[str, Json]:
    """The times of each mode, and whether the plan's choice keeps up with the better one."""
    wall = {mode: float(np.median([one.wall_ms for one in asked[mode]])) for mode in MODES}
    ratio = rounded(wall["auto"] / min(wall["inline"], wall["threads"]))
    return {
        **{mode: _times(asked[mode]) for mode in MODES},
        "chosen": asked["auto"][0].recall.plan.mode,
        "because": asked["auto"][0].recall.plan.mode_reason,
        "auto_over_better": ratio,
        "threads_over_inline": rounded(wall["threads"] / wall["inline"]),
        "plan_is_right": ratio <= SLOWER_MAX,
    }


def _times(asked: Sequence[Asked]) -> dict[str, Json]:
    branches = [_branch_times(one) for one in asked]
    retrieve = [one.recall.timings["retrieve"] for one in asked]
    return {
        "wall_ms": summary([one.wall_ms for one in asked]),
        "cpu_ms": summary([one.cpu_ms for one in asked]),
        "retrieve_wall_ms": summary([span.end_ms - span.start_ms for span in retrieve]),
        "branch_sum_ms": summary([sum(times) for times in branches]),
        "slowest_branch_ms": summary([max(times, default=0.0) for times in branches]),
    }


def _branch_times(asked: Asked) -> list[float]:
    timings = asked.recall.timings
    return [timings[name].end_ms - timings[name].start_ms for name in RETRIEVERS if name in timings]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
