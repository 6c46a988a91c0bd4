"""Works out from measured costs what a given load takes: cores, memory, disk and nodes.

Nothing is run: the costs come from the files of bench/results. Banks have sizes by Zipf's law, and
are asked as often as they are large. A simulation of one server's queue gives the tail of its
answers; it is first held against what was measured at a size that runs here.
"""

from __future__ import annotations

import argparse
import heapq
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bench import machine
from bench.machine import Result, rounded
from bench.pages.reading import number
from scrubjay.types.values import Json

_MIB, _GIB = 2**20, 2**30
UNITS = (10**7, 10**8, 10**9, 10**10)
RECALLS_PER_S = (10, 100, 1_000, 10_000, 100_000)
_MEASURED_SIZES = (10_000, 100_000, 1_000_000)
_LARGEST_MEASURED = 10_000_000
_SIMULATED = 40_000


@dataclass(frozen=True, slots=True)
class Node:
    """A machine, and how far it is filled; the defaults can be had everywhere."""

    cores: int = 16
    memory_gib: float = 64.0
    disk_gib: float = 1_800.0
    busy: float = 0.5  # of the cores, so that the tail stays short and half may fail over
    filled: float = 0.7  # of memory and disk


@dataclass(frozen=True, slots=True)
class Load:
    """What is kept, and what is asked of it."""

    units: int
    recalls_per_s: float
    units_per_bank: int  # on average
    writes: float  # units told for each recall
    copies: int  # of every bank; all but one may be lost


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured, of one store."""

    name: str
    recall_cpu_ms: Mapping[int, float]  # by the bank's size
    question_cpu_ms: float  # to embed it, with the encoder that comes along
    request_cpu_ms: float  # around the recall
    cold_cpu_ms: float  # more, for a bank that has to be opened
    retain_cpu_ms: float  # of a unit
    disk_bytes: float | None  # of a unit; None: not measured
    resident_bytes: float | None  # of a unit in a bank that is open
    service: tuple[float, float, float]  # p50, p95, p99 of a recall, in milliseconds of CPU

    def recall(self, units: np.ndarray) -> np.ndarray:
        """CPU of a recall from banks of these sizes, between and beyond those measured."""
        sizes = sorted(self.recall_cpu_ms)
        known = [self.recall_cpu_ms[size] for size in sizes]
        inside = np.interp(np.log(np.maximum(units, 1)), np.log(sizes), known)
        slope = (known[-1] - known[0]) / max(1e-9, math.log(sizes[-1] / sizes[0]))
        beyond = np.maximum(0.0, np.log(np.maximum(units, 1) / sizes[-1])) * slope
        return np.asarray(inside + beyond, np.float64)


def embedded_costs() -> Costs:
    """Those of the embedded store, from the result files."""
    sizes = ("scale-sizes", "results", "sizes")
    recall = {
        size: number(*sizes, str(size), "recalls", "recall", "cpu_ms", "mean")
        for size in _MEASURED_SIZES
    }
    # The server's own share: its CPU for an answer less that of the same recall in process.
    asked = number("recall-own", "results", "100000", "cpu_ms_ten_items", "mean")
    around = number("server-embedded-100k", "results", "recalls", "server_cpu_ms_per_answer")
    banks = ("scale-banks", "results", "banks")
    cold = number(*banks, "cold", "cpu_ms", "mean") - number(*banks, "warm", "cpu_ms", "mean")
    million, encoder = (*sizes, "1000000"), ("encoding", "results", "scrubjay-small")
    return Costs(
        "embedded",
        recall,
        number(*encoder, "query_cpu_ms", "p50"),
        max(0.0, around - asked),
        cold,
        # Embedded, told one by one, and given its place in the graphs that a large bank builds.
        1e3 / number(*encoder, "units_per_cpu_second")
        + number("ingest-own-10k", "results", "singly", "cpu_ms_per_unit")
        + number(*million, "build", "indexes_cpu_s") * 1e3 / 1e6,
        number(*million, "disk_mib", "all") * _MIB / 1e6,
        number(*million, "recalls", "resident", "resident_mib") * _MIB / 1e6,
        _tail("recall-own", "results", "100000", "cpu_ms_ten_items"),
    )


def postgres_costs() -> Costs:
    """Those of the PostgreSQL store, where the database and its client share the work."""
    own = embedded_costs()
    alone = ("postgres-100k", "results", "alone")
    both = number(*alone, "cpu_ms")
    scale = both / own.recall_cpu_ms[100_000]
    return Costs(
        "postgres",
        {size: cost * scale for size, cost in own.recall_cpu_ms.items()},
        own.question_cpu_ms,
        own.request_cpu_ms,
        0.0,
        own.retain_cpu_ms,
        None,
        None,
        _tail(*alone, "wall_ms"),
    )


def _tail(*path: str) -> tuple[float, float, float]:
    p50, p95, p99 = (number(*path, point) for point in ("p50", "p95", "p99"))
    return p50, p95, p99


@dataclass(frozen=True, slots=True)
class Banks:
    """Banks by Zipf's law, those of about the same size together: how many, of what size."""

    counts: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, units: int, units_per_bank: int) -> Banks:
        """So many units in all; the n-th bank has one n-th of the largest."""
        total = max(1, units // units_per_bank)
        edges = np.unique(np.geomspace(1, total + 1, 400).astype(np.int64))
        counts = np.diff(edges)
        # The sum of 1/n over each stretch of ranks.
        weights = np.log(edges[1:] - 0.5) - np.log(np.maximum(edges[:-1] - 0.5, 0.5))
        weights[0] = counts[0] if edges[0] == 1 and edges[1] == 2 else weights[0]
        sizes = weights / counts * (units / weights.sum())
        return cls(counts, sizes)

    @property
    def asked(self) -> np.ndarray:
        """What share of the questions each group gets: as much as it holds."""
        held = self.counts * self.sizes
        return np.asarray(held / held.sum(), np.float64)


def needed(load: Load, costs: Costs, node: Node) -> dict[str, Json]:
    """What a load takes, and by what it is bounded; of a database only its cores are known."""
    banks = Banks.of(load.units, load.units_per_bank)
    # Kept open: the largest banks, until nine questions in ten find theirs so.
    kept = np.cumsum(banks.asked) <= 0.9
    kept[0] = True
    cold = float(banks.asked[~kept].sum())
    recall_ms = float((costs.recall(banks.sizes) * banks.asked).sum())
    answer_ms = costs.question_cpu_ms + costs.request_cpu_ms + recall_ms + cold * costs.cold_cpu_ms
    # Every copy is written.
    retain_ms = load.writes * costs.retain_cpu_ms * load.copies
    cores = load.recalls_per_s * (answer_ms + retain_ms) / 1e3 / node.busy
    if costs.disk_bytes is None or costs.resident_bytes is None:
        return {"answer_cpu_ms": rounded(answer_ms), "cores": math.ceil(cores)}
    open_units = float((banks.counts * banks.sizes)[kept].sum())
    memory_gib = open_units * costs.resident_bytes / _GIB / node.filled
    disk_gib = load.units * costs.disk_bytes * load.copies / _GIB / node.filled
    wanted = {
        "cores": cores / node.cores,
        "memory": memory_gib / node.memory_gib,
        "disk": disk_gib / node.disk_gib,
    }
    bound = max(wanted, key=wanted.__getitem__)
    # One more than the load takes, so that one may fail.
    nodes = max(load.copies, math.ceil(wanted[bound]) + 1)
    hottest = float(banks.asked[0]) / float(banks.counts[0])
    return {
        "answer_cpu_ms": rounded(answer_ms),
        "cores": math.ceil(cores),
        "memory_gib": rounded(memory_gib),
        "disk_gib": rounded(disk_gib),
        "nodes": nodes,
        "bounded_by": bound,
        "largest_bank_units": int(banks.sizes[0]),
        "largest_bank_recalls_per_s": rounded(hottest * load.recalls_per_s),
        "breaks": [
            *_breaks(banks, hottest * load.recalls_per_s, costs, node),
            *_too_large(float(banks.sizes[0]) * costs.resident_bytes, node),
        ],
    }


def _breaks(banks: Banks, hottest_per_s: float, costs: Costs, node: Node) -> Iterator[str]:
    """What of the design does not hold at this load."""
    largest = float(banks.sizes[0])
    if largest > _LARGEST_MEASURED:
        yield "largest bank beyond what was measured"
    one_ms = float(costs.recall(banks.sizes[:1])[0]) + costs.question_cpu_ms + costs.request_cpu_ms
    if hottest_per_s * one_ms / 1e3 > node.cores * node.busy:
        yield "largest bank is asked more than a node can answer"


def _too_large(resident_bytes: float, node: Node) -> Iterator[str]:
    if resident_bytes > node.memory_gib * _GIB * node.filled:
        yield "largest bank does not fit a node's memory"


def service_times(tail: tuple[float, float, float], count: int, seed: int) -> np.ndarray:
    """Times of work with this median and tail: straight lines between what was measured."""
    p50, p95, p99 = tail
    points = ((0.0, 0.6 * p50), (0.5, p50), (0.95, p95), (0.99, p99), (1.0, 1.5 * p99))
    shares, values = zip(*points, strict=True)
    drawn = np.random.default_rng(seed).random(count)
    return np.interp(drawn, shares, values)


def closed(times: np.ndarray, clients: int, servers: int) -> np.ndarray:
    """How long each answer takes where so many clients wait for theirs before they ask again."""
    free = [0.0] * servers
    asking = [(0.0, client) for client in range(clients)]
    waits = np.empty(len(times))
    for place, time in enumerate(times.tolist()):
        asked, client = heapq.heappop(asking)
        ended = max(asked, heapq.heappop(free)) + time
        heapq.heappush(free, ended)
        heapq.heappush(asking, (ended, client))
        waits[place] = ended - asked
    return waits


def opened(
    times: np.ndarray, per_ms: float, servers: int, room: int, seed: int
) -> tuple[np.ndarray, float]:
    """The same where requests come by chance at a rate; also the share there was no room for."""
    arrivals = np.cumsum(np.random.default_rng(seed).exponential(1 / per_ms, len(times)))
    free, inside, waits = [0.0] * servers, list[float](), list[float]()
    refused = 0
    for asked, time in zip(arrivals.tolist(), times.tolist(), strict=True):
        while inside and inside[0] <= asked:
            heapq.heappop(inside)
        if len(inside) >= room:
            refused += 1
            continue
        ended = max(asked, heapq.heappop(free)) + time
        heapq.heappush(free, ended)
        heapq.heappush(inside, ended)
        waits.append(ended - asked)
    return np.array(waits), refused / len(times)


def held_against(seed: int) -> dict[str, Json]:
    """The simulation of the loads that a server was measured under, beside what was measured.

    The rate that was measured sets the time of an answer, for other work may have held the cores;
    the simulation says how answers spread around it, and how many find no room.
    """
    measured = ("server-embedded-100k", "results")
    file = measured[0]
    clients = int(number(file, "parameters", "clients"))
    shape = _tail("recall-own", "results", "100000", "cpu_ms_ten_items")
    times = service_times(shape, _SIMULATED, seed)
    rate = number(*measured, "recalls", "per_second")
    waits = closed(times * (1e3 / rate / times.mean()), clients, 1)[clients:]
    found: dict[str, Json] = {"recalls": _beside(waits, (*measured, "recalls"))}
    over = number(*measured, "overload", "per_second")
    offered = number(*measured, "overload", "offered_per_second")
    slowed = times * (1e3 / over / times.mean())
    # 128 may wait beside those at work.
    waits, refused = opened(slowed, offered / 1e3, 1, 130, seed + 1)
    answered = number(*measured, "overload", "answered")
    turned_away = number(*measured, "overload", "refused")
    found["overload"] = {
        **_beside(waits, (*measured, "overload")),
        "refused": rounded(refused),
        "refused_measured": rounded(turned_away / (answered + turned_away)),
    }
    return found


def _beside(waits: np.ndarray, path: Sequence[str]) -> dict[str, Json]:
    shown: dict[str, Json] = {}
    for point in (50, 99):
        simulated = float(np.percentile(waits, point))
        measured = number(*path, "ms", f"p{point}")
        shown[f"p{point}_ms"] = rounded(simulated)
        shown[f"p{point}_ms_measured"] = rounded(measured)
        shown[f"p{point}_ratio"] = rounded(simulated / measured)
    return shown


def tails(costs: Costs, node: Node, seed: int) -> dict[str, Json]:
    """The tail of a node's answers as its cores fill, one reader on each."""
    around = costs.question_cpu_ms + costs.request_cpu_ms
    p50, p95, p99 = (point + around for point in costs.service)
    times = service_times((p50, p95, p99), _SIMULATED, seed)
    found: dict[str, Json] = {}
    for busy in (0.3, 0.5, 0.7, 0.8, 0.9):
        rate = busy * node.cores / times.mean()
        waits, _ = opened(times, rate, node.cores, 10**9, seed + 1)
        p50, p99 = np.percentile(waits, (50, 99)).tolist()
        found[f"{busy:g}"] = {
            "recalls_per_s": rounded(1e3 * rate), "p50_ms": rounded(p50), "p99_ms": rounded(p99),
        }  # fmt: skip
    return found


def main(arguments: list[str]) -> int:
    """Print the tables, and keep them where asked."""
    parser = argparse.ArgumentParser(prog="scrubjay bench capacity", description=__doc__)
    node = Node()
    parser.add_argument("--units-per-bank", type=int, default=3_000, help="on average")
    parser.add_argument("--writes", type=float, default=0.1, help="units told for each recall")
    parser.add_argument("--copies", type=int, default=2, help="of every bank")
    parser.add_argument("--cores", type=int, default=node.cores, help="of a node")
    parser.add_argument("--memory-gib", type=float, default=node.memory_gib, help="of a node")
    parser.add_argument("--disk-gib", type=float, default=node.disk_gib, help="of a node")
    parser.add_argument("--seed", type=int, default=7, help="of the simulation")
    machine.add_json_option(parser)
    options = parser.parse_args(arguments)
    node = Node(options.cores, options.memory_gib, options.disk_gib)
    numbers: dict[str, Json] = {"simulation": held_against(options.seed)}
    for costs in (embedded_costs(), postgres_costs()):
        table: dict[str, Json] = {}
        for units in UNITS:
            table[str(units)] = {
                str(rate): needed(
                    Load(units, rate, options.units_per_bank, options.writes, options.copies),
                    costs,
                    node,
                )
                for rate in RECALLS_PER_S
            }
        numbers[costs.name] = {
            "costs": {
                "question_cpu_ms": rounded(costs.question_cpu_ms),
                "request_cpu_ms": rounded(costs.request_cpu_ms),
                "recall_cpu_ms": {
                    str(size): rounded(cost) for size, cost in costs.recall_cpu_ms.items()
                },
                "cold_cpu_ms": rounded(costs.cold_cpu_ms),
                "retain_cpu_ms": rounded(costs.retain_cpu_ms),
                "disk_bytes_per_unit": costs.disk_bytes and rounded(costs.disk_bytes),
                "resident_bytes_per_open_unit": costs.resident_bytes
                and rounded(costs.resident_bytes),
            },
            "node": tails(costs, node, options.seed),
            "needed": table,
        }
    parameters: dict[str, Json] = {
        "units_per_bank": options.units_per_bank,
        "writes_per_recall": options.writes,
        "copies": options.copies,
        "node_cores": node.cores,
        "node_memory_gib": node.memory_gib,
        "node_disk_gib": node.disk_gib,
        "node_busy": node.busy,
        "node_filled": node.filled,
        "seed": options.seed,
    }
    machine.report(Result("capacity", arguments, parameters, numbers), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
