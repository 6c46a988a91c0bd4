"""The local server behind the hooks of coding agents: started on demand, gone when idle.

It holds the store, so that a hook needs no engine and several agents share one memory. It listens
at a socket in a folder that only its user can enter: no port, no key, nothing for a web page.
"""

from __future__ import annotations

import logging
import math
import os
import queue
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from scrubjay.errors import ScrubjayError, StoreLocked
from scrubjay.integrations.coding.hook import SOCKET, SPOOL
from scrubjay.integrations.coding.offsets import Offsets
from scrubjay.integrations.coding.places import bank_of
from scrubjay.integrations.coding.remembering import (
    Event,
    Remembering,
    answer_of,
    read_event,
)
from scrubjay.memory import Memory
from scrubjay.undoing import undone_by

_LOG = logging.getLogger("scrubjay.agents")
_REQUEST_BYTES_MAX = 4 << 20
_HEADER_BYTES_MAX = 8_192
_WAITING_MAX = 1_000
# The event of a tool that is called through another process.
CALL = "call"
# Asks it to end, and how long what was handed over may take to be kept before it does.
END = "end"
_END_SECONDS = 60.0
# How long who connects may take to say what for.
_REQUEST_SECONDS = 10.0

# What the name of a socket may have, on every system.
_NAME_BYTES_MAX = 100

# Speaks MCP with a client at a socket until it goes; with the name of the bank to use.
ServeMcp = Callable[[socket, str], None]
# Answers the call of a tool that another process was asked for; b"" if it no longer can.
AnswerCall = Callable[[bytes], bytes]


class AlreadyRunning(Exception):
    """Another server answers at this home."""


class AgentServer:
    """Answers hooks at a home; `with` holds it and a memory, AlreadyRunning if another does."""

    def __init__(
        self,
        home: Path,
        open_memory: Callable[[], Memory],
        serve_mcp: ServeMcp | None = None,
        answer_call: AnswerCall | None = None,
    ) -> None:
        """Nothing is opened before `with`; the last two are None where MCP is not installed."""
        self._home = home
        self._open = open_memory
        # Another thread may let go of it than the one that took it.
        self._lock = FileLock(home / "lock", thread_local=False)
        self._waiting: queue.Queue[Event | None] = queue.Queue(_WAITING_MAX)
        self._guard = threading.Lock()
        self._busy = 0
        self._last_used = time.monotonic()
        self._stopped = threading.Event()
        self._ends = False  # whether the process ends with it
        self.serve_mcp = serve_mcp
        self._answer_call = answer_call

    def __enter__(self) -> Self:
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise AlreadyRunning(str(self._home)) from None
        with undone_by(self._lock.release):
            self._memory = self._open()
        self._remembering = Remembering(self._memory, Offsets(self._home / "transcripts.json"))
        self._worker = threading.Thread(target=self._retain_all, name="retain")
        self._worker.start()
        self._read_spool()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._waiting.put(None)
        self._worker.join()
        # In this order: whoever holds the home finds the store free.
        self._memory.close()
        self._lock.release()

    def serve(self, idle_seconds: float, begun: Callable[[], None] = lambda: None) -> None:
        """Answer until nobody has asked for so long, or `stop`; `begun` is called when it can.

        One that is to answer for ever is a part of another program, and cannot be asked to end.
        """
        self._ends = math.isfinite(idle_seconds)
        socket_path = self._home / SOCKET
        socket_path.unlink(missing_ok=True)
        with _named(self._home) as name:
            listener = _Listener(name, self)
        with listener:
            socket_path.chmod(0o600)
            threading.Thread(target=self._end, args=(listener, idle_seconds), daemon=True).start()
            begun()
            listener.serve_forever()
            # Whoever comes now starts the next one.
            socket_path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Let `serve` return."""
        self._stopped.set()

    def answer(self, event: str, client: str, directory: str, told: bytes) -> bytes:
        """What a hook prints."""
        if event in ("status", "settled"):
            if event == "settled":
                self._waiting.join()
            return f"{os.getpid()} {self._waiting.unfinished_tasks}\n".encode()
        if event == END:
            if self._ends:
                self.stop()
            return f"{os.getpid()} {int(self._ends)}\n".encode()
        if event == CALL:
            return b"" if self._answer_call is None else self._answer_call(told)
        said = read_event(client, directory, told)
        if event == "prompt":
            return answer_of(client, self._remembering.context_for(said))
        if event in ("stop", "said"):
            self._waiting.put_nowait(said)
        return b""

    def using(self, by: int) -> None:
        """Count who is answered; the server is not idle meanwhile."""
        with self._guard:
            self._busy += by
            self._last_used = time.monotonic()

    def _end(self, listener: socketserver.BaseServer, idle_seconds: float) -> None:
        while True:
            with self._guard:
                left = self._last_used + idle_seconds - time.monotonic()
                busy = self._busy or self._waiting.unfinished_tasks
            idle = left <= 0 and not busy
            wait = min(max(left, min(1.0, idle_seconds)), threading.TIMEOUT_MAX)
            if idle or self._stopped.wait(wait):
                listener.shutdown()
                return

    def _retain_all(self) -> None:
        while (event := self._waiting.get()) is not None:
            try:
                kept = self._remembering.retain(event)
                _LOG.info("kept %d from %s", kept, event.client)
            except (ScrubjayError, OSError, ValueError):
                _LOG.exception("not kept, and tried again with the next event")
            finally:
                self._waiting.task_done()

    def _read_spool(self) -> None:
        spool = self._home / SPOOL
        for path in sorted(spool.glob("*")) if spool.is_dir() else ():
            if path.suffix == ".part":
                continue
            header, _, told = path.read_bytes().partition(b"\n")
            try:
                self.answer(*_parts(header), told)
            except ValueError:
                _LOG.exception("not an event: %s", path.name)
            path.unlink()


class _Listener(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def __init__(self, name: str, server: AgentServer) -> None:
        self.server = server
        super().__init__(name, _Connection)


class _Connection(socketserver.BaseRequestHandler):
    """One hook, or one client of MCP."""

    server: _Listener
    request: socket

    def handle(self) -> None:
        agents = self.server.server
        agents.using(1)
        try:
            self._answer(agents)
        except (ScrubjayError, OSError, ValueError, queue.Full):
            _LOG.exception("a hook was not answered")
        finally:
            agents.using(-1)

    def _answer(self, agents: AgentServer) -> None:
        self.request.settimeout(_REQUEST_SECONDS)
        header = self._header()
        event, client, directory = _parts(header)
        if event != "mcp":
            self.request.sendall(agents.answer(event, client, directory, self._rest()))
        elif agents.serve_mcp is not None:
            self.request.settimeout(None)
            agents.serve_mcp(self.request, bank_of(Path(directory)))

    def _header(self) -> bytes:
        """The first line, byte by byte: what follows it is another's to read."""
        read = bytearray()
        while not read.endswith(b"\n"):
            part = self.request.recv(1)
            if not part or len(read) > _HEADER_BYTES_MAX:
                raise ValueError("no header")
            read += part
        return bytes(read[:-1])

    def _rest(self) -> bytes:
        read = bytearray()
        while part := self.request.recv(65_536):
            read += part
            if len(read) > _REQUEST_BYTES_MAX:
                raise ValueError("an event of more than 4 MB")
        return bytes(read)


def ask_status(home: Path, *, settled: bool = False) -> tuple[int, int] | None:
    """The server's process and how many events wait to be kept; None if none answers.

    With `settled` it answers when all is kept that it was told before.
    """
    return _ask(home, "settled" if settled else "status", None if settled else _REQUEST_SECONDS)


def ask_end(home: Path) -> int | None:
    """Let the server at a home end, and wait until its store is free; its process, None if none.

    StoreLocked where it is a part of another program, or takes too long.
    """
    found = _ask(home, END, _REQUEST_SECONDS)
    if found is None:
        return None
    process, ends = found
    if not ends:
        raise StoreLocked(
            f"{home.parent} is held by process {process}, the MCP server of a client. Close that "
            "client, or its session."
        )
    lock = FileLock(home / "lock")  # let go of when the memory is closed
    try:
        with lock.acquire(timeout=_END_SECONDS):
            return process
    except Timeout:
        raise StoreLocked(f"Process {process} still keeps what it was told. Repeat it.") from None


def _ask(home: Path, event: str, seconds: float | None) -> tuple[int, int] | None:
    try:
        with socket(AF_UNIX, SOCK_STREAM) as asked:
            asked.settimeout(seconds)
            with _named(home) as name:
                asked.connect(name)
            asked.sendall(f"{event} - /\n".encode())
            asked.shutdown(SHUT_WR)
            process, number = asked.recv(100).split()
            return int(process), int(number)
    except (OSError, ValueError):
        return None


def ask_call(home: Path, call: bytes) -> bytes | None:
    """What the server at a home answers to the call of a tool; None if none is there, or it went.

    Tools may be called again, so that whoever gets None may do it himself.
    """
    try:
        with socket(AF_UNIX, SOCK_STREAM) as asked:
            with _named(home) as name:
                asked.connect(name)
            asked.sendall(f"{CALL} - /\n".encode() + call)
            asked.shutdown(SHUT_WR)
            answer = bytearray()
            while part := asked.recv(65_536):
                answer += part
            return bytes(answer) or None
    except OSError:
        return None


@contextmanager
def _named(home: Path) -> Iterator[str]:
    """The name of a home's socket; where its path is too long for one, only the end of it."""
    path = str(home / SOCKET)
    if len(os.fsencode(path)) <= _NAME_BYTES_MAX:
        yield path
        return
    with chdir(home):
        yield SOCKET


def _parts(header: bytes) -> tuple[str, str, str]:
    event, client, directory = header.decode(errors="surrogateescape").split(" ", 2)
    return event, client, directory
