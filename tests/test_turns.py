"""Recalls of one process take turns, and nobody waits for what another one waits for."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, takewhile
from types import FrameType

import numpy as np

from scrubjay.memory import Memory
from scrubjay.store.shared.kernels import LONG_BYTES, NativeKernel, Queries
from scrubjay.testing import HashingEncoder
from scrubjay.turns import TURNS, Turns
from scrubjay.types.arrays import ScoreArray, VectorArray

# For what must come about, however slow the machine is.
_SECONDS_MAX = 60.0


class _SlowEncoder(HashingEncoder):
    """Takes its time over one question, until it is told to go on."""

    instant = False

    def __init__(self, slow: str) -> None:
        super().__init__()
        self._slow = slow
        self.asked, self.go_on = threading.Event(), threading.Event()

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        if self._slow in texts:
            self.asked.set()
            assert self.go_on.wait(_SECONDS_MAX)
        return super().encode_queries(texts)


class _AskingReranker:
    """Asks the memory itself before it answers."""

    name, instant = "asking", True

    def __init__(self) -> None:
        self.memory: Memory | None = None
        self.found = 0

    def score(self, _: str, texts: Sequence[str]) -> ScoreArray:
        assert self.memory is not None
        self.found = len(self.memory.recall("Who mends nets?", rerank=False).items)
        return np.ones(len(texts), np.float32)


@contextmanager
def switching_after(seconds: float) -> Iterator[None]:
    """The interpreter with another time after which a thread has to let others work."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def test_turns_do_not_overlap() -> None:
    turns, inside, seen = Turns(), 0, list[int]()

    def work() -> None:
        nonlocal inside
        for _ in range(200):
            with turns.taken():
                inside += 1
                seen.append(inside)
                inside -= 1

    with switching_after(1e-6):  # or the threads would seldom meet
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(_SECONDS_MAX)
    assert seen == [1] * 1600


def test_nobody_is_passed_over() -> None:
    turns, begun, twice = Turns(), list[int](), list[int]()

    def work(name: int) -> None:
        for _ in range(100):
            asked = len(begun)
            with turns.taken():
                before = begun[asked:]
                twice.extend(other for other in before if before.count(other) > 1)
                begun.append(name)

    # Or one may stand still right before it is in the line.
    with switching_after(_SECONDS_MAX):
        threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
        with turns.taken():
            for thread in threads:
                thread.start()
        for thread in threads:
            thread.join(_SECONDS_MAX)
    assert len(begun) == 800
    assert not twice


def test_who_comes_back_goes_before_those_who_have_not_begun() -> None:
    turns, order = Turns(), list[str]()
    aside, go_on, asks, comes_back = (threading.Event() for _ in range(4))

    def first() -> None:
        with turns.taken():
            with turns.put_aside():
                aside.set()
                assert go_on.wait(_SECONDS_MAX)
                comes_back.set()
            order.append("back")

    def other() -> None:
        asks.set()
        with turns.taken():
            order.append("new")

    threads = [threading.Thread(target=first), threading.Thread(target=other)]
    # So whoever says what it does next has done it.
    with switching_after(_SECONDS_MAX):
        threads[0].start()
        assert aside.wait(_SECONDS_MAX)
        with turns.taken():
            threads[1].start()
            assert asks.wait(_SECONDS_MAX)
            go_on.set()
            assert comes_back.wait(_SECONDS_MAX)
        for thread in threads:
            thread.join(_SECONDS_MAX)
    assert order == ["back", "new"]


_INTERRUPTED = """
import signal, threading
from scrubjay.turns import TURNS
held, go_on, got = threading.Event(), threading.Event(), threading.Event()
def hold():
    with TURNS.taken():
        held.set()
        go_on.wait()
def take():
    with TURNS.taken():
        got.set()
holding = threading.Thread(target=hold)
holding.start()
held.wait()
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    with TURNS.taken():
        print("taken")
except KeyboardInterrupt:
    print("interrupted")
taking = threading.Thread(target=take)
taking.start()
go_on.set()
taking.join()
with TURNS.taken():
    print("taken")
"""


def test_who_is_interrupted_while_it_waits_holds_nobody_up() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED],
        capture_output=True, text=True, check=True, timeout=2 * _SECONDS_MAX,
    )  # fmt: skip
    assert ran.stdout.split() == ["interrupted", "taken"]


def _goes_on_after_an_interrupt(place: int) -> bool:
    """Whether another one gets its turn, if an interrupt comes there; False: it never came."""
    turns, looked = Turns(), 0

    def look(_frame: FrameType, event: str, _value: object) -> None:
        # Here the interpreter looks for signals: where a function begins, and after native calls.
        nonlocal looked
        looked += event in ("call", "c_return")
        if looked == place:
            sys.setprofile(None)
            looked += 1
            raise KeyboardInterrupt

    def work() -> None:
        with turns.taken(), turns.put_aside():
            pass

    with suppress(KeyboardInterrupt):
        sys.setprofile(look)
        work()
        sys.setprofile(None)
        return False
    other = threading.Thread(target=work, daemon=True)
    other.start()
    other.join(_SECONDS_MAX)
    assert not other.is_alive(), place
    work()
    return True


def test_who_is_interrupted_anywhere_holds_nobody_up() -> None:
    places = takewhile(_goes_on_after_an_interrupt, count(1))
    assert sum(1 for _ in places) > 40


def test_a_turn_that_is_put_aside_is_free_and_comes_back() -> None:
    turns, order = Turns(), list[str]()
    done = threading.Event()

    def other() -> None:
        with turns.taken():
            order.append("other")
        done.set()

    with turns.taken():
        with turns.put_aside():
            threading.Thread(target=other).start()
            assert done.wait(_SECONDS_MAX)
        order.append("mine again")
        late = threading.Thread(target=other)
        late.start()
        order.append("still mine")
    late.join(_SECONDS_MAX)
    assert order == ["other", "mine again", "still mine", "other"]


def test_a_turn_that_raises_is_given_up() -> None:
    turns = Turns()
    try:
        with turns.taken():
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    got = threading.Event()

    def other() -> None:
        with turns.taken():
            got.set()

    threading.Thread(target=other).start()
    assert got.wait(_SECONDS_MAX)


def test_others_are_answered_while_a_model_works_for_one() -> None:
    encoder = _SlowEncoder("Who waits for a model?")
    with Memory.open(":memory:", encoder=encoder, reranker=None) as memory:
        memory.retain("Oda mends nets at the harbour.")
        answers = list[bool]()

        def wait() -> None:
            # Long enough that only the model decides when this goes on.
            answer = memory.recall("Who waits for a model?", deadline_ms=1e3 * _SECONDS_MAX)
            answers.append(bool(answer.degraded))

        waiting = threading.Thread(target=wait)
        waiting.start()
        assert encoder.asked.wait(_SECONDS_MAX)
        assert memory.recall("Who mends nets?").items
        encoder.go_on.set()
        waiting.join(_SECONDS_MAX)
    assert answers == [False]


def _asked_while_another_waits(rows: int, times: int) -> bool:
    """Whether another one gets the turn of who goes through so many vectors, so many times."""
    codes = np.zeros((rows, 64), np.int8)
    asked = Queries(np.zeros((1, 64), np.float32), codes[:1], np.ones(1, np.float32))
    got = threading.Event()

    def other() -> None:
        with TURNS.taken():
            got.set()

    waiting, until = threading.Thread(target=other), time.monotonic() + _SECONDS_MAX
    with TURNS.taken():
        waiting.start()
        while times and not got.is_set() and time.monotonic() < until:
            NativeKernel().product(asked, codes)
            times -= 1
        meanwhile = got.is_set()
    waiting.join(_SECONDS_MAX)
    return meanwhile


def test_who_goes_through_many_vectors_leaves_the_turn_to_others() -> None:
    assert _asked_while_another_waits(LONG_BYTES // 64, times=-1)
    assert not _asked_while_another_waits(4, times=100)


def test_a_recall_inside_a_recall_is_answered() -> None:
    reranker = _AskingReranker()
    with Memory.open(":memory:", encoder=HashingEncoder(), reranker=reranker) as memory:
        reranker.memory = memory
        memory.retain("Oda mends nets at the harbour.")
        assert memory.recall("Who is at the harbour?", rerank=True).reranked
    assert reranker.found == 1


_FORKING = """
import os, threading
from scrubjay.turns import TURNS
held, go_on = threading.Event(), threading.Event()
def hold():
    with TURNS.taken():
        held.set()
        go_on.wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
child = os.fork()
if child == 0:
    with TURNS.taken():
        os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_process_does_not_wait_for_its_parents_turn() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FORKING],
        capture_output=True, text=True, check=True, timeout=2 * _SECONDS_MAX,
    )  # fmt: skip
    assert ran.stdout.split() == ["7"]
