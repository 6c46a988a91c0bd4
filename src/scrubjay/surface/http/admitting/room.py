"""How many connections a process has files for, and what becomes of those it has none for."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from scrubjay.surface.http.admitting.connection import full
from scrubjay.surface.http.shared.server_settings import (
    ACCEPTED_AT_ONCE_MAX,
    CONNECTIONS_MAX,
    FILES_WANTED,
    LOGGED_EVERY_SECONDS,
)
from scrubjay.surface.http.watching.logs import LOGGER, log

try:
    import resource
except ImportError:  # not on Windows, which has no such limit
    resource = None  # type: ignore[assignment]

_REFUSED_AT_ONCE_MAX = 1_000
_OUT_OF_FILES = "socket.accept() out of system resource"


@dataclass(frozen=True, slots=True)
class Room:
    """What fits into the files a process may open."""

    connections: int  # open at once
    accepted_at_once: int  # taken in before the first of them is counted


def room_of(files: int) -> Room:
    """Half of the files for connections, the other for the store and what is on its way in."""
    # The event loop does so up to three times before a connection is counted.
    return Room(min(CONNECTIONS_MAX, files // 2), max(1, min(ACCEPTED_AT_ONCE_MAX, files // 16)))


def room_of_process() -> Room:
    """The room of this process, whose limit is raised as far as it may be and is of use."""
    if resource is None:
        return room_of(FILES_WANTED)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(FILES_WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return room_of(FILES_WANTED if soft == resource.RLIM_INFINITY else soft)


class Seldom:
    """Writes an event to the log at most once in a while, with how often it came about."""

    def __init__(self, event: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._event = event
        self._clock = clock
        self._times = 0
        self._quiet_until = float("-inf")

    def tell(self) -> None:
        """It came about once more."""
        self._times += 1
        if self._clock() >= self._quiet_until:
            log(logging.WARNING, self._event, times=self._times)
            self._times = 0
            self._quiet_until = self._clock() + LOGGED_EVERY_SECONDS


class OutOfFiles:
    """Refuses connections that the process has no file left for, instead of letting them wait.

    One file is kept for this: it is let go for as long as a caller is told.
    """

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        self._spare = os.open(os.devnull, os.O_RDONLY)
        self._told = Seldom("out of files")

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hear of what goes wrong in an event loop."""
        loop.set_exception_handler(self._heard)

    def close(self) -> None:
        """Let the spare file go."""
        with suppress(OSError):
            os.close(self._spare)

    def _heard(self, _: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        message, error = str(context.get("message")), context.get("exception")
        if message == _OUT_OF_FILES:
            self._told.tell()
            self._refuse_waiting()
        else:
            caught = error if isinstance(error, BaseException) else None
            LOGGER.error("event loop", exc_info=caught)

    def _refuse_waiting(self) -> None:
        self.close()
        try:
            for _ in range(_REFUSED_AT_ONCE_MAX):
                connection, _address = self._listening.accept()
                with connection, suppress(OSError):
                    connection.setblocking(False)
                    connection.send(full("The server has no file left for this connection."))
        except OSError:
            return  # nobody waits any more
        finally:
            with suppress(OSError):
                self._spare = os.open(os.devnull, os.O_RDONLY)
