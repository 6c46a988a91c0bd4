"""The state of a server as data, and the feed of what is told and asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx
import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.surface.http.shared import server_settings


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as started:
        started.json("POST", "/v1/banks/notes/memories", {"text": "The lamp is lit."})
        yield started


def test_the_status_shows_banks_times_and_what_was_refused(server: Running) -> None:
    server.json("POST", "/v1/banks/notes/recall", {"question": "Which lamp?"})
    assert server.client.get("/v1/nowhere").status_code == 404
    shown = server.json("GET", "/v1/status")

    (bank,) = [bank for bank in shown["banks"] if bank["bank"] == "notes"]
    assert (bank["units"], shown["banks_total"]) == (1, len(shown["banks"]))
    assert shown["questions"] >= 1
    assert shown["refused"]["NotFound"] >= 1
    (recalls,) = [
        one
        for one in shown["latencies"]
        if one["labels"].get("endpoint") == "POST /v1/banks/{bank}/recall"
    ]
    assert recalls["of"] == "request"
    assert recalls["buckets"][-1] == [None, recalls["count"]]
    assert {one["of"] for one in shown["latencies"]} >= {"request", "recall", "change", "stage"}


def test_tasks_are_listed_newest_first(server: Running) -> None:
    begun = [
        server.client.post(
            "/v1/banks/notes/import",
            content=json.dumps({"text": f"Line {n}."}),
            headers={"Content-Type": "application/x-ndjson"},
        ).json()["id"]
        for n in range(2)
    ]
    for task in begun:
        server.ended(f"/v1/tasks/{task}")

    listed = server.json("GET", "/v1/tasks")["tasks"]
    assert [task["id"] for task in listed[:2]] == begun[::-1]
    assert listed[0]["done"] == listed[0]["total"] == 1


def test_a_key_sees_the_tasks_of_its_own_banks_only(keyed_server: Running) -> None:
    mine = keyed_server.key(mine="write")
    begun = keyed_server.client.post(
        "/v1/banks/mine/import",
        content='{"text": "A line."}',
        headers={"Content-Type": "application/x-ndjson", **mine},
    ).json()["id"]
    yours = keyed_server.key(yours="read")

    assert begun in str(keyed_server.json("GET", "/v1/tasks", headers=mine))
    assert keyed_server.json("GET", "/v1/tasks", headers=yours)["tasks"] == []


class Listener:
    """Takes the events of a bank in, one after the other."""

    def __init__(self, server: Running, query: str = "") -> None:
        self._client = httpx.Client(base_url=server.url, timeout=60, trust_env=False, verify=False)
        self._stream = self._client.stream("GET", f"/v1/banks/notes/events{query}")
        self.answer = self._stream.__enter__()
        self.lines = self.answer.iter_lines()
        assert next(self.lines).startswith("retry")  # it listens from here on

    def next(self) -> dict[str, object]:
        event: dict[str, object] = {}
        for line in self.lines:
            name, _, value = line.partition(": ")
            if name == "data":
                return {**event, **json.loads(value)}
            event[name] = value
        return {}

    def close(self) -> None:
        self._stream.__exit__(None, None, None)
        self._client.close()


def test_what_is_told_and_asked_is_heard_with_its_ids(server: Running) -> None:
    listener = Listener(server)
    told = server.json("POST", "/v1/banks/notes/memories", {"text": "The oil is blue."})
    server.json("POST", "/v1/banks/notes/recall", {"question": "Which colour is the oil?"})
    server.json("POST", "/v1/banks/elsewhere/memories", {"text": "Not here."})
    server.json("DELETE", f"/v1/banks/notes/memories/{told['ids'][0]}")
    heard = [listener.next() for _ in range(3)]
    listener.close()

    assert listener.answer.headers["content-type"].startswith("text/event-stream")
    assert [event["kind"] for event in heard] == ["retain", "recall", "delete"]
    assert heard[0]["ids"] == told["ids"]
    assert heard[1]["question"] == "Which colour is the oil?"
    assert told["ids"][0] in heard[1]["ids"]  # type: ignore[operator]
    assert "oil" not in str(heard[0])


def test_a_listener_may_say_when_to_end(server: Running) -> None:
    listener = Listener(server, "?limit=1")
    server.json("POST", "/v1/banks/notes/memories", {"text": "The tide is out."})
    assert listener.next()["kind"] == "retain"
    assert listener.next() == {}
    listener.close()


def test_only_so_many_listen_at_once(server: Running) -> None:
    listeners = [Listener(server) for _ in range(server_settings.STREAMS_MAX)]
    refused = server.client.get("/v1/banks/notes/events")
    for listener in listeners:
        listener.close()
    assert (refused.status_code, refused.json()["title"]) == (503, "Overloaded")


def test_a_listener_that_falls_behind_is_dropped(server: Running) -> None:
    listener = Listener(server)
    (stream,) = server.service.feed._streams["notes"]
    from scrubjay.surface.http.watching.feed import Event

    def flood() -> None:  # in the loop's own thread, so that nothing is taken meanwhile
        for _ in range(server_settings.STREAM_EVENTS_MAX + 2):
            stream._take_in(Event.now("retain", (), units=0, key="local", ms=0.0))

    stream._loop.call_soon_threadsafe(flood)
    kinds = [listener.next().get("event", "end")]
    while kinds[-1] not in ("dropped", "end"):
        kinds.append(listener.next().get("event", "end"))
    listener.close()
    assert "dropped" in kinds


def test_a_server_that_stops_ends_the_streams() -> None:
    ended = threading.Event()
    with running() as server:
        server.json("POST", "/v1/banks/notes/memories", {"text": "The lamp is lit."})
        listener = Listener(server)

        def wait() -> None:
            listener.next()
            ended.set()

        waiting = threading.Thread(target=wait)
        waiting.start()
    assert ended.wait(60)
    waiting.join()
    listener.close()
