"""Runs the retrievers at the same time, each with its deadline; one that fails is dropped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace

import numpy as np

from scrubjay.answers import RetrieverPlan
from scrubjay.encoder.side_calls import SideCalls, TooLate
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.engine.retrieve.retriever import Retriever
from scrubjay.errors import StoreError
from scrubjay.store.base import Prefetch
from scrubjay.trace import Span, Trace
from scrubjay.types.outcomes import Degraded

# Scores are 32-bit sums and quotients; a hair above 1 is rounding, not nonsense.
_SCORE_MAX = 1.001
_WEIGHT_MAX = float(np.finfo(np.float32).max)

# Of the deadline, what fetching for all jobs at once may take before each fetches for itself: where
# one of them has to wait, the others still have the time to answer.
_PREFETCH_SHARE = 0.5


class _Nonsense(Exception):
    """A retriever answered something that fusion cannot use."""


@dataclass(frozen=True, slots=True)
class Job:
    """A retriever, its step of the plan, and the query it is to answer."""

    retriever: Retriever
    query: Query
    step: RetrieverPlan


@dataclass(frozen=True, slots=True)
class Branch:
    """One retriever's turn: what it found, or why it was dropped, and when it ran."""

    retriever: Retriever
    step: RetrieverPlan
    found: Retrieved | None
    span: Span
    failure: Degraded | None

    @property
    def hits(self) -> int:
        """How many units it found."""
        return 0 if self.found is None else len(self.found.rows)


@dataclass(frozen=True, slots=True)
class _Outcome:
    found: Retrieved | None
    error: str | None
    span: Span


def fan_out(
    jobs: Sequence[Job],
    trace: Trace,
    threads: Mapping[str, SideCalls] | None,
    begun: float | None = None,
) -> list[Branch]:
    """Run the jobs, each in its retriever's threads; None: one after the other. The order is kept.

    Starts and ends are recorded inside the work itself, so that overlap in the trace is real.
    Deadlines count from `begun` (None: now), a time of the trace. In threads nobody waits longer.
    Inline a job is not begun after its deadline, and what waits for a server is cut off there;
    an answer that is there all the same is kept, since to throw it away would help nobody. Where
    the bank itself keeps nobody waiting, those that never ask for the vector go first: an encoder
    may keep the others until it is too late.
    """
    begun = trace.elapsed_ms() if begun is None else begun
    if threads is None:
        _prefetch(jobs, trace, begun)
        turns = sorted(range(len(jobs)), key=lambda turn: _waits(jobs[turn]))
        branches = {turn: _branch(jobs[turn], _in_turn(jobs[turn], trace, begun)) for turn in turns}
        return [branches[turn] for turn in range(len(jobs))]
    started = [_started(job, _work(job, trace, begun), threads) for job in jobs]
    return [
        _branch(job, _outcome(job.step, future, threads[job.step.retriever], begun, trace))
        for job, future in zip(jobs, started, strict=True)
    ]


def _waits(job: Job) -> bool:
    return job.query.bank.remote or not job.retriever.unaided


def _prefetch(jobs: Sequence[Job], trace: Trace, begun: float) -> None:
    if jobs and jobs[0].query.bank.remote:
        # If it fails, each of the jobs will say so for itself.
        with _deadline_kept(jobs[0], trace, begun, _PREFETCH_SHARE), suppress(StoreError):
            jobs[0].query.bank.prefetch(prefetch_of(jobs))


def prefetch_of(jobs: Sequence[Job]) -> Prefetch:
    """What the jobs will ask the store for, as far as it can be known before."""
    wanted = Prefetch(jobs[0].query.scope)
    for job in jobs:
        wanted = job.retriever.needs(job.query, job.step, wanted)
    return wanted


def _in_turn(job: Job, trace: Trace, begun: float) -> _Outcome:
    now = trace.elapsed_ms()
    if now - begun > job.step.deadline_ms:
        late = f"not begun: the deadline of {job.step.deadline_ms:g} ms had passed"
        return _Outcome(None, late, Span(job.step.retriever, now, now, 0.0))
    return _work(job, trace, begun)()


def _work(job: Job, trace: Trace, begun: float) -> Callable[[], _Outcome]:
    def run() -> _Outcome:
        start_ms, cpu = trace.elapsed_ms(), time.thread_time()
        found, error = None, None
        try:
            with _deadline_kept(job, trace, begun):
                found = _checked(job.retriever.run(job.query, job.step), job)
        except _Nonsense as nonsense:
            error = str(nonsense)
        # A retriever may be anyone's code; whatever it raises, the others' answers stand.
        except Exception as raised:  # noqa: BLE001
            error = f"{type(raised).__name__}: {raised}"
        cpu_ms = (time.thread_time() - cpu) * 1e3
        span = Span(job.step.retriever, start_ms, trace.elapsed_ms(), cpu_ms)
        return _Outcome(found, error, span)

    return run


def _deadline_kept(
    job: Job, trace: Trace, begun: float, share: float = 1.0
) -> AbstractContextManager[None]:
    """Hands what is left of a deadline down to the store, which stops what would come too late."""
    left_ms = share * job.step.deadline_ms - (trace.elapsed_ms() - begun)
    return job.query.bank.within(max(0.0, left_ms))


def _started(
    job: Job, work: Callable[[], _Outcome], threads: Mapping[str, SideCalls]
) -> Future[_Outcome] | TooLate:
    try:
        return threads[job.step.retriever].begun(work)
    except TooLate as refused:
        return refused


def _outcome(
    step: RetrieverPlan,
    started: Future[_Outcome] | TooLate,
    calls: SideCalls,
    begun: float,
    trace: Trace,
) -> _Outcome:
    if isinstance(started, TooLate):
        return _Outcome(None, str(started), Span(step.retriever, begun, begun, 0.0))
    left_ms = max(0.0, step.deadline_ms - (trace.elapsed_ms() - begun))
    try:
        return calls.awaited(started, left_ms / 1e3, step.deadline_ms / 1e3)
    except TooLate as late:
        return _Outcome(None, str(late), Span(step.retriever, begun, trace.elapsed_ms(), 0.0))


def _branch(job: Job, outcome: _Outcome) -> Branch:
    failure = None
    if outcome.error is not None:
        failure = Degraded(job.step.retriever, outcome.error)
    return Branch(job.retriever, job.step, outcome.found, outcome.span, failure)


def _checked(found: object, job: Job) -> Retrieved:
    """An answer that fusion can trust, without what is out of scope; _Nonsense says why not."""
    if not isinstance(found, Retrieved):
        raise _Nonsense(f"answered {type(found).__name__} instead of Retrieved")
    scores = np.asarray(found.scores, np.float32)
    if job.retriever.scoped and _within(scores, _SCORE_MAX):
        return found  # one of ours: what was read may be damaged, but its form is known
    rows = np.asarray(found.rows)
    if rows.ndim != 1 or rows.shape != scores.shape or (len(rows) and rows.dtype.kind not in "iu"):
        raise _Nonsense(f"answered rows {rows.dtype}{rows.shape} and scores {scores.shape}")
    rows = rows.astype(np.int64)
    ascending = np.sort(rows)
    # Rows erased meanwhile are no fault; rows that never were are.
    if len(rows) and (ascending[0] < 0 or ascending[-1] >= job.query.bank.row_limit()):
        raise _Nonsense("answered rows that are not in the bank")
    if (ascending[1:] == ascending[:-1]).any():
        raise _Nonsense("answered a row twice")
    if not _within(scores, _SCORE_MAX):
        raise _Nonsense("answered scores outside [0, 1]")
    weights = None if found.weights is None else np.asarray(found.weights, np.float32)
    if weights is not None and (weights.shape != rows.shape or not _within(weights, _WEIGHT_MAX)):
        raise _Nonsense("answered weights that are not one positive number per row")
    whole = Retrieved(rows, scores, weights, found.paths, found.walked, found.telling)
    if job.retriever.scoped or (allowed := job.query.allowed(rows)).all():
        return whole
    if weights is not None:
        weights = weights[allowed]
    return replace(whole, rows=rows[allowed], scores=scores[allowed], weights=weights)


def _within(values: np.ndarray, highest: float) -> bool:
    # What is not a number fails both tests.
    return int(np.count_nonzero((values >= 0) & (values <= highest))) == len(values)
