"""Those who run a server see what it does, and never what memories say."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.surface.http.http_server import Running, running

from scrubjay.memory import Memory
from scrubjay.surface.http.contract.openapi import document, statuses
from scrubjay.surface.http.routes.table import ENDPOINTS
from scrubjay.surface.http.watching.logs import LOGGER, JsonLines
from scrubjay.surface.http.watching.tracing import RecallTracer

SECRET = "xylophone"


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """Everything the server logs at info and above, as it would reach stderr."""
    written: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(JsonLines().format(record))

    handler = Keeping()
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    yield written
    LOGGER.removeHandler(handler)


def test_no_word_of_a_memory_or_a_question_is_logged_or_audited(
    tmp_path: Path, lines: list[str]
) -> None:
    bank = "/v1/banks/quiet"
    with running(tmp_path) as server:
        unit = server.json("POST", f"{bank}/memories", {"text": f"The {SECRET} is mine."})["ids"][0]
        server.json("POST", f"{bank}/recall", {"question": f"Whose is the {SECRET}?"})
        server.json("GET", f"{bank}/memories", params={"tag": SECRET})
        server.json("PATCH", f"{bank}/memories/{unit}", {"text": f"A {SECRET}."})
        server.client.post(f"{bank}/memories", json={"text": SECRET, "type": SECRET})
        server.client.get(f"/{SECRET}")
        server.client.get(f"{bank}/memories/{SECRET}")
        server.json("DELETE", f"{bank}/memories/{unit}")
    audit = (tmp_path / "state" / "audit.jsonl").read_text(encoding="utf-8")
    assert len(lines) >= 8
    assert SECRET not in "".join(lines)
    assert SECRET not in audit
    written = [json.loads(line) for line in audit.splitlines()]
    assert [one["event"].split()[0] for one in written] == ["POST", "PATCH", "DELETE"]
    assert all(one["ids"] == [unit] and one["bank"] == "quiet" for one in written)


def test_a_request_has_an_id_in_its_answer_its_problem_and_the_log(lines: list[str]) -> None:
    with running() as server:
        answer = server.client.get("/v1/banks/none", headers={"X-Request-ID": "trace-77"})
        forged = server.client.get("/health", headers={"X-Request-ID": "a b\tc"})
    assert answer.headers["x-request-id"] == answer.json()["request_id"] == "trace-77"
    assert any('"request_id": "trace-77"' in line for line in lines)
    assert forged.headers["x-request-id"] != "a b\tc"


def test_metrics_count_requests_refusals_and_the_stages_of_recalls(open_server: Running) -> None:
    open_server.json("POST", "/v1/banks/m/memories", {"text": "The reef is shallow."})
    open_server.json("POST", "/v1/banks/m/recall", {"question": "How deep is the reef?"})
    open_server.client.get("/v1/banks/none")
    text = open_server.client.get("/metrics").text
    for expected in (
        'scrubjay_request_seconds_count{endpoint="POST /v1/banks/{bank}/recall",status="200"}',
        'scrubjay_refused_total{kind="NotFound"}',
        'scrubjay_recall_stage_seconds_bucket{le="0.001",stage="lexical"}',
        'scrubjay_recall_stage_seconds_count{stage="fuse"}',
        "scrubjay_recall_max_wait_seconds_count",
        "scrubjay_recall_widened_total",
        "scrubjay_requests_at_work",
    ):
        assert expected in text
    assert "reef" not in text


def test_a_recall_becomes_spans_of_its_stages() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("The anchor is rusty.")
        recall = memory.recall("What is rusty?")
    RecallTracer(provider.get_tracer("test")).record(recall)
    spans = {span.name: span for span in exporter.get_finished_spans()}
    whole = spans["scrubjay.recall"]
    assert {"scrubjay.parse", "scrubjay.lexical", "scrubjay.fuse"} <= spans.keys()
    for name, span in spans.items():
        assert span.start_time is not None and span.end_time is not None
        assert whole.start_time is not None and whole.end_time is not None
        assert whole.start_time <= span.start_time <= span.end_time <= whole.end_time, name
    assert "anchor" not in str([dict(span.attributes or {}) for span in spans.values()])


def test_every_answer_carries_the_security_headers(open_server: Running) -> None:
    for path in ("/health", "/v1/banks", "/nothing", "/docs"):
        headers = open_server.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers


def test_the_documentation_names_every_route_and_reaches_for_nothing_outside(
    open_server: Running,
) -> None:
    page = open_server.client.get("/docs").text
    assert "<script" not in page
    assert "://" not in page
    for endpoint in ENDPOINTS:
        assert f"<code>{endpoint.path}</code>" in page


def test_the_openapi_document_has_every_route_with_every_status() -> None:
    described = document(ENDPOINTS)
    paths = described["paths"]
    assert isinstance(paths, dict)
    for endpoint in ENDPOINTS:
        operation = paths[endpoint.path][endpoint.method.lower()]
        assert set(operation["responses"]) == {str(status) for status in statuses(endpoint)}
    names = [
        operation["operationId"] for methods in paths.values() for operation in methods.values()
    ]
    assert len(set(names)) == len(names) == len(ENDPOINTS)
