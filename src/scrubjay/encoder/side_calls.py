"""Calls of models, endpoints and retrievers beside the caller, who waits for one only so long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context, copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from scrubjay.turns import TURNS

Result = TypeVar("Result")

# Calls at work at once. More gain nothing on a machine's cores, and a model that hangs holds no
# more threads than these.
THREADS_MAX = 8
# A thread without work goes after this long, so that nobody has to close anything.
IDLE_S = 10.0


class TooLate(Exception):
    """The call was not over in time; it goes on, and what comes of it is for later callers."""


class SideCalls:
    """A few threads for calls that nobody can interrupt.

    The threads are daemons: a call that hangs does not keep the process from ending. Once every
    thread is held by a call whose caller has gone, further calls are refused at once.
    """

    def __init__(self, name: str, threads_max: int = THREADS_MAX) -> None:
        self._name = name
        self._threads_max = threads_max
        self._idle_s = IDLE_S
        self._waiting: SimpleQueue[tuple[Future[Any], Context, Callable[[], Any]] | None]
        self._waiting = SimpleQueue()  # None: one thread is to go
        self._lock = threading.Lock()
        self._threads = 0
        self._free = 0  # threads that wait for a call
        self._late = 0  # threads at work for a caller who has gone

    def within(self, seconds: float, call: Callable[[], Result]) -> Result:
        """What the call returns or raises; TooLate when that takes longer."""
        return self.awaited(self.begun(call), seconds, seconds)

    def awaited(self, future: Future[Result], left_s: float, deadline_s: float) -> Result:
        """What a call that was begun returns or raises; TooLate when that takes longer."""
        try:
            with TURNS.put_aside():
                return future.result(left_s)
        except TimeoutError:
            if future.done() and not future.cancelled():
                raise  # the call's own
            self._leave(future)
            raise TooLate(f"passed its deadline of {deadline_s * 1e3:g} ms") from None

    def begun(self, call: Callable[[], Result]) -> Future[Result]:
        """A call to wait for; TooLate at once when every thread is held by a late one."""
        future: Future[Result] = Future()
        with self._lock:
            if self._late >= self._threads_max:
                raise TooLate(f"has not come back from {self._late} earlier calls")
            self._waiting.put((future, copy_context(), call))
            if self._free:
                self._free -= 1
            elif self._threads < self._threads_max:
                self._threads += 1
                threading.Thread(target=self._work, name=self._name, daemon=True).start()
        return future

    def close(self) -> None:
        """Let the threads go, each as soon as it has no work; a call that hangs is not awaited."""
        with self._lock:
            self._idle_s = 0.0
            for _ in range(self._free):
                self._waiting.put(None)
            self._threads -= self._free
            self._free = 0

    def _leave(self, future: Future[Result]) -> None:
        if future.cancel():
            return
        with self._lock:
            self._late += 1
        future.add_done_callback(self._back)

    def _back(self, _future: Future[Result]) -> None:
        with self._lock:
            self._late -= 1

    def _work(self) -> None:
        while True:
            try:
                waiting = self._waiting.get(timeout=self._idle_s)
            except Empty:
                with self._lock:
                    if not self._waiting.empty():
                        continue
                    self._threads -= 1
                    self._free -= 1
                    return
            if waiting is None:
                return
            future, context, call = waiting
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(context.run(call))
                # Whatever it is, it is the caller's to see, on his own thread.
                except BaseException as raised:  # noqa: BLE001
                    future.set_exception(raised)
            # A finished call must not be kept alive while there is no other.
            del waiting, future, context, call
            with self._lock:
                self._free += 1
