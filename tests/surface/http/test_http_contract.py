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

CASES_PER_OPERATION = {
    GenerationMode.POSITIVE: tries(usual=12, soak=35),
    GenerationMode.NEGATIVE: tries(usual=8, soak=25),
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


# Of what one operation may be sent, more than half is done. The rest is what no schema can say:
# times in the wrong order, types and zones that there are not, ids inside lists.
FEW_CASES, MANY_CASES = 12, 80  # a few may be unlucky


@pytest.mark.slow
def test_most_of_what_the_description_allows_is_done_by_every_operation() -> None:
    rejected = {}
    with running() as server:
        schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
        for found in schema.get_all_operations():
            assert isinstance(found, Ok)
            operation = found.ok()
            strategy = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
            for cases in (FEW_CASES, MANY_CASES):
                statuses = done(server, strategy, cases)
                assert not any(status >= 500 for status in statuses), (operation.label, statuses)
                if mostly_accepted(statuses):
                    break
            else:
                rejected[operation.label] = statuses
    assert not rejected


def mostly_accepted(statuses: Counter[int]) -> bool:
    accepted = sum(count for status, count in statuses.items() if status < 400)
    return 2 * accepted > statuses.total()


def done(server: Running, strategy: SearchStrategy[AnyCase], cases: int) -> Counter[int]:
    """How requests were answered that name what is there."""
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
        # A key that stood for another request is refused, and generated ones are often equal.
        if case.headers is not None:
            case.headers.pop("Idempotency-Key", None)
        end_at_once(case)
        there = existing(server)
        if case.operation.path.endswith("/undo"):
            server.memory.supersede(there["unit"], there["effect"])
        path = case.path_parameters or {}
        case.path_parameters = {name: there.get(name, value) for name, value in path.items()}
        if isinstance(case.body, dict):
            if "name" in case.body:
                there["units"] = there["ids"]
            if isinstance(case.body.get("new"), str):  # the id of what supersedes
                there["new"] = there["effect"]
            case.body = {name: there.get(name, value) for name, value in case.body.items()}
        statuses[case.call().status_code] += 1

    run()
    return statuses


def existing(server: Running) -> dict[str, Any]:
    """The names of what an operation needs to be there, told anew for each."""
    number = next(_NUMBERS)
    names = [f"Mara Holm {number}", f"Tomas Falk {number}"]
    kept = server.memory.retain([f"{name} has a badge." for name in names], entities=names)
    entities = server.memory.entities(containing=str(number))
    answer = server.client.post(
        "/v1/banks/default/import", content="", headers={"Content-Type": "application/x-ndjson"}
    )
    first, second = kept.ids
    return {
        "bank": "default", "unit": first, "old": first, "cause": first, "effect": second,
        "entity": str(entities[0].id), "keep": entities[0].id, "drop": entities[1].id,
        "ids": [first], "task": answer.json()["id"],
    }  # fmt: skip


_NUMBERS = count(1_000_000)
