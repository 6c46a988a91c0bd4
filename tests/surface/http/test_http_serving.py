"""`scrubjay serve` and `scrubjay keys`: where it listens, whom it lets in, how it stops."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.surface.http.http_server import start_process

from scrubjay.errors import BadInput, StoreDamaged
from scrubjay.memory import Memory
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.cli import run
from scrubjay.surface.http.handling.service import open_service
from scrubjay.surface.http.serving import Listening, auth_required, bind, is_loopback
from scrubjay.surface.http.shared.server_settings import workers_for
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.keys import Keys
from scrubjay.surface.http.state.tasks import Tasks


@pytest.mark.parametrize(
    ("listening", "has_keys", "required"),
    [
        (Listening("127.0.0.1"), False, False),
        (Listening("::1"), False, False),
        (Listening("localhost"), False, False),
        (Listening("127.0.0.1"), True, True),
        (Listening("0.0.0.0"), True, True),
        (Listening("0.0.0.0", no_auth=True), False, False),
        (Listening("0.0.0.0", no_auth=True), True, False),
    ],
)
def test_keys_are_required_unless_only_this_machine_can_ask(
    listening: Listening, has_keys: bool, required: bool
) -> None:
    assert auth_required(listening, has_keys=has_keys) is required


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "host.example"])
def test_an_open_server_does_not_listen_where_others_can_reach_it(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(BadInput, match="keys create"):
        auth_required(Listening(host), has_keys=False)


def test_the_command_refuses_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["serve", "--host", "0.0.0.0", "--store", str(tmp_path / "s"), "--encoder", "none"])
    assert code == 2
    assert "no keys" in capsys.readouterr().err


def test_keys_are_made_listed_and_revoked_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = ["--store", str(tmp_path / "store"), "--json"]
    assert run(["keys", "create", "ci", "--grant", "notes:read", "--grant", "*:write", *store]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["grants"] == {"notes": "read", "*": "write"}
    assert made["key"].startswith(f"sj_{made['id']}_")
    assert run(["keys", "list", *store]) == 0
    listed = capsys.readouterr().out
    assert made["key"].split("_", 2)[2] not in listed
    assert [key["name"] for key in json.loads(listed)] == ["ci"]
    assert run(["keys", "revoke", made["id"], *store]) == 0
    assert json.loads(capsys.readouterr().out)["revoked_at"]
    assert run(["keys", "revoke", "nobody", *store]) == 3
    assert run(["keys", "create", "ci", "--grant", "a:read", "--grant", "a:write", *store]) == 2
    assert "granted twice" in capsys.readouterr().err
    for grant in ("notes", "notes:own", ":read"):
        assert run(["keys", "create", "ci", "--grant", grant, *store]) == 2


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """What a server said that was given a key while it ran, and stopped; and its store."""
    store = tmp_path_factory.mktemp("served") / "store"
    made = subprocess.run(
        [sys.executable, "-m", "scrubjay.surface.cli", "keys", "create", "ci", "--grant", "*:write",
         "--store", str(store), "--json"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    headers = {"X-API-Key": json.loads(made.stdout)["key"]}
    server = start_process(store)
    try:
        with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as client:
            assert client.get("/v1/banks").status_code == 401
            body = {"text": "The mooring is yellow."}
            told = client.post("/v1/banks/default/memories", json=body, headers=headers)
            assert told.status_code == 201
    finally:
        said = server.stop()
    assert server.popen.returncode == -signal.SIGTERM  # after a clean end, as its parent asked
    yield said, store


@pytest.mark.parametrize("how", ["removed", "emptied"])
def test_a_server_that_lost_its_keys_does_not_let_everybody_in(tmp_path: Path, how: str) -> None:
    def serve() -> None:
        with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
            open_service(memory, tmp_path / "server").close()

    database = ServerDatabase(tmp_path / "server")
    Keys(database).create("mine", {"*": KeyScope.READ})
    database.close()
    serve()
    file = tmp_path / "server" / "server.db"
    file.unlink()
    if how == "emptied":
        file.touch()
    with pytest.raises(StoreDamaged, match=r"keys .*server\.made"):
        serve()
    (tmp_path / "server" / "server.made").unlink()
    serve()


def test_keys_are_listed_in_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    database = ServerDatabase(tmp_path)
    keys = Keys(database)
    made = [keys.create(f"key {n}", {"*": KeyScope.READ})[0].id for n in range(8)]
    assert [key.id for key in keys.all()] == made
    database.close()


@pytest.mark.parametrize("column", ["grants", "secret_hash", "rate"])
def test_a_key_that_cannot_be_read_is_said_to_be_damaged(tmp_path: Path, column: str) -> None:
    database = ServerDatabase(tmp_path)
    keys = Keys(database)
    _, sent = keys.create("mine", {"*": KeyScope.READ})
    with sqlite3.connect(tmp_path / "server.db") as connection:
        connection.execute(f"UPDATE keys SET {column} = ?", ("\0\0",))
    with pytest.raises(StoreDamaged, match="Put back a copy"):
        keys.check(sent)
    if column != "secret_hash":  # which is not read for a list
        with pytest.raises(StoreDamaged, match="Put back a copy"):
            keys.all()
    database.close()


@pytest.mark.parametrize("column", ["arguments", "done"])
def test_a_task_that_cannot_be_read_is_said_to_be_damaged(tmp_path: Path, column: str) -> None:
    database = ServerDatabase(tmp_path)
    tasks = Tasks(database)
    tasks.add("import", "notes", {"path": "x"})
    with sqlite3.connect(tmp_path / "server.db") as connection:
        connection.execute(f"UPDATE tasks SET {column} = ?", ("\0\0",))
    with pytest.raises(StoreDamaged, match="Put back a copy"):
        tasks.unfinished()
    database.close()


def test_more_requests_are_worked_on_where_workers_wait_for_a_database() -> None:
    assert workers_for("postgresql://host.example/memory") >= 8
    assert workers_for("notes") == workers_for(":memory:") >= 2


def test_answers_are_not_held_back_to_fill_a_packet() -> None:
    bound = bind(Listening(port=0))
    bound.listen()
    with bound, socket.create_connection(bound.getsockname()[:2]):
        accepted, _ = bound.accept()
        with accepted:
            # What the event loop asks before it turns Nagle's algorithm off.
            assert accepted.proto == socket.IPPROTO_TCP


def test_looking_for_keys_makes_nothing_and_says_where_it_looked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typo = tmp_path / "typo"
    assert run(["keys", "list", "--store", str(typo)]) == 0
    assert "keys create" in capsys.readouterr().err
    assert run(["keys", "list", "--store", str(typo), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(["keys", "revoke", "0", "--store", str(typo)]) == 3
    assert "--state" in capsys.readouterr().err
    assert run(["keys", "list", "--store", ":memory:"]) == 2
    assert not typo.exists()


def test_a_new_key_is_one_line_of_its_own_however_narrow_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert run(["keys", "create", "ci", "--grant", "a:read", "--store", str(tmp_path / "s")]) == 0
    told = capsys.readouterr()
    database = ServerDatabase(tmp_path / "s" / "server")
    checked = Keys(database).check(told.out.removesuffix("\n"))
    database.close()
    assert checked is not None and checked.name == "ci"
    assert "shown this once" in told.err


def test_a_server_stops_cleanly_and_lets_go_of_its_store(logged: tuple[str, Path]) -> None:
    said, store = logged
    assert "Traceback" not in said
    with Memory.open(store, encoder="hash", reranker=None) as memory:
        assert [unit.text for unit in memory.list().units] == ["The mooring is yellow."]


def test_its_log_is_lines_of_json_without_memories(logged: tuple[str, Path]) -> None:
    said, _ = logged
    events = [json.loads(line) for line in said.splitlines()]
    requests = [event for event in events if event["event"] == "request"]
    assert [event["status"] for event in requests] == [401, 201]
    assert "mooring" not in said
