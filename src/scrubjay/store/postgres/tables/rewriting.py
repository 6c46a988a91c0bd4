"""Writes tables anew without what was erased, and says whether that is done."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

import asyncpg

from scrubjay.errors import StoreLocked, StoreReadOnly
from scrubjay.store.postgres.connection.cluster import (
    CLUSTER,
    Shard,
    is_spread,
    on_node,
    shards_of,
)
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.postgres.connection.migrating import as_owner
from scrubjay.store.postgres.connection.pool import LOCK_TIMEOUT_MS
from scrubjay.store.shared.statements import statements

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")

# How long transactions that still see the erased rows are waited for, and how often is looked.
_WAIT_S = LOCK_TIMEOUT_MS / 1e3
_PAUSE_S = 0.2


async def rewrite(url: str, shown: str, bank: int, *, wait_s: float = _WAIT_S) -> None:
    """Write the tables that hold a bank anew, so that no page keeps an erased row.

    On a cluster these are the bank's shards alone, where they are. Rows that some transaction on
    the server still sees are kept by it; such transactions are waited for, and if they last it is
    StoreLocked, and nothing but the erased rows' bytes is left to be done.
    """
    connection = await as_owner(url, lock_timeout_ms=LOCK_TIMEOUT_MS)
    try:
        places = await _places(connection, bank)
        # Every transaction that erased something is older than the next one of its node.
        first_of = {place.node: place for place in reversed(places)}
        horizons = {
            node: int(await place.value(ADMIN["next_transaction"]))
            for node, place in first_of.items()
        }
        # The first is small, so it is the one to find out with whether all can be done.
        until = time.monotonic() + wait_s
        while not await _rewritten(places[0], shown, horizons[places[0].node]):
            if time.monotonic() > until:
                raise _pending(shown, places[0].table)
            await asyncio.sleep(_PAUSE_S)
        for place in places[1:]:
            if not await _rewritten(place, shown, horizons[place.node]):
                raise _pending(shown, place.table)
    finally:
        await connection.close()


async def _places(connection: Connection, bank: int) -> list[_Table]:
    if await is_spread(connection):
        return [_Table(s.name, connection, s) for s in await shards_of(connection, bank)]
    found = await connection.fetch(ADMIN["tables_of_bank"], bank)
    return [_Table(table, connection, None) for (table,) in found]


@dataclass(frozen=True, slots=True)
class _Table:
    """A table to be written anew, and where; `shard` is None on a server by itself."""

    table: str
    connection: Connection
    shard: Shard | None

    @property
    def node(self) -> tuple[str, int] | None:
        return None if self.shard is None else (self.shard.host, self.shard.port)

    async def value(self, statement: str) -> str:
        """The one value of a statement."""
        if self.shard is not None:
            return await on_node(self.connection, self.shard, statement)
        return str(await self.connection.fetchval(statement))

    async def rewrite(self) -> None:
        """Write it anew; LockNotAvailableError or StoreLocked if it is in use for too long."""
        if self.shard is None:
            anew = ADMIN["rewrite"].format(table=self.table)
            try:
                await self.connection.execute(anew)
            except asyncpg.DeadlockDetectedError:
                # A graph under construction waited for this to end, and this for its table. It is
                # done as soon as this was ended.
                await self.connection.execute(anew)
            return
        anew = CLUSTER["rewrite_shard"].format(table=self.table, wait_ms=LOCK_TIMEOUT_MS)
        await on_node(self.connection, self.shard, anew)
        await on_node(self.connection, self.shard, ADMIN["analyze"].format(table=self.table))


def _pending(shown: str, table: str) -> StoreLocked:
    return StoreLocked(
        f"{shown}: what was forgotten is gone from every answer, but its bytes are still in the "
        f"files of {table} and others, for a transaction begun before still uses them. Call "
        "compact() when it has ended."
    )


async def _rewritten(place: _Table, shown: str, horizon: int) -> bool:
    """Write a table anew; whether nothing is left that was erased before the horizon."""
    try:
        await place.rewrite()
    except (asyncpg.LockNotAvailableError, StoreLocked) as error:
        raise _pending(shown, place.table) from error
    said = await place.value(ADMIN["oldest_kept"].format(table=place.table))
    oldest, ours = said.split(" ")
    # A rewritten table keeps no row version that died before this number, which has 32 bits.
    done = bool((int(oldest) - horizon) % 2**32 < 2**31)
    if not done and ours != "true":
        raise StoreReadOnly(
            f"{shown}: {place.table} can be rewritten by its owner only. Erased rows are gone from "
            "every answer; call compact() as the owner to clear their bytes."
        )
    return done
