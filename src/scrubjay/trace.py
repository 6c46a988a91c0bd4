"""What happened on the way, as data: stages with their times, and notes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """One stage or branch: offsets in milliseconds from the start of the trace."""

    name: str
    start_ms: float
    end_ms: float
    cpu_ms: float


@dataclass(slots=True)
class Trace:
    """Collects spans; cheap enough to be always on."""

    started: float = field(default_factory=time.perf_counter)
    spans: list[Span] = field(default_factory=list)

    def elapsed_ms(self) -> float:
        """Milliseconds since the trace began."""
        return (time.perf_counter() - self.started) * 1e3

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Record the time spent inside, also when it raises."""
        start_ms, cpu = self.elapsed_ms(), time.thread_time()
        try:
            yield
        finally:
            cpu_ms = (time.thread_time() - cpu) * 1e3
            self.spans.append(Span(name, start_ms, self.elapsed_ms(), cpu_ms))
