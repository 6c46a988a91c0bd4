"""Measures the PostgreSQL store: CPU per recall on both sides, and many callers at once.

A bank is told to an embedded store once, copied into a server of the benchmark's own, and asked.
CPU is that of this process and of every process of the server; questions are asked a second time,
with their vectors known, so that what is measured is the engine and the store, and then others,
of which the process may not have seen the units. Then 64 callers ask at once through pools of
different sizes.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.store.postgres.postgres_server import PostgresServer, sql

from bench import machine
from bench.machine import Result, rounded, summary
from bench.workload import Workload, add_workload_options, built, workload_of
from scrubjay.administration import copy_store
from scrubjay.answers import RecallOptions
from scrubjay.backend import EngineBackend
from scrubjay.bank import Bank
from scrubjay.engine.toolbox import Toolbox
from scrubjay.memory import Memory
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.types.values import Json

_WARM_QUESTIONS = 20


@dataclass(frozen=True, slots=True)
class Served:
    """A filled database, and the process that started all others of the server."""

    url: str
    pid: int

    def cpu_s(self) -> float:
        """Seconds of CPU the server has spent so far."""
        ticks = os.sysconf("SC_CLK_TCK")
        return sum(_ticks(path, self.pid) for path in Path("/proc").glob("[0-9]*/stat")) / ticks


def _ticks(path: Path, server: int) -> int:
    try:
        stat = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0  # ended meanwhile; its parent has its time
    fields = stat.rpartition(")")[2].split()
    own = int(fields[11]) + int(fields[12])
    if int(path.parent.name) == server:
        # It keeps the sum of those of its processes that have ended.
        return own + int(fields[13]) + int(fields[14])
    return own if int(fields[1]) == server else 0


@contextmanager
def served(workload: Workload, units: int, stores: Path) -> Iterator[Served]:
    """A server of our own with the bank in it."""
    origin = built(workload, units, stores)
    server = PostgresServer.created(shared_buffers="1GB", max_connections="100")
    try:
        fill(origin, server.url())
        sql(server.url(), "VACUUM ANALYZE")
        yield Served(server.url(), server.pid)
    finally:
        server.remove()


def fill(origin: Path, url: str) -> None:
    """Copy the default bank of an embedded store into a database, graphs and all."""
    progress = machine.Progress("copy", 0)
    copy_store(str(origin), url, progress=lambda _bank, done, _total: progress(done))


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="scrubjay bench postgres", description=__doc__)
    parser.add_argument("--units", type=int, default=100_000, help="size of the bank")
    parser.add_argument("--questions", type=int, default=200, help="asked one after the other")
    parser.add_argument("--callers", type=int, default=64, help="that ask at once")
    parser.add_argument("--pools", default="4,8,16", help="pool sizes, by commas")
    parser.add_argument("--url", help="a database filled before, instead of one of our own")
    parser.add_argument("--pid", type=int, default=0, help="the server's process, with --url")
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    parameters: dict[str, Json] = {
        "corpus": options.corpus, "units": options.units, "questions": options.questions,
        "callers": options.callers,
    }  # fmt: skip
    if options.url:
        numbers = measured(workload, Served(options.url, options.pid), options)
    else:
        with served(workload, options.units, options.stores) as database:
            numbers = measured(workload, database, options)
    machine.report(Result("postgres", arguments, parameters, numbers), options.json)
    return 0


def measured(workload: Workload, database: Served, options: argparse.Namespace) -> dict[str, Json]:
    """All numbers of one filled database."""
    numbers: dict[str, Json] = {"alone": alone(workload, database, options.questions)}
    for size in options.pools.split(","):
        numbers[f"pool_{size}"] = crowd(workload, database, int(size), options.callers)
    return numbers


@contextmanager
def opened(workload: Workload, database: Served, pool: int) -> Iterator[tuple[Bank, PostgresStore]]:
    """The bank through a pool of some size, and the store, which knows how long was waited."""
    mark = "&" if "?" in database.url else "?"
    address = f"{database.url}{mark}scrubjay_pool={pool}"
    store = PostgresStore(address, clock=lambda: workload.now)
    toolbox = Toolbox(workload.encoder, None, lambda: workload.now)
    with Memory(EngineBackend(store, toolbox)) as memory:
        yield memory.bank(), store


def alone(workload: Workload, database: Served, count: int) -> dict[str, Json]:
    """One caller: CPU here and on the server, and time; of questions asked again, and of others."""
    texts = [question.text for question in workload.questions(2 * count)]
    questions, others = texts[:count], texts[count:]
    with opened(workload, database, 8) as (bank, store):
        for text in questions:
            bank.recall(text, RecallOptions(limit=10))
        again = _spent(bank, store, database, questions)
        return {**again, "new_questions": _spent(bank, store, database, others)}


def _spent(
    bank: Bank, store: PostgresStore, database: Served, questions: Sequence[str]
) -> dict[str, Json]:
    statements: list[float] = []
    begun, server, client = [], database.cpu_s(), time.process_time()
    for text in questions:
        start, reads = time.perf_counter(), store.reads
        bank.recall(text, RecallOptions(limit=10))
        begun.append((time.perf_counter() - start) * 1e3)
        statements.append(store.reads - reads)
    count = len(questions)
    server_ms = (database.cpu_s() - server) * 1e3 / count
    client_ms = (time.process_time() - client) * 1e3 / count
    return {
        "server_cpu_ms": rounded(server_ms),
        "client_cpu_ms": rounded(client_ms),
        "cpu_ms": rounded(server_ms + client_ms),
        "wall_ms": summary(begun),
        "statements": {"mean": rounded(sum(statements) / count), "max": max(statements)},
    }


def crowd(workload: Workload, database: Served, pool: int, callers: int) -> dict[str, Json]:
    """Many callers at once through one pool."""
    questions = [question.text for question in workload.questions(callers * 8)]
    with opened(workload, database, pool) as (bank, store):
        for text in questions[:_WARM_QUESTIONS]:
            bank.recall(text)
        store.take_longest_wait_ms()
        begun = time.perf_counter()
        with ThreadPoolExecutor(callers) as crowd_of:
            parts = [questions[start::callers] for start in range(callers)]
            asked = [one for done in crowd_of.map(lambda p: _ask(bank, p), parts) for one in done]
        elapsed, waited_ms = time.perf_counter() - begun, store.take_longest_wait_ms()
    return {
        "recalls_per_s": rounded(len(asked) / elapsed),
        "wall_ms": summary([wall for wall, _ in asked]),
        "max_wait_ms": rounded(waited_ms),
        "degraded": sum(degraded for _, degraded in asked),
    }


def _ask(bank: Bank, questions: Sequence[str]) -> list[tuple[float, bool]]:
    answered = []
    for text in questions:
        start = time.perf_counter()
        recall = bank.recall(text, RecallOptions(limit=10))
        wall = (time.perf_counter() - start) * 1e3
        answered.append((wall, bool(recall.degraded)))
    return answered


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
