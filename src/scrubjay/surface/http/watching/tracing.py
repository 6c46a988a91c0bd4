"""OpenTelemetry spans of requests, recalls and changes, with the `otel` extra; else nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from scrubjay.answers import Recall
from scrubjay.surface.http.shared.problems import Refusal
from scrubjay.trace import Operation
from scrubjay.trace import Span as Stage

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

try:
    from opentelemetry import propagate as _propagate
    from opentelemetry import trace as _api
except ImportError:
    _api = _propagate = None  # type: ignore[assignment]


class Spans:
    """Hands spans to the program's own OpenTelemetry set-up, if any.

    A request's span is the parent of what is done for it, and carries its id; a caller's own
    trace, sent as `traceparent`, goes on. Attributes are names, ids and numbers, never memories.
    """

    def __init__(self, tracer: Tracer | None = None) -> None:
        """`tracer` by default is that of the program's own OpenTelemetry set-up."""
        self._tracer = tracer
        if tracer is None and _api is not None:
            self._tracer = _api.get_tracer("scrubjay")

    @contextmanager
    def request(
        self, route: str, request_id: str, headers: Mapping[str, str]
    ) -> Iterator[Callable[[int], None]]:
        """A span around a request, which is to be told the status of its answer.

        What is done inside becomes its children.
        """
        if self._tracer is None:
            yield lambda _: None
            return
        span = self._tracer.start_span(
            route,
            _propagate.extract(headers),
            kind=_api.SpanKind.SERVER,
            attributes={"scrubjay.request_id": request_id},
        )
        # The text of an error may quote a memory; its class does not.
        with _api.use_span(
            span, end_on_exit=True, record_exception=False, set_status_on_exception=False
        ):
            try:
                yield partial(_answer, span)
            except Refusal as refusal:
                _answer(span, refusal.problem.status)
                raise
            except BaseException as error:
                _fail(span, type(error).__name__)
                raise

    def recall(self, recall: Recall) -> None:
        """The spans of a recall that has just ended: its stages, and its retrievers in theirs."""
        retrievers = {step.retriever for step in recall.plan.retrievers}
        parts = recall.timings.values()
        ended_ms = max((part.end_ms for part in parts), default=0.0)
        begun = self._begin("scrubjay.recall", ended_ms)
        if begun is None:
            return
        whole, begun_ns = begun
        whole.set_attribute("scrubjay.preset", recall.plan.preset)
        whole.set_attribute("scrubjay.items", len(recall.items))
        whole.set_attribute("scrubjay.widened", recall.widened)
        whole.set_attribute("scrubjay.degraded", [part.retriever for part in recall.degraded])
        stages = [part for part in parts if part.name not in retrievers]
        inside = self._children(whole, begun_ns, stages)
        found = [part for part in parts if part.name in retrievers]
        self._children(inside.get("retrieve", whole), begun_ns, found)
        whole.end(begun_ns + int(ended_ms * 1e6))

    def change(self, operation: Operation) -> None:
        """The spans of a change, or a copy, that has just ended: the whole and its stages."""
        begun = self._begin(f"scrubjay.{operation.name}", operation.duration_ms)
        if begun is None:
            return
        whole, begun_ns = begun
        whole.set_attribute("scrubjay.bank", operation.bank)
        if operation.failure is not None:
            _fail(whole, operation.failure)
        self._children(whole, begun_ns, operation.spans)
        whole.end(begun_ns + int(operation.duration_ms * 1e6))

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


def _answer(span: Span, status: int) -> None:
    span.set_attribute("http.response.status_code", status)
    # What a caller did wrong is no fault of the server.
    if status >= 500:
        span.set_status(_api.StatusCode.ERROR)


def _fail(span: Span, error: str) -> None:
    span.set_attribute("error.type", error)
    span.set_status(_api.StatusCode.ERROR)
