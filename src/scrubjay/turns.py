"""Whose turn it is: recalls of one process work one after the other, and wait beside each other.

The interpreter runs one thread at a time. Where several have work, it goes back and forth between
them in the middle of everything, and every native call that lets go of it has to win it back: eight
callers of one bank got fewer answers a second than one alone, at twice the work for each. So a
recall takes a turn for all of its work, and puts it aside while it waits for a model, or while it
goes through so many vectors that another one can do something meanwhile.

Who asks stands in one line, and who goes wakes the next alone: a thread that is woken has nothing
to do but its recall, and nobody is passed over. With a lock for the turn and another one for the
first in line, each recall woke two threads, the second in the midst of the first one's work.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from scrubjay.forking import watch

# Where threads really run beside each other they need no turns.
_ONE_AT_A_TIME = getattr(sys, "_is_gil_enabled", lambda: True)()

# Who waits looks again after this long at the latest: an interrupt may have cut off the one before,
# right when it was to say that it has gone.
_LOOK_S = 0.5


class _Waiting:
    """A thread's place in the line, and what wakes it."""

    __slots__ = ("back", "bell")

    def __init__(self) -> None:
        self.bell = threading.Lock()
        self.bell.acquire()
        self.back = False  # whether it has put its turn aside, and wants it again


class _Here(threading.local):
    place: _Waiting | None = None  # of the turn that this thread has, or has put aside


class Turns:
    """One at a time, in the order in which they asked.

    Who put a turn aside gets it back before those who have not begun.
    """

    def __init__(self) -> None:
        self._make_line()
        watch(self)

    def _make_line(self) -> None:
        self._here = _Here()
        # The first has the turn. Whatever an interrupt cuts off, a change to a deque is made whole
        # or not at all: so the line is the truth, and bells only say when to look at it.
        self._line: deque[_Waiting] = deque()

    def forked(self) -> None:
        """In a forked process the thread that had the turn is gone."""
        self._make_line()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Work in a turn; inside another one of the same thread it is that one."""
        here = self._here
        if here.place is not None:
            yield
            return
        place = _Waiting()
        try:
            here.place = place
            self._line.append(place)
            self._wait(place)
            yield
        finally:
            here.place = None
            try:
                self._leave(place)
            except BaseException:
                # Cut off by an interrupt, and nobody else would take this place out of the line.
                self._leave(place)
                raise

    @contextmanager
    def put_aside(self) -> Iterator[None]:
        """Wait for something without holding up the others; nothing where there is no turn."""
        place = self._here.place
        if place is None:
            yield
            return
        self._leave(place)
        try:
            yield
        finally:
            # An interrupt may have ended the turn first: then there is none to come back to.
            if self._here.place is place:
                self._come_back(place)

    def _come_back(self, place: _Waiting) -> None:
        place.back = True
        # Behind the one who works, and those who came back before.
        behind = sum(other.back for other in list(self._line)[1:])
        self._line.insert(1 + behind, place)
        self._wait(place)
        place.back = False

    def _wait(self, place: _Waiting) -> None:
        while self._line[0] is not place:
            place.bell.acquire(timeout=_LOOK_S)

    def _leave(self, place: _Waiting) -> None:
        with suppress(ValueError):  # an interrupt came before it stood there
            self._line.remove(place)
        with suppress(IndexError, RuntimeError):  # nobody waits, or it has been told already
            self._line[0].bell.release()


class _NoTurns(Turns):
    """Everyone at once."""

    @contextmanager
    def taken(self) -> Iterator[None]:
        yield


# The interpreter's lock is the process's, and so is this.
TURNS = Turns() if _ONE_AT_A_TIME else _NoTurns()
