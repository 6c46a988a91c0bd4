"""Many writers at once: all wait their turn or are told when to come back, and nothing is lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.store.postgres.fixtures import database_url, postgres_server, postgres_url
from tests.surface.http.http_server import running

from scrubjay import Memory
from scrubjay.client import HttpMemory, Patience
from scrubjay.surface.http.admitting.gate import Gate
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.surface.http.shared.server_settings import ServerSettings

__all__ = ["database_url", "postgres_server", "postgres_url"]

WRITERS = 24
EACH = 4


@pytest.fixture(params=["embedded", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Memory]:
    """Opens the store, again if asked."""
    if request.param == "embedded":
        place = str(tmp_path / "store")
    else:
        place = request.getfixturevalue("postgres_url")
    return lambda: Memory.open(place, encoder="hash", reranker=None)


def test_what_many_writers_were_told_is_kept_is_there_afterwards(
    opened: Callable[[], Memory],
) -> None:
    room = ServerSettings(workers=3, waiting_max=4)
    with running(memory=opened(), settings=room) as server:
        # Told to come back, each comes back until it is let in.
        patience = Patience(
            first_wait_s=0.01, longest_wait_s=0.05, attempts_max=10_000, deadline_s=600
        )

        def tell(number: int) -> list[str]:
            with HttpMemory(server.url, patience=patience) as memory:
                return [
                    memory.retain(f"Writer {number} saw heron {n}.", bank=f"pond-{number % 2}").id
                    for n in range(EACH)
                ]

        with ThreadPoolExecutor(WRITERS) as pool:
            told = list(pool.map(tell, range(WRITERS)))
        assert server.service.writes.inside == 0
    with opened() as memory:
        for pond in range(2):
            ids = [one for number, kept in enumerate(told) if number % 2 == pond for one in kept]
            page = memory.list(bank=f"pond-{pond}", limit=1000)
            assert sorted(unit.id for unit in page.units) == sorted(ids)
            assert len(set(ids)) == WRITERS * EACH // 2
            assert memory.doctor(bank=f"pond-{pond}") == []


class Pond:
    """Work that waits until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()

    def __call__(self) -> str:
        self.begun.release()
        assert self.go.wait(30)
        return "kept"


@contextmanager
def gate_of(workers: int, waiting_max: int) -> Iterator[Gate]:
    gate = Gate("write", workers=workers, waiting_max=waiting_max)
    try:
        yield gate
    finally:
        gate.close()


def test_one_banks_many_writers_do_not_hold_up_another_bank() -> None:
    pond = Pond()

    async def write() -> None:
        flood = [
            asyncio.create_task(gate.run(pond, seconds_max=30, line="flooded")) for _ in range(9)
        ]
        assert await asyncio.to_thread(pond.begun.acquire, timeout=30)
        assert await gate.run(lambda: "beside", seconds_max=30, line="other") == "beside"
        pond.go.set()
        assert await asyncio.gather(*flood) == ["kept"] * 9

    with gate_of(workers=3, waiting_max=20) as gate:
        asyncio.run(write())
        assert gate.inside == 0


def test_a_bank_with_a_full_line_is_refused_and_told_when_to_come_back() -> None:
    pond = Pond()

    async def write() -> None:
        # Of eight places one bank may have two at work, and six that wait.
        inside = [asyncio.create_task(gate.run(pond, seconds_max=30, line="a")) for _ in range(8)]
        await asyncio.sleep(0)
        with pytest.raises(Refusal) as refused:
            await gate.run(pond, seconds_max=30, line="a")
        problem = refused.value.problem
        assert (problem.status, problem.kind) == (503, "Overloaded")
        assert problem.detail == "6 writes to bank 'a' wait already."
        assert int(problem.headers["Retry-After"]) >= 1
        assert await gate.run(lambda: 1, seconds_max=30, line="b") == 1
        pond.go.set()
        assert await asyncio.gather(*inside) == ["kept"] * 8

    with gate_of(workers=3, waiting_max=6) as gate:
        asyncio.run(write())


def test_a_writer_that_gives_up_leaves_the_line_to_the_others() -> None:
    pond = Pond()
    begun: list[str] = []

    async def write() -> None:
        first = asyncio.create_task(gate.run(pond, seconds_max=30, line="a"))
        assert await asyncio.to_thread(pond.begun.acquire, timeout=30)
        gone = asyncio.create_task(gate.run(lambda: begun.append("gone"), seconds_max=30, line="a"))
        with pytest.raises(Refusal) as late:
            await gate.run(lambda: begun.append("late"), seconds_max=0.01, line="a")
        assert "it was not begun" in late.value.problem.remedy
        patient = asyncio.create_task(
            gate.run(lambda: begun.append("patient"), seconds_max=30, line="a")
        )
        await asyncio.sleep(0)
        gone.cancel()
        pond.go.set()
        await asyncio.gather(first, patient)

    with gate_of(workers=1, waiting_max=9) as gate:
        asyncio.run(write())
        assert gate.inside == 0
    assert begun == ["patient"]
