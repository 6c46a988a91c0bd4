"""Recalls and changes as spans of the OpenTelemetry SDK, by the conventions of trace viewers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from scrubjay import BadInput, Memory
from scrubjay.integrations.opentelemetry import DOCUMENTS_MAX, TEXT_VARIABLE, MemorySpans

QUESTION = "Who keeps the keys of the quay?"


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> Callable[..., MemorySpans]:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return lambda **given: MemorySpans(provider.get_tracer("test"), **given)


def lived(spans: MemorySpans, tmp_path: Path) -> None:
    """One of each thing that is done with memories."""
    with Memory.open(":memory:", encoder="hash", reranker=None, observer=spans) as memory:
        first = memory.retain("Nadia keeps the keys of the quay.", bank="port").id
        second = memory.retain("Omar keeps the keys of the pier.", bank="port").id
        memory.recall(QUESTION, bank="port")
        memory.recall_batch([QUESTION], bank="port")
        memory.update(second, tags=["keys"], bank="port")
        memory.supersede(first, "Ines keeps the keys of the quay.", bank="port")
        memory.export(tmp_path / "port.jsonl", bank="port")
        memory.import_(tmp_path / "port.jsonl", bank="copy")
        memory.forget(second, bank="port")
        with pytest.raises(BadInput):
            memory.retain("A beacon.", type="beacon", bank="port")


def named(exporter: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.name == f"scrubjay.{name}"]


def told(span: ReadableSpan) -> Mapping[str, object]:
    assert span.attributes is not None
    return span.attributes


def test_each_operation_has_its_name_of_the_conventions_and_its_bank(
    spans: Callable[..., MemorySpans], exporter: InMemorySpanExporter, tmp_path: Path
) -> None:
    lived(spans(), tmp_path)
    names = {
        "recall": "search_memory", "retain": "upsert_memory", "import": "upsert_memory",
        "update": "update_memory", "supersede": "update_memory", "forget": "delete_memory",
    }  # fmt: skip
    for ours, theirs in names.items():
        for span in named(exporter, ours):
            assert told(span)["gen_ai.operation.name"] == theirs
            assert told(span)["gen_ai.provider.name"] == "scrubjay"
            bank = "copy" if ours == "import" else "port"
            assert told(span)["gen_ai.memory.store.id"] == bank
    assert len(named(exporter, "recall")) == 2
    assert "gen_ai.operation.name" not in told(named(exporter, "export")[0])
    assert told(named(exporter, "retain")[-1])["error.type"] == "BadInput"


def test_a_recall_s_documents_are_told_by_id_and_relevance(
    spans: Callable[..., MemorySpans], exporter: InMemorySpanExporter
) -> None:
    observer = spans()
    with Memory.open(":memory:", encoder="hash", reranker=None, observer=observer) as memory:
        memory.retain([f"Nadia keeps the keys of quay {number}." for number in range(30)])
        found = memory.recall(QUESTION, limit=30)
    (span,) = named(exporter, "recall")
    assert len(found) > DOCUMENTS_MAX
    assert told(span)["openinference.span.kind"] == "RETRIEVER"
    assert told(span)["gen_ai.memory.record.count"] == len(found)
    for place, item in enumerate(found[:DOCUMENTS_MAX]):
        document = f"retrieval.documents.{place}.document"
        assert told(span)[f"{document}.id"] == item.id
        assert told(span)[f"{document}.score"] == item.relevance
    assert f"retrieval.documents.{DOCUMENTS_MAX}.document.id" not in told(span)


def test_no_text_is_told_unless_it_is_asked_for(
    spans: Callable[..., MemorySpans],
    exporter: InMemorySpanExporter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(TEXT_VARIABLE, raising=False)
    lived(spans(), tmp_path)
    everything = " ".join(span.to_json() for span in exporter.get_finished_spans())
    assert "keys" not in everything
    assert "Nadia" not in everything


@pytest.mark.parametrize("asked", ["argument", "variable"])
def test_questions_and_memories_are_told_where_that_is_asked_for(
    asked: str,
    spans: Callable[..., MemorySpans],
    exporter: InMemorySpanExporter,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TEXT_VARIABLE, "true" if asked == "variable" else "false")
    lived(spans(text=True) if asked == "argument" else spans(), tmp_path)
    span = named(exporter, "recall")[0]
    assert told(span)["gen_ai.memory.query.text"] == told(span)["input.value"] == QUESTION
    records = json.loads(str(told(span)["gen_ai.memory.records"]))
    assert records[0]["content"] == "Nadia keeps the keys of the quay."
    assert set(records[0]) == {"id", "content", "score"}
    assert told(span)["retrieval.documents.0.document.content"] == records[0]["content"]
    assert told(span)["retrieval.documents.0.document.id"] == records[0]["id"]
