"""Reads a store's address: where the server is, and what else the query part says."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from scrubjay.errors import BadInput

SCHEMES = ("postgresql", "postgres")

# Recalls hold a connection for a few milliseconds at a time; more connections than this make
# each other wait inside the server.
POOL_SIZE = 8
POOL_SIZE_MAX = 200

# A replica further behind than this many seconds is passed over.
REPLICA_LAG_MAX_S = 5.0

# From this many vectors of one type on, a graph is built and searched instead of scanning them.
GRAPH_FROM_VECTORS = 3_000


@dataclass(frozen=True, slots=True)
class Address:
    """A server, its replica, and how to use them; `shown` has no password in it."""

    primary: str
    replica: str | None  # None: reads go to the primary too
    direct: str | None  # the server itself, where `primary` is a pooler's address
    pool_size: int
    replica_lag_max_s: float
    graph_from_vectors: int  # 0: never; every search scans and is exact
    route: bool  # whether the worker of a cluster where a bank lives is asked for it directly
    shown: str

    @property
    def owner(self) -> str:
        """Where the owner's work is done, which needs a session of its own."""
        return self.direct or self.primary


def read_address(url: str) -> Address:
    """The address in a URL; our own settings are taken out of its query part.

    They are `scrubjay_replica` and `scrubjay_direct` (URLs, percent-encoded), `scrubjay_pool`,
    `scrubjay_replica_lag` (seconds), `scrubjay_graph_from` (vectors; 0 for never) and
    `scrubjay_route` (1 to ask the worker of a cluster where a bank lives).
    """
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise BadInput("store address", hidden(url), "Give postgresql://user@host/database.")
    ours: dict[str, str] = {}
    theirs: list[tuple[str, str]] = []
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name.startswith("scrubjay_"):
            ours[name] = value
        else:
            theirs.append((name, value))
    primary = urlunsplit(parts._replace(query=urlencode(theirs)))
    address = Address(
        primary=primary,
        replica=ours.pop("scrubjay_replica", None),
        direct=ours.pop("scrubjay_direct", None),
        pool_size=int(_number(ours, "scrubjay_pool", POOL_SIZE, 1, POOL_SIZE_MAX)),
        replica_lag_max_s=_number(ours, "scrubjay_replica_lag", REPLICA_LAG_MAX_S, 0, 86_400),
        graph_from_vectors=int(_number(ours, "scrubjay_graph_from", GRAPH_FROM_VECTORS, 0, 1e9)),
        route=bool(_number(ours, "scrubjay_route", 0, 0, 1)),
        shown=hidden(primary),
    )
    if address.route and address.replica:
        raise BadInput(
            "scrubjay_route", "1", "Banks are read where they live: leave out scrubjay_replica."
        )
    if ours:
        raise BadInput(
            "unknown part of the store address", sorted(ours)[0], "See `scrubjay docs postgres`."
        )
    return address


def _number(given: dict[str, str], name: str, default: float, low: float, high: float) -> float:
    text = given.pop(name, None)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = low - 1
    if not low <= number <= high:
        raise BadInput(name, text, f"Give a number from {low:g} to {high:g}.")
    return number


def hidden(url: str) -> str:
    """The URL as it may be shown: without its password and its query part."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    user = parts.username
    return urlunsplit((parts.scheme, f"{user}@{host}" if user else host, parts.path, "", ""))
