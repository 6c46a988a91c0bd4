"""What was forgotten is in no byte of the store's directory, whichever surface it came through."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.surface.http.http_server import start_process

from scrubjay import Memory, UnitFilter
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.keys import Keys
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.surface.mcp.tools import call, find_tool

# One word that occurs nowhere else for each place that can hold one.
PLACES = (
    "text", "predicate", "context", "tag", "label", "value", "session", "speaker", "key", "entity",
    "alias", "relation", "object", "newer", "source",
)  # fmt: skip
MARKS = {place: f"qx{place}jzv" for place in PLACES}
BANK = "/v1/banks/default"


def unit(**more: object) -> dict[str, object]:
    """A unit as JSON with a mark in each of its parts."""
    name = f"{MARKS['entity'].title()} Lund"
    return {
        "text": f"The {MARKS['text']} was seen by {name}.",
        "predicate": f"{MARKS['predicate']} sighting",
        "context": f"the {MARKS['context']} report",
        "tags": [MARKS["tag"]],
        "metadata": {MARKS["label"]: {"deep": [MARKS["value"]]}},
        "session": f"{MARKS['session']} talk",
        "speaker": f"{MARKS['speaker']} Jones",
        "key": MARKS["key"],
        "entities": [name],
        "relations": [{"subject": name, "relation": MARKS["relation"],
                       "object": f"{MARKS['object'].title()} Guild"}],
        **more,
    }  # fmt: skip


def traces(folder: Path, *others: str) -> dict[str, list[str]]:
    """Which marks are in which files, in any case and in the encodings a file may use."""
    found: dict[str, list[str]] = {}
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes().lower()
            for mark in (*MARKS.values(), *others):
                if mark.encode() in content or mark.encode("utf-16-le") in content:
                    found.setdefault(mark, []).append(str(file.relative_to(folder)))
    return found


def held(folder: Path) -> set[str]:
    """The places whose mark is in some file; the tests below look at the same files after."""
    words = {mark: place for place, mark in MARKS.items()}
    return {words[mark] for mark in traces(folder)}


def tell(memory: Memory, path: Path) -> None:
    """Every mark into a store, by the Python surface."""
    line = unit(id="a" * 20, created_at="2025-05-05T00:00:00+00:00",
                source={"document": MARKS["source"], "start": 0, "end": 5})  # fmt: skip
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    memory.import_(path)
    path.unlink()
    (found,) = memory.entities(containing=MARKS["entity"])
    memory.alias_entity(found.id, f"{MARKS['alias']} of Kent")
    memory.relate(found.name, f"{MARKS['relation']} too", f"{MARKS['object'].title()} Guild")
    told = memory.list().units[0]
    memory.update(told.id, text=f"The {MARKS['text']} was seen twice by {found.name}.")
    memory.supersede(told.id, f"The {MARKS['newer']} was seen by {found.name}.")


def erase(memory: Memory) -> None:
    """Everything that was told, by its names, so that names without units go too."""
    memory.forget([one.id for one in memory.list().units])
    memory.forget(UnitFilter(session=f"{MARKS['session']} talk"))
    for name in (f"{MARKS['entity']} Lund", f"{MARKS['object']} Guild"):
        memory.forget(UnitFilter(entity=name), compact=True)


def test_python_leaves_no_byte(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "store", encoder="hash", reranker=None) as memory:
        memory.retain([f"The grey heron {n} stood by the pond." for n in range(30)], bank="other")
        tell(memory, tmp_path / "lines.jsonl")
        memory.recall(f"Who saw the {MARKS['text']}?", trace=True)
        assert held(tmp_path) == set(PLACES)
        erase(memory)
        assert traces(tmp_path) == {}
        assert (memory.sessions(), memory.entities(), memory.relations()) == ([], [], [])
    assert traces(tmp_path) == {}


def test_the_command_line_leaves_no_byte(tmp_path: Path) -> None:
    def run(*arguments: object) -> str:
        command = [sys.executable, "-m", "scrubjay.surface.cli", *map(str, arguments),
                   "--store", str(tmp_path / "store")]  # fmt: skip
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ}
        ).stdout

    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps(unit()) + "\n", encoding="utf-8")
    run("import", file, "--encoder", "hash")
    file.write_text(json.dumps(unit(txet=MARKS["newer"])) + "\n", encoding="utf-8")
    run("import", file, "--encoder", "hash")
    file.unlink()
    left = held(tmp_path)
    assert {"text", "session", "entity", "relation"} <= left and "newer" not in left
    run("forget", "--session", f"{MARKS['session']} talk", "--yes", "--compact")
    assert traces(tmp_path) == {}


def test_mcp_leaves_no_byte(tmp_path: Path) -> None:
    def opened(read_only: bool) -> Memory:
        return Memory.open(tmp_path / "store", encoder="hash", reranker=None, read_only=read_only)

    memory = LazyMemory(opened)

    def use(tool: str, **given: Any) -> tuple[str, ...]:  # noqa: ANN401
        return call(find_tool(tool), memory, (), given).ids

    taken = {"text", "tags", "metadata", "session", "speaker", "key"}
    told = use("retain", **{name: value for name, value in unit().items() if name in taken})
    use("recall", question=f"Who saw the {MARKS['text']}?")
    newer = use("supersede", old=told[0], new=f"The {MARKS['newer']} was seen.")
    assert {"text", "session", "speaker", "newer"} <= held(tmp_path)
    use("forget", ids=[*told, *newer])
    assert traces(tmp_path) == {}
    memory.close()
    assert traces(tmp_path) == {}


class Server:
    """A client that gives each write a marked key, and can send each of them again."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._sent: list[tuple[str, str, object, dict[str, str]]] = []

    def write(self, method: str, path: str, body: object) -> dict[str, Any]:
        headers = {"Idempotency-Key": f"qxonce{len(self._sent)}jzv"}
        self._sent.append((method, f"{BANK}{path}", body, headers))
        answer = self._client.request(method, f"{BANK}{path}", json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        shape: dict[str, Any] = answer.json()
        return shape

    def repeated(self) -> Iterator[httpx.Response]:
        """What each write answers when it is sent again."""
        for method, path, body, headers in self._sent:
            answer = self._client.request(method, path, json=body, headers=headers)
            assert answer.headers["idempotent-replay"] == "true", answer.text
            yield answer

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:  # noqa: ANN401
        return self._client.request(method, f"{BANK}{path}", **more)

    def import_(self, *lines: object, keep_going: str) -> Mapping[str, Any]:
        """How an import of lines ended."""
        key = f"qximport{keep_going}"
        answer = self._client.post(
            f"{BANK}/import", params={"keep_going": keep_going},
            content="".join(f"{json.dumps(line)}\n" for line in lines),
            headers={"Content-Type": "application/x-ndjson", "Idempotency-Key": key},
        )  # fmt: skip
        while True:
            task: Mapping[str, Any] = self._client.get(answer.headers["location"]).json()
            if task["state"] in ("done", "failed"):
                return task


def use_everything(server: Server) -> list[str]:
    """Marks through every address that takes some; the ids of what was told."""
    (first,) = server.write("POST", "/memories", unit())["ids"]
    server.write("PATCH", f"/memories/{first}", {"text": f"The {MARKS['text']} was seen twice."})
    replacing = unit(text=f"The {MARKS['newer']}.", key=None)
    newer = server.write("POST", "/supersede", {"old": first, "new": replacing})
    listed = server.ask("GET", "/entities", params={"containing": MARKS["object"]}).json()
    entity = listed["entities"][0]["id"]
    server.write("POST", f"/entities/{entity}/alias", {"alias": f"{MARKS['alias']} of Kent"})
    server.write("POST", f"/entities/{entity}/split",
                 {"name": f"{MARKS['entity']} Peer", "units": [newer["id"]]})  # fmt: skip
    name = f"{MARKS['entity'].title()} Lund"
    related = {"subject": name, "relation": MARKS["relation"], "object": "The Pier"}
    server.write("POST", "/relations", related)
    server.write("POST", "/sessions", {"name": f"{MARKS['session']} two"})
    server.write("POST", "/sessions/end", {"name": f"{MARKS['session']} two"})
    server.write("POST", "/doctor", {"fix": True})
    bad = ({"text": "fine", "type": MARKS["value"]}, {MARKS["label"]: MARKS["text"]},
           {"kind": "session", "name": MARKS["session"]})  # fmt: skip
    failed = server.import_(*bad, keep_going="false")
    assert [one["line"] for one in failed["problem"]["problems"]] == [1, 2, 3]
    assert len(server.import_(*bad[:2], {"text": "A lamp."}, keep_going="true")) > 0
    question = f"Who saw the {MARKS['text']}?"
    for path, body in (("/recall", {"question": question, "trace": True}),
                       ("/explain", {"question": question, "unit": newer["id"]}),
                       ("/parse", {"question": question}), ("/plan", {"question": question}),
                       ("/recall", {"question": question, MARKS["label"]: MARKS["value"]}),
                       ("/forget", {"filter": {"types": [MARKS["value"]]}})):  # fmt: skip
        server.ask("POST", path, json=body)
    server.ask("GET", "/memories", params={"tag": MARKS["tag"], MARKS["label"]: MARKS["value"]})
    server.ask("GET", f"/memories/{MARKS['text']}")
    assert server.ask("GET", "/export").status_code == 200
    return [first, newer["id"]]


def test_the_server_leaves_no_byte_and_serves_nothing_again(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "store") as address,
        httpx.Client(base_url=address, trust_env=False, timeout=30) as client,
    ):
        server = Server(client)
        ids = use_everything(server)
        assert held(tmp_path) >= {"text", "newer", "session", "alias", "entity"}
        assert not [name for name, files in traces(tmp_path).items() if "server" in str(files)]
        told = {answer.request.url.path: answer for answer in server.repeated()}
        assert MARKS["text"] in told[f"{BANK}/memories/{ids[0]}"].text, "as it is now"
        assert server.ask("POST", "/forget", json={"ids": ids}).json()["sessions"] == 1
        for where in ({"session": f"{MARKS['session']} two"},
                      {"entity": f"{MARKS['entity']} Lund"},
                      {"entity": f"{MARKS['entity']} Peer"}):  # fmt: skip
            gone = server.ask("POST", "/forget", json={"filter": where, "compact": True})
            assert gone.status_code == 200, gone.text
        statuses = {answer.request.url.path: answer for answer in server.repeated()}
        assert traces(tmp_path, "qxonce", "qximport") == {}
    said = "".join(answer.text for path, answer in statuses.items() if "sessions" not in path)
    # A whole mark: an id is made of letters, too, and at some moments holds the end of one.
    assert not re.search(r"qx[a-z]+\d*jzv", said, re.IGNORECASE), said
    for path in (f"{BANK}/memories/{ids[0]}", f"{BANK}/supersede"):
        assert statuses[path].status_code == 410
        assert statuses[path].json()["id"] in ids
    assert traces(tmp_path, "qxonce", "qximport") == {}


@contextmanager
def serving(store: Path) -> Iterator[str]:
    """A server as a process of its own; its address."""
    process = start_process(store, "--log-level", "debug")
    try:
        yield process.url
    finally:
        process.stop()


@pytest.mark.parametrize("wal", [True, False])
def test_answers_an_earlier_version_kept_are_erased_when_the_file_is_opened(
    tmp_path: Path, wal: bool
) -> None:
    place, mark = tmp_path / "server.db", MARKS["text"]
    old = sqlite3.connect(place)
    old.executescript(f"PRAGMA journal_mode={'WAL' if wal else 'DELETE'};" + OLD_FORM)
    old.execute("INSERT INTO keys VALUES ('k', 'ci', x'00', '{\"a\": \"read\"}', 1.0, '', NULL)")
    for number in range(50):
        old.execute("INSERT INTO replies VALUES ('local', ?, x'', 200, ?, 0)",
                    (f"{number}", f'{{"text": "{mark * 50}"}}'.encode()))  # fmt: skip
    old.execute("INSERT INTO tasks VALUES ('t', 'import', 'a', '{}', 'failed', 0, 0, ?, '')",
                (f'{{"detail": "{mark}"}}',))  # fmt: skip
    old.commit()
    old.execute("DELETE FROM replies WHERE idempotency_key > '3'")
    old.commit()
    assert traces(tmp_path) != {}
    database = ServerDatabase(tmp_path)
    assert traces(tmp_path) == {}
    assert [key.grants for key in Keys(database).all()] == [{"a": KeyScope.READ}]
    database.close()
    old.close()


OLD_FORM = """
CREATE TABLE keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, secret_hash BLOB NOT NULL,
    grants TEXT NOT NULL, rate REAL NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT)
    WITHOUT ROWID;
CREATE TABLE replies (caller TEXT NOT NULL, idempotency_key TEXT NOT NULL,
    fingerprint BLOB NOT NULL, status INTEGER NOT NULL, body BLOB NOT NULL, kept_at REAL NOT NULL,
    PRIMARY KEY (caller, idempotency_key));
CREATE INDEX replies_by_age ON replies (kept_at);
CREATE TABLE tasks (id TEXT PRIMARY KEY, kind TEXT NOT NULL, bank TEXT NOT NULL,
    arguments TEXT NOT NULL, state TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0, outcome TEXT, created_at TEXT NOT NULL);
"""
