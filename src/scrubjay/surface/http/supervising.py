"""Keeps a server running: one that is killed is started again, at the same socket."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime

# Tells a server which file is its socket; it was started here.
_SOCKET = "_SCRUBJAY_SOCKET"

# A server that ends soon after it began is started again after a pause, which doubles.
_SOON_SECONDS = 5.0
_FIRST_PAUSE_SECONDS, _PAUSE_SECONDS_MAX = 0.05, 5.0


def supervise(bound: socket.socket, command: Sequence[str], store: str | None) -> int:
    """Run a command of scrubjay, which has the socket, until it ends by itself; its exit code.

    One that a signal ended, and not because it came here first, runs again. Connections that wait
    to be taken in wait on: the socket stays open.
    """
    environment = os.environ | {_SOCKET: str(bound.fileno())}
    if store is not None:
        # An address may hold a password, which everyone could read on a command line.
        environment["SCRUBJAY_STORE"] = store
    told: list[int] = []
    stopping = threading.Event()
    server: subprocess.Popen[bytes] | None = None

    def stop(number: int, _frame: object) -> None:
        told.append(number)
        stopping.set()
        if server is not None:
            # Not what came: a second SIGINT, after the terminal's own, would cut requests off.
            server.terminate()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    pause, code = _FIRST_PAUSE_SECONDS, 0
    try:
        while not stopping.is_set():
            begun = time.monotonic()
            # Its standard input ends with this process, and then so does it.
            server = subprocess.Popen(
                [sys.executable, "-m", "scrubjay.surface.cli", *command],
                stdin=subprocess.PIPE, pass_fds=(bound.fileno(),), env=environment,
            )  # fmt: skip
            if stopping.is_set():
                server.terminate()  # it was told before there was anyone to tell
            code = server.wait()
            if stopping.is_set() or code >= 0:
                break
            soon = time.monotonic() - begun < _SOON_SECONDS
            pause = min(2 * pause, _PAUSE_SECONDS_MAX) if soon else _FIRST_PAUSE_SECONDS
            _say(code, pause)
            stopping.wait(pause)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for each in dict.fromkeys(told):
        signal.raise_signal(each)
    return code


def inherited_socket() -> int | None:
    """The socket that this process was started with, by `supervise`; None: nobody keeps it.

    When the process that keeps it is gone, this one is told to stop.
    """
    given = os.environ.pop(_SOCKET, None)
    if given is None:
        return None

    def wait() -> None:
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="scrubjay-parent", daemon=True).start()
    return int(given)


def _say(code: int, pause: float) -> None:
    # As the server's own log; its logger brings the whole server, which this process never needs.
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = {"at": at, "level": "error", "event": "server died", "code": code, "again_in_s": pause}
    sys.stderr.write(json.dumps(line) + "\n")
    sys.stderr.flush()
