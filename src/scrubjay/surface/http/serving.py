"""Starts the server: checks where it may listen, opens the store, and runs until it is stopped."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from scrubjay.errors import BadInput, StoreError
from scrubjay.memory import Memory
from scrubjay.surface.http.admitting.connection import Connection
from scrubjay.surface.http.admitting.room import OutOfFiles, Room, Seldom, room_of, room_of_process
from scrubjay.surface.http.app import build_app
from scrubjay.surface.http.handling.service import open_service
from scrubjay.surface.http.readers.messages import Opening
from scrubjay.surface.http.shared.server_settings import (
    BACKLOG_MAX,
    FILES_WANTED,
    HEADER_BYTES_MAX,
    KEEP_ALIVE_SECONDS,
    SHUTDOWN_SECONDS_MAX,
    ServerSettings,
)
from scrubjay.surface.http.state.database import ServerDatabase, state_directory
from scrubjay.surface.http.state.keys import Keys
from scrubjay.surface.http.watching.logs import log, to_stderr
from scrubjay.surface.http.watching.watch import Watch

# How long a worker may hold the interpreter while the event loop waits for it. The loop waits some
# six times for each request; with Python's own 5 ms, two busy workers halved what it could serve.
_SWITCH_SECONDS = 0.001
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Listening:
    """Where to listen, whether to insist on keys, and how many processes answer."""

    host: str = "127.0.0.1"
    port: int = 8420
    no_auth: bool = False  # True: let everyone in, wherever it listens
    inherited: int | None = None  # a socket that listens there already, as a file; None: make one
    readers: tuple[Opening, int] | None = None  # processes that answer too, and what they open


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def auth_required(listening: Listening, *, has_keys: bool) -> bool:
    """Whether keys are checked; BadInput when an open server would be reachable from outside."""
    if listening.no_auth:
        return False
    if has_keys:
        return True
    if is_loopback(listening.host):
        return False
    raise BadInput(
        "address others can reach, and no keys",
        listening.host,
        "Make one with `scrubjay keys create`, listen on 127.0.0.1, or pass --no-auth.",
    )


def serve(
    memory: Memory,
    listening: Listening,
    *,
    state: Path | None = None,
    settings: ServerSettings | None = None,
    watch: Watch | None = None,
    log_level: int = logging.INFO,
    started: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve a memory until SIGINT or SIGTERM; requests that were let in are finished first.

    The memory is closed at the end. With `watch`, the observer it was opened with, metrics and
    spans also tell of its changes. `started` is told the address once connections are taken.
    """
    directory = state_directory(memory.location, state)
    database = ServerDatabase(directory)
    has_keys = bool(Keys(database).all())
    database.close()
    required = auth_required(listening, has_keys=has_keys)
    chosen = settings or ServerSettings()
    if not required and not listening.no_auth:
        # Without keys, a name that resolves to this machine must not let a web page in.
        chosen = replace(chosen, hosts=(*LOOPBACK_NAMES, listening.host))
    to_stderr(log_level)
    service = open_service(
        memory, directory, auth_required=required, settings=chosen, watch=watch,
        readers=listening.readers,
    )  # fmt: skip
    bound = bind(listening)
    host, port = bound.getsockname()[:2]
    sys.setswitchinterval(_SWITCH_SECONDS)
    log(logging.INFO, "listening", host=host, port=port, auth=required, store=memory.location,
        pid=os.getpid())  # fmt: skip
    server = _Server(web_server(build_app(service, memory.close), room_of_process()))
    with _stopped_by_signals(server):
        started(f"http://{f'[{host}]' if ':' in host else host}:{port}")
        _run(server, bound)


def run(config: uvicorn.Config, bound: socket.socket) -> None:
    """Serve at a socket until the process is told to stop."""
    _run(_Server(config), bound)


def _run(server: _Server, bound: socket.socket) -> None:
    async def serving() -> None:
        spare.watch(asyncio.get_running_loop())
        await server.serve([bound])

    spare = OutOfFiles(bound)
    try:
        asyncio.run(serving())
    finally:
        spare.close()


@contextmanager
def _stopped_by_signals(server: _Server) -> Iterator[None]:
    """Remember a signal that comes before the server listens to any, and pass it on at the end.

    Who is told the address may stop the server at once, in the middle of its start.
    """
    heard: list[int] = []

    def stop(number: int, _frame: object) -> None:
        heard.append(number)
        server.should_exit = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for each in dict.fromkeys(heard):
        signal.raise_signal(each)


class _Server(uvicorn.Server):
    """Takes few connections in at a time, and lets many wait for that in the system."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for bound in sockets or ():
            bound.listen(BACKLOG_MAX)


def web_server(app: ASGIApp, room: Room | None = None) -> uvicorn.Config:
    """How uvicorn runs the application, with the connections there is room for."""
    chosen = room or room_of(FILES_WANTED)

    class Bounded(Connection):
        connections_max = chosen.connections
        refused = staticmethod(Seldom("connections refused").tell)

    return uvicorn.Config(
        app,
        http=Bounded,
        backlog=chosen.accepted_at_once,
        ws="none",
        h11_max_incomplete_event_size=HEADER_BYTES_MAX,  # its buffer bounds the headers
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS_MAX,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,  # nothing here depends on where a request came from
    )


def bind(listening: Listening) -> socket.socket:
    """A socket that listens there; StoreError if it cannot."""
    if listening.inherited is not None:
        return socket.socket(fileno=listening.inherited)
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    # Named as TCP, or the event loop does not recognise it and leaves Nagle's algorithm on, which
    # holds every answer back for 40 ms.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((listening.host, listening.port))
        bound.listen(BACKLOG_MAX)  # who is told the address may come before the event loop runs
    except (OSError, OverflowError) as error:
        bound.close()
        raise StoreError(
            f"Cannot listen on {listening.host}:{listening.port} ({error}). Give another --port."
        ) from error
    return bound
