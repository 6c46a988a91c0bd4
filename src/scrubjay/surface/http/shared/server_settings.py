"""The server's numbers, each with its unit and reason."""

from __future__ import annotations

import os
from dataclasses import dataclass

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
# Time for the headers of a request to come whole, and for a client to stop sending a body that
# was refused. Ten seconds are plenty for a slow network, and short for those who collect
# connections.
HEAD_SECONDS_MAX = 10.0
# Time in which a client must take some of its answer.
SEND_SECONDS_MAX = 30.0
# An import that drips is stopped after this long.
IMPORT_SECONDS_MAX = 3_600.0
# Files of imports that wait and of exports on their way, together; one more is refused.
SPOOL_BYTES_MAX = 16 << 30
EXPORTS_AT_ONCE_MAX = 16
# Connections at once, where the process may open twice as many files; each costs some 50 kB.
CONNECTIONS_MAX = 2_000
# Connections that wait in the system until they are taken in, and taken in at a time.
BACKLOG_MAX = 2_048
ACCEPTED_AT_ONCE_MAX = 256
# Files a server asks the system for: twice the connections, and as many for a store of many banks.
FILES_WANTED = 8_192
# What could be written for each of thousands of connections is written once in so long.
LOGGED_EVERY_SECONDS = 10.0
# Wrong keys of one address: so many are looked at as they come, then each doubles the wait for the
# next, up to a minute; an address that was quiet for so long begins anew. A person who mistypes is
# not bothered, and a program is left with a thousand tries a day.
WRONG_KEYS_FREE = 10
WRONG_KEYS_WAIT_SECONDS_MAX = 60.0
WRONG_KEYS_FORGOTTEN_SECONDS = 600.0
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
REPLIES_BYTES_MAX = 256 << 20
REPLY_KEPT_HOURS = 24
IDEMPOTENCY_KEY_CHARACTERS_MAX = 255
# Those who listen to what happens, and what one of them may leave waiting before it is dropped.
STREAMS_MAX = 50
STREAM_EVENTS_MAX = 256
# What an event says: the first units, and as much of a question.
EVENT_UNITS_MAX = 20
EVENT_QUESTION_CHARACTERS_MAX = 500
# What the status shows of a store of many banks, and of long work.
STATUS_BANKS_MAX = 50
STATUS_TASKS_MAX = 100
# Values nested deeper than any shape of ours are an attack on the parser.
JSON_DEPTH_MAX = 64
# What a key may ask per second unless its maker said otherwise; a burst may be twice that.
KEY_RATE_DEFAULT = 100.0

# Processes that answer beside the one that writes, and how long one may take to open the store.
PROCESSES_MAX = 64
READER_START_SECONDS_MAX = 120.0

# Workers that wait for a database hold no processor; as many as the store has connections.
DATABASE_WORKERS = 8


def workers_for(location: str) -> int:
    """How many requests to work on at once over the store at a location."""
    # The engine holds the interpreter lock for about half of a recall: more threads than cores
    # only take turns, and one core still needs two to overlap reading from disk.
    cores = max(2, min(32, os.cpu_count() or 2))
    return max(cores, DATABASE_WORKERS) if "://" in location else cores


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How much one server takes on."""

    workers: int | None = None  # requests worked on at once, per kind; None: as suits the store
    waiting_max: int = 128  # requests that may wait for a worker; the next one is told to come back
    request_seconds: float = 30.0  # the whole of one request, waiting included
    body_bytes_max: int = BODY_BYTES_MAX
    import_bytes_max: int = IMPORT_BYTES_MAX
    body_seconds: float = BODY_SECONDS_MAX
    send_seconds: float = SEND_SECONDS_MAX
    cors_origins: tuple[str, ...] = ()  # none: browsers of other sites are refused
    hosts: tuple[str, ...] = ()  # names the server answers to; none: any
