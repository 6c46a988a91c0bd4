"""A Citus cluster: whether banks are spread over one, where one lives, and work done there."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.errors import StoreError, StoreLocked
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.shared.statements import statements

CLUSTER = statements("scrubjay.store.postgres", "cluster_queries.sql")

# What a node says of a lock that was not to be had in time; its answer has no code.
_LOCKED = "lock timeout"


@dataclass(frozen=True, slots=True)
class Shard:
    """One table's rows of a bank: which table, what it is called on its node, and which node."""

    table: str
    name: str
    host: str
    port: int
    here: bool  # on the node that we are connected to


async def is_spread(connection: Connection) -> bool:
    """Whether a database's banks are spread over a cluster."""
    return bool(await connection.fetchval(CLUSTER["citus_there"])) and bool(
        await connection.fetchval(CLUSTER["spread_already"])
    )


async def shards_of(connection: Connection, bank: int) -> list[Shard]:
    """Where a bank is, the state of banks first; the list of names is on every node."""
    return [Shard(*row) for row in await connection.fetch(CLUSTER["shards_of_bank"], bank)]


async def vectors_of(connection: Connection, bank: int) -> Shard:
    """Where the vectors of a bank are."""
    (found,) = [s for s in await shards_of(connection, bank) if s.table.endswith("vectors")]
    return found


async def on_node(connection: Connection, shard: Shard, statement: str) -> str:
    """Run a statement where a shard is, in no transaction of ours; the one value it gives."""
    if shard.here:
        # Through the function it would wait for the end of the very query that runs it.
        await connection.execute(CLUSTER["reach_shards"])
        try:
            return str(await connection.fetchval(statement))
        finally:
            await connection.execute(CLUSTER["leave_shards"])
    ((done, said),) = await connection.fetch(
        CLUSTER["run_on_node"], shard.host, shard.port, statement
    )
    if not done:
        error = StoreLocked if _LOCKED in said else StoreError
        raise error(f"{shard.host}:{shard.port}: {said}.")
    return str(said)
