"""Sessions at hand: up to so many, given to whoever came first, to a bank the one it had last."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

import asyncpg

from scrubjay.store.postgres.connection.driver import Connection, DriverPool

# One that nobody asked for goes back to the driver, which closes what is unused for long.
_AT_HAND_S = 60.0


@dataclass(slots=True)
class Session:
    """A connection, and what its session is set to."""

    connection: Connection
    bank: int | None = None  # None: none, or it is not known which
    reads: int = 0  # since it was set to the bank
    planning: str | None = None  # None: not known
    used_at: float = 0.0


class Sessions:
    """The connections of the driver's pool that are in use or were a moment ago.

    To take one from the driver and to give it back costs three times what a short statement does.
    """

    def __init__(self, pool: DriverPool, size: int, at_hand_s: float = _AT_HAND_S) -> None:
        self._pool = pool
        self._size = size
        self._at_hand_s = at_hand_s
        self._idle: list[Session] = []  # the one used last stands last
        self._waiting: deque[asyncio.Future[Session | None]] = deque()
        self._sweep: asyncio.TimerHandle | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self.count = 0  # in use, idle, or being made

    @property
    def idle(self) -> int:
        """How many nobody uses."""
        return len(self._idle)

    async def take(
        self, bank: int | None, acquire: Callable[[DriverPool], Awaitable[Connection]]
    ) -> Session:
        """A session for one's own until it is given back; `acquire` makes one that is lacking."""
        while True:
            if (session := await self._at_hand(bank)) is not None:
                return session
            if self.count < self._size:
                self.count += 1
                try:
                    return Session(await acquire(self._pool))
                except BaseException:
                    self._make_room()
                    raise
            if (given := await self._handed_over()) is not None:
                return given

    async def _at_hand(self, bank: int | None) -> Session | None:
        while self._idle:
            at = next(
                (n for n in reversed(range(len(self._idle))) if self._idle[n].bank == bank), -1
            )
            session = self._idle.pop(at)
            if _is_there(session.connection):
                return session
            await self._let_go(session)
        return None

    async def _handed_over(self) -> Session | None:
        """What the next one gives back; None: there is room to make one."""
        turn: asyncio.Future[Session | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                # It came just when nobody wanted it any more.
                self._pass_on(turn.result())
            raise

    async def give_back(self, session: Session, *, sound: bool) -> None:
        """Let others have it; what is not `sound` the driver looks after."""
        connection = session.connection
        if not sound or not _is_there(connection) or connection.is_in_transaction():
            await self._let_go(session)
            return
        session.used_at = time.monotonic()
        self._pass_on(session)

    def _pass_on(self, session: Session | None) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(session)
                return
        if session is not None:
            self._idle.append(session)
            if self._sweep is None:
                self._sweep_later()

    async def _let_go(self, session: Session) -> None:
        try:
            # It rolls back what was left open, and waits for what is being cancelled.
            await self._pool.release(session.connection)
        finally:
            self._make_room()

    def _make_room(self) -> None:
        self.count -= 1
        self._pass_on(None)

    def _sweep_later(self) -> None:
        self._sweep = asyncio.get_running_loop().call_later(self._at_hand_s, self._sweep_now)

    def _sweep_now(self) -> None:
        self._sweep = None
        last = time.monotonic() - self._at_hand_s
        old = [session for session in self._idle if session.used_at <= last]
        self._idle = [session for session in self._idle if session.used_at > last]
        for session in old:
            leaving = asyncio.ensure_future(self._let_go_quietly(session))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
        if self._idle:
            self._sweep_later()

    async def _let_go_quietly(self, session: Session) -> None:
        # Nobody waits for it, and the driver drops what it cannot keep.
        with suppress(Exception):
            await self._let_go(session)

    def close(self) -> None:
        """Close every connection, those in use too."""
        if self._sweep is not None:
            self._sweep.cancel()
        self._pool.terminate()


def _is_there(connection: Connection) -> bool:
    try:
        return not connection.is_closed()
    except asyncpg.InterfaceError:
        # The driver took it back when the server closed it.
        return False
