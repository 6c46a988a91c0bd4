"""Which node of a cluster to ask for a bank: the worker where it lives, past the coordinator."""

from __future__ import annotations

import asyncio
import logging
import time
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from scrubjay.store.postgres.connection.cluster import CLUSTER
from scrubjay.store.postgres.connection.pool import Pool

logger = logging.getLogger("scrubjay.postgres")

# A worker that did not answer is asked for through the coordinator for so long.
_AVOIDED_S = 5.0

# What a worker says when it had to hand a read on: the policy of another node met no bank.
MOVED: tuple[type[BaseException], ...] = (
    asyncpg.UndefinedObjectError,
    asyncpg.InvalidTextRepresentationError,
)

_Node = tuple[str, int]


class Routes:
    """Pools of connections to workers, made when a bank of theirs is first asked for.

    A route may be old: a worker hands on what it has not got. So it is looked up once, and again
    after something failed. Every method runs in the store's event loop.
    """

    def __init__(self, coordinator: Pool, url: str, size: int) -> None:
        self._coordinator = coordinator
        self._url = url
        self._size = size
        self._nodes: dict[int, _Node | None] = {}  # by bank; None: the coordinator itself
        self._pools: dict[_Node, Pool] = {}
        self._avoided: dict[_Node, float] = {}

    async def pool_for(self, bank: int) -> Pool:
        """The connections to ask for a bank."""
        if bank not in self._nodes:
            self._nodes[bank] = await self._looked_up(bank)
        node = self._nodes[bank]
        if node is None or self._avoided.get(node, 0.0) > time.monotonic():
            return self._coordinator
        if node not in self._pools:
            self._pools[node] = Pool(_at(self._url, node), self._size, at_home=True)
        return self._pools[node]

    async def _looked_up(self, bank: int) -> _Node | None:
        async with self._coordinator.connection(None) as (connection, _):
            found = await connection.fetch(CLUSTER["home_of_bank"], bank)
        return None if not found or found[0][2] else (str(found[0][0]), int(found[0][1]))

    def failed(self, bank: int, error: BaseException) -> None:
        """Note that the worker of a bank had not got it, or did not answer."""
        node = self._nodes.pop(bank, None)
        if node is not None and not isinstance(error, MOVED):
            self._avoided[node] = time.monotonic() + _AVOIDED_S
            logger.warning(
                "worker %s:%d does not answer (%s); its banks are asked for through the "
                "coordinator for %.0f s", *node, error, _AVOIDED_S,
            )  # fmt: skip

    def is_coordinator(self, pool: Pool) -> bool:
        """Whether a pool is that of the coordinator."""
        return pool is self._coordinator

    async def close(self) -> None:
        """Close the connections to the workers."""
        await asyncio.gather(*(pool.close() for pool in self._pools.values()))


def _at(url: str, node: _Node) -> str:
    """The address of the same database on a node."""
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    host = f"[{node[0]}]" if ":" in node[0] else node[0]
    return urlunsplit(parts._replace(netloc=f"{user}{at}{host}:{node[1]}"))
