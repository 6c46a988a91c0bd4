"""Measures reading beside an earlier tree: each question is asked of both in turn, several rounds.

What a machine does beside it falls on both alike, and the least of a question's rounds is what the
recall itself takes. Each tree reads a store that it built; the question's vector is remembered.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

from bench import machine
from bench.machine import Result, rounded, summary
from bench.recall import ask, options_with, preset_with
from bench.workload import add_workload_options, built, workload_of

# What both trees have; the worker is this file, run with the other tree's modules.
_CANDIDATES, _MAX_TOKENS, _FEW_ITEMS, _WARM = 300, 4_096, 10, 20
KINDS = ("cpu_ms", "cpu_ms_ten_items")


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="scrubjay bench pair", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, metavar="TREE", help="another tree")
    parser.add_argument("--before-commit", required=True, metavar="COMMIT", help="what it is at")
    parser.add_argument("--units", default="10000,100000", help="bank sizes, by commas")
    parser.add_argument("--questions", type=int, default=100, help="asked of each bank")
    parser.add_argument("--rounds", type=int, default=3, help="of all questions")
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    trees = {"before": options.before.resolve(), "now": machine.ROOT}
    numbers = {}
    for size in options.units.split(","):
        with ExitStack() as kept:
            workers = [kept.enter_context(_worker(*each, size, options)) for each in trees.items()]
            found = {kind: _in_turn(workers, kind, options) for kind in KINDS}
        numbers[size] = {
            kind: {name: summary(each) for name, each in zip(trees, costs, strict=True)}
            | {"ratio": rounded(sum(costs[1]) / sum(costs[0]))}
            for kind, costs in found.items()
        }
    parameters = {
        "corpus": options.corpus,
        "before": options.before_commit,
        "candidates": _CANDIDATES,
        "max_tokens": _MAX_TOKENS,
        "questions": options.questions,
        "rounds": options.rounds,
    }
    machine.report(Result("pair", arguments, parameters, numbers), options.json)
    return 0


Worker = tuple[IO[str], IO[str]]


@contextmanager
def _worker(name: str, tree: Path, size: str, options: argparse.Namespace) -> Iterator[Worker]:
    """A process of a tree that has opened its store, and answers a line with a line."""
    asked = ["--corpus", options.corpus, "--encoder", options.encoder, "--size", size]
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


def _in_turn(
    workers: Sequence[Worker], kind: str, options: argparse.Namespace
) -> list[list[float]]:
    """By worker, the least that each question cost."""
    costs = [[float("inf")] * options.questions for _ in workers]
    for turn in range(options.rounds * options.questions):
        place = turn % options.questions
        # Who goes first finds the caches as the other left them.
        order = range(len(workers)) if (turn + turn // options.questions) % 2 else (1, 0)
        for at in order:
            workers[at][0].write(f"{place} {kind}\n")
            workers[at][0].flush()
            costs[at][place] = min(costs[at][place], _told(workers[at]))
    return costs


def work(arguments: list[str]) -> None:
    """In a tree's process: ask what is read, and print what it cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int)
    parser.add_argument("--questions", type=int)
    add_workload_options(parser)
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    many = options_with(preset_with(_CANDIDATES), _MAX_TOKENS)
    asked = {"cpu_ms": many, "cpu_ms_ten_items": replace(many, limit=_FEW_ITEMS)}
    questions = workload.questions(options.questions + _WARM)
    options.stores.mkdir(parents=True, exist_ok=True)
    with workload.open(built(workload, options.size, options.stores)) as memory:
        bank = memory.bank()
        for question in questions:
            bank.recall(question.text, many)
        _tell(0.0)
        for line in sys.stdin:
            place, kind = line.split()
            _tell(ask(bank, questions[_WARM + int(place)], asked[kind]).cpu_ms)


def _tell(number: float) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if __spec__ is None:  # by its path: a tree's process
        work(sys.argv[1:])
    else:
        sys.exit(main(sys.argv[1:]))
