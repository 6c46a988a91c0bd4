"""Those who run a server see what it does, and never what memories say."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.surface.http.http_server import Running, running

from scrubjay.errors import EncoderError
from scrubjay.memory import Memory
from scrubjay.operations.memories import MEMORIES
from scrubjay.surface.http.contract.reading import read_body
from scrubjay.surface.http.routes.openapi import SUBJECTS, document, statuses
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.http.watching.feed import Feed
from scrubjay.surface.http.watching.logs import LOGGER, JsonLines
from scrubjay.surface.http.watching.tracing import Spans
from scrubjay.surface.http.watching.watch import Watch
from scrubjay.types.arrays import VectorArray

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


class Forgetful:
    """An encoder that embeds what is told, and fails to embed what is asked."""

    name, dimension, fingerprint = "forgetful", 8, "forgetful@1"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        return np.eye(len(texts), self.dimension, dtype=np.float32)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        raise EncoderError(f"the model is gone, and so are {len(texts)} questions")


def scraped(server: Running) -> dict[str, float]:
    """Every number of a scrape, by its name and labels."""
    lines = server.client.get("/metrics").text.splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def test_a_scrape_after_traffic_has_every_number(open_server: Running) -> None:
    bank = "/v1/banks/m"
    before = scraped(open_server)
    unit = open_server.json("POST", f"{bank}/memories", {"text": "The reef is shallow."})["ids"][0]
    for _ in range(3):
        open_server.json("POST", f"{bank}/recall", {"question": "How deep is the reef?"})
    batch = {"questions": ["How deep is the reef?", "Who prefers the reef?"], "preset": "recall5"}
    open_server.json("POST", f"{bank}/recall-batch", batch)
    open_server.client.get("/v1/banks/none")
    open_server.json("POST", f"{bank}/supersede", {"old": unit, "new": "The reef is deep."})
    open_server.json("POST", f"{bank}/forget", {"ids": [unit]})
    open_server.client.get(f"{bank}/export")
    after = scraped(open_server)
    grown = {name: value - before.get(name, 0.0) for name, value in after.items()}
    assert grown['scrubjay_query_vectors_total{cache="miss"}'] == 2
    # Three questions found two times what the first left, and a batch looks once for all of its
    # questions and again for each.
    assert grown['scrubjay_query_vectors_total{cache="hit"}'] == 5
    asked = 'endpoint="POST /v1/banks/{bank}/recall",status="200"'
    assert grown[f"scrubjay_request_seconds_count{{{asked}}}"] == 3
    assert grown['scrubjay_refused_total{kind="NotFound"}'] == 1
    stages = ("parse", "plan", "retrieve", "semantic", "lexical", "fuse", "rerank", "budget")
    for stage in stages:
        assert grown[f'scrubjay_recall_stage_seconds_count{{stage="{stage}"}}'] == 5, stage
        assert grown[f'scrubjay_recall_stage_seconds_sum{{stage="{stage}"}}'] > 0, stage
    assert grown["scrubjay_recall_max_wait_seconds_count"] == 5
    # "Who prefers" limits this preset to preferences; there are none, so it is searched again.
    assert grown["scrubjay_recall_widened_total"] == 1
    for operation in ("retain", "supersede", "forget", "export"):
        label = f'operation="{operation}"'
        assert grown[f'scrubjay_change_seconds_count{{ended="done",{label}}}'] == 1, operation
    for stage in ("check", "types", "times", "names", "words", "vectors", "links", "save"):
        name = f'scrubjay_change_stage_seconds_count{{operation="retain",stage="{stage}"}}'
        assert grown[name] == 1, stage
    assert "scrubjay_requests_at_work" in after
    assert "reef" not in str(after)


def test_a_part_that_fails_is_counted() -> None:
    watch = Watch()
    memory = Memory.open(":memory:", encoder=Forgetful(), reranker=None, observer=watch)
    with running(memory=memory, watch=watch) as server:
        server.json("POST", "/v1/banks/d/memories", {"text": "The buoy is red."})
        found = server.json("POST", "/v1/banks/d/recall", {"question": "Is the buoy red?"})
        server.client.post("/v1/banks/d/forget", json={"filter": {}})
        numbers = scraped(server)
    assert [part["retriever"] for part in found["degraded"]] == ["semantic"]
    assert len(found["items"]) == 1
    assert numbers['scrubjay_recall_degraded_total{part="semantic"}'] == 1
    assert numbers['scrubjay_change_seconds_count{ended="BadInput",operation="forget"}'] == 1


@pytest.fixture
def exported() -> tuple[Watch, InMemorySpanExporter]:
    """A watch whose spans are kept in memory, by the OpenTelemetry SDK itself."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Watch(Spans(provider.get_tracer("test"))), exporter


def test_requests_recalls_and_changes_become_nested_spans(
    exported: tuple[Watch, InMemorySpanExporter], tmp_path: Path
) -> None:
    watch, exporter = exported
    bank, trace_id = "/v1/banks/s", "0af7651916cd43dd8448eb211c80319c"
    with running(tmp_path, watch=watch) as server:
        told = {"text": "The anchor is rusty."}
        unit = server.json(
            "POST", f"{bank}/memories", told, headers={
                "X-Request-ID": "told-1", "traceparent": f"00-{trace_id}-b7ad6b7169203331-01"}
        )["ids"][0]  # fmt: skip
        server.json("POST", f"{bank}/recall", {"question": "What is rusty?"})
        server.json("POST", f"{bank}/supersede", {"old": unit, "new": "The anchor is new."})
        exportable = server.client.get(f"{bank}/export").content
        lines = {"Content-Type": "application/x-ndjson"}
        task = server.client.post(f"{bank}/import", content=exportable, headers=lines)
        server.ended(task.headers["location"])  # or it could bring back what is forgotten next
        server.json("POST", f"{bank}/forget", {"ids": [unit]})
        server.client.get(f"{bank}/memories/{unit}")
    spans = exporter.get_finished_spans()
    by_id = {span.context.span_id: span for span in spans if span.context is not None}

    def parents(span: ReadableSpan) -> list[str]:
        above = None if span.parent is None else by_id.get(span.parent.span_id)
        return [] if above is None else [above.name, *parents(above)]

    ways = {(span.name, *parents(span)) for span in spans}
    telling, asking = f"POST {MEMORIES}", "POST /v1/banks/{bank}/recall"
    for stage in ("types", "times", "names", "words", "vectors", "entities", "links", "save"):
        assert (f"scrubjay.{stage}", "scrubjay.retain", telling) in ways, stage
    for retriever in ("semantic", "lexical"):
        way = (f"scrubjay.{retriever}", "scrubjay.retrieve", "scrubjay.recall", asking)
        assert way in ways, retriever
    for name in ("supersede", "forget", "export"):
        assert any(way[:1] == (f"scrubjay.{name}",) and len(way) == 2 for way in ways), name
    assert ("scrubjay.import",) in ways, "a task goes on when its request has ended"
    requests = {span.name: span for span in spans if span.name.startswith(("GET", "POST"))}
    first = requests[telling]
    assert first.context is not None and first.attributes is not None
    assert f"{first.context.trace_id:x}".zfill(32) == trace_id
    assert first.attributes["scrubjay.request_id"] == "told-1"
    missing = requests[f"GET {MEMORIES}/{{unit}}"]
    assert (missing.attributes or {})["http.response.status_code"] == 404
    for span in spans:
        assert span.start_time is not None and span.end_time is not None
        assert span.start_time <= span.end_time, span.name
    assert "anchor" not in " ".join(span.to_json() for span in spans)


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
    for route in ROUTES:
        assert f"<code>{route.path}</code>" in page


def test_the_openapi_document_has_every_route_with_every_status() -> None:
    described = document(ROUTES)
    paths = described["paths"]
    assert isinstance(paths, dict)
    for route in ROUTES:
        operation = paths[route.path][route.method.lower()]
        assert set(operation["responses"]) == {str(status) for status in statuses(route)}
    names = [
        operation["operationId"] for methods in paths.values() for operation in methods.values()
    ]
    assert len(set(names)) == len(names) == len(ROUTES)


def test_every_route_says_what_it_is_about_and_shows_what_it_takes() -> None:
    paths: Any = document(ROUTES)["paths"]
    for route in ROUTES:
        operation = paths[route.path][route.method.lower()]
        assert operation["tags"] == [route.subject], route.name
        assert route.subject in SUBJECTS, route.name
        assert operation["summary"] and operation["description"], route.name
        for parameter in operation["parameters"]:
            assert parameter["description"], f"{route.name}: {parameter['name']}"
            if parameter["in"] == "path":
                assert parameter["schema"]["examples"], f"{route.name}: {parameter['name']}"
        if route.body is None:
            continue
        shown = operation["requestBody"]["content"][route.body_media_type]["example"]
        if route.raw is None:
            read_body(json.dumps(shown).encode(), route.body)  # which refuses what it cannot use
        else:
            assert json.loads(shown), route.name


def test_a_listener_that_goes_leaves_nothing_waiting() -> None:
    async def run() -> None:
        stream = Feed().join("quay")

        async def listen() -> None:
            async for _ in stream.events(60):
                pass

        listening = asyncio.ensure_future(listen())
        await asyncio.sleep(0)
        listening.cancel()
        await asyncio.wait([listening])
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
