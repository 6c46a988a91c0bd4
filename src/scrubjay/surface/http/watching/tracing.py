"""OpenTelemetry spans of requests, around those of the memory; without the `otel` extra nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from scrubjay.integrations.opentelemetry import MemorySpans, fail
from scrubjay.surface.http.shared.problems import Refusal

if TYPE_CHECKING:
    from opentelemetry.trace import Span

try:
    from opentelemetry import propagate as _propagate
    from opentelemetry import trace as _api
except ImportError:
    _api = _propagate = None  # type: ignore[assignment]


class Spans(MemorySpans):
    """The spans of a server's memory, and of requests.

    A request's span is the parent of what is done for it, and carries its id; a caller's own
    trace, sent as `traceparent`, goes on.
    """

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
                fail(span, type(error).__name__)
                raise


def _answer(span: Span, status: int) -> None:
    span.set_attribute("http.response.status_code", status)
    # What a caller did wrong is no fault of the server.
    if status >= 500:
        span.set_status(_api.StatusCode.ERROR)
