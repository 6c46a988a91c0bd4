"""The line in which the writers of one process wait for a bank."""

from __future__ import annotations

import threading
from collections import deque
from types import TracebackType


class WritersLine:
    """A lock that a thread may take again while it has it, and that goes to who came first.

    With a plain lock a writer that comes back at once takes it before those who wait, who have to
    wake up first; with enough of such writers one of those never gets it.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._owner: int | None = None
        self._depth = 0
        self._line: deque[tuple[int, threading.Lock]] = deque()

    @property
    def waiting(self) -> int:
        """How many stand in line behind the one who has it."""
        return len(self._line)

    def __enter__(self) -> None:
        """Wait for all who came before."""
        me, called = threading.get_ident(), threading.Lock()
        with self._guard:
            if self._owner in (None, me):
                self._owner, self._depth = me, self._depth + 1
                return
            called.acquire()
            self._line.append((me, called))
        try:
            called.acquire()
        except BaseException:
            self._leave(me, called)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the next one go on."""
        with self._guard:
            self._depth -= 1
            if not self._depth:
                self._call_next()

    def _leave(self, me: int, called: threading.Lock) -> None:
        """Be interrupted while waiting; perhaps just when it was one's turn."""
        with self._guard:
            if (me, called) in self._line:
                self._line.remove((me, called))
            else:
                self._depth = 0
                self._call_next()

    def _call_next(self) -> None:
        if not self._line:
            self._owner = None
            return
        self._owner, called = self._line.popleft()
        self._depth = 1
        called.release()
