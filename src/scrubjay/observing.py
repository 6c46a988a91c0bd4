"""What there is to learn of a recall that has ended, for metrics and traces."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.answers import Recall
from scrubjay.trace import Span


@dataclass(frozen=True, slots=True)
class Found:
    """One memory of an answer."""

    id: str
    relevance: float
    text: str | None  # None: texts are not told


@dataclass(frozen=True, slots=True)
class Answered:
    """One recall: times, counts, names and ids; what was said only where that is asked for."""

    bank: str
    preset: str
    retrievers: tuple[str, ...]  # that the plan names
    spans: tuple[Span, ...]  # of stages and retrievers
    max_wait_ms: float
    degraded: tuple[str, ...]
    widened: bool
    nothing_relevant: bool
    found: tuple[Found, ...]
    question: str | None  # None: texts are not told

    @classmethod
    def of(cls, bank: str, recall: Recall, *, text: bool = False) -> Answered:
        """What there is to learn of a recall; with `text` also what was asked and found."""
        return cls(
            bank,
            recall.plan.preset,
            tuple(step.retriever for step in recall.plan.retrievers),
            tuple(recall.timings.values()),
            recall.max_wait_ms,
            tuple(part.retriever for part in recall.degraded),
            recall.widened,
            recall.nothing_relevant,
            tuple(
                Found(item.id, item.relevance, item.text if text else None) for item in recall.items
            ),
            recall.question if text else None,
        )
