"""Measures reading or writing beside an earlier tree: both do each step in turn, several rounds.

What a machine does beside it falls on both alike, and the least of a step's rounds is what the step
itself takes. To read, each tree asks a store that it built, a question a step, whose vector is
remembered; to write, it fills a new store in every round, a batch of units a step.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import IO

from bench import machine
from bench.machine import Result, rounded, summary
from bench.recall import ask, options_with, preset_with
from bench.workload import (
    BATCH_UNITS,
    Workload,
    add_workload_options,
    batches,
    built,
    fill,
    workload_of,
)

# What both trees have; the worker is this file, run with the other tree's modules.
_CANDIDATES, _MAX_TOKENS, _FEW_ITEMS, _WARM, _WARM_UNITS = 300, 4_096, 10, 20, 200
KINDS = {"recall": ("cpu_ms", "cpu_ms_ten_items"), "retain": ("cpu_ms_per_unit",)}


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="scrubjay bench pair", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, metavar="TREE", help="another tree")
    parser.add_argument("--before-commit", required=True, metavar="COMMIT", help="what it is at")
    parser.add_argument("--what", choices=tuple(KINDS), default="recall", help="is measured")
    parser.add_argument("--units", default="10000,100000", help="bank sizes, by commas")
    parser.add_argument("--questions", type=int, default=100, help="asked of each bank")
    parser.add_argument("--rounds", type=int, default=3, help="of all steps")
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    trees = {"before": options.before.resolve(), "now": machine.ROOT}
    numbers = {}
    for size in options.units.split(","):
        with ExitStack() as kept:
            workers = [kept.enter_context(_worker(*each, size, options)) for each in trees.items()]
            steps = options.questions if options.what == "recall" else int(size) // BATCH_UNITS
            found = {
                kind: _in_turn(workers, kind, steps, options.rounds) for kind in KINDS[options.what]
            }
        numbers[size] = {
            kind: {name: summary(each) for name, each in zip(trees, costs, strict=True)}
            | {"ratio": rounded(sum(costs[1]) / sum(costs[0]))}
            for kind, costs in found.items()
        }
    parameters = {
        "what": options.what,
        "corpus": options.corpus,
        "before": options.before_commit,
        "rounds": options.rounds,
    }
    if options.what == "recall":
        parameters |= {
            "candidates": _CANDIDATES,
            "max_tokens": _MAX_TOKENS,
            "questions": options.questions,
        }
    machine.report(Result("pair", arguments, parameters, numbers), options.json)
    return 0


Worker = tuple[IO[str], IO[str]]


@contextmanager
def _worker(name: str, tree: Path, size: str, options: argparse.Namespace) -> Iterator[Worker]:
    """A process of a tree that has opened its store, and answers a line with a line."""
    asked = ["--what", options.what, "--size", size]
    asked += ["--corpus", options.corpus, "--encoder", options.encoder]
    asked += ["--peer-corpus", str(options.peer_corpus.resolve())]
    asked += ["--stores", str(options.stores / name), "--questions", str(options.questions)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(tree), str(tree / "src")))}
    with subprocess.Popen(
        [sys.executable, "-P", __file__, *asked],
        cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        worker = process.stdin, process.stdout
        _told(worker)  # that it is ready
        yield worker
        process.stdin.close()


def _told(worker: Worker) -> float:
    line = worker[1].readline()
    if not line:
        sys.exit("One of the trees could not be asked; see above.")
    return float(json.loads(line))


def _in_turn(workers: Sequence[Worker], kind: str, steps: int, rounds: int) -> list[list[float]]:
    """By worker, the least that each step cost."""
    costs = [[float("inf")] * steps for _ in workers]
    for turn in range(rounds * steps):
        place = turn % steps
        # Who goes first finds the caches as the other left them.
        order = range(len(workers)) if (turn + turn // steps) % 2 else (1, 0)
        for at in order:
            workers[at][0].write(f"{place} {kind}\n")
            workers[at][0].flush()
            costs[at][place] = min(costs[at][place], _told(workers[at]))
    return costs


# What a step costs, by its place in the round and the kind of cost.
Step = Callable[[int, str], float]


def work(arguments: list[str]) -> None:
    """In a tree's process: do each step that is read, and print what it cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--what")
    parser.add_argument("--size", type=int)
    parser.add_argument("--questions", type=int)
    add_workload_options(parser)
    options = parser.parse_args(arguments)
    options.stores.mkdir(parents=True, exist_ok=True)
    steps = _recalling if options.what == "recall" else _retaining
    with steps(workload_of(options), options) as step:
        _tell(0.0)
        for line in sys.stdin:
            place, kind = line.split()
            _tell(step(int(place), kind))


@contextmanager
def _recalling(workload: Workload, options: argparse.Namespace) -> Iterator[Step]:
    many = options_with(preset_with(_CANDIDATES), _MAX_TOKENS)
    asked = dict(zip(KINDS["recall"], (many, replace(many, limit=_FEW_ITEMS)), strict=True))
    questions = workload.questions(options.questions + _WARM)
    with workload.open(built(workload, options.size, options.stores)) as memory:
        bank = memory.bank()
        for question in questions:
            bank.recall(question.text, many)
        yield lambda place, kind: ask(bank, questions[_WARM + place], asked[kind]).cpu_ms


@contextmanager
def _retaining(workload: Workload, options: argparse.Namespace) -> Iterator[Step]:
    told = list(batches(workload.units(options.size), BATCH_UNITS))
    with tempfile.TemporaryDirectory(dir=options.stores) as directory, ExitStack() as last:
        fill(workload, _WARM_UNITS, Path(directory) / "warm")
        names = map(str, count())
        memory = last.enter_context(workload.open(Path(directory) / next(names)))
        # From the end of one batch to that of the next: what goes on behind `retain` counts too.
        begun = time.process_time()

        def step(place: int, _: str) -> float:
            nonlocal memory, begun
            if place == 0:
                last.close()
                memory = last.enter_context(workload.open(Path(directory) / next(names)))
                begun = time.process_time()
            memory.retain(told[place])
            spent, begun = time.process_time() - begun, time.process_time()
            return 1e3 * spent / len(told[place])

        yield step


def _tell(number: float) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if __spec__ is None:  # by its path: a tree's process
        work(sys.argv[1:])
    else:
        sys.exit(main(sys.argv[1:]))
