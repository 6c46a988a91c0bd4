"""Whose turn it is: recalls of one process work one after the other, and wait beside each other.

The interpreter runs one thread at a time. Where several have work, it goes back and forth between
them in the middle of everything, and every native call that lets go of it has to win it back: eight
callers of one bank got fewer answers a second than one alone, at twice the work for each. So a
recall takes a turn for all of its work, and puts it aside while it waits for a model, or while it
goes through so many vectors that another one can do something meanwhile.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from scrubjay.forking import watch

# Where threads really run beside each other they need no turns.
_ONE_AT_A_TIME = getattr(sys, "_is_gil_enabled", lambda: True)()


class _Here(threading.local):
    works = False  # whether this thread has the turn, or has put it aside


class Turns:
    """One at a time; who put a turn aside gets it back before those who have not begun."""

    def __init__(self) -> None:
        self._make_locks()
        watch(self)

    def _make_locks(self) -> None:
        self._here = _Here()
        # Known by its owner: nobody else can let it go, whatever an interrupt cut off.
        self._turn = threading.RLock()
        # Only one of those who have not begun competes with those who come back. That also keeps a
        # caller who asks again at once behind those who wait.
        self._first_in_line = threading.Lock()

    def forked(self) -> None:
        """In a forked process the thread that had the turn is gone."""
        self._make_locks()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Work in a turn; inside another one of the same thread it is that one."""
        here = self._here
        if here.works:
            yield
            return
        try:
            with self._first_in_line:
                self._turn.acquire()
            here.works = True
            yield
        finally:
            here.works = False
            with suppress(RuntimeError):  # interrupted before it was ours
                self._turn.release()

    @contextmanager
    def put_aside(self) -> Iterator[None]:
        """Wait for something without holding up the others; nothing where there is no turn."""
        if not self._here.works:
            yield
            return
        self._turn.release()
        try:
            yield
        finally:
            self._turn.acquire()


class _NoTurns(Turns):
    """Everyone at once."""

    @contextmanager
    def taken(self) -> Iterator[None]:
        yield


# The interpreter's lock is the process's, and so is this.
TURNS = Turns() if _ONE_AT_A_TIME else _NoTurns()
