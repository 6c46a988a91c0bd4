"""A thread with an event loop in it, so that synchronous callers can use an asynchronous driver."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from scrubjay.errors import StoreClosed
from scrubjay.forking import refusal, watch

_T = TypeVar("_T")

# How long is waited until work that was cancelled has ended.
_ENDING_S = 10.0


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
        return self._run(work, timeout_s)

    def _run(self, work: Coroutine[object, object, _T], timeout_s: float | None = None) -> _T:
        job = _Job(work, self._loop)
        try:
            self._loop.call_soon_threadsafe(job.begin)
            task = job.ended.get(timeout=timeout_s)
        except Empty:
            self._loop.call_soon_threadsafe(job.cancel)
            raise TimeoutError from None
        except BaseException:
            self._end(job)
            raise
        try:
            return task.result()
        except asyncio.CancelledError:
            raise StoreClosed("The store was closed while it was being used.") from None

    def _end(self, job: _Job[_T]) -> None:
        """Cancel some work and wait until it has let go of its connection."""
        try:
            self._loop.call_soon_threadsafe(job.cancel)
            job.ended.get(timeout=_ENDING_S)
        except (RuntimeError, Empty):
            # The store is being closed, and the connection with it; or the server does not say.
            job.work.close()

    def close(self, last: Callable[[], Coroutine[object, object, None]]) -> None:
        """Take no more work, cancel what is under way, do the last, and end the thread."""
        if self._closed or self.inherited:
            return
        self._closed = True
        self._run(_cancel_all())
        self._run(last())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Job(Generic[_T]):
    """Some work, and where the one who waits for it hears of its end.

    Not a future: its condition is a lock of Python's own code, and an interrupt that comes just
    when it is taken leaves it taken, which stops the loop for everybody. This queue is of C.
    """

    def __init__(
        self, work: Coroutine[object, object, _T], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.work = work
        self.ended: SimpleQueue[asyncio.Task[_T]] = SimpleQueue()
        self._loop = loop
        self._task: asyncio.Task[_T] | None = None

    def begin(self) -> asyncio.Task[_T]:
        """Called in the loop."""
        self._task = self._loop.create_task(self.work)
        self._task.add_done_callback(self._tell)
        return self._task

    def cancel(self) -> None:
        """Called in the loop: its end is told of soon, whether it had begun, or ended, or not."""
        task = self._task or self.begin()
        if task.done():
            self._tell(task)  # again: an interrupt may have come when it had just been heard
        else:
            task.cancel()

    def _tell(self, task: asyncio.Task[_T]) -> None:
        if not task.cancelled():
            task.exception()  # looked at, or the loop complains when nobody waits any more
        self.ended.put(task)


async def _cancel_all() -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
