"""The fan-out drops what fails, says why, and lets nothing through that fusion cannot trust."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
import pytest

from scrubjay.answers import RetrieverPlan
from scrubjay.encoder.base import Calibration
from scrubjay.encoder.side_calls import SideCalls
from scrubjay.engine.parse.question import ParseOptions, parse
from scrubjay.engine.presets import DEFAULT
from scrubjay.engine.retrieve.fanout import Branch, Job, fan_out
from scrubjay.engine.retrieve.query import Query, QueryVector, Retrieved
from scrubjay.engine.retrieve.retriever import Retriever
from scrubjay.errors import EncoderError
from scrubjay.settings import BankSettings
from scrubjay.store.base import Scope
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.trace import Trace
from scrubjay.types.arrays import VectorArray

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
STEP = RetrieverPlan("lexical", True, "test", 100, 1.0, 10_000.0, "a test")


@dataclass(frozen=True)
class Bench:
    """A query on an empty bank, and the threads to run it in."""

    query: Query
    threads: Mapping[str, SideCalls]

    def run(self, retriever: Callable[..., object], step: RetrieverPlan = STEP) -> Branch:
        (branch,) = fan_out([self.job(retriever, step)], Trace(), None)
        return branch

    def job(self, retriever: Callable[..., object], step: RetrieverPlan = STEP) -> Job:
        """Anything as a retriever: what it returns is what is tested."""
        return Job(Retriever(step.retriever, retriever), self.query, step)  # type: ignore[arg-type]


@pytest.fixture
def bench() -> Iterator[Bench]:
    store = EmbeddedStore(None, read_only=False, clock=lambda: NOW)
    store.create_bank("b", BankSettings())
    threads = {name: SideCalls("test", threads_max=2) for name in ("semantic", "lexical")}
    with store.using("b") as bank:
        assert bank is not None
        options = ParseOptions(NOW, True, None, None, "standard")
        parsed = parse("where is the ladder", bank, options)
        yield Bench(Query(parsed, DEFAULT, bank, Scope(), no_vector()), threads)
    store.close()


def no_vector() -> QueryVector:
    return QueryVector(None, Calibration(0.2))


def found(rows: object, scores: object, weights: object = None) -> Callable[..., object]:
    return lambda _query, _step: Retrieved(rows, scores, weights)  # type: ignore[arg-type]


def test_an_honest_empty_answer_is_no_failure(bench: Bench) -> None:
    assert bench.run(found([], [])).failure is None


@pytest.mark.parametrize(
    ("retriever", "reason"),
    [
        (lambda _q, _s: None, "NoneType instead of Retrieved"),
        (lambda _q, _s: "rows", "str instead of Retrieved"),
        (found([0], [0.5]), "not in the bank"),
        (found([-1], [0.5]), "not in the bank"),
        (found([1.5], [0.5]), "answered rows"),
        (found([1, 2], [0.5]), "answered rows"),
        (found([[1]], [[0.5]]), "answered rows"),
        (found([1], ["high"]), "ValueError"),
        (found([], [], [1.0]), "weights"),
        (lambda _q, _s: 1 / 0, "ZeroDivisionError: division by zero"),
    ],
)
def test_nonsense_is_dropped_and_named(
    bench: Bench, retriever: Callable[..., object], reason: str
) -> None:
    branch = bench.run(retriever)
    assert branch.found is None
    assert branch.failure is not None
    assert branch.failure.retriever == "lexical"
    assert reason in branch.failure.reason


def test_the_span_is_taken_inside_the_work(bench: Bench) -> None:
    trace = Trace()
    seen: list[float] = []

    def look(_query: Query, _step: RetrieverPlan) -> Retrieved:
        seen.append(trace.elapsed_ms())
        return Retrieved(np.empty(0, np.int64), np.empty(0, np.float32))

    (branch,) = fan_out([bench.job(look)], trace, bench.threads)
    assert branch.span.start_ms <= seen[0] <= branch.span.end_ms


def test_in_threads_one_that_hangs_is_dropped_at_its_deadline_and_the_rest_come_back(
    bench: Bench,
) -> None:
    released = threading.Event()

    def hang(_query: Query, _step: RetrieverPlan) -> Retrieved:
        released.wait(60)
        return Retrieved(np.empty(0, np.int64), np.empty(0, np.float32))

    jobs = [
        bench.job(hang, replace(STEP, retriever="semantic", deadline_ms=30.0)),
        bench.job(found([], [])),
    ]
    late, fine = fan_out(jobs, Trace(), bench.threads)
    released.set()
    assert late.failure is not None
    assert late.failure.reason == "passed its deadline of 30 ms"
    assert fine.failure is None


def test_one_that_never_comes_back_is_refused_at_once_and_holds_nobody_else_up(
    bench: Bench,
) -> None:
    released = threading.Event()
    entered: list[int] = []

    def hang(_query: Query, _step: RetrieverPlan) -> Retrieved:
        entered.append(1)
        released.wait(60)
        return Retrieved(np.empty(0, np.int64), np.empty(0, np.float32))

    hasty = bench.job(hang, replace(STEP, retriever="semantic", deadline_ms=1.0))
    patient = bench.job(hang, replace(STEP, retriever="semantic", deadline_ms=60_000.0))
    while len(entered) < 2:  # a call that was given up before it began holds no place
        fan_out([hasty], Trace(), bench.threads)
    late, fine = fan_out([patient, bench.job(found([], []))], Trace(), bench.threads)
    released.set()
    assert late.failure is not None
    assert late.failure.reason == "has not come back from 2 earlier calls"
    assert fine.failure is None


def lingering(trace: Trace, until_ms: float) -> Callable[..., object]:
    """A retriever that is at work until some time of the trace."""

    def linger(_query: Query, _step: RetrieverPlan) -> Retrieved:
        while trace.elapsed_ms() < until_ms:
            pass
        return Retrieved(np.empty(0, np.int64), np.empty(0, np.float32))

    return linger


def test_inline_what_took_long_is_kept_and_what_would_begin_too_late_is_named(
    bench: Bench,
) -> None:
    trace = Trace()
    hurried = replace(STEP, deadline_ms=1_000.0)
    jobs = [
        bench.job(lingering(trace, 1_200.0), hurried),
        bench.job(found([], []), replace(hurried, retriever="temporal")),
    ]
    slow, never = fan_out(jobs, trace, None, begun=0.0)
    assert slow.failure is None and slow.found is not None
    assert never.failure is not None and never.found is None
    assert never.failure.reason == "not begun: the deadline of 1000 ms had passed"


def test_inline_the_store_is_told_what_is_left_of_the_deadline(bench: Bench) -> None:
    told: list[float] = []

    class Far:
        """A bank that waits for a server."""

        remote = True

        def within(self, deadline_ms: float, /) -> AbstractContextManager[None]:
            told.append(deadline_ms)
            return nullcontext()

        def prefetch(self, _wanted: object) -> None:
            pass

        def __getattr__(self, name: str) -> object:
            return getattr(bench.query.bank, name)

    far = replace(bench.query, bank=Far())  # type: ignore[arg-type]
    fan_out([replace(bench.job(found([], [])), query=far)], Trace(), None)
    assert len(told) == 2 and all(0 < left <= STEP.deadline_ms for left in told)


def test_an_encoder_that_fails_is_asked_once() -> None:
    asked: list[int] = []

    def encode() -> VectorArray:
        asked.append(1)
        raise ConnectionError("refused")

    vector = QueryVector(encode, Calibration(0.2))
    assert not vector.ready()
    with pytest.raises(EncoderError, match="ConnectionError: refused"):
        vector.get()
    assert asked == [1]


def test_without_an_encoder_there_is_no_vector() -> None:
    assert not no_vector().ready()
    with pytest.raises(EncoderError, match="no encoder"):
        no_vector().get()
