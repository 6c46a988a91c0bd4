"""Keeps some readers running, and hands each question to one that is free."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections import deque
from contextlib import suppress
from typing import NamedTuple, Self

from scrubjay.surface.http.readers.messages import (
    Asked,
    Given,
    Opened,
    Opening,
    Said,
    coming,
    framed,
    unpacked,
)
from scrubjay.surface.http.shared.problems import refuse
from scrubjay.surface.http.shared.server_settings import READER_START_SECONDS_MAX
from scrubjay.surface.http.watching.logs import log
from scrubjay.surface.http.watching.metrics import Metrics
from scrubjay.undoing import undone_by

_MODULE = "scrubjay.surface.http.reader"
# A question whose reader dies is asked once more, and then the server looks itself: it may be the
# question that kills them.
_ATTEMPTS = 2
# A reader that ends soon after it began is replaced after a pause, which doubles.
_SOON_SECONDS = 10.0
_FIRST_PAUSE_SECONDS, _PAUSE_SECONDS_MAX = 0.1, 5.0
_END_SECONDS_MAX = 10.0


class _Question(NamedTuple):
    """A message to a reader, and where its answer is waited for."""

    message: bytes
    # What was said, packed; None: nobody is left to say it. EOFError: a reader died over it.
    said: asyncio.Future[bytes | None]


class _Reader:
    """One process, with its socket; it answers one question at a time."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        streams: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self.process = process
        self._incoming, self._outgoing = streams
        self.at_work: _Question | None = None
        self.retired = False  # goes as soon as it is free
        self.ended = asyncio.Event()

    @classmethod
    async def started(cls, opening: Opening) -> Self:
        """A reader whose store is open; OSError or EOFError if it does not come so far."""
        mine, its = socket.socketpair()
        with its:
            # Not forked: this process has threads, and libraries that have theirs.
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", _MODULE, str(its.fileno()),
                stdin=asyncio.subprocess.DEVNULL,
                pass_fds=(its.fileno(),),
                # One question works on one core; more threads only fight with the other readers.
                env={"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", **os.environ},
            )  # fmt: skip
        reader = cls(process, await asyncio.open_connection(sock=mine))
        with undone_by(reader.kill):
            async with asyncio.timeout(READER_START_SECONDS_MAX):
                reader._outgoing.write(framed(opening))
                unpacked(await reader.said(), Opened)
        return reader

    def ask(self, question: _Question) -> None:
        """Hand it a question; it is free."""
        self.at_work = question
        self._outgoing.write(question.message)

    async def said(self) -> bytes:
        """What it says next; OSError or EOFError when it is gone."""
        return await coming(self._incoming)

    def hang_up(self) -> None:
        """Let it end."""
        self._outgoing.close()

    def kill(self) -> None:
        """End it."""
        self.hang_up()
        with suppress(ProcessLookupError):
            self.process.kill()


class Readers:
    """So many processes; one that dies is replaced. Used from one event loop."""

    def __init__(self, opening: Opening, count: int, metrics: Metrics) -> None:
        self.count = count
        self._opening = opening
        self._metrics = metrics
        self._running: set[_Reader] = set()
        self._free: deque[_Reader] = deque()
        self._waiting: deque[_Question] = deque()
        self._kept: list[asyncio.Task[None]] = []
        self._closing = False

    @property
    def running(self) -> int:
        """How many there are now."""
        return len(self._running)

    def start(self) -> None:
        """Start them, in the background: until the first is there the server answers itself."""
        self._kept = [asyncio.create_task(self._keep()) for _ in range(self.count)]

    async def ask(self, asked: Asked, seconds_max: float) -> Given | None:
        """What a reader answers; None where none runs, or none has an answer.

        Refusal when it takes too long.
        """
        message = framed(asked)
        try:
            async with asyncio.timeout(seconds_max):
                for _ in range(_ATTEMPTS):
                    if not self._running:
                        return None
                    with suppress(EOFError):
                        packed = await self._asked(message)
                        answer = None if packed is None else unpacked(packed, Said)
                        if not isinstance(answer, Given):
                            return None
                        self._metrics.readers_answers.inc()
                        return answer
        except TimeoutError:
            raise refuse(503, "TooSlow", f"Not finished within {seconds_max:g} s.",
                         "Send it again after Retry-After seconds.") from None  # fmt: skip
        return None

    async def replace_all(self) -> None:
        """Let those that run go, each after its question, so that none holds a file any more."""
        going = list(self._running)
        for reader in going:
            reader.retired = True
            if reader in self._free:
                self._free.remove(reader)
                reader.hang_up()
        await asyncio.gather(*(reader.ended.wait() for reader in going))

    async def close(self) -> None:
        """End all of them."""
        self._closing = True
        going = list(self._running)
        for reader in going:
            reader.hang_up()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS_MAX):
                await asyncio.gather(*(reader.ended.wait() for reader in going))
        for reader in self._running:
            reader.kill()
        for task in self._kept:
            task.cancel()
        await asyncio.gather(*self._kept, return_exceptions=True)

    def _asked(self, message: bytes) -> asyncio.Future[bytes | None]:
        """What a reader will say to a message."""
        said: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Question(message, said))
        self._hand_out()
        return said

    def _hand_out(self) -> None:
        """Give what has waited longest to those who are free."""
        while self._free and self._waiting:
            question = self._waiting.popleft()
            if not question.said.done():  # else nobody waits for it any more
                self._free.popleft().ask(question)

    def _freed(self, reader: _Reader) -> None:
        if reader.retired or self._closing:
            reader.hang_up()
            return
        self._free.append(reader)
        self._hand_out()

    async def _listen(self, reader: _Reader) -> None:
        """Pass on what a reader says, until it is gone."""
        try:
            while True:
                packed = await reader.said()
                question, reader.at_work = reader.at_work, None
                # First, so that it works on while this process reads and sends its answer.
                self._freed(reader)
                # Who asked may be gone; the reader is free only when it has answered all the same.
                if question is not None and not question.said.done():
                    question.said.set_result(packed)
        except (OSError, EOFError):
            if not (reader.retired or self._closing):  # else it ends by itself
                reader.kill()
            if reader in self._free:
                self._free.remove(reader)
            if reader.at_work is not None and not reader.at_work.said.done():
                reader.at_work.said.set_exception(EOFError())

    async def _keep(self) -> None:
        """Keep one reader running."""
        loop, pause = asyncio.get_running_loop(), _FIRST_PAUSE_SECONDS
        while not self._closing:
            begun = loop.time()
            retired = await self._run_one()
            soon = loop.time() - begun < _SOON_SECONDS
            pause = min(2 * pause, _PAUSE_SECONDS_MAX) if soon else _FIRST_PAUSE_SECONDS
            if not self._closing and not retired:
                await asyncio.sleep(pause)

    async def _run_one(self) -> bool:
        """A reader from its start to its end; whether it was to end."""
        try:
            reader = await _Reader.started(self._opening)
        except (OSError, EOFError) as error:
            log(logging.WARNING, "reader did not start", error=type(error).__name__)
            return False
        log(logging.INFO, "reader started", pid=reader.process.pid)
        self._running.add(reader)
        self._metrics.readers.set(len(self._running))
        self._freed(reader)
        await self._listen(reader)
        code = await reader.process.wait()
        self._running.discard(reader)
        self._metrics.readers.set(len(self._running))
        reader.ended.set()
        expected = reader.retired or self._closing
        if not expected:
            log(logging.WARNING, "reader ended", pid=reader.process.pid, code=code)
            self._metrics.readers_lost.inc()
        if not self._running:
            while self._waiting:
                question = self._waiting.popleft()
                if not question.said.done():
                    question.said.set_result(None)
        return reader.retired
