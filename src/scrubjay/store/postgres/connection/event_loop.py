"""A thread with an event loop in it, so that synchronous callers can use an asynchronous driver."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TypeVar

from scrubjay.errors import StoreClosed
from scrubjay.forking import refusal, watch

_T = TypeVar("_T")

_BEGUN, _ENDED = "begun", "ended"
# How often, and how many times, is looked whether work that was cancelled has ended: 10 s in all.
_LOOK_S = 0.002
_LOOKS_MAX = 5_000


class EventLoop:
    """One loop in one thread; any number of threads hand it work and wait."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()
        self._closed = False
        self.inherited = False
        watch(self)

    def forked(self) -> None:
        """In a forked process there is no thread to do the work."""
        self.inherited = True

    def run(self, work: Coroutine[object, object, _T], timeout_s: float | None = None) -> _T:
        """What the work returns or raises; TimeoutError, the work cancelled, after `timeout_s`.

        A caller who is interrupted while waiting takes the work with him: what runs on the
        server is cancelled there, and it has ended when the interruption goes on.
        """
        if self.inherited:
            work.close()
            raise refusal("The store")
        if self._closed:
            work.close()
            raise StoreClosed("The store was closed. Open it again with Memory.open().")
        future: Future[_T] | None = None
        steps: list[str] = []
        try:
            future = asyncio.run_coroutine_threadsafe(_watched(work, steps), self._loop)
            return future.result(timeout_s)
        except FutureTimeoutError:
            # Raised by the wait, or by the work itself, which is then done.
            if future is not None and not future.done():
                future.cancel()
            raise
        except CancelledError:
            raise StoreClosed("The store was closed while it was being used.") from None
        except BaseException:
            if future is None or not future.done():
                self._end(work, future, steps)
            raise

    def _end(
        self, work: Coroutine[object, object, _T], future: Future[_T] | None, steps: list[str]
    ) -> None:
        """Cancel some work and wait until it has let go of its connection."""
        if future is not None:
            future.cancel()
        for _ in range(_LOOKS_MAX):
            # Handed to the loop after the work, so the work has begun by then, or never will.
            look = asyncio.sleep(_LOOK_S)
            try:
                asyncio.run_coroutine_threadsafe(look, self._loop).result(_LOOKS_MAX * _LOOK_S)
            except (RuntimeError, CancelledError, FutureTimeoutError):
                look.close()
                return  # the store is being closed, and the connection with it
            if not steps:
                work.close()
                return
            if _ENDED in steps:
                return

    def close(self, last: Callable[[], Coroutine[object, object, None]]) -> None:
        """Take no more work, cancel what is under way, do the last, and end the thread."""
        if self._closed or self.inherited:
            return
        self._closed = True
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        asyncio.run_coroutine_threadsafe(last(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _watched(work: Coroutine[object, object, _T], steps: list[str]) -> _T:
    steps.append(_BEGUN)
    try:
        return await work
    finally:
        steps.append(_ENDED)


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
