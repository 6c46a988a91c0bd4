"""What happened on the way, as data: stages with their times, and operations that ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from scrubjay.marks import Rounded

# An import of a million units goes through the same few stages thousands of times.
SPANS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Span:
    """One stage or branch: offsets in milliseconds from the start of the trace."""

    name: str
    start_ms: Annotated[float, Rounded()]
    end_ms: Annotated[float, Rounded()]
    cpu_ms: Annotated[float, Rounded()]


@dataclass(slots=True)
class Trace:
    """Collects spans; cheap enough to be always on."""

    started: float = field(default_factory=time.perf_counter)
    spans: list[Span] = field(default_factory=list)

    def elapsed_ms(self) -> float:
        """Milliseconds since the trace began."""
        return (time.perf_counter() - self.started) * 1e3

    def stage(self, name: str) -> Stage:
        """Record the time spent inside, also when it raises."""
        return Stage(self, name)


class Stage:
    """One stage under way; a class, because a generator costs twice as much each time."""

    __slots__ = ("_cpu", "_name", "_start_ms", "_trace")

    def __init__(self, trace: Trace, name: str) -> None:
        self._trace, self._name = trace, name

    def __enter__(self) -> None:
        self._start_ms, self._cpu = self._trace.elapsed_ms(), time.thread_time()

    def __exit__(self, *_: object) -> None:
        cpu_ms = (time.thread_time() - self._cpu) * 1e3
        if len(self._trace.spans) < SPANS_MAX:
            span = Span(self._name, self._start_ms, self._trace.elapsed_ms(), cpu_ms)
            self._trace.spans.append(span)


@dataclass(frozen=True, slots=True)
class Operation:
    """One change to a bank, or copy of it, that has ended: its stages, and how it ended."""

    name: str
    bank: str
    duration_ms: float
    spans: tuple[Span, ...]  # in the order they ended, the first SPANS_MAX
    failure: str | None  # the name of the error it ended with; None: it was done


class Observer(Protocol):
    """Whoever wants to know what a memory does.

    It is called in the thread that does the work, when the work has ended: it should be quick, and
    what it raises reaches the caller. One that also has `recalled(bank, recall)` hears of recalls.
    """

    def ended(self, operation: Operation) -> None:
        """An operation has ended, also when it failed."""

    def looked_up(self, *, hits: int, misses: int) -> None:
        """Vectors of questions were looked for among the remembered ones."""


class _Unobserved:
    def ended(self, operation: Operation) -> None:
        pass

    def looked_up(self, *, hits: int, misses: int) -> None:
        pass


UNOBSERVED: Observer = _Unobserved()


@contextmanager
def observed(name: str, bank: str, observer: Observer) -> Iterator[Trace]:
    """A trace for the operation inside; `observer` is told of it at its end, also when it fails."""
    trace, failure = Trace(), None
    try:
        yield trace
    except BaseException as error:
        failure = type(error).__name__
        raise
    finally:
        observer.ended(Operation(name, bank, trace.elapsed_ms(), tuple(trace.spans), failure))
