"""Prometheus metrics of requests, recalls and changes; labels never hold what a caller sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypedDict

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.samples import Sample

from scrubjay.observing import Answered
from scrubjay.surface.http.contract.replies import Latency
from scrubjay.trace import Operation

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Recalls take from a fraction of a millisecond to the deadline.
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


# What each histogram is the time of.
_MEASURED = {
    "scrubjay_request_seconds": "request",
    "scrubjay_recall_stage_seconds": "recall",
    "scrubjay_recall_max_wait_seconds": "wait",
    "scrubjay_change_seconds": "change",
    "scrubjay_change_stage_seconds": "stage",
}


class Totals(TypedDict):
    """What a status says of the metrics."""

    at_work: int
    questions: int
    nothing_relevant: int
    widened: int
    degraded: Mapping[str, int]
    refused: Mapping[str, int]
    latencies: tuple[Latency, ...]


def _latencies(of: str, samples: Iterable[Sample]) -> list[Latency]:
    """The histograms of one family, one for each set of labels."""
    found: dict[tuple[tuple[str, str], ...], Latency] = {}
    for sample in samples:
        bound = sample.labels.get("le")
        labels = {name: value for name, value in sample.labels.items() if name != "le"}
        key = tuple(sorted(labels.items()))
        known = found.setdefault(key, Latency(of, labels, 0, 0.0, ()))
        if bound is not None:
            upper = None if bound == "+Inf" else float(bound)
            found[key] = replace(known, buckets=(*known.buckets, (upper, int(sample.value))))
        elif sample.name.endswith("_count"):
            found[key] = replace(known, count=int(sample.value))
        elif sample.name.endswith("_sum"):
            found[key] = replace(known, sum_s=sample.value)
    return list(found.values())


class Metrics:
    """One registry per server, so that two in a process do not mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        own = self._registry
        self.requests = Histogram(
            "scrubjay_request_seconds", "Requests by endpoint and status.",
            ("endpoint", "status"), buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self.refused = Counter(
            "scrubjay_refused_total",
            "Requests refused, by kind of problem.",
            ("kind",),
            registry=own,
        )
        self.at_work = Gauge("scrubjay_requests_at_work", "Requests being answered.", registry=own)
        self._stages = Histogram(
            "scrubjay_recall_stage_seconds", "Time in each stage and retriever of a recall.",
            ("stage",), buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self._waits = Histogram(
            "scrubjay_recall_max_wait_seconds", "Longest wait for a connection in a recall.",
            buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self._degraded = Counter(
            "scrubjay_recall_degraded_total",
            "Parts of recalls that failed.",
            ("part",),
            registry=own,
        )
        self._widened = Counter(
            "scrubjay_recall_widened_total", "Recalls that were searched again without types.",
            registry=own,
        )  # fmt: skip
        self._empty = Counter(
            "scrubjay_recall_nothing_relevant_total", "Recalls that found nothing.", registry=own
        )

        self._changes = Histogram(
            "scrubjay_change_seconds", "Changes and copies by operation, and how they ended.",
            ("operation", "ended"), buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self._change_stages = Histogram(
            "scrubjay_change_stage_seconds", "Time in each stage of a change.",
            ("operation", "stage"), buckets=_SECONDS, registry=own,
        )  # fmt: skip
        self._vectors = Counter(
            "scrubjay_query_vectors_total", "Vectors of questions: remembered, or not.",
            ("cache",), registry=own,
        )  # fmt: skip
        for outcome in ("hit", "miss"):
            self._vectors.labels(outcome)  # there from the start, so that a rate has a beginning

        self._questions = Counter(
            "scrubjay_questions_total", "Questions answered, each of a batch too.", registry=own
        )

        self._make_readers(own)

    def _make_readers(self, own: CollectorRegistry) -> None:
        self.readers = Gauge(
            "scrubjay_readers", "Processes that answer beside the one that writes.", registry=own
        )
        self.readers_answers = Counter(
            "scrubjay_readers_answers_total", "Requests that they answered.", registry=own
        )
        self.readers_lost = Counter(
            "scrubjay_readers_lost_total", "Those that died, and were replaced.", registry=own
        )

    def recall(self, recall: Answered) -> None:
        """Count a recall and the time of its parts."""
        self._questions.inc()
        for span in recall.spans:
            self._stages.labels(span.name).observe((span.end_ms - span.start_ms) / 1e3)
        self._waits.observe(recall.max_wait_ms / 1e3)
        for part in recall.degraded:
            self._degraded.labels(part).inc()
        if recall.widened:
            self._widened.inc()
        if recall.nothing_relevant:
            self._empty.inc()

    def change(self, operation: Operation) -> None:
        """Count a change and the time of its stages."""
        ended = operation.failure or "done"
        self._changes.labels(operation.name, ended).observe(operation.duration_ms / 1e3)
        for span in operation.spans:
            stage = self._change_stages.labels(operation.name, span.name)
            stage.observe((span.end_ms - span.start_ms) / 1e3)

    def looked_up(self, *, hits: int, misses: int) -> None:
        """Count vectors of questions that were, and were not, remembered."""
        self._vectors.labels("hit").inc(hits)
        self._vectors.labels("miss").inc(misses)

    def totals(self) -> Totals:
        """Everything, as data."""
        counts: dict[str, dict[str, int]] = {}
        latencies: list[Latency] = []
        for family in self._registry.collect():
            if family.type == "histogram":
                latencies += _latencies(_MEASURED[family.name], family.samples)
                continue
            for sample in family.samples:
                if not sample.name.endswith("_created"):
                    label = next(iter(sample.labels.values()), "")
                    counts.setdefault(family.name, {})[label] = int(sample.value)
        one = {name: sum(kept.values()) for name, kept in counts.items()}
        return Totals(
            at_work=one["scrubjay_requests_at_work"],
            questions=one["scrubjay_questions"],
            nothing_relevant=one["scrubjay_recall_nothing_relevant"],
            widened=one["scrubjay_recall_widened"],
            degraded=counts.get("scrubjay_recall_degraded", {}),
            refused=counts.get("scrubjay_refused", {}),
            latencies=tuple(latencies),
        )

    def render(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)
