"""Measures what a user waits for: a new question, encoding included, in process and over HTTP.

In process one caller asks, and then several at once. The questions are new to the process, so that
each is embedded. The bank's own vectors are borrowed: a few thousand texts are embedded by the
model and every unit gets one of those, blurred, since to embed a hundred thousand would take the
longest part of an hour and change nothing for the question.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from bench import machine
from bench.callers import at_once
from bench.corpus.generated import Question
from bench.machine import Result, rounded, summary
from bench.server import Connection, Tally, closed_loop, costed, one, serving
from bench.workload import Workload, add_workload_options, built, workload_of
from scrubjay.bank import Bank
from scrubjay.encoder.base import Calibration, Encoder, calibration_of
from scrubjay.encoder.opening import open_encoder
from scrubjay.types.arrays import VectorArray
from scrubjay.types.values import Json

_SAMPLED = 2_000
_BLUR = 0.5  # of a vector's length
_WARM = 10
CALLERS = (1, 2, 8)
_RECALL = "/v1/banks/default/recall"


class Borrowed:
    """A model whose documents get the vectors of a few of them."""

    def __init__(self, model: Encoder, sample: Sequence[str]) -> None:
        self._model = model
        self._vectors = model.encode_documents(sample)

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def dimension(self) -> int:
        """The model's."""
        return self._model.dimension

    @property
    def fingerprint(self) -> str:
        """The model's: the bank is asked with it."""
        return self._model.fingerprint

    @property
    def calibration(self) -> Calibration:
        """The model's."""
        return calibration_of(self._model)

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        """Unit vectors near those of the sample, the same for the same text."""
        rows = []
        for text in texts:
            drawn = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
            noise = np.random.default_rng(drawn).normal(size=self.dimension)
            near = self._vectors[drawn % len(self._vectors)]
            rows.append(near + _BLUR * noise / np.linalg.norm(noise))
        made = np.stack(rows).astype(np.float32)
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """The model's own."""
        return self._model.encode_queries(texts)


def asked_in_process(bank: Bank, questions: Sequence[Question]) -> dict[str, Json]:
    """Wall and CPU of each question, one after the other."""
    wall, cpu = list[float](), list[float]()
    for question in questions:
        begun, spent = time.perf_counter(), time.process_time()
        bank.recall(question.text, rerank=False)
        wall.append(1e3 * (time.perf_counter() - begun))
        cpu.append(1e3 * (time.process_time() - spent))
    return {"wall_ms": summary(wall[_WARM:]), "cpu_ms": summary(cpu[_WARM:])}


def asked_by_several(bank: Bank, questions: Sequence[Question]) -> dict[str, Json]:
    """Several callers of one store: of new questions, and once more with their vectors known."""
    ask = partial(bank.recall, rerank=False)
    found: dict[str, Json] = {}
    for callers in CALLERS:
        texts = [question.text for question in numbered(questions, f"c{callers}")]
        found[str(callers)] = {
            "new": at_once(ask, texts, callers), "known": at_once(ask, texts, callers),
        }  # fmt: skip
    return found


async def asked_over_http(
    served: tuple[tuple[str, int], int], questions: Sequence[Question], clients: int
) -> dict[str, Json]:
    """One client that waits for each answer, then several; all questions are new."""
    place, process = served
    bodies = [json.dumps({"question": question.text}).encode() for question in questions]
    half = len(bodies) // 2

    async def singly() -> Tally:
        tally, connection = Tally(), Connection(*place)
        begun = time.perf_counter()
        for body in bodies[_WARM:half]:
            await one(connection, (_RECALL, body), tally)
        tally.seconds = time.perf_counter() - begun
        connection.close()
        return tally

    await closed_loop(place, lambda n: (_RECALL, bodies[n % _WARM]), clients, 2.0)
    single = await costed(process, singly())
    rest = bodies[half:]
    seconds = max(1.0, 0.5 * single.seconds)
    several = await costed(
        process, closed_loop(place, lambda n: (_RECALL, rest[n % len(rest)]), clients, seconds)
    )
    return {"one_client": single.report(), f"{clients}_clients": several.report()}


def numbered(questions: Sequence[Question], run: str) -> list[Question]:
    """The same questions, each with a word that makes it new."""
    return [replace(each, text=f"{each.text} ({run} {n})") for n, each in enumerate(questions)]


def lent(told: Workload, model: Encoder, units: int, stores: Path) -> Path:
    """The workload's store with the vectors of a model; made once and kept."""
    source = built(told, units, stores)
    mark = hashlib.blake2b(model.fingerprint.encode(), digest_size=4).hexdigest()
    path = stores / f"{source.name}-{mark}"
    if not path.is_dir():
        partial_copy = path.with_name(f"{path.name}.{os.getpid()}.partial")
        shutil.copytree(source, partial_copy)
        with told.open(partial_copy) as memory:
            memory.reembed(model)
        partial_copy.replace(path)
    return path


def measured(
    told: Workload, model: Encoder, units: int, options: argparse.Namespace
) -> dict[str, Json]:
    """One size: in process, then a server with each count of processes."""
    path, workload = lent(told, model, units, options.stores), replace(told, encoder=model)
    questions = workload.questions(options.questions)
    found: dict[str, Json] = {}
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "store"
        shutil.copytree(path, copied)
        with workload.open(copied) as memory:
            memory.recall("to load the model", rerank=False)
            found["in_process"] = asked_in_process(memory.bank(), numbered(questions, "a"))
            found["callers"] = asked_by_several(memory.bank(), questions)
        for count in (int(each) for each in options.processes.split(",")):
            wanted = ["--encoder", options.encoder, "--processes", str(count)]
            with serving(str(copied), wanted, readers=count if count > 1 else 0) as served:
                asked = numbered(questions, f"p{count}") + numbered(questions, f"q{count}")
                found[f"http_{count}"] = asyncio.run(
                    asked_over_http(served, asked, options.clients)
                )
    return found


def main(arguments: list[str]) -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="scrubjay bench waiting", description=__doc__)
    parser.add_argument("--units", default="10000,100000", help="bank sizes, by commas")
    parser.add_argument("--questions", type=int, default=300, help="asked in each way")
    parser.add_argument("--clients", type=int, default=16, help="that wait for each answer")
    parser.add_argument("--processes", default="1,2", help="of the server, by commas")
    add_workload_options(parser)
    parser.set_defaults(encoder="scrubjay-small")
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    model = options.encoder
    # What is kept was told with vectors that cost nothing, and then gets others.
    options.encoder = "hash"
    told, options.encoder = workload_of(options), model
    sample = [unit.text for unit in islice(told.units(_SAMPLED), _SAMPLED)]
    borrowed = Borrowed(open_encoder(model), sample)
    sizes = [int(size) for size in options.units.split(",")]
    numbers: dict[str, Json] = {
        str(size): measured(told, borrowed, size, options) for size in sizes
    }
    parameters: dict[str, Json] = {
        "units": sizes,
        "questions": options.questions,
        "clients": options.clients,
        "encoder": options.encoder,
        "load_average_before": rounded(os.getloadavg()[0]),
    }
    machine.report(Result("waiting", arguments, parameters, numbers), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
