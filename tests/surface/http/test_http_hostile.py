"""Clients that hold on to what they get cannot keep others out."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.surface.http.admitting.connection import Connection
from scrubjay.surface.http.shared.server_settings import (
    BODIES_BYTES_MAX,
    EXPORTS_AT_ONCE_MAX,
    SPOOL_BYTES_MAX,
    ServerSettings,
)
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.replies import Kept, Replies, Token
from scrubjay.surface.http.watching.readiness import Readiness

LINES = {"Content-Type": "application/x-ndjson"}


class Hasty(Connection):
    """A connection that waits for headers no longer than a test does."""

    head_seconds = 0.2


class Few(Connection):
    """A server with room for one connection beside the test's own."""

    connections_max = 2


def connected(server: Running) -> socket.socket:
    address = urlsplit(server.url)
    return socket.create_connection((address.hostname or "", address.port or 0), timeout=20)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /health HT",
        b"POST /v1/banks/a/recall HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n"
        b"Content-Length: 1000\r\n\r\n{",
    ],
    ids=["nothing", "half of the headers", "half of the next request", "a body nobody waits for"],
)
def test_a_client_that_drips_is_hung_up_on(sent: bytes) -> None:
    with running(protocol=Hasty) as server, connected(server) as client:
        client.sendall(sent)
        answered = b""
        while True:  # until the server hangs up; the socket's own timeout would raise
            try:
                client.sendall(b"x")
                got = client.recv(65_536)
            except (BrokenPipeError, ConnectionResetError):
                break
            answered += got
            if not got:
                break
        assert answered.count(b"HTTP/1.1 ") == (1 if b"\r\n\r\n" in sent else 0)
        assert server.client.get("/health").status_code == 200


def test_a_client_that_takes_its_time_between_requests_is_kept() -> None:
    asked = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with running(protocol=Hasty) as server, connected(server) as client:
        for _ in range(3):
            client.sendall(asked)
            answer = b""
            while not answer.endswith(b'"ok"}'):
                got = client.recv(65_536)
                assert got, "the server hung up"
                answer += got
            threading.Event().wait(2 * Hasty.head_seconds)


def test_a_connection_too_many_is_told_to_come_back() -> None:
    with running(protocol=Few) as server:
        assert server.client.get("/health").status_code == 200  # holds one
        with connected(server), connected(server) as third:
            told = third.recv(65_536).decode()
            head, _, body = told.partition("\r\n\r\n")
            assert head.startswith("HTTP/1.1 503") and "Retry-After: 1" in head
            assert json.loads(body)["title"] == "Overloaded"
        while server.client.get("/health").status_code != 200:
            threading.Event().wait(0.01)


def test_what_is_not_http_gets_a_problem(open_server: Running) -> None:
    with connected(open_server) as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        head, _, body = client.recv(65_536).decode().partition("\r\n\r\n")
        assert head.startswith("HTTP/1.1 400") and "application/problem+json" in head
        assert json.loads(body)["remedy"]


def test_a_reader_that_stops_is_hung_up_on_and_its_export_removed(tmp_path: Path) -> None:
    with running(tmp_path, settings=ServerSettings(send_seconds=0.3)) as server:
        filling = {"filling": "x" * 60_000}
        server.memory.retain([f"Crate {n} is full." for n in range(200)], metadata=filling)
        spool = server.service.tasks.spool
        with connected(server) as client:
            client.sendall(b"GET /v1/banks/default/export HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            while not server.service.exports.held:
                threading.Event().wait(0.01)
            while server.service.exports.held:
                threading.Event().wait(0.01)
            assert list(spool.iterdir()) == []
        whole = server.client.get("/v1/banks/default/export")
        assert len(whole.text.splitlines()) >= 200
        assert spool.stat().st_mode & 0o077 == 0


def test_exports_on_their_way_are_counted(open_server: Running) -> None:
    open_server.memory.bank("x")
    open_server.service.exports.take(EXPORTS_AT_ONCE_MAX)
    refused = open_server.client.get("/v1/banks/x/export")
    open_server.service.exports.give_back(EXPORTS_AT_ONCE_MAX)
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert open_server.client.get("/v1/banks/x/export").status_code == 200
    assert open_server.client.get("/v1/banks/none/export").status_code == 404
    while open_server.service.exports.held:  # its file is closed after its last byte is sent
        threading.Event().wait(0.01)
    assert list(open_server.service.tasks.spool.iterdir()) == []


def test_imports_that_wait_cannot_fill_the_disk(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        waiting = server.service.tasks.spool / "waiting.jsonl"
        with waiting.open("wb") as file:
            file.truncate(SPOOL_BYTES_MAX + 1)  # takes no room: nothing is written
        body = b'{"text": "The pier is long."}\n'
        refused = server.client.post("/v1/banks/a/import", content=body, headers=LINES)
        assert (refused.status_code, refused.json()["title"]) == (503, "Overloaded")
        waiting.unlink()
        accepted = server.client.post("/v1/banks/a/import", content=body, headers=LINES)
        assert accepted.status_code == 202


def test_small_requests_pass_while_large_bodies_fill_the_memory(open_server: Running) -> None:
    memories = "/v1/banks/small/memories"
    open_server.service.bodies.take(BODIES_BYTES_MAX)
    try:
        small = open_server.client.post(memories, json={"text": "The oar is long."})
        large = open_server.client.post(memories, json={"text": "x " * 100_000})
    finally:
        open_server.service.bodies.give_back(BODIES_BYTES_MAX)
    assert (small.status_code, large.status_code) == (201, 503)
    assert open_server.service.bodies.held == 0


def test_the_store_is_looked_at_seldom_however_often_anyone_asks() -> None:
    now, looks = [0.0], list[float]()
    readiness = Readiness(clock=lambda: now[0])

    async def look() -> None:
        looks.append(now[0])
        await asyncio.sleep(0)
        if now[0] > 50:
            raise ValueError("gone")

    async def ask() -> set[str]:
        asked = (readiness.check(look) for _ in range(100))
        return {repr(answer) for answer in await asyncio.gather(*asked, return_exceptions=True)}

    async def over_time() -> list[set[str]]:
        answers = [await ask(), await ask()]
        now[0] = 60.0
        answers.append(await ask())
        now[0] = 20.0
        return [*answers, await ask()]

    assert asyncio.run(over_time()) == [{"None"}, {"None"}, {"ValueError('gone')"}, {"None"}]
    assert looks == [0.0, 60.0, 20.0], "a failure is shared, and not remembered"


def test_made_up_methods_and_paths_leave_nothing_behind(open_server: Running) -> None:
    for number in range(20):
        open_server.client.request(f"BREW{number}", "/health")
        open_server.client.get(f"/teapot/{number}")
    numbers = open_server.client.get("/metrics").text
    assert "BREW" not in numbers and "teapot" not in numbers
    assert 'scrubjay_request_seconds_count{endpoint="OTHER /health",status="405"} 20.0' in numbers


def once(replies: Replies, token: Token, kept: Kept) -> tuple[Kept, bool]:
    return replies.once(token, lambda: (kept, kept), lambda before: before, repeatable=True)


def test_answers_kept_for_repeating_are_bounded_in_bytes() -> None:
    database = ServerDatabase(None)
    replies = Replies(database)
    for number in range(5):
        token = Token(b"%d" % number, b"")
        once(replies, token, Kept(200, {"ids": ["x" * 90]}))
    assert database.change("drop_large_replies", (250,)) == 3
    again, replayed = once(replies, Token(b"4", b""), Kept(500, {}))
    assert (again.status, replayed) == (200, True)
    database.close()
