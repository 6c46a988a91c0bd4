"""What the server and its readers say to each other, over a socket that only they have."""

from __future__ import annotations

import asyncio
import pickle
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from scrubjay.observing import Answered

T = TypeVar("T")
# Before each message, how long it is.
_LENGTH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Opening:
    """What a reader opens, said once."""

    store: str
    encoder: str | None
    reranker: str | None
    request_seconds: float
    log_level: int


@dataclass(frozen=True, slots=True)
class Opened:
    """The store is open, and questions may come."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was let in, as it came."""

    route: str
    bank: str
    path: Mapping[str, str]
    query: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Said:
    """What a reader says to a request."""


@dataclass(frozen=True, slots=True)
class Given(Said):
    """Its answer, and what there is to count of it."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    answered: tuple[Answered, ...]
    hits: int  # questions whose vectors were remembered
    misses: int


@dataclass(frozen=True, slots=True)
class NotGiven(Said):
    """A reader has no answer: the server looks itself, and says why if it has none either."""


def framed(message: object) -> bytes:
    """A message as it is sent."""
    packed = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(packed).to_bytes(_LENGTH_BYTES) + packed


def received(connection: socket.socket, kind: type[T]) -> T | None:
    """The next message, None when the other side is gone."""
    head = _exactly(connection, _LENGTH_BYTES)
    packed = None if head is None else _exactly(connection, int.from_bytes(head))
    return None if packed is None else unpacked(packed, kind)


async def coming(stream: asyncio.StreamReader) -> bytes:
    """The next message, packed; EOFError when the other side is gone."""
    size = int.from_bytes(await stream.readexactly(_LENGTH_BYTES))
    return await stream.readexactly(size)


def unpacked(packed: bytes, kind: type[T]) -> T:
    """A message of a kind that was expected."""
    # Only a process that this one started, or was started by, holds the other end.
    message = pickle.loads(packed)
    assert isinstance(message, kind), type(message)
    return message


def _exactly(connection: socket.socket, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)
