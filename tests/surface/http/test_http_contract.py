"""Thousands of generated requests: no crash, and nothing the OpenAPI document does not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
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
from tests.surface.http.http_server import running

CASES_PER_OPERATION = {GenerationMode.POSITIVE: 35, GenerationMode.NEGATIVE: 25}
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
            # Half of the cases name what is there, so that they get past the door; told anew,
            # because an operation may have erased it.
            kept = server.memory.retain(["The ferry leaves at nine.", "Mara has badge 47821."])
            real = {"bank": "default", "unit": kept.id, "entity": "1"}
            for mode, cases in CASES_PER_OPERATION.items():
                for names in (real, {}):
                    strategy = found.ok().as_strategy(generation_mode=mode)
                    # An operation that takes nothing cannot be given anything wrong.
                    with suppress(Unsatisfiable):
                        statuses += answered(strategy, names, cases // 2 + 1)
    assert sum(statuses.values()) >= 2_000, statuses
    assert statuses[200] + statuses[201] >= 200, statuses


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
        given_path = case.path_parameters or {}
        case.path_parameters = {name: names.get(name, value) for name, value in given_path.items()}
        statuses[case.call_and_validate(checks=CHECKED).status_code] += 1

    run()
    return statuses
