"""Measures the server: recalls per second and their tail, with writes, under overload, and after.

A server process is started on a bank that is built once, and asked over real connections: by
clients that wait for each answer, then with one write in ten, then at twice the rate it sustained,
where it must refuse with Retry-After instead of falling over, and once more to see it recover. With
several counts of `--processes` it is started again for each, over the same store.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bench import machine
from bench.machine import Result, rounded, summary
from bench.workload import Workload, add_workload_options, built, workload_of
from scrubjay.types.values import Json

# Connections of the overload: more than the server works on or lets wait.
_OVERLOAD_CONNECTIONS = 512
_ANSWER_SECONDS_MAX = 60.0
_BANK = "/v1/banks/default"
EMBEDDED, POSTGRES = "embedded", "postgres"
LOADS = ("recalls", "with_10_percent_writes", "overload", "recovered")

Next = Callable[[int], tuple[str, bytes]]  # the path and body of the n-th request


@dataclass
class Tally:
    """What came back: statuses, the milliseconds of good answers, and what went wrong."""

    statuses: Counter[int] = field(default_factory=Counter)
    good_ms: list[float] = field(default_factory=list)
    broken: Counter[str] = field(default_factory=Counter)
    without_retry_after: int = 0
    seconds: float = 0.0
    server_cpu_s: float = 0.0

    def report(self) -> dict[str, Json]:
        """The numbers to keep."""
        good = len(self.good_ms)
        refused = self.statuses[429] + self.statuses[503]
        other = sum(self.statuses.values()) - good - refused
        return {
            "per_second": rounded(good / self.seconds),
            "ms": summary(self.good_ms) if self.good_ms else None,
            # The machine may be busy with other work; this number does not mind.
            "server_cpu_ms_per_answer": rounded(1e3 * self.server_cpu_s / max(1, good)),
            "answered": good,
            "refused": refused,
            "refused_without_retry_after": self.without_retry_after,
            "errors": other + sum(self.broken.values()),
            "statuses": {str(status): number for status, number in sorted(self.statuses.items())},
            "broken": dict(self.broken),
        }


class Connection:
    """One kept-alive connection that sends a request and reads the status of its answer."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, body: bytes) -> tuple[int, bool]:
        """The status, and whether there was a Retry-After."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        try:
            writer.write(head.encode() + body)
            lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
            headers = dict(line.split(b": ", 1) for line in lines[1:] if line)
            await reader.readexactly(int(headers.get(b"content-length", b"0")))
        except BaseException:
            self.close()
            raise
        return int(lines[0].split()[1]), b"retry-after" in headers

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def one(connection: Connection, request: tuple[str, bytes], tally: Tally) -> None:
    """Send a request and count what came of it."""
    begun = time.perf_counter()
    try:
        async with asyncio.timeout(_ANSWER_SECONDS_MAX):
            status, retry_after = await connection.ask(*request)
    except (OSError, EOFError, TimeoutError) as error:
        tally.broken[type(error).__name__] += 1
        return
    tally.statuses[status] += 1
    if status < 300:
        tally.good_ms.append(1e3 * (time.perf_counter() - begun))
    elif status in (429, 503) and not retry_after:
        tally.without_retry_after += 1


async def closed_loop(place: tuple[str, int], request: Next, clients: int, seconds: float) -> Tally:
    """Clients that wait for each answer before they ask again."""
    tally, numbers = Tally(), count()
    begun = time.perf_counter()

    async def client() -> None:
        connection = Connection(*place)
        while time.perf_counter() - begun < seconds:
            await one(connection, request(next(numbers)), tally)
        connection.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    tally.seconds = time.perf_counter() - begun
    return tally


async def open_loop(place: tuple[str, int], request: Next, rate: float, seconds: float) -> Tally:
    """Requests that come at a rate, whether or not the earlier ones were answered."""
    tally, begun = Tally(), time.perf_counter()
    idle = [Connection(*place) for _ in range(_OVERLOAD_CONNECTIONS)]
    running: set[asyncio.Task[None]] = set()

    async def send(number: int, connection: Connection) -> None:
        await one(connection, request(number), tally)
        idle.append(connection)

    for number in count():
        due = begun + number / rate
        if due > begun + seconds:
            break
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if idle:  # else every connection waits, and a real client would wait too
            task = asyncio.create_task(send(number, idle.pop()))
            running.add(task)
            task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    tally.seconds = time.perf_counter() - begun
    for connection in idle:
        connection.close()
    return tally


def requests_of(workload: Workload, write_every: int) -> Next:
    """Questions in turn; with `write_every`, every n-th request tells something new."""
    asked = [question.text for question in workload.questions(2_000)]
    now = workload.now.isoformat()
    stamp = time.time_ns()

    def request(number: int) -> tuple[str, bytes]:
        if write_every and number % write_every == 0:
            told = {"text": f"Load {stamp} told memory {number} of the harbour."}
            return f"{_BANK}/memories", json.dumps(told).encode()
        question = {"question": asked[number % len(asked)], "now": now}
        return f"{_BANK}/recall", json.dumps(question).encode()

    return request


@contextmanager
def filled(workload: Workload, options: argparse.Namespace) -> Iterator[str]:
    """Where a store lies that holds the workload's units, and may be written to."""
    if options.store == POSTGRES:
        from bench import postgres  # needs the server's programs, which the other stores do not

        with postgres.served(workload, options.units, options.stores) as database:
            yield database.url
    elif options.store == EMBEDDED:
        with tempfile.TemporaryDirectory() as folder:
            # A copy, because this benchmark writes and the others share what was built.
            copied = Path(folder) / "store"
            shutil.copytree(built(workload, options.units, options.stores), copied)
            yield str(copied)
    else:
        yield options.store


@contextmanager
def serving(
    store: str, options: Sequence[str], *, readers: int = 0
) -> Iterator[tuple[tuple[str, int], int]]:
    """A server process, with so many readers running: where it listens, and its process id."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "scrubjay.surface.cli", "serve", "--port", "0",
                   "--store", store, "--state", folder, "--no-rerank", *options]  # fmt: skip
        with log.open("wb") as errors:
            process = subprocess.Popen(command, stderr=errors)
        try:
            yield _listening(process, log, readers), process.pid
        finally:
            process.terminate()
            process.wait()


def _listening(process: subprocess.Popen[bytes], log: Path, readers: int) -> tuple[str, int]:
    while process.poll() is None:
        lines = log.read_text(encoding="utf-8").splitlines()
        told = [json.loads(line) for line in lines if line.endswith("}")]
        listens = [one for one in told if one.get("event") == "listening"]
        if listens and sum(one.get("event") == "reader started" for one in told) >= readers:
            return str(listens[0]["host"]), int(listens[0]["port"])
        time.sleep(0.05)
    raise RuntimeError(f"The server ended: {log.read_text(encoding='utf-8')}")


def family(process: int) -> list[int]:
    """A process and those it started, as far as the system tells."""
    found, parents = [process], dict[int, list[int]]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            child = int(stat.parent.name)
            parents.setdefault(int(_fields(stat)[1]), []).append(child)
    for one in found:
        found += parents.get(one, [])
    return found


def _fields(stat: Path) -> list[str]:
    # The name in parentheses may hold spaces.
    return stat.read_text().rpartition(")")[2].split()


def _memory_mb(process: int) -> float | None:
    """What the processes have held at most, what they share counted in each."""
    held = 0
    for one in family(process):
        with suppress(OSError):
            lines = Path(f"/proc/{one}/status").read_text().splitlines()
            held += sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return rounded(held / 1e3) if held else None


async def costed(process: int, load: Awaitable[Tally]) -> Tally:
    """A load, with the CPU the server spent on it."""
    before = _cpu_seconds(process)
    tally = await load
    tally.server_cpu_s = _cpu_seconds(process) - before
    return tally


def _cpu_seconds(process: int) -> float:
    spent = 0
    for one in family(process):
        with suppress(OSError):
            # User and system time, its own and of those it has waited for.
            spent += sum(map(int, _fields(Path(f"/proc/{one}/stat"))[11:15]))
    return spent / os.sysconf("SC_CLK_TCK")


async def measure(
    served: tuple[tuple[str, int], int], workload: Workload, clients: int, seconds: float
) -> dict[str, Json]:
    """The four loads, one after the other."""
    place, process = served
    reading, writing = requests_of(workload, 0), requests_of(workload, 10)
    await closed_loop(place, reading, 4, min(5.0, seconds))  # opens the bank, fills caches
    recalls = await costed(process, closed_loop(place, reading, clients, seconds))
    mixed = await costed(process, closed_loop(place, writing, clients, seconds))
    rate = 2 * len(recalls.good_ms) / recalls.seconds
    overload = await costed(process, open_loop(place, reading, rate, seconds))
    after = await costed(process, closed_loop(place, reading, clients, seconds / 3))
    return {
        "recalls": recalls.report(),
        "with_10_percent_writes": mixed.report(),
        "overload": {"offered_per_second": rounded(rate), **overload.report()},
        "recovered": after.report(),
    }


def main(arguments: list[str]) -> int:
    """Run the benchmark; 0 when nothing broke and every refusal said when to come back."""
    parser = argparse.ArgumentParser(prog="scrubjay bench server", description=__doc__)
    parser.add_argument("--units", type=int, default=100_000, help="size of the bank")
    parser.add_argument("--clients", type=int, default=64, help="that wait for each answer")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each load")
    parser.add_argument(
        "--store",
        default=EMBEDDED,
        help="embedded, postgres (a server of the benchmark's own), or postgresql://... as it is",
    )
    parser.add_argument("--processes", default="1", help="that answer; several by commas")
    add_workload_options(parser)
    parser.add_argument("--json", type=Path, nargs="?", metavar="FILE", help="keep the result here")
    options = parser.parse_args(arguments)
    workload = workload_of(options)
    counts = [int(count) for count in options.processes.split(",")]
    by_count: dict[int, dict[str, Json]] = {}
    with filled(workload, options) as store:
        for processes in counts:
            wanted = ["--encoder", options.encoder, "--processes", str(processes)]
            with serving(store, wanted, readers=processes if processes > 1 else 0) as served:
                loads = measure(served, workload, options.clients, options.seconds)
                by_count[processes] = asyncio.run(loads)
                by_count[processes]["server_memory_mb"] = _memory_mb(served[1])
    # The first as it always was, the others beside it.
    numbers = dict(by_count[counts[0]])
    numbers["processes"] = {str(count): by_count[count] for count in counts[1:]}
    parameters: dict[str, Json] = {
        "units": options.units,
        "clients": options.clients,
        "processes": counts[0],
        "seconds": options.seconds,
        "corpus": options.corpus,
        "store": options.store if options.store in (EMBEDDED, POSTGRES) else "given",
        "load_average_before": rounded(os.getloadavg()[0]),
    }
    machine.report(Result("server", arguments, parameters, numbers), options.json)
    fine = all(
        isinstance(load, dict) and not load["errors"] and not load["refused_without_retry_after"]
        for found in by_count.values()
        for load in (found[name] for name in LOADS)
    )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
