"""The same request with the same Idempotency-Key is done once and answered alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.surface.http.http_server import Running, running

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
