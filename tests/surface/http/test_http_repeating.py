"""The same request with the same Idempotency-Key is done once and answered alike."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.surface.http.http_server import Running, running, start_process, start_script

from scrubjay.errors import StoreLocked
from scrubjay.memory import Memory
from scrubjay.surface.http.handling.service import open_service
from scrubjay.surface.http.state.replies import token_of

RELATIONS = "/v1/banks/once/relations"
TOLD = {"subject": "Ana", "relation": "keeps", "object": "the light"}


def told(server: Running, key: str, **changes: str) -> tuple[int, dict[str, object]]:
    answer = server.client.post(
        RELATIONS, json={**TOLD, **changes}, headers={"Idempotency-Key": key}
    )
    return answer.status_code, answer.json()


def test_a_repeated_write_is_answered_and_not_done_again(open_server: Running) -> None:
    first = told(open_server, "a1")
    assert first[0] == 201
    assert told(open_server, "a1") == first
    assert len(open_server.memory.relations(bank="once")) == 1
    answer = open_server.client.post(RELATIONS, json=TOLD, headers={"Idempotency-Key": "a1"})
    assert answer.headers["idempotent-replay"] == "true"


def test_a_key_stands_for_one_request_only(open_server: Running) -> None:
    told(open_server, "b1", subject="Bo")
    status, problem = told(open_server, "b1", subject="Cy")
    assert (status, problem["title"]) == (422, "IdempotencyMismatch")
    names = [one.subject.name for one in open_server.memory.relations(bank="once")]
    assert "Cy" not in names


def test_a_failed_write_may_be_tried_again_with_its_key(open_server: Running) -> None:
    address = "/v1/banks/later/memories/00000000000000000000"
    headers = {"Idempotency-Key": "c1"}
    assert open_server.client.delete(address, headers=headers).status_code == 404
    assert open_server.client.delete(address, headers=headers).status_code == 404


def test_a_repeated_change_is_answered_with_what_is_there_now(open_server: Running) -> None:
    bank = "/v1/banks/changed"
    (unit,) = open_server.json("POST", f"{bank}/memories", {"text": "The gate is red."})["ids"]

    def change(text: str, key: str) -> httpx.Response:
        address, headers = f"{bank}/memories/{unit}", {"Idempotency-Key": key}
        return open_server.client.request("PATCH", address, json={"text": text}, headers=headers)

    assert change("The gate is blue.", "k1").json()["text"] == "The gate is blue."
    change("The gate is green.", "k2")
    again = change("The gate is blue.", "k1")
    assert (again.json()["text"], again.headers["idempotent-replay"]) == (
        "The gate is green.", "true",
    )  # fmt: skip
    assert open_server.memory.get(unit, bank="changed").text == "The gate is green."
    open_server.memory.forget(unit, bank="changed")
    gone = change("The gate is blue.", "k1")
    assert (gone.status_code, gone.json()["title"], gone.json()["id"]) == (410, "Gone", unit)


def test_repeated_work_on_entities_is_answered_by_their_number(open_server: Running) -> None:
    bank = "/v1/banks/named"
    open_server.json("POST", f"{bank}/memories", {"text": "Ines met Oda.", "entities": ["Ines"]})
    ids = {one["name"]: one["id"] for one in
           open_server.json("GET", f"{bank}/entities")["entities"]}  # fmt: skip
    for path, body, key in (
        (f"{bank}/entities/{ids['Ines']}/alias", {"alias": "The Harbourmaster"}, "n1"),
        (f"{bank}/entities/merge", {"keep": ids["Ines"], "drop": ids["Oda"]}, "n2"),
    ):
        headers = {"Idempotency-Key": key}
        first = open_server.json("POST", path, body, headers=headers)
        assert open_server.json("POST", path, body, headers=headers) == first
        assert "the harbourmaster" in first["aliases"]


def test_a_request_is_known_by_a_hash_that_needs_its_key() -> None:
    request, body = ("PATCH", "/v1/banks/a/memories/b", ""), b'{"text": "4711"}'
    tokens = [token_of("local", key, request, body) for key in ("one", "two")]
    parts = {part for token in tokens for part in (token.name, token.fingerprint)}
    assert len(parts) == 4
    assert tokens[0] == token_of("local", "one", request, body)
    assert tokens[0].name != token_of("other", "one", request, body).name


def test_a_key_that_is_no_key_is_refused(open_server: Running) -> None:
    assert told(open_server, "")[0] == 422
    assert told(open_server, "x" * 256)[0] == 422


def test_two_callers_may_choose_the_same_key() -> None:
    with running(auth=True) as server:
        for number in range(2):
            headers = {**server.key(once="write"), "Idempotency-Key": "same"}
            body = {**TOLD, "subject": f"Person {number}"}
            assert server.client.post(RELATIONS, json=body, headers=headers).status_code == 201


def test_of_many_at_once_one_is_done(open_server: Running) -> None:
    before = len(open_server.memory.sessions(bank="once"))

    def start(_: int) -> int:
        return open_server.client.post(
            "/v1/banks/once/sessions",
            json={"name": "deck"},
            headers={"Idempotency-Key": "d1"},
        ).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(start, range(16)))
    assert set(statuses) <= {200, 409}
    assert 200 in statuses
    assert len(open_server.memory.sessions(bank="once")) == before + 1


def test_answers_are_remembered_across_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        first = told(server, "e1")
    with running(tmp_path) as server:
        assert told(server, "e1") == first
        assert len(server.memory.relations(bank="once")) == 1


def test_an_import_that_is_sent_again_is_one_task(open_server: Running) -> None:
    def sent(lines: bytes) -> httpx.Response:
        headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "f1"}
        return open_server.client.post("/v1/banks/once/import", content=lines, headers=headers)

    first, again = (sent(b'{"text": "The kettle whistles."}\n') for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.headers["location"] == first.headers["location"]
    assert again.headers["idempotent-replay"] == "true"
    assert sent(b'{"text": "The kettle is cold."}\n').json()["title"] == "IdempotencyMismatch"


# A server that dies by its own hand when a write is durable and its answer not yet noted.
DYING = """
import os, signal, sys
from pathlib import Path
from scrubjay.memory import Memory
from scrubjay.surface.http.serving import Listening, serve

class Dying(Memory):
    def retain(self, *told, **given):
        super().retain(*told, **given)
        os.kill(os.getpid(), signal.SIGKILL)

    def split_entity(self, *told, **given):
        super().split_entity(*told, **given)
        os.kill(os.getpid(), signal.SIGKILL)

memory = Dying.open(Path(sys.argv[1]), encoder="hash", reranker=None)
serve(memory, Listening(port=0))
"""


def killed(store: Path, path: str, body: object, key: str) -> None:
    """Send a write to a server that is gone as soon as it has done it."""
    server = start_script(DYING, store)
    with pytest.raises(httpx.TransportError):
        httpx.post(f"{server.url}{path}", json=body, headers={"Idempotency-Key": key},
                   trust_env=False, timeout=30)  # fmt: skip
    assert server.popen.wait(30) == -signal.SIGKILL


@pytest.mark.slow
def test_a_write_that_kill_9_cut_off_is_done_once_when_it_is_sent_again(tmp_path: Path) -> None:
    path, body = "/v1/banks/default/memories", {"text": "Ines paints the hull."}
    killed(tmp_path / "store", path, body, "g1")
    server = start_process(tmp_path / "store")
    with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as client:
        headers = {"Idempotency-Key": "g1"}
        again = client.post(path, json=body, headers=headers)
        other = client.post(path, json={"text": "Another."}, headers=headers)
        third = client.post(path, json=body, headers=headers)
        units = client.get(path).json()["units"]
    server.stop()
    assert (again.status_code, again.json()["duplicates"]) == (200, [units[0]["id"]])
    assert other.json()["title"] == "IdempotencyMismatch"
    assert (third.content, third.headers["idempotent-replay"]) == (again.content, "true")
    assert [unit["text"] for unit in units] == ["Ines paints the hull."]


@pytest.mark.slow
def test_a_write_the_engine_would_do_twice_is_refused_after_kill_9(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with Memory.open(store, encoder="hash", reranker=None) as memory:
        unit = memory.retain("Rosa met Rosa at the lock.", entities=["Rosa"]).id
        entity = memory.entities(containing="Rosa")[0].id
    path = f"/v1/banks/default/entities/{entity}/split"
    body = {"name": "Rosa Lund", "units": [unit]}
    killed(store, path, body, "h1")
    server = start_process(store)
    with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as client:
        again = client.post(path, json=body, headers={"Idempotency-Key": "h1"})
        named = client.get("/v1/banks/default/entities", params={"containing": "Lund"}).json()
    server.stop()
    assert (again.status_code, again.json()["title"]) == (409, "OutcomeUnknown")
    assert "new Idempotency-Key" in again.json()["remedy"]
    assert len(named["entities"]) == 1


def test_two_servers_do_not_share_their_files(tmp_path: Path) -> None:
    memory = Memory.open(":memory:", encoder=None, reranker=None)
    with running(tmp_path), pytest.raises(StoreLocked, match="--state"):
        open_service(memory, tmp_path / "state")
    open_service(memory, tmp_path / "state").close()
    memory.close()
