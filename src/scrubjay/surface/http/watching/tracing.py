"""OpenTelemetry spans of recalls, where the `otel` extra is installed; else nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrubjay.answers import Recall

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

try:
    from opentelemetry import trace as _api
except ImportError:
    _api = None  # type: ignore[assignment]


class RecallTracer:
    """Turns the timings every recall carries into spans: one for the whole, one per part."""

    def __init__(self, tracer: Tracer | None = None) -> None:
        """`tracer` by default is that of the program's own OpenTelemetry set-up, if any."""
        self._tracer = tracer
        if tracer is None and _api is not None:
            self._tracer = _api.get_tracer("scrubjay")

    def record(self, recall: Recall) -> None:
        """Hand over the spans of a recall that has just ended."""
        if self._tracer is None or _api is None:
            return
        ended_ms = max((span.end_ms for span in recall.timings.values()), default=0.0)
        begun_ns = time.time_ns() - int(ended_ms * 1e6)
        whole = self._tracer.start_span("scrubjay.recall", start_time=begun_ns)
        whole.set_attribute("scrubjay.preset", recall.plan.preset)
        whole.set_attribute("scrubjay.items", len(recall.items))
        whole.set_attribute("scrubjay.degraded", len(recall.degraded))
        parent = _api.set_span_in_context(whole)
        for name, part in recall.timings.items():
            span = self._tracer.start_span(
                f"scrubjay.{name}", parent, start_time=begun_ns + int(part.start_ms * 1e6)
            )
            span.end(begun_ns + int(part.end_ms * 1e6))
        whole.end(begun_ns + int(ended_ms * 1e6))
