"""Tells those who listen what is told and asked in a bank, as it happens."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from scrubjay.marks import Unsaid
from scrubjay.surface.http.shared.problems import refuse
from scrubjay.surface.http.shared.server_settings import STREAM_EVENTS_MAX, STREAMS_MAX
from scrubjay.types.values import Measure


@dataclass(frozen=True, slots=True)
class Event:
    """One request that changed a bank, or asked it: when, what, which units, who, how long."""

    at: datetime
    kind: str
    ids: tuple[str, ...]
    units: int
    key: str
    ms: Measure
    question: Annotated[str | None, Unsaid()] = None  # None: nothing was asked

    @classmethod
    def now(cls, kind: str, ids: tuple[str, ...], **more: object) -> Event:
        """One that has just happened."""
        return cls(datetime.now(UTC), kind, ids, **more)  # type: ignore[arg-type]


class Stream:
    """What one listener has not taken yet; one that falls behind is dropped."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: asyncio.Queue[Event | None] = asyncio.Queue(STREAM_EVENTS_MAX)
        self._ended = False
        self.dropped = False

    def put(self, event: Event) -> None:
        """Hand an event over, from any thread."""
        self._loop.call_soon_threadsafe(self._take_in, event)

    def _take_in(self, event: Event) -> None:
        if self._waiting.full():
            self.dropped = True
            self.end()
        else:
            self._waiting.put_nowait(event)

    def end(self) -> None:
        """No more events come; in the loop's own thread."""
        self._ended = True
        if not self._waiting.full():  # else nobody waits for one
            self._waiting.put_nowait(None)

    async def events(self, pause_s: float) -> AsyncIterator[Event | None]:
        """Events as they come, None after each pause without any, until the end."""
        while not self._ended:
            try:
                event = await asyncio.wait_for(self._waiting.get(), pause_s)
            except TimeoutError:
                yield None
                continue
            if event is not None:
                yield event


class Feed:
    """The listeners of every bank, few and bounded."""

    def __init__(self) -> None:
        self._streams: dict[str, set[Stream]] = {}
        self._guard = threading.Lock()

    def tell(self, bank: str, event: Event) -> None:
        """Something was told or asked; costs nothing where nobody listens."""
        if bank in self._streams:
            with self._guard:
                listening = list(self._streams.get(bank, ()))
            for stream in listening:
                stream.put(event)

    def listens(self, bank: str) -> bool:
        """Whether anyone would hear."""
        return bank in self._streams

    def join(self, bank: str) -> Stream:
        """A new listener, in its event loop; Refusal when there are too many."""
        with self._guard:
            if sum(map(len, self._streams.values())) >= STREAMS_MAX:
                raise refuse(503, "Overloaded", f"{STREAMS_MAX} listen already.",
                             "Listen again when others have gone.")  # fmt: skip
            stream = Stream(asyncio.get_running_loop())
            self._streams.setdefault(bank, set()).add(stream)
            return stream

    def leave(self, bank: str, stream: Stream) -> None:
        """A listener is gone."""
        with self._guard:
            left = self._streams.get(bank, set())
            left.discard(stream)
            if not left:
                self._streams.pop(bank, None)
