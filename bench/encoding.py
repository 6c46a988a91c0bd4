"""Measures encoders: what a question and a bulk of units cost, and whether batches change vectors.

CPU is that of the whole process. Encoders take turns, round by round, so that whatever else the
machine does falls on all of them alike. Questions are encoded one at a time on one thread; units
come by the hundred, as an import tells them, on two.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench import machine
from bench.machine import Result, rounded
from scrubjay.encoder import Encoder, open_encoder
from scrubjay.types.arrays import VectorArray
from scrubjay.types.values import Json

DATA = machine.ROOT.parent / "shared" / "data"
SETS = ("assistants", "beam_100k", "lifebench", "locomo", "memdaily_zh", "qmsum", "tmd")
BULK = 100  # units per call, as an import does
SEED = 7


@dataclass(slots=True)
class Tried:
    """One encoder, on one thread and on two, and what it took."""

    one: Encoder
    two: Encoder
    query_ms: list[float] = field(default_factory=list)
    bulk_s: float = 0.0
    vectors: list[VectorArray] = field(default_factory=list)


def read_texts(data: Path, count: int) -> tuple[list[str], list[str]]:
    """Questions of 4 to 14 words, and units with their speakers, the same number of every set."""
    chance = random.Random(SEED)
    questions: list[str] = []
    units: list[str] = []
    each = count // len(SETS)
    for name in SETS:
        asked = [row["question"] for row in _rows(data / name / "queries.jsonl")]
        short = [text for text in asked if 4 <= len(text.split()) <= 14 or name.endswith("zh")]
        questions += chance.sample(short, min(each, len(short)))
        told = chance.sample(_rows(data / name / "units.jsonl"), each)
        units += [
            f"{row['speaker']}: {row['text']}" if row["speaker"] else row["text"] for row in told
        ]
    chance.shuffle(units)
    return questions, units


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def measure(tried: Sequence[Tried], questions: Sequence[str], units: Sequence[str]) -> None:
    """Encode everything with every encoder, in turns."""
    for one in tried:
        one.one.encode_queries(["Which of them was it?"])  # loads the graph
        one.two.encode_documents(["It was the other."])
    for question in questions:
        for one in tried:
            started = time.process_time()
            one.one.encode_queries([question])
            one.query_ms.append((time.process_time() - started) * 1_000)
    for start in range(0, len(units), BULK):
        for one in tried:
            started = time.process_time()
            one.vectors.append(one.two.encode_documents(units[start : start + BULK]))
            one.bulk_s += time.process_time() - started


def batch_difference(one: Tried, units: Sequence[str], count: int) -> float:
    """The largest difference of any number of a vector, alone and in its batch."""
    together = np.concatenate(one.vectors)[:count]
    alone = np.concatenate([one.one.encode_documents([text]) for text in units[:count]])
    return float(np.abs(together - alone).max())


def numbers(one: Tried, units: Sequence[str], alone: int) -> dict[str, Json]:
    """What is kept of one encoder."""
    p50, p95 = np.percentile(one.query_ms, [50, 95])
    return {
        "query_cpu_ms": {"p50": rounded(float(p50)), "p95": rounded(float(p95))},
        "units_per_cpu_second": rounded(len(units) / one.bulk_s),
        "largest_difference_in_a_batch": batch_difference(one, units, alone),
    }


def main(arguments: Sequence[str]) -> int:
    """Measure the encoders named."""
    parser = argparse.ArgumentParser(prog="scrubjay bench encoding", description=__doc__)
    parser.add_argument("--encoders", nargs="+", default=["scrubjay-small", "fast", "e5-small-v2"])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--texts", type=int, default=1_000, help="questions, and as many units")
    parser.add_argument("--alone", type=int, default=200, help="units also encoded by themselves")
    machine.add_json_option(parser)
    given = parser.parse_args(arguments)
    questions, units = read_texts(given.data, given.texts)
    tried = {
        name: Tried(open_encoder(name, threads=1), open_encoder(name, threads=2))
        for name in given.encoders
    }
    measure(list(tried.values()), questions, units)
    found: dict[str, Json] = {name: numbers(one, units, given.alone) for name, one in tried.items()}
    parameters: dict[str, Json] = {"questions": len(questions), "units": len(units)}
    machine.report(Result("encoding", arguments, parameters, found), given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
