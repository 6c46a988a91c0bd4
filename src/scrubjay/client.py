"""A Memory that lives on a server: the same methods, over HTTP; needs the `client` extra."""

from __future__ import annotations

from scrubjay.async_memory import AsyncMemory
from scrubjay.memory import Memory
from scrubjay.patience import Patience
from scrubjay.remote.backend import AsyncHttpBackend, HttpBackend
from scrubjay.remote.transport import ServerRefused

__all__ = ["AsyncHttpMemory", "HttpMemory", "Patience", "ServerRefused"]


class HttpMemory(Memory):
    """What `Memory.open("http://host:port", key=...)` opens, with a patience of your own.

    Busy servers and broken connections are tried again, and a write that is sent twice is done
    once. What a server refuses is raised as the error a local Memory raises, or ServerRefused.
    """

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        super().__init__(HttpBackend(address, key, patience))


class AsyncHttpMemory(AsyncMemory):
    """The same for an event loop, without threads; see HttpMemory."""

    def __init__(
        self, address: str, key: str | None = None, patience: Patience | None = None
    ) -> None:
        """Nothing is sent yet; BadInput for an address that is none."""
        super().__init__(AsyncHttpBackend(address, key, patience))
