"""`scrubjay serve --processes`: readers answer, one writes, and whoever dies is replaced."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.surface.http.http_server import Process, Running, running, start_process

from scrubjay import Memory
from scrubjay.surface.cli import run
from scrubjay.surface.http.readers.messages import Asked, Opening
from scrubjay.surface.http.readers.pool import Readers
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.surface.http.watching.metrics import Metrics
from scrubjay.testing import FixedClock

RECALL, TELL = "/v1/banks/default/recall", "/v1/banks/default/memories"


def events(server: Process, event: str) -> list[dict[str, Any]]:
    lines = server.log.read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines if line.endswith("}")]
    return [one for one in told if one["event"] == event]


def pids(server: Process, event: str, count: int) -> list[int]:
    """The processes that a kind of event told of, once there are so many."""
    while len(found := [int(one["pid"]) for one in events(server, event)]) < count:
        assert server.popen.poll() is None, server.log.read_text(encoding="utf-8")
        threading.Event().wait(0.02)
    return found


def ended(pid: int) -> bool:
    """Whether a process is gone; one that nobody has waited for yet is."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
        return state.rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def client_of(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, trust_env=False, timeout=60, verify=False)


def ids_for(client: httpx.Client, question: str) -> list[str]:
    answer = client.post(RECALL, json={"question": question})
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


def tell(client: httpx.Client, text: str) -> str:
    told = client.post(TELL, json={"text": text})
    assert told.status_code == 201, told.text
    return str(told.json()["ids"][0])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """Two readers beside a writer."""
    started = start_process(tmp_path_factory.mktemp("processes") / "store", "--processes", "2")
    try:
        pids(started, "reader started", 2)
        yield started
    finally:
        assert "Traceback" not in started.stop()
        assert started.popen.returncode == -signal.SIGTERM


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of this process that wants keys, with one reader."""
    directory = tmp_path_factory.mktemp("keyed")
    opening = Opening(str(directory / "store"), "hash", None, 30.0, 30)
    with running(directory, auth=True, readers=(opening, 1)) as one:
        while not one.service.readers or not one.service.readers.running:
            threading.Event().wait(0.02)
        yield one


def answered_by_readers(client: httpx.Client, headers: dict[str, str] | None = None) -> float:
    for line in client.get("/metrics", headers=headers).text.splitlines():
        if line.startswith("scrubjay_readers_answers_total "):
            return float(line.split()[1])
    raise AssertionError("no such metric")


def test_what_was_told_is_found_by_whoever_asks_next(server: Process) -> None:
    with client_of(server.url) as told, client_of(server.url) as asking:
        before = answered_by_readers(told)
        for number in range(20):
            unit = tell(told, f"Lantern {number} hangs at berth {number}.")
            assert unit in ids_for(asking, f"Where does lantern {number} hang?")
        assert answered_by_readers(told) - before == 20


def test_what_was_erased_is_in_no_reader(server: Process) -> None:
    with client_of(server.url) as client:
        unit = tell(client, "The zephyr7391 was sold in spring.")
        for _ in range(6):
            assert unit in ids_for(client, "zephyr7391")
        assert client.delete(f"{TELL}/{unit}").status_code == 200
        for _ in range(6):
            assert unit not in ids_for(client, "zephyr7391")


def test_many_are_answered_at_once(server: Process) -> None:
    statuses = list[int]()

    def ask() -> None:
        with client_of(server.url) as client:
            for _ in range(5):
                answer = client.post(RECALL, json={"question": "Which lantern?"})
                statuses.append(answer.status_code)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 40


def test_a_reader_that_is_killed_is_replaced_and_nobody_notices(server: Process) -> None:
    known = pids(server, "reader started", 2)
    stop, statuses = threading.Event(), list[int]()

    def ask() -> None:
        with client_of(server.url) as client:
            while not stop.is_set():
                answer = client.post(RECALL, json={"question": "Which lantern?"})
                statuses.append(answer.status_code)

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for thread in asking:
        thread.start()
    running = [pid for pid in known if not ended(pid)]
    for pid in running:
        os.kill(pid, signal.SIGKILL)
    fresh = pids(server, "reader started", len(known) + len(running))
    stop.set()
    for thread in asking:
        thread.join()
    assert set(fresh[len(known) :]).isdisjoint(known)
    assert statuses and set(statuses) == {200}
    assert len(events(server, "reader ended")) == len(running)


def test_readers_of_files_that_are_taken_away_are_replaced_before_the_answer(
    server: Process,
) -> None:
    with client_of(server.url) as client:
        unit = tell(client, "The gannet9921 nests here.")
        assert unit in ids_for(client, "gannet9921")
        alive = [pid for pid in pids(server, "reader started", 2) if not ended(pid)]
        body = {"ids": [unit], "compact": True}
        assert client.post("/v1/banks/default/forget", json=body).status_code == 200
        assert all(ended(pid) for pid in alive)
        assert unit not in ids_for(client, "gannet9921")


def test_a_server_that_is_killed_comes_back_with_all_it_acknowledged(server: Process) -> None:
    known = pids(server, "listening", 1)
    readers = pids(server, "reader started", 2)
    with client_of(server.url) as client:
        told = [tell(client, f"Buoy {number} is green.") for number in range(10)]
        os.kill(known[-1], signal.SIGKILL)
        again = pids(server, "listening", len(known) + 1)
        assert again[-1] != known[-1]
        # The socket was never closed, so that nobody is refused; one connection was cut off.
        with client_of(server.url) as fresh:
            for number, unit in enumerate(told):
                assert fresh.get(f"{TELL}/{unit}").json()["text"] == f"Buoy {number} is green."
            assert tell(fresh, "Buoy 10 is red.") in ids_for(fresh, "Which buoy is red?")
    pids(server, "reader started", len(readers) + 2)
    assert all(ended(pid) for pid in readers)


def test_a_server_ends_with_the_process_that_keeps_it(tmp_path: Path) -> None:
    kept = start_process(tmp_path / "store", "--processes", "2")
    serving = pids(kept, "listening", 1)[0]
    kept.popen.kill()
    kept.popen.wait()
    while not ended(serving):
        threading.Event().wait(0.02)
    with client_of(kept.url) as client, pytest.raises(httpx.ConnectError):
        client.get("/health")


@pytest.mark.parametrize(
    ("store", "processes"), [(":memory:", "2"), ("store", "0"), ("store", "65")]
)
def test_processes_that_cannot_be_are_refused(
    tmp_path: Path, store: str, processes: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = store if store == ":memory:" else str(tmp_path / store)
    assert run(["serve", "--store", place, "--processes", processes]) == 2
    assert "processes" in capsys.readouterr().err
    assert not (tmp_path / "store").exists()


def test_each_gets_the_answer_to_their_own_question_when_others_leave(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Memory.open(store, encoder="hash", reranker=None) as memory:
        units = memory.retain([f"Mooring {number} is free." for number in range(6)]).ids

    path = "/v1/banks/{bank}/memories/{unit}"

    def asked(unit: str) -> Asked:
        return Asked(f"GET {path}", "default", {"bank": "default", "unit": unit}, "", b"")

    async def main() -> list[object]:
        readers = Readers(Opening(str(store), "hash", None, 30.0, 30), 1, Metrics())
        readers.start()
        while not readers.running:
            await asyncio.sleep(0.02)
        # The first is handed out and has no time to be answered, the second never gets so far.
        for unit in units[:2]:
            with pytest.raises(Refusal):
                await readers.ask(asked(unit), 0.0)
        found = await asyncio.gather(*(readers.ask(asked(unit), 60.0) for unit in units[2:]))
        await readers.close()
        return [None if given is None else json.loads(given.content)["id"] for given in found]

    assert asyncio.run(main()) == list(units[2:])


def test_no_route_that_readers_answer_depends_on_who_asks() -> None:
    # They are told nothing of the caller: what a key may do is checked before they are asked.
    handlers = [route.handler for route in ROUTES if route.of_a_bank]
    sources = [
        inspect.getsource(each if inspect.isfunction(each) else type(each)) for each in handlers
    ]
    assert len(sources) > 10
    assert not [source for source in sources if ".caller" in source or ".asking" in source]


def test_keys_count_before_a_reader_is_asked(keyed: Running) -> None:
    writes, reads = keyed.key(notes="write"), keyed.key(notes="read")
    other, metrics = keyed.key(other="read"), keyed.key(any="metrics")
    told = {"text": "The pilot boat is black."}
    assert keyed.client.post("/v1/banks/notes/memories", json=told).status_code == 401
    keyed.json("POST", "/v1/banks/notes/memories", told, headers=writes)
    asked = {"question": "What is black?"}
    before = answered_by_readers(keyed.client, metrics)
    assert keyed.json("POST", "/v1/banks/notes/recall", asked, headers=reads)["items"]
    assert answered_by_readers(keyed.client, metrics) == before + 1
    for headers in ({}, other):
        refused = keyed.client.post("/v1/banks/notes/recall", json=asked, headers=headers)
        assert refused.status_code in (401, 403)
    assert answered_by_readers(keyed.client, metrics) == before + 1


def test_a_key_has_one_rate_however_many_processes_answer(keyed: Running) -> None:
    slow = keyed.key(rate=0.01, any="read")
    asked = {"question": "What is black?"}
    statuses = [
        keyed.client.post("/v1/banks/notes/recall", json=asked, headers=slow).status_code
        for _ in range(3)
    ]
    assert statuses[1:] == [429, 429]


def test_mistakes_are_told_as_by_a_single_process(keyed: Running) -> None:
    headers = keyed.key(any="read")
    ask = keyed.client.post
    missing = ask("/v1/banks/nowhere/recall", json={"question": "Who?"}, headers=headers)
    assert (missing.status_code, missing.json()["title"]) == (404, "NotFound")
    wrong = ask("/v1/banks/notes/recall", json={"question": ""}, headers=headers)
    assert wrong.status_code == 422
    # Nothing was told in it, and it is there all the same.
    empty = ask("/v1/banks/default/recall", json={"question": "Who?"}, headers=headers)
    assert (empty.status_code, empty.json()["items"]) == (200, [])


def test_those_who_listen_hear_of_questions_that_readers_answer(keyed: Running) -> None:
    headers = keyed.key(notes="write")
    keyed.json("POST", "/v1/banks/notes/memories", {"text": "The gate is open."}, headers=headers)
    path = "/v1/banks/notes/events?limit=1"
    with keyed.client.stream("GET", path, headers=headers) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        with client_of(keyed.url) as other:
            asked = {"question": "Is the gate open?"}
            answer = other.post("/v1/banks/notes/recall", json=asked, headers=headers).json()
        data = next(line for line in lines if line.startswith("data: "))
    event = json.loads(data.removeprefix("data: "))
    assert event["kind"] == "recall" and event["question"] == "Is the gate open?"
    assert event["ids"] == [item["id"] for item in answer["items"]]


def test_recalls_of_readers_are_counted_with_their_stages(keyed: Running) -> None:
    headers = keyed.key(any="admin")

    def counted() -> tuple[int, int]:
        status = keyed.json("GET", "/v1/status", headers=headers)
        parses = [
            one["count"] for one in status["latencies"] if one["labels"].get("stage") == "parse"
        ]
        return status["questions"], sum(parses)

    keyed.json("POST", "/v1/banks/default/memories", {"text": "A gull."}, headers=headers)
    before = counted()
    body = {"questions": ["Who waits?", "What is open?"]}
    keyed.json("POST", "/v1/banks/default/recall-batch", body, headers=headers)
    assert counted() == (before[0] + 2, before[1] + 2)


def test_readers_answer_no_more_often_than_a_bank_may_be_asked(tmp_path: Path) -> None:
    store = tmp_path / "store"
    memory = Memory.open(store, encoder="hash", reranker=None, clock=FixedClock())
    opening = Opening(str(store), "hash", None, 30.0, 30)
    with running(tmp_path, memory=memory, readers=(opening, 1)) as one:
        while not one.service.readers or not one.service.readers.running:
            threading.Event().wait(0.02)
        told = tell(one.client, "The lantern hangs at berth 7.")
        assert ids_for(one.client, "lantern") == [told]
        quota = {"requests_per_minute_max": 3}
        assert one.client.put("/v1/banks/default", json=quota).status_code == 200
        before = answered_by_readers(one.client)
        for _ in range(3):
            assert ids_for(one.client, "lantern") == [told]
        assert answered_by_readers(one.client) - before == 3
        refused = one.client.post(RECALL, json={"question": "lantern"})
        assert (refused.status_code, refused.json()["title"]) == (429, "QuotaExceeded")
        assert refused.headers["retry-after"] == "60"
        assert one.client.get(f"{TELL}/{told}").status_code == 200
