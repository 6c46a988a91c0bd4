"""What an administrator does to a database: see its state, and spread it over many machines."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TypeVar

from scrubjay.errors import StoreError
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.postgres.connection.faults import ERRORS, translated
from scrubjay.store.postgres.connection.migrating import as_owner, migrate, version_of
from scrubjay.store.statements import statements

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")

# Every table but the list of names, which each machine has whole; the first leads the others.
DISTRIBUTED = (
    "sessions", "units", "unit_tags", "vectors", "vectors_next", "postings", "links", "entities",
    "aliases", "mentions", "relations",
)  # fmt: skip

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Status:
    """Where a database stands: its schema and the newest one, and whether Citus spreads it."""

    location: str
    schema: int
    newest: int
    distributed: bool


def status(url: str) -> Status:
    """The state of the database at an address."""
    address = read_address(url)
    return _run(_status(address.primary, address.shown), address.shown)


def bring_up_to_date(url: str) -> list[int]:
    """Apply the migrations a database lacks; their numbers."""
    address = read_address(url)
    return _run(migrate(address.primary, address.shown), address.shown)


def distribute(url: str) -> None:
    """Spread a database, empty or not, over the machines of its Citus cluster, by bank.

    The tables lose their partitions, whose part the 64 shards take, and their policies, which
    Citus does not enforce on shards. All or nothing.
    """
    address = read_address(url)
    _run(_distribute(address.primary, address.shown), address.shown)


def flatten(url: str) -> None:
    """Turn partitioned tables into plain ones, the first half of `distribute`."""
    address = read_address(url)
    _run(_flattened(address.primary), address.shown)


def _run(work: Coroutine[object, object, _T], shown: str) -> _T:
    try:
        return asyncio.run(_awaited(work))
    except ERRORS as error:
        raise translated(error, shown) from error


async def _awaited(work: Coroutine[object, object, _T]) -> _T:
    return await work


async def _status(url: str, shown: str) -> Status:
    version = await version_of(url)
    connection = await as_owner(url)
    try:
        distributed = bool(await connection.fetchval(ADMIN["citus_there"]))
        return Status(shown, version.stored, version.newest, distributed)
    finally:
        await connection.close()


async def _distribute(url: str, shown: str) -> None:
    await migrate(url, shown)
    connection = await as_owner(url)
    try:
        if not await connection.fetchval(ADMIN["citus_available"]):
            raise StoreError(
                f"{shown} has no Citus. Install it on every machine of the cluster, add it to "
                "shared_preload_libraries, restart, and repeat the call."
            )
        await connection.execute(ADMIN["make_citus"])
        async with connection.transaction():
            await _flatten(connection)
            keys = await connection.fetch(ADMIN["foreign_keys"])
            for table, name, _ in keys:
                await connection.execute(ADMIN["drop_foreign_key"].format(table=table, name=name))
            await connection.execute(ADMIN["distribute_names"])
            await connection.execute(ADMIN["distribute_first"])
            for table in DISTRIBUTED:
                await connection.execute(ADMIN["distribute_beside"].format(table=table))
            for table, name, definition in keys:
                statement = ADMIN["add_foreign_key"]
                await connection.execute(
                    statement.format(table=table, name=name, definition=definition)
                )
        # What a session sets does not reach the shards.
        await connection.execute(ADMIN["search_settings"])
    finally:
        await connection.close()


async def _flattened(url: str) -> None:
    connection = await as_owner(url)
    try:
        async with connection.transaction():
            await _flatten(connection)
    finally:
        await connection.close()


async def _flatten(connection: Connection) -> None:
    for (table,) in await connection.fetch(ADMIN["walled_tables"]):
        await connection.execute(ADMIN["take_wall_down"].format(table=table))
    for (table,) in await connection.fetch(ADMIN["partitioned_tables"]):
        await connection.execute(ADMIN["flatten"].format(table=table))
        await connection.execute(ADMIN["grant_app"].format(table=table))
    # They were made on the partitions; upkeep makes them again.
    await connection.execute(ADMIN["forget_graphs"])
