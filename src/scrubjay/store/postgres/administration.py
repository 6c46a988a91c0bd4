"""What an administrator does to a database: see its state and gaps, and spread it by bank."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import TypeVar

from scrubjay.errors import StoreError
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.cluster import CLUSTER, is_spread
from scrubjay.store.postgres.connection.faults import ERRORS, translated
from scrubjay.store.postgres.connection.migrating import as_owner, migrate, version_of
from scrubjay.store.postgres.connection.row_security import kept_samples, row_security_gaps
from scrubjay.store.postgres.distribution import carry_out, flattening, plan_of, unprotected
from scrubjay.types.reports import Finding

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

    The tables lose their partitions, whose part the 64 shards take, and get policies that a shard
    can keep. The statements that were run, none if nothing is lacking; cut off, or when a node was
    added, the same call does what is left. Without Citus it is a StoreError that changes nothing.
    """
    address = read_address(url)
    return _run(_distribute(address.owner, address.shown), address.shown)


def distribution_of(url: str) -> list[str]:
    """The statements `distribute` would run on a database with the current schema."""
    address = read_address(url)
    return _run(_planned(address.owner, address.shown), address.shown)


def row_security_of(url: str) -> list[Finding]:
    """Where row-level security has a gap, and what the server keeps that it should not."""
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
        return Status(shown, version.stored, version.newest, await is_spread(connection))
    finally:
        await connection.close()


async def _gaps(url: str) -> list[Finding]:
    connection = await as_owner(url)
    try:
        # The role comes last, for it is kept.
        return [*await kept_samples(connection), *await row_security_gaps(connection)]
    finally:
        await connection.close()


async def _distribute(url: str, shown: str) -> list[str]:
    connection = await as_owner(url)
    try:
        # Before anything is changed, be it only the schema's version.
        if not await connection.fetchval(CLUSTER["citus_available"]):
            raise StoreError(
                f"{shown} has no Citus. Install it on every machine of the cluster, add it to "
                "shared_preload_libraries, restart, and repeat the call."
            )
        await migrate(url, shown)
        plan = await plan_of(connection)
        await carry_out(connection, plan)
        return plan.statements
    finally:
        await connection.close()


async def _planned(url: str, shown: str) -> list[str]:
    version = await version_of(url)
    if version.stored < version.newest:
        raise StoreError(f"{shown} has no current schema. Run `scrubjay admin migrate` first.")
    connection = await as_owner(url)
    try:
        return (await plan_of(connection)).statements
    finally:
        await connection.close()


async def _flattened(url: str) -> None:
    connection = await as_owner(url)
    try:
        async with connection.transaction():
            tables = [name for (name,) in await connection.fetch(CLUSTER["local_tables"])]
            # First the policies, or an owner whom they bind would copy nothing.
            for statement in await unprotected(connection, tables):
                await connection.execute(statement)
            for statement in await flattening(connection):
                await connection.execute(statement)
    finally:
        await connection.close()
