"""What an administrator does to a database: see its state and gaps, and spread it by bank."""

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
from scrubjay.store.postgres.connection.row_security import kept_samples, row_security_gaps
from scrubjay.store.shared.statements import statements
from scrubjay.types import Finding

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")

# Every table but the list of names, which each machine has whole; the first leads the others.
DISTRIBUTED = (
    "sessions", "units", "unit_tags", "vectors", "vectors_next", "postings", "links", "entities",
    "aliases", "mentions", "relations", "judgements", "pending",
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
    return _run(_status(address.owner, address.shown), address.shown)


def bring_up_to_date(url: str) -> list[int]:
    """Apply the migrations a database lacks; their numbers."""
    address = read_address(url)
    return _run(migrate(address.owner, address.shown), address.shown)


def distribute(url: str) -> list[str]:
    """Spread a database, empty or not, over the machines of its Citus cluster, by bank.

    The tables lose their partitions, whose part the 64 shards take, and their policies, which
    Citus does not enforce on shards. All or nothing; the statements that were run, none if it is
    spread already. Without Citus it is a StoreError, and nothing is changed.
    """
    address = read_address(url)
    return _run(_distribute(address.owner, address.shown), address.shown)


def distribution_of(url: str) -> list[str]:
    """The statements `distribute` would run on a database with the current schema."""
    address = read_address(url)
    return _run(_planned(address.owner, address.shown), address.shown)


def row_security_of(url: str) -> list[Finding]:
    """Where row-level security has a gap, and what the server keeps that it should not.

    A cluster has no such policies.
    """
    address = read_address(url)
    return _run(_gaps(address.owner), address.shown)


def flatten(url: str) -> None:
    """Turn partitioned tables into plain ones, the first half of `distribute`."""
    address = read_address(url)
    _run(_flattened(address.owner), address.shown)


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
        return Status(shown, version.stored, version.newest, await _spread(connection))
    finally:
        await connection.close()


async def _spread(connection: Connection) -> bool:
    there = await connection.fetchval(ADMIN["citus_there"])
    return bool(there) and bool(await connection.fetchval(ADMIN["spread_already"]))


async def _gaps(url: str) -> list[Finding]:
    connection = await as_owner(url)
    try:
        found = await kept_samples(connection)
        # A cluster has no such policies. The role comes last, for it is kept.
        return (
            found if await _spread(connection) else [*found, *await row_security_gaps(connection)]
        )
    finally:
        await connection.close()


async def _distribute(url: str, shown: str) -> list[str]:
    connection = await as_owner(url)
    try:
        # Before anything is changed, be it only the schema's version.
        if not await connection.fetchval(ADMIN["citus_available"]):
            raise StoreError(
                f"{shown} has no Citus. Install it on every machine of the cluster, add it to "
                "shared_preload_libraries, restart, and repeat the call."
            )
        if await _spread(connection):
            return []
        await migrate(url, shown)
        first, *between, last = await _steps(connection)
        await connection.execute(first)
        async with connection.transaction():
            for statement in between:
                await connection.execute(statement)
        # What a session sets does not reach the shards.
        await connection.execute(last)
        return [first, *between, last]
    finally:
        await connection.close()


async def _planned(url: str, shown: str) -> list[str]:
    version = await version_of(url)
    if version.stored < version.newest:
        raise StoreError(f"{shown} has no current schema. Run `scrubjay admin migrate` first.")
    connection = await as_owner(url)
    try:
        return [] if await _spread(connection) else await _steps(connection)
    finally:
        await connection.close()


async def _steps(connection: Connection) -> list[str]:
    """Everything in order: what Citus must be, the one transaction, and the settings at last."""
    parted = [name for (name,) in await connection.fetch(ADMIN["partitioned_tables"])]
    keys = [
        {"table": table, "name": name, "definition": definition}
        for table, name, definition in await connection.fetch(ADMIN["foreign_keys"])
    ]
    return [
        ADMIN["make_citus"],
        *await _flattening(connection, parted),
        *(ADMIN["drop_foreign_key"].format(**key) for key in keys),
        ADMIN["distribute_names"],
        ADMIN["distribute_first"],
        *(ADMIN["distribute_beside"].format(table=table) for table in DISTRIBUTED),
        *(ADMIN["add_foreign_key"].format(**key) for key in keys),
        ADMIN["search_settings"],
    ]


async def _flattened(url: str) -> None:
    connection = await as_owner(url)
    try:
        parted = [name for (name,) in await connection.fetch(ADMIN["partitioned_tables"])]
        async with connection.transaction():
            for statement in await _flattening(connection, parted):
                await connection.execute(statement)
    finally:
        await connection.close()


async def _flattening(connection: Connection, parted: list[str]) -> list[str]:
    policies = await connection.fetch(ADMIN["policies"])
    steps = ("flatten", "hide_columns", "drop_parted", "grant_app")
    return [
        *(ADMIN["drop_policy"].format(table=table, policy=name) for table, name in policies),
        *(ADMIN[step].format(table=table) for table in parted for step in steps),
        # They were made on the partitions; upkeep makes them again.
        ADMIN["forget_graphs"],
    ]
