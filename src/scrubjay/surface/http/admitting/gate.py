"""Admits requests: some at work, some waiting, and the rest told at once to come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

from scrubjay.surface.http.admitting.lines import Lines
from scrubjay.surface.http.shared.problems import Refusal, refuse

T = TypeVar("T")


class Gate:
    """A pool of worker threads with a bounded queue; used from one event loop.

    Work that was admitted is finished, also during a shutdown. Work that is late before it was
    begun never begins.
    """

    def __init__(self, name: str, *, workers: int, waiting_max: int) -> None:
        # One bank's writers wait for each other anyway: two keep it busy, one that reads and
        # embeds while the other saves. A worker and a quarter of the places stay for others.
        self._lines = Lines(
            at_once=max(1, min(2, workers - 1)), waiting_max=(workers + waiting_max) * 3 // 4
        )
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix=f"scrubjay-{name}")
        self._capacity = workers + waiting_max
        self._name = name
        self.inside = 0

    async def run(
        self, work: Callable[[], T], *, seconds_max: float, places: int = 1, line: str = ""
    ) -> T:
        """What `work` returns; Refusal when there is no room or it takes too long.

        Work for several takes as many places, all of them at most. Work of the same `line` waits
        for its turn without a worker.
        """
        if line:
            self._lines.check(line)
        taken = self._enter(places)
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds_max
        ended: asyncio.Future[None] = loop.create_future()
        try:
            async with asyncio.timeout_at(until):
                turn = await self._lines.turn(line) if line else None
        except BaseException as error:
            self.inside -= taken
            if isinstance(error, TimeoutError):
                raise _not_begun(seconds_max) from None
            raise

        def leave() -> None:
            self.inside -= taken
            if turn is not None:
                turn.end()
            if not ended.done():
                ended.set_result(None)

        # The work belongs to the request that asked for it, also in the eyes of a tracer.
        future = self._pool.submit(copy_context().run, work)
        # A late answer still frees its place only when the thread is free.
        future.add_done_callback(lambda _: _tell(loop, leave))
        try:
            async with asyncio.timeout_at(until):
                await ended
        except TimeoutError:
            raise self._late(future, seconds_max) from None
        return future.result()

    @contextmanager
    def place(self, places: int = 1) -> Iterator[None]:
        """Admit work that is done elsewhere; Refusal when there is no room."""
        taken = self._enter(places)
        try:
            yield
        finally:
            self.inside -= taken

    def _enter(self, places: int) -> int:
        taken = min(places, self._capacity)
        if self.inside + taken > self._capacity:
            raise refuse(
                503, "Overloaded", f"{self.inside} {self._name} requests are at work or waiting.",
                "Send it again after Retry-After seconds; it was not begun.",
            )  # fmt: skip
        self.inside += taken
        return taken

    def _late(self, future: Future[T], seconds_max: float) -> Exception:
        if future.cancel():
            return _not_begun(seconds_max)
        return refuse(
            503, "TooSlow", f"Not finished within {seconds_max:g} s; it goes on.",
            "A write may still take effect: send it again with the same Idempotency-Key.",
        )  # fmt: skip

    def close(self) -> None:
        """Wait for what is at work; what only waits is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _not_begun(seconds_max: float) -> Refusal:
    return refuse(
        503, "Overloaded", f"No worker was free within {seconds_max:g} s.",
        "Send it again after Retry-After seconds; it was not begun.",
    )  # fmt: skip


class Budget:
    """Counts what is held of something, such as bytes of bodies, and refuses more than fits."""

    def __init__(self, most: int, what: str) -> None:
        self._most = most
        self._what = what
        self.held = 0

    def take(self, size: int) -> None:
        """Hold some more; Refusal when that is too much, and then they are not held."""
        if self.held + size > self._most:
            raise refuse(503, "Overloaded", f"Too many {self._what}.",
                         "Send it again after Retry-After seconds; it was not begun.")  # fmt: skip
        self.held += size

    def give_back(self, size: int) -> None:
        """Let go of some."""
        self.held -= size


def _tell(loop: asyncio.AbstractEventLoop, what: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(what)
