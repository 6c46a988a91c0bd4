"""Lets several MCP servers use one store: the first holds it and answers what others are asked.

It is the local server of coding agents that does so, in a thread of whoever holds the store; so
hooks are answered there, too. When the holder goes, the next that is asked holds it.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from socket import socket

from scrubjay.errors import StoreLocked
from scrubjay.integrations.coding.places import USER_BANK
from scrubjay.integrations.coding.server import AgentServer, AlreadyRunning, ask_call, ask_status
from scrubjay.memory import Memory
from scrubjay.private_files import make_private
from scrubjay.surface.mcp.opening import LazyMemory
from scrubjay.surface.mcp.protocol import answer_call
from scrubjay.surface.mcp.stdio import run_socket

# How long another server may take from holding the home until it answers, or lets it go.
_PATIENCE_SECONDS = 60.0
_ASKED_AGAIN_SECONDS = 0.05


def local_server(home: Path, opened: Callable[[], Memory]) -> AgentServer:
    """A server at a home over the memory that it opens, for hooks and for tools."""
    held: list[Memory] = []

    def open_once() -> Memory:
        held.append(opened())
        return held[0]

    memory = LazyMemory(lambda _: held[0])

    def serve_mcp(connection: socket, bank: str) -> None:
        # What holds for the user everywhere is theirs to ask and to erase in every repository.
        run_socket(memory, tuple(dict.fromkeys((bank, USER_BANK))), connection)

    return AgentServer(home, open_once, serve_mcp, lambda call: answer_call(memory, call))


class SharedStore:
    """A store in a directory, shared by the servers on this machine."""

    def __init__(self, home: Path) -> None:
        """The home is where they find each other."""
        self._home = home
        self._held = ExitStack()

    def hold(self, opened: Callable[[], Memory]) -> Memory:
        """See Sharing."""
        found: list[Memory] = []

        def open_once() -> Memory:
            found.append(opened())
            return found[0]

        make_private(self._home)
        self._home.chmod(0o700)
        server = local_server(self._home, open_once)
        self._enter(server)
        listening = threading.Event()
        serving = threading.Thread(
            target=server.serve, args=(math.inf, listening.set), daemon=True, name="shared"
        )
        serving.start()
        self._held.callback(serving.join)
        self._held.callback(server.stop)
        listening.wait()
        return found[0]

    def _enter(self, server: AgentServer) -> None:
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                self._held.enter_context(server)
            except AlreadyRunning:
                # It opens the store, or closes it, or answers: then it can be asked.
                if ask_status(self._home) is not None or time.monotonic() > until:
                    where = self._home.parent
                    raise StoreLocked(f"{where} is open in another server.") from None
                time.sleep(_ASKED_AGAIN_SECONDS)
            else:
                return

    def ask(self, call: bytes) -> bytes | None:
        """See Sharing."""
        return ask_call(self._home, call)

    def close(self) -> None:
        """See Sharing."""
        self._held.close()
