"""Measures writing: units per second of CPU, in batches and singly, and bytes per unit.

CPU is that of the whole process, all threads, from handing the units over to `retain` returning,
which is when they are durable and can be found. The disk is counted after the store is closed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from bench import machine
from bench.machine import Result, rounded
from bench.workload import Workload, add_workload_options, batches, workload_of
from scrubjay.engine import write_path
from scrubjay.engine.retain.naming import Namer
from scrubjay.engine.retain.updating import Updates
from scrubjay.memory import Memory
from scrubjay.store.embedded.bank_writing import BankWriting
from scrubjay.types.reports import Stats
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

# Units told before the clock runs, so that word lists are loaded and caches are as in use.
_WARM_UNITS = 200

_P = ParamSpec("_P")
_R = TypeVar("_R")

# Where the write path calls each of its stages, in order.
_STAGES: tuple[tuple[object, str, str], ...] = (
    (write_path, "check_units", "check"),
    (write_path, "drafts_of", "drafts"),
    (write_path, "find_duplicates", "duplicates"),
    (write_path, "classify", "types"),
    (write_path, "date_drafts", "times"),
    (write_path, "find_names", "names"),
    (write_path, "count_words", "words"),
    (write_path, "embed", "vectors"),
    (Namer, "name_all", "entities"),
    (write_path, "semantic_links", "semantic links"),
    (write_path, "told_causes", "causal links"),
    (write_path, "found_causes", "causal links"),
    (Updates, "found", "updates"),
    (BankWriting, "save", "save"),
)


@dataclass(slots=True)
class StageClock:
    """Adds up the CPU seconds of each stage of the write path while it is watching."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Time every stage called inside."""
        with ExitStack() as undo:
            for owner, attribute, stage in _STAGES:
                original = getattr(owner, attribute)
                undo.callback(setattr, owner, attribute, original)
                setattr(owner, attribute, self._timed(stage, original))
            yield

    def _timed(self, stage: str, work: Callable[_P, _R]) -> Callable[_P, _R]:
        def run(*given: _P.args, **named: _P.kwargs) -> _R:
            begun = time.thread_time()
            try:
                return work(*given, **named)
            finally:
                spent = time.thread_time() - begun
                self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

        return run

    def shares(self, total: float) -> dict[str, Json]:
        """Each stage's share of `total` seconds, and what no stage accounts for."""
        stages = {stage: 0.0 for _, _, stage in _STAGES} | self.seconds
        rest = max(0.0, total - sum(stages.values()))
        return {stage: rounded(spent / total) for stage, spent in (*stages.items(), ("rest", rest))}


@dataclass(frozen=True, slots=True)
class Told:
    """Some units told one way, what that took in seconds, and the stages' shares of the CPU."""

    units: int
    cpu: float
    wall: float
    stage_shares: dict[str, Json]

    def numbers(self) -> dict[str, Json]:
        """The part of the result about this way."""
        return {
            "units": self.units,
            "units_per_cpu_second": rounded(self.units / self.cpu),
            "units_per_second": rounded(self.units / self.wall),
            "cpu_ms_per_unit": rounded(1e3 * self.cpu / self.units),
            "stage_shares": self.stage_shares,
        }


@dataclass(frozen=True, slots=True)
class Ingested:
    """One run: both ways of telling, and what became of it."""

    in_batches: Told
    singly: Told
    bytes_per_unit: float
    stats: Stats

    def numbers(self) -> dict[str, Json]:
        """The result."""
        return {
            "in_batches": self.in_batches.numbers(),
            "singly": self.singly.numbers(),
            "bytes_per_unit": rounded(self.bytes_per_unit),
            "bank": {
                "units": self.stats.units,
                "entities": self.stats.entities,
                "links": self.stats.links,
                "terms": self.stats.terms,
                "vectors": self.stats.vectors,
            },
        }


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="scrubjay bench ingest", description=__doc__)
    parser.add_argument("--units", type=int, default=10_000, help="told in batches")
    parser.add_argument("--batch", type=int, default=100, help="units per call")
    parser.add_argument("--singles", type=int, default=1_000, help="told one by one afterwards")
    parser.add_argument("--runs", type=int, default=1, help="of which the cheapest is kept")
    parser.add_argument(
        "--one-type", action="store_true", help="tell all as facts: beyond 50,000, one large graph"
    )
    add_workload_options(parser)
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    if options.one_type:
        workload = replace(workload, units=partial(_as_facts, workload.units))
    # What else the machine does can only add to the cost, so the cheapest run is nearest to it.
    best = min(
        (
            ingest(workload, options.units, options.batch, options.singles)
            for _ in range(options.runs)
        ),
        key=lambda run: run.in_batches.cpu,
    )
    parameters: dict[str, Json] = {
        "corpus": options.corpus,
        "units": options.units,
        "batch": options.batch,
        "singles": options.singles,
        "runs": options.runs,
        "one_type": options.one_type,
    }
    machine.report(Result("ingest", arguments, parameters, best.numbers()), options.json)
    return 0


def _as_facts(units: Callable[[int], Iterator[Unit]], count: int) -> Iterator[Unit]:
    return (replace(unit, type="fact") for unit in units(count))


def ingest(workload: Workload, count: int, batch: int, singles: int) -> Ingested:
    """Fill a new store with `count` units in batches, then tell it `singles` more one by one."""
    told = list(workload.units(count + singles))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "store"
        _warm_up(workload, Path(directory) / "warm")
        with workload.open(path) as memory:
            in_batches = _tell(memory, list(batches(iter(told[:count]), batch)))
        bytes_per_unit = _bytes(path) / count
        with workload.open(path) as memory:
            memory.stats()
            singly = _tell(memory, [[unit] for unit in told[count:]])
            stats = memory.stats()
    assert stats.units == count + singles, "every unit of the corpus is another"
    return Ingested(in_batches, singly, bytes_per_unit, stats)


def _warm_up(workload: Workload, path: Path) -> None:
    with workload.open(path) as memory:
        for part in batches(workload.units(_WARM_UNITS), 50):
            memory.retain(part)


def _tell(memory: Memory, calls: Sequence[list[Unit]]) -> Told:
    clock, progress = StageClock(), machine.Progress("retain", len(calls))
    cpu, begun = 0.0, time.perf_counter()
    with clock.watching():
        for number, units in enumerate(calls, 1):
            _, spent = machine.cpu_of(partial(memory.retain, units))
            cpu += spent
            progress(number)
    wall = time.perf_counter() - begun
    return Told(sum(len(units) for units in calls), cpu, wall, clock.shares(cpu))


def _bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
