"""A server that has too much to do says so at once, keeps what it accepted, and recovers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.lexical import LEXICAL
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.memory import Memory
from scrubjay.surface.http.admitting.gate import Gate
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.surface.http.shared.server_settings import ServerSettings


class Held:
    """A retriever that waits until it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.go = threading.Event()

    def __call__(self, query: Query, step: RetrieverPlan) -> Retrieved:
        self.entered.release()
        assert self.go.wait(20)
        return LEXICAL.run(query, step)


def held_memory(held: Held) -> Memory:
    memory = Memory.open(":memory:", encoder=None, reranker=None, retrievers={LEXICAL.name: held})
    memory.retain("The tide turns at six.")
    return memory


def ask(server: Running) -> httpx.Response:
    return httpx.post(
        f"{server.url}/v1/banks/default/recall",
        json={"question": "When does the tide turn?", "deadline_ms": 3_600_000},
        timeout=30,
        trust_env=False,
    )


def test_more_than_can_wait_is_refused_with_503_and_the_rest_is_answered() -> None:
    held = Held()
    settings = ServerSettings(workers=2, waiting_max=3)
    with running(memory=held_memory(held), settings=settings) as server:
        with ThreadPoolExecutor(5) as pool:
            waiting = [pool.submit(ask, server) for _ in range(5)]
            for _ in range(2):
                assert held.entered.acquire(timeout=20)
            while server.service.reads.inside < 5:
                threading.Event().wait(0.005)
            refused = ask(server)
            assert server.client.get("/health").status_code == 200
            held.go.set()
            answers = [one.result() for one in waiting]
        assert refused.status_code == 503
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["title"] == "Overloaded"
        assert [answer.status_code for answer in answers] == [200] * 5
        assert ask(server).status_code == 200


def test_a_batch_takes_as_many_places_as_it_has_questions() -> None:
    held = Held()
    settings = ServerSettings(workers=1, waiting_max=4)
    with running(memory=held_memory(held), settings=settings) as server:

        def batch(size: int) -> httpx.Response:
            body = {"questions": ["When does the tide turn?"] * size, "deadline_ms": 3_600_000}
            address = f"{server.url}/v1/banks/default/recall-batch"
            return httpx.post(address, json=body, timeout=30, trust_env=False)

        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(batch, 3)
            assert held.entered.acquire(timeout=20)
            assert server.service.reads.inside == 3
            assert batch(3).json()["title"] == "Overloaded"
            held.go.set()
            assert len(first.result().json()["recalls"]) == 3
        assert len(batch(50).json()["recalls"]) == 50, "the whole room is enough for any batch"


def test_a_batch_ends_with_its_time() -> None:
    held = Held()
    settings = ServerSettings(workers=1, waiting_max=0, request_seconds=0.2)
    with running(memory=held_memory(held), settings=settings) as server:
        body = {"questions": ["When does the tide turn?"] * 100, "deadline_ms": 3_600_000}
        late = server.client.post("/v1/banks/default/recall-batch", json=body)
        assert late.json()["title"] == "TooSlow"
        held.go.set()
        while server.service.reads.inside:
            threading.Event().wait(0.005)
        begun = 0
        while held.entered.acquire(blocking=False):
            begun += 1
        assert begun <= 16, "what is left of it is not begun"


def test_a_request_that_takes_too_long_is_503_and_its_place_is_kept_until_it_ends() -> None:
    held = Held()
    settings = ServerSettings(workers=1, waiting_max=0, request_seconds=0.1)
    with running(memory=held_memory(held), settings=settings) as server:
        late = ask(server)
        assert (late.status_code, late.json()["title"]) == (503, "TooSlow")
        assert ask(server).json()["title"] == "Overloaded"
        held.go.set()
        while server.service.reads.inside:
            threading.Event().wait(0.005)
        # On a slow machine it may be late again; it has a place all the same.
        assert ask(server).json().get("title") in (None, "TooSlow")


def test_a_server_that_stops_answers_what_it_let_in() -> None:
    held = Held()
    with ThreadPoolExecutor(1) as pool:
        with running(memory=held_memory(held)) as server:
            asked = pool.submit(ask, server)
            assert held.entered.acquire(timeout=20)
            threading.Timer(0.3, held.go.set).start()
        assert asked.result().status_code == 200


def test_work_that_waited_too_long_never_begins() -> None:
    begun: list[int] = []
    gate = Gate("test", workers=1, waiting_max=5)
    go = threading.Event()

    async def both() -> None:
        first = asyncio.create_task(gate.run(lambda: go.wait(20), seconds_max=20))
        await asyncio.sleep(0)
        with pytest.raises(Refusal) as refused:
            await gate.run(lambda: begun.append(1), seconds_max=0.05)
        assert refused.value.problem.kind == "Overloaded"
        go.set()
        assert await first

    asyncio.run(both())
    gate.close()
    assert begun == []


def test_closing_a_gate_finishes_what_is_at_work() -> None:
    done: list[int] = []
    gate = Gate("test", workers=1, waiting_max=0)
    entered, go = threading.Event(), threading.Event()

    def work() -> None:
        entered.set()
        go.wait(20)
        done.append(1)

    async def start() -> None:
        running = asyncio.create_task(gate.run(work, seconds_max=20))
        await asyncio.to_thread(entered.wait, 20)
        closing: Callable[[], None] = gate.close
        closed = asyncio.create_task(asyncio.to_thread(closing))
        go.set()
        await closed
        assert done == [1]
        await running

    asyncio.run(start())
