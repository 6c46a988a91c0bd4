"""A server takes as many connections as it has files for, and refuses the others at once."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.surface.http.http_server import Process, start_process

from scrubjay.surface.http.admitting.room import Seldom, room_of
from scrubjay.surface.http.shared.server_settings import CONNECTIONS_MAX

FILES = 256
IDLE = 200


@contextmanager
def limited(store: Path, files: int) -> Iterator[Process]:
    process = start_process(store, files=files)
    try:
        yield process
    finally:
        process.stop()


def dial(process: Process) -> socket.socket:
    host, _, port = process.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def refusal(connection: socket.socket) -> bytes:
    """What a connection is told before it is closed; a reset says the same."""
    said = b""
    try:
        while part := connection.recv(4096):
            said += part
    except ConnectionResetError:
        pass
    return said


def test_the_room_follows_the_files_a_process_may_open() -> None:
    assert room_of(1024).connections == 512
    assert room_of(1_000_000).connections == CONNECTIONS_MAX
    for files in (64, 256, 1024, 4096, 1_000_000):
        room = room_of(files)
        # Some are on their way in, and not counted yet; a quarter is left for the store.
        assert room.connections + 3 * room.accepted_at_once <= files * 3 / 4


def test_idle_connections_do_not_keep_others_from_an_answer(tmp_path: Path) -> None:
    room = room_of(FILES)
    with limited(tmp_path / "store", FILES) as process, ExitStack() as stack:
        own = http.client.HTTPConnection(process.url.removeprefix("http://"), timeout=30)
        stack.callback(own.close)
        own.request("GET", "/health")
        assert own.getresponse().read()
        idle = [stack.enter_context(dial(process)) for _ in range(IDLE)]
        refused = idle[room.connections - 1 :]
        for connection in refused:
            assert b"503 Service Unavailable" in refusal(connection)
        # The one that was there first is served, and the store has files to work with.
        body = json.dumps({"text": "The lamp is lit."})
        own.request("POST", "/v1/banks/default/memories", body,
                    {"Content-Type": "application/json"})  # fmt: skip
        answer = own.getresponse()
        assert answer.status == 201, answer.read()
        answer.read()
        for connection in idle[: room.connections // 2]:
            connection.close()
        assert _answered(process), "room that was given back is used"
    lines = process.log.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 60, "one line for many connections"
    assert [line for line in lines if "connections refused" in line]


def _answered(process: Process) -> bool:
    """Whether a new connection is answered soon; the server has yet to see the others close."""
    for _ in range(200):
        connection = http.client.HTTPConnection(process.url.removeprefix("http://"), timeout=30)
        try:
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return True
        except (ConnectionError, http.client.HTTPException):
            pass
        finally:
            connection.close()
        threading.Event().wait(0.01)
    return False


def test_a_process_without_a_file_left_refuses_instead_of_letting_wait(tmp_path: Path) -> None:
    # The files of the store leave less than the half that connections may have.
    with limited(tmp_path / "store", 48) as process, ExitStack() as stack:
        idle = [stack.enter_context(dial(process)) for _ in range(120)]
        closed = [connection for connection in idle[48:] if _ends(connection)]
        assert len(closed) == len(idle[48:]), "nobody who cannot be served is left waiting"
        for connection in idle[:48]:
            connection.close()
        assert _answered(process)
    lines = process.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "out of files" in line]
    assert len(lines) < 300
    assert "Traceback" not in process.log.read_text(encoding="utf-8")


def _ends(connection: socket.socket) -> bool:
    connection.settimeout(5)
    try:
        refusal(connection)
    except TimeoutError:
        return False
    return True


def test_what_happens_thousands_of_times_is_logged_seldom(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    seldom = Seldom("connections refused", clock=lambda: now[0])
    for second in range(30):
        now[0] = float(second)
        for _ in range(100):
            seldom.tell()
    times = [record.__dict__["fields"]["times"] for record in caplog.records]
    assert times == [1, 1000, 1000]
