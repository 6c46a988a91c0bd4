"""Tells those who run a server what its memory does, as metrics and as spans."""

from __future__ import annotations

from scrubjay.answers import Recall
from scrubjay.observing import Answered
from scrubjay.surface.http.watching.metrics import Metrics
from scrubjay.surface.http.watching.tracing import Spans
from scrubjay.trace import Operation


class Watch:
    """An observer for `Memory.open`, which also hears of recalls from the server."""

    def __init__(self, spans: Spans | None = None) -> None:
        self.metrics = Metrics()
        self.spans = spans or Spans()

    def ended(self, operation: Operation) -> None:
        """A change, or a copy, has ended."""
        self.metrics.change(operation)
        self.spans.ended(operation)

    def looked_up(self, *, hits: int, misses: int) -> None:
        """Vectors of questions were looked for among the remembered ones."""
        self.metrics.looked_up(hits=hits, misses=misses)

    def answered(self, bank: str, recall: Recall) -> None:
        """A recall has ended."""
        self.heard(Answered.of(bank, recall, text=self.spans.text))

    def heard(self, answer: Answered) -> None:
        """The same, as what there is to learn of it."""
        self.metrics.recall(answer)
        self.spans.heard(answer)
