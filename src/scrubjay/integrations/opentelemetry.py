"""OpenTelemetry: spans of recalls and changes, by the conventions that trace viewers read.

They carry the attributes of GenAI memory operations (`gen_ai.memory.*`) and of OpenInference's
retrievers. Names, ids and numbers are always told; texts only where that is asked for.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from scrubjay.answers import Recall
from scrubjay.observing import Answered
from scrubjay.trace import Operation
from scrubjay.trace import Span as Stage

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

try:
    from opentelemetry import trace as _api
except ImportError:
    _api = None  # type: ignore[assignment]

# By which instrumentations of GenAI are asked to tell texts.
TEXT_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
# A span has 128 attributes unless it is set up for more, and loses the oldest of others.
DOCUMENTS_MAX = 20
# The conventions' names of what we do; what they have no name for keeps ours alone.
_NAMED = {
    "retain": "upsert_memory",
    "import": "upsert_memory",
    "update": "update_memory",
    "supersede": "update_memory",
    "undo_supersede": "update_memory",
    "approve": "update_memory",
    "relate": "update_memory",
    "forget": "delete_memory",
    "reject": "delete_memory",
}


class MemorySpans:
    """An observer for `Memory.open` that hands spans to the program's own OpenTelemetry set-up.

    Without the `otel` extra, or a set-up, it does nothing. A span that is open is the parent.
    """

    def __init__(self, tracer: Tracer | None = None, *, text: bool | None = None) -> None:
        """`tracer` by default is that of the set-up; `text` also tells questions and memories.

        Left out, texts are told where OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT is true.
        """
        self._tracer = tracer
        if tracer is None and _api is not None:
            self._tracer = _api.get_tracer("scrubjay")
        asked = os.environ.get(TEXT_VARIABLE, "").strip().lower() == "true"
        self.text = asked if text is None else text

    def ended(self, operation: Operation) -> None:
        """The spans of a change, or a copy, that has just ended: the whole and its stages."""
        begun = self._begin(f"scrubjay.{operation.name}", operation.duration_ms)
        if begun is None:
            return
        whole, begun_ns = begun
        whole.set_attribute("scrubjay.bank", operation.bank)
        if operation.name in _NAMED:
            _name(whole, _NAMED[operation.name], operation.bank)
        if operation.failure is not None:
            fail(whole, operation.failure)
        self._children(whole, begun_ns, operation.spans)
        whole.end(begun_ns + int(operation.duration_ms * 1e6))

    def looked_up(self, *, hits: int, misses: int) -> None:
        """Nothing is told of remembered vectors."""

    def recalled(self, bank: str, recall: Recall) -> None:
        """A recall from a bank has just ended."""
        self.heard(Answered.of(bank, recall, text=self.text))

    def heard(self, answer: Answered) -> None:
        """The spans of a recall that has just ended: its stages, and its retrievers in theirs."""
        ended_ms = max((part.end_ms for part in answer.spans), default=0.0)
        begun = self._begin("scrubjay.recall", ended_ms)
        if begun is None:
            return
        whole, begun_ns = begun
        whole.set_attribute("scrubjay.bank", answer.bank)
        whole.set_attribute("scrubjay.preset", answer.preset)
        whole.set_attribute("scrubjay.items", len(answer.found))
        whole.set_attribute("scrubjay.widened", answer.widened)
        whole.set_attribute("scrubjay.degraded", list(answer.degraded))
        _name(whole, "search_memory", answer.bank)
        whole.set_attributes(dict(_found(answer)))
        stages = [part for part in answer.spans if part.name not in answer.retrievers]
        inside = self._children(whole, begun_ns, stages)
        found = [part for part in answer.spans if part.name in answer.retrievers]
        self._children(inside.get("retrieve", whole), begun_ns, found)
        whole.end(begun_ns + int(ended_ms * 1e6))

    def _begin(self, name: str, duration_ms: float) -> tuple[Span, int] | None:
        """A span that began so long ago, and when; None where nobody keeps spans."""
        if self._tracer is None:
            return None
        begun_ns = time.time_ns() - int(duration_ms * 1e6)
        span = self._tracer.start_span(name, start_time=begun_ns)
        return (span, begun_ns) if span.is_recording() else None

    def _children(self, parent: Span, begun_ns: int, stages: Iterable[Stage]) -> dict[str, Span]:
        """One span per stage, by name; all have ended."""
        assert self._tracer is not None, "somebody keeps spans"
        within = _api.set_span_in_context(parent)
        made: dict[str, Span] = {}
        for stage in stages:
            begun = begun_ns + int(stage.start_ms * 1e6)
            span = self._tracer.start_span(f"scrubjay.{stage.name}", within, start_time=begun)
            span.set_attribute("scrubjay.cpu_ms", stage.cpu_ms)
            span.end(begun_ns + int(stage.end_ms * 1e6))
            made[stage.name] = span
        return made


def fail(span: Span, error: str) -> None:
    """Mark a span as ended by an error of this class."""
    span.set_attribute("error.type", error)
    span.set_status(_api.StatusCode.ERROR)


def _name(span: Span, operation: str, bank: str) -> None:
    span.set_attribute("gen_ai.operation.name", operation)
    span.set_attribute("gen_ai.provider.name", "scrubjay")
    span.set_attribute("gen_ai.memory.store.id", bank)


def _found(answer: Answered) -> Iterator[tuple[str, str | int | float]]:
    """What was asked and found, in the words of both conventions."""
    yield "gen_ai.memory.record.count", len(answer.found)
    yield "openinference.span.kind", "RETRIEVER"
    for place, one in enumerate(answer.found[:DOCUMENTS_MAX]):
        document = f"retrieval.documents.{place}.document"
        yield f"{document}.id", one.id
        yield f"{document}.score", one.relevance
        if one.text is not None:
            yield f"{document}.content", one.text
    if answer.question is not None:
        records = [
            {"id": one.id, "content": one.text, "score": one.relevance} for one in answer.found
        ]
        yield "input.value", answer.question
        yield "gen_ai.memory.query.text", answer.question
        yield "gen_ai.memory.records", json.dumps(records, ensure_ascii=False)
