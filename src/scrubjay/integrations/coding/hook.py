"""The hook of a coding agent: hands an event to the local server and prints what it answers.

A process starts for every prompt, so it is run as a file, and imports next to nothing: to import
the engine would take longer than the answer. Whatever goes wrong, it is silent and ends well, for
an agent must work without its memory. What could not be handed over is left in a spool, which the
server reads when it starts; so nothing that was said is lost.

    hook.py EVENT CLIENT HOME     with the event's JSON on standard input
    hook.py mcp CLIENT HOME       joins standard input and output to the server's MCP
"""

from __future__ import annotations

import os
import sys

# The C module: its Python wrapper takes longer to import than the rest of this process.
from _socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket

# How long a prompt may wait for its memories, and an agent for the tools of a starting server.
_ANSWER_SECONDS = 2.0
_START_SECONDS = 60
_EVENT_BYTES_MAX = 4 << 20
# In the home: where the server listens, what starts it, what it has not read yet.
SOCKET, START, SPOOL = "socket", "start", "spool"


def main(event: str, client: str, home: str) -> None:
    """Do what an event asks for; silently."""
    directory = os.getcwd()  # noqa: PTH109
    os.chdir(home)  # the name of a socket has about a hundred characters, and a path may have more
    header = f"{event} {client} {directory}\n".encode(errors="surrogateescape")
    if event == "mcp":
        _join(header)
        return
    told = sys.stdin.buffer.read(_EVENT_BYTES_MAX)
    try:
        answer = _ask(header + told)
    except OSError:
        if event not in ("prompt", "start"):  # what only asks is worth nothing later
            _spool(header + told)
        _start_server()
        return
    sys.stdout.buffer.write(answer)


def _ask(request: bytes) -> bytes:
    with _connected() as server:
        server.settimeout(_ANSWER_SECONDS)
        server.sendall(request)
        server.shutdown(SHUT_WR)
        parts = []
        while part := server.recv(65_536):
            parts.append(part)
    return b"".join(parts)


class _connected:  # noqa: N801
    """A connection to the server, closed at the end."""

    def __enter__(self) -> socket:
        self._socket = socket(AF_UNIX, SOCK_STREAM)
        self._socket.settimeout(_ANSWER_SECONDS)
        self._socket.connect(SOCKET)
        return self._socket

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def _spool(request: bytes) -> None:
    os.makedirs(SPOOL, mode=0o700, exist_ok=True)  # noqa: PTH103
    name = f"{SPOOL}/{os.times().elapsed:.2f}-{os.getpid()}"
    with open(f"{name}.part", "wb") as file:  # noqa: PTH123
        file.write(request)
    os.rename(f"{name}.part", name)  # noqa: PTH104


def _start_server() -> None:
    """Start the server by itself, so that it outlives us; of two that start, one stays."""
    with open(START, encoding="utf-8") as file:  # noqa: PTH123
        command = file.read().splitlines()
    if os.fork():
        return
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.execv(command[0], command)


def _join(header: bytes) -> None:
    """Join our standard input and output to the server, started if it is not there."""
    from threading import Thread

    server = _connected_or_started()
    server.sendall(header)
    server.settimeout(None)

    def send() -> None:
        while said := os.read(0, 65_536):
            server.sendall(said)
        server.shutdown(SHUT_WR)

    Thread(target=send, daemon=True).start()
    while answer := server.recv(65_536):
        while answer:
            answer = answer[os.write(1, answer) :]


def _connected_or_started() -> socket:
    from time import sleep

    for attempt in range(_START_SECONDS * 10):
        server = socket(AF_UNIX, SOCK_STREAM)
        try:
            server.connect(SOCKET)
            return server
        except OSError:
            server.close()
        if attempt == 0:
            _start_server()
        sleep(0.1)
    raise OSError("the server did not start")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:4])
        sys.stdout.flush()
    except (OSError, ValueError, TypeError):
        # Not a word: an agent shows what hooks print, and some take an error for a refusal.
        os._exit(0)
    os._exit(0)  # nothing is left to tidy up, and that takes a tenth of the time
