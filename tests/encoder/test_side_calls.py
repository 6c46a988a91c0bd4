"""A call is waited for only so long; it goes on, holding one of a few threads, never a process."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial

import pytest

from scrubjay.encoder.side_calls import SideCalls, TooLate

LONG_S = 60.0


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What the calls of a test wait for; open at its end."""
    made = threading.Event()
    yield made
    made.set()


def hung(calls: SideCalls, gate: threading.Event) -> threading.Event:
    """Leave a call behind that waits for the gate; the event says that it is over."""
    over = threading.Event()

    def wait() -> None:
        gate.wait(LONG_S)
        over.set()

    with pytest.raises(TooLate, match="passed its deadline of 1 ms"):
        calls.within(0.001, wait)
    return over


def test_an_answer_in_time_comes_back() -> None:
    calls = SideCalls("test")
    assert [calls.within(LONG_S, partial(pow, number, 2)) for number in range(20)] == [
        number**2 for number in range(20)
    ]


def test_an_error_comes_back_as_it_is() -> None:
    calls = SideCalls("test")

    def fail() -> None:
        raise TimeoutError("the endpoint's own")

    with pytest.raises(TimeoutError, match="the endpoint's own"):
        calls.within(LONG_S, fail)


def test_when_all_threads_are_held_by_late_calls_the_next_is_refused_at_once(
    gate: threading.Event,
) -> None:
    calls = SideCalls("test", threads_max=2)
    over = [hung(calls, gate) for _ in range(2)]
    with pytest.raises(TooLate, match="has not come back from 2 earlier calls"):
        calls.within(LONG_S, lambda: None)
    gate.set()
    assert all(each.wait(LONG_S) for each in over)
    # The threads are counted free a moment after their calls are over.
    while True:
        try:
            assert calls.within(LONG_S, lambda: "back") == "back"
            return
        except TooLate as late:
            assert "earlier calls" in str(late)


def test_late_calls_hold_no_more_threads_than_there_are(gate: threading.Event) -> None:
    calls = SideCalls("test-bounded", threads_max=2)
    begun = threading.Semaphore(0)

    def wait() -> None:
        begun.release()
        gate.wait(LONG_S)

    for _ in range(2):
        with pytest.raises(TooLate):
            calls.within(0.001, wait)
    assert begun.acquire(timeout=LONG_S) and begun.acquire(timeout=LONG_S)
    for _ in range(20):
        with pytest.raises(TooLate):
            calls.within(0.001, wait)
    named = [thread for thread in threading.enumerate() if thread.name == "test-bounded"]
    assert len(named) == 2


def test_a_call_that_nobody_waits_for_any_more_is_not_begun(gate: threading.Event) -> None:
    calls = SideCalls("test", threads_max=1)
    entered = threading.Event()
    asked: list[str] = []

    def hold() -> None:
        entered.set()
        gate.wait(LONG_S)

    holder = threading.Thread(target=lambda: calls.within(LONG_S, hold))
    holder.start()
    assert entered.wait(LONG_S)
    with pytest.raises(TooLate):
        calls.within(0.001, lambda: asked.append("too late"))
    gate.set()
    holder.join(LONG_S)
    assert calls.within(LONG_S, lambda: asked.append("in time")) is None
    assert asked == ["in time"]


def test_closed_calls_keep_no_thread_without_work(gate: threading.Event) -> None:
    calls = SideCalls("test-closed")
    assert calls.within(LONG_S, lambda: "idle") == "idle"
    hung(calls, gate)
    named = [thread for thread in threading.enumerate() if thread.name == "test-closed"]
    calls.close()
    gate.set()
    for thread in named:
        thread.join(LONG_S)
    assert named and not any(thread.is_alive() for thread in named)


def test_the_callers_context_goes_along() -> None:
    name: ContextVar[str] = ContextVar("name")
    name.set("asked by")
    assert SideCalls("test").within(LONG_S, name.get) == "asked by"


def test_a_call_that_hangs_does_not_keep_the_process() -> None:
    program = """
import threading
from scrubjay.encoder.side_calls import SideCalls, TooLate
try:
    SideCalls("test").within(0.01, threading.Event().wait)
except TooLate:
    print("late")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=LONG_S
    )
    assert (done.returncode, done.stdout) == (0, "late\n"), done.stderr
