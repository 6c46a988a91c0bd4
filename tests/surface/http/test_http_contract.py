"""Thousands of generated requests: no crash, and nothing the OpenAPI document does not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode
from tests.surface.http.http_server import Running, running
from tests.thoroughness import tries

from scrubjay.engine.upkeep.tuning import QUESTIONS_MIN

CASES_PER_OPERATION = {
    GenerationMode.POSITIVE: tries(usual=6, soak=35),
    GenerationMode.NEGATIVE: tries(usual=4, soak=25),
}
AnyCase = schemathesis.Case[Any]
CHECKED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]


@schemathesis.serializer("application/x-ndjson")
def lines(_: schemathesis.SerializationContext, value: object) -> bytes:
    """A body of JSON lines, good or not, as it is sent."""
    return str(value).encode("utf-8", "replace")


@pytest.mark.slow
def test_no_generated_request_breaks_the_server_or_its_description() -> None:
    statuses: Counter[int] = Counter()
    with running() as server:
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            # Each case is sent as it is, and naming what is there, so that it gets past the door;
            # told anew, because an operation may have erased it.
            kept = server.memory.retain(["The ferry leaves at nine.", "Mara has badge 47821."])
            real = {"bank": "default", "unit": kept.id, "entity": "1"}
            for mode, cases in CASES_PER_OPERATION.items():
                strategy = found.ok().as_strategy(generation_mode=mode)
                # An operation that takes nothing cannot be given anything wrong.
                with suppress(Unsatisfiable):
                    statuses += answered(strategy, real, cases // 2 + 1)
    assert sum(statuses.values()) >= tries(usual=700, soak=2_000), statuses
    assert statuses[200] + statuses[201] >= tries(usual=70, soak=200), statuses


def answered(
    strategy: SearchStrategy[AnyCase], names: Mapping[str, str], cases: int
) -> Counter[int]:
    """How many generated requests were answered how; each answer is checked."""
    statuses: Counter[int] = Counter()

    @seed(20260302)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def run(case: AnyCase) -> None:
        end_at_once(case)
        statuses[case.call_and_validate(checks=CHECKED).status_code] += 1
        given_path = case.path_parameters or {}
        case.path_parameters = {name: names.get(name, value) for name, value in given_path.items()}
        statuses[case.call_and_validate(checks=CHECKED).status_code] += 1

    run()
    return statuses


def end_at_once(case: AnyCase) -> None:
    """Let a stream that would go on until its listener leaves end by itself."""
    if case.operation.path.endswith("/events"):
        case.query = {**(case.query or {}), "seconds": 0}


@pytest.mark.slow
def test_a_made_up_key_is_refused_as_described_and_a_real_one_signs_in() -> None:
    with running(auth=True) as server:
        key = server.key(any="admin")["Authorization"].removeprefix("Bearer ")
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        operation = schema["/v1/login"]["POST"]
        page = {"X-Scrubjay-Console": "1"}
        case = operation.Case(body={"key": key}, headers=page, media_type="application/json")
        signed_in = case.call_and_validate(checks=CHECKED)
        assert signed_in.json()["grants"] == {"*": "admin"}
        case = schema["/v1/logout"]["POST"].Case(headers=page)
        assert case.call_and_validate(checks=CHECKED).status_code == 200
        # Too many wrong keys shut the door for a while, so these come last.
        strategy = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        statuses = answered(strategy, {}, CASES_PER_OPERATION[GenerationMode.POSITIVE])
        assert set(statuses) <= {401, 429} and statuses[401]


# Of what one operation may be sent, more than half is done. The rest is what no schema can say:
# times in the wrong order, types and zones that there are not, ids inside lists.
FEW_CASES, MANY_CASES = tries(usual=6, soak=12), 80  # a few may be unlucky


@pytest.mark.slow
def test_most_of_what_the_description_allows_is_done_by_every_operation() -> None:
    rejected = {}
    with running() as server:
        judge(server)
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            strategy = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
            # To tune takes nothing, and asks every judged question again.
            for cases in (2, 3) if operation.path.endswith("/tune") else (FEW_CASES, MANY_CASES):
                statuses = done(server, operation.method, strategy, cases)
                assert not any(status >= 500 for status in statuses), (operation.label, statuses)
                if mostly_accepted(statuses):
                    break
            else:
                rejected[operation.label] = statuses
    assert not rejected


def mostly_accepted(statuses: Counter[int]) -> bool:
    accepted = sum(count for status, count in statuses.items() if status < 400)
    return 2 * accepted > statuses.total()


def done(
    server: Running, method: str, strategy: SearchStrategy[AnyCase], cases: int
) -> Counter[int]:
    """How requests were answered that name what is there."""
    statuses: Counter[int] = Counter()
    # What only reads leaves it as it is; the rest may erase it, so each finds it told anew.
    left = existing(server) if method.upper() == "GET" else None

    @seed(20260302)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def run(case: AnyCase) -> None:
        # A key that stood for another request is refused, and generated ones are often equal.
        if case.headers is not None:
            case.headers.pop("Idempotency-Key", None)
        end_at_once(case)
        name_what_is_there(case, dict(left or existing(server)))
        statuses[case.call().status_code] += 1

    run()
    return statuses


def name_what_is_there(case: AnyCase, there: dict[str, Any]) -> None:
    """Let a request be about what its operation is for."""
    choose_for_its_address(case, there)
    path = case.path_parameters or {}
    case.path_parameters = {name: there.get(name, value) for name, value in path.items()}
    if not isinstance(case.body, dict):
        return
    if "name" in case.body:
        there["units"] = there["ids"]
    if isinstance(case.body.get("new"), str):  # the id of what supersedes
        there["new"] = there["effect"]
    case.body = {name: there.get(name, value) for name, value in case.body.items()}
    for said in ("used", "missed"):
        if case.body.get(said):
            case.body[said] = there[f"{said}_ids"]


def choose_for_its_address(case: AnyCase, there: dict[str, Any]) -> None:
    """Let names stand for what an operation needs, and its query say what fits together."""
    match case.operation.path.removeprefix("/v1/banks/{bank}/").split("/"):
        case ["pending", _]:
            there["ids"] = there["pending"]
        case ["supersede", "undo"]:
            there["unit"] = there["superseded"]
        case ["neighbourhood"]:  # around one of the two, and no query's description can say so
            centre = "unit" if "unit" in (case.query or {}) else "entity"
            case.query = {**without(case, "unit", "entity"), centre: there[centre]}
        case ["tune"]:
            there["bank"] = JUDGED
        case ["import", "preview"]:  # a file is of one kind, and no description can say which
            case.query = without(case, "kind")
            case.body = '{"text": "The ferry leaves at nine."}'


def without(case: AnyCase, *names: str) -> dict[str, Any]:
    """The query of a request without some of its parameters."""
    return {name: one for name, one in (case.query or {}).items() if name not in names}


def existing(server: Running) -> dict[str, Any]:
    """The names of what an operation needs to be there, told anew for each."""
    number = next(_NUMBERS)
    names = [f"Mara Holm {number}", f"Tomas Falk {number}"]
    kept = server.memory.retain([f"{name} has a badge." for name in names], entities=names)
    lost = server.memory.retain(f"Badge {number} is blue.")
    server.memory.supersede(lost.id, f"Badge {number} is red.")
    waits = server.memory.retain(f"Badge {number} is lost.", pending=True)
    entities = server.memory.entities(containing=str(number))
    answer = server.client.post(
        "/v1/banks/default/import", content="", headers={"Content-Type": "application/x-ndjson"}
    )
    granted = {"default": "read"}
    key = server.client.post("/v1/keys", json={"name": f"badge {number}", "grants": granted})
    first, second = kept.ids
    return {
        "bank": "default", "unit": first, "old": first, "cause": first, "effect": second,
        "entity": str(entities[0].id), "keep": entities[0].id, "drop": entities[1].id,
        "ids": [first], "task": answer.json()["id"], "superseded": lost.id,
        "pending": list(waits.ids), "used_ids": [first], "missed_ids": [second],
        "banks": ["default"], "grants": granted, "key": key.json()["card"]["id"],
    }  # fmt: skip


JUDGED = "judged"


def judge(server: Running) -> None:
    """A bank with feedback on as many questions as it takes to tune it."""
    things = ["lamp", "buoy", "crane", "winch", "ferry", "quay", "rope", "sail", "oar", "hull",
              "mast", "deck", "keel", "pump", "bell"]  # fmt: skip
    assert len(things) > QUESTIONS_MIN
    for thing in things:
        kept = server.memory.retain(f"The {thing} is by the {thing} shed.", bank=JUDGED)
        server.memory.feedback(f"Where is the {thing}?", used=[kept.id], bank=JUDGED)


_NUMBERS = count(1_000_000)
