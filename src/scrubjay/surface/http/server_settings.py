"""The server's numbers, each with its unit and reason."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

# A memory of 5 million characters, written in an alphabet of two bytes each, still fits.
BODY_BYTES_MAX = 16 << 20
# All bodies that are held at once, so that many large ones do not fill the memory together.
BODIES_BYTES_MAX = 256 << 20
# Lists and objects in one body; each costs some 500 bytes once it is read, however short it was.
JSON_CONTAINERS_MAX = 250_000
# A larger body is read in a thread, so that others are answered meanwhile.
BODY_BYTES_READ_AT_ONCE = 64 << 10
# An import is spooled to disk before it is read, so this bounds the disk, not the memory.
IMPORT_BYTES_MAX = 4 << 30
# Time for a client to send its body; one that drips bytes would hold a connection for ever.
BODY_SECONDS_MAX = 30.0
# Connections at once; each costs some 50 kB.
CONNECTIONS_MAX = 2_000
# One header line, and all of them together (the parser's buffer).
HEADER_BYTES_MAX = 32 << 10
# Idle connections are kept longer than clients and proxies keep theirs (60 s is common), so that
# the server is not the one who hangs up while a request is on its way.
KEEP_ALIVE_SECONDS = 75
# How long a shutdown waits for requests that are being answered.
SHUTDOWN_SECONDS_MAX = 30
# Long work that waits its turn, and finished work that can still be asked about.
TASKS_WAITING_MAX = 100
TASKS_KEPT_MAX = 1_000
# Replies kept for Idempotency-Key, and for how long a key stands for the same request.
REPLIES_KEPT_MAX = 100_000
REPLY_KEPT_HOURS = 24
IDEMPOTENCY_KEY_CHARACTERS_MAX = 255
# Values nested deeper than any shape of ours are an attack on the parser.
JSON_DEPTH_MAX = 64
# What a key may ask per second unless its maker said otherwise; a burst may be twice that.
KEY_RATE_DEFAULT = 100.0


def _workers() -> int:
    # The engine holds the interpreter lock for about half of a recall: more threads than cores
    # only take turns, and one core still needs two to overlap reading from disk.
    return max(2, min(32, os.cpu_count() or 2))


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How much one server takes on."""

    workers: int = field(default_factory=_workers)  # requests worked on at once, per kind
    waiting_max: int = 128  # requests that may wait for a worker; the next one is told to come back
    request_seconds: float = 30.0  # the whole of one request, waiting included
    body_bytes_max: int = BODY_BYTES_MAX
    import_bytes_max: int = IMPORT_BYTES_MAX
    body_seconds: float = BODY_SECONDS_MAX
    cors_origins: tuple[str, ...] = ()  # none: browsers of other sites are refused
    hosts: tuple[str, ...] = ()  # names the server answers to; none: any
