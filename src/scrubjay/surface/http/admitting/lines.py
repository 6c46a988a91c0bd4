"""Writers of one bank stand in line, so that one bank's many do not take every worker."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from dataclasses import dataclass, field

from scrubjay.surface.http.shared.problems import Problem, Refusal

# How long a writer is told to wait, in seconds; by then it was its turn, or the guess was wrong.
_WAIT_SECONDS_MAX = 30
# What the last write tells of the next ones.
_NEWEST_COUNTS = 0.2


@dataclass(slots=True)
class _Line:
    at_work: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    seconds: float = 0.0  # a write takes


class Lines:
    """Who is at work on each bank, and who waits for that; used from one event loop."""

    def __init__(self, *, at_once: int, waiting_max: int) -> None:
        self._at_once = at_once
        self._waiting_max = waiting_max
        self._lines: dict[str, _Line] = {}

    def check(self, bank: str) -> None:
        """Refusal where too many wait for a bank, with how long those will take."""
        line = self._lines.get(bank)
        if line is None or len(line.waiting) < self._waiting_max:
            return
        seconds = math.ceil(len(line.waiting) * line.seconds / self._at_once)
        raise Refusal(
            Problem(
                503, "Overloaded", f"{len(line.waiting)} writes to bank {bank!r} wait already.",
                "Send it again after Retry-After seconds, or send more memories in one request; "
                "it was not begun.",
                headers={"Retry-After": str(min(max(seconds, 1), _WAIT_SECONDS_MAX))},
            )
        )  # fmt: skip

    async def turn(self, bank: str) -> Turn:
        """Wait until it is one's turn, in the order of coming."""
        line = self._lines.setdefault(bank, _Line())
        if line.at_work < self._at_once:
            line.at_work += 1
            return Turn(self, bank)
        mine = asyncio.get_running_loop().create_future()
        line.waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self.leave(bank, None)  # it was handed over in the same moment
            else:
                line.waiting.remove(mine)
            raise
        return Turn(self, bank)

    def leave(self, bank: str, seconds: float | None) -> None:
        """Hand the place over to who is next; `seconds` were worked, None if nothing was."""
        line = self._lines[bank]
        if seconds is not None:
            line.seconds += _NEWEST_COUNTS * (seconds - line.seconds)
        while line.waiting:
            following = line.waiting.popleft()
            if not following.done():
                following.set_result(None)
                return
        line.at_work -= 1
        if not line.at_work:
            del self._lines[bank]


class Turn:
    """A place at work on a bank, given up once."""

    def __init__(self, lines: Lines, bank: str) -> None:
        self._lines = lines
        self._bank = bank
        self._begun = time.monotonic()
        self._over = False

    def end(self) -> None:
        """It is the next one's turn."""
        if not self._over:
            self._over = True
            self._lines.leave(self._bank, time.monotonic() - self._begun)
