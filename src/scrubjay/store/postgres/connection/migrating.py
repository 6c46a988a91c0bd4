"""Brings a database to the newest schema: numbered files, one at a time, one process at a time."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import asyncpg

from scrubjay.errors import NotFound, StoreError, StoreTooNew
from scrubjay.store.postgres.connection.address import hidden
from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.postgres.connection.pool import (
    CONNECT_TIMEOUT_S,
    LOCK_TIMEOUT_MS,
    SETTINGS,
    behind_pooler,
    plainly,
)
from scrubjay.store.shared.statements import migrations, statements

PACKAGE = "scrubjay.store.postgres"
REGISTRY = statements(PACKAGE, "registry_queries.sql")

logger = logging.getLogger("scrubjay.postgres")


@dataclass(frozen=True, slots=True)
class Version:
    """The schema a database has, and the newest this scrubjay knows; 0 is an empty database."""

    stored: int
    newest: int


async def as_owner(url: str, *, lock_timeout_ms: int = 0) -> Connection:
    """A connection of its own, in the role of the address, for changes to the schema."""
    if await behind_pooler(url):
        raise StoreError(
            f"{hidden(url)} is a pooler, whose sessions we cannot keep. For this work name the "
            "server itself: add scrubjay_direct, its URL percent-encoded, to the address."
        )
    settings = {
        **SETTINGS,
        "lock_timeout": str(lock_timeout_ms),
        # Who looks through the catalogue for our tables should not find the shards of a cluster.
        "citus.override_table_visibility": "on",
    }
    connection: Connection = await asyncpg.connect(
        url, server_settings=settings, timeout=CONNECT_TIMEOUT_S
    )
    return connection


async def version_of(url: str) -> Version:
    """Which schema a database has."""
    connection = await plainly(url)
    try:
        async with connection.transaction():
            return await _version(connection)
    finally:
        await connection.close()


async def _version(connection: Connection) -> Version:
    newest = migrations(PACKAGE)[-1][0]
    if not await connection.fetchval(REGISTRY["version_exists"]):
        return Version(0, newest)
    return Version(int(str(await connection.fetchval(REGISTRY["version"]))), newest)


async def migrate(url: str, shown: str) -> list[int]:
    """Apply the files a database lacks, all or none; their numbers."""
    connection = await as_owner(url)
    try:
        checked(await _version(connection), shown)
        async with connection.transaction():
            # Whoever waited here finds the work done.
            await connection.execute(REGISTRY["lock_migrations"])
            await connection.execute(REGISTRY["make_schema"])
            await connection.execute(REGISTRY["make_version"])
            await _make_extension(connection, shown)
            stored = (await _version(connection)).stored
            lacking = [(number, text) for number, text in migrations(PACKAGE) if number > stored]
            for number, script in lacking:
                await connection.execute(script)
                await connection.execute(REGISTRY["record_version"], number)
        if stored and lacking:
            await _rewrite_samples(connection, shown)
        return [number for number, _ in lacking]
    finally:
        await connection.close()


async def _rewrite_samples(connection: Connection, shown: str) -> None:
    """Clear the bytes of samples that older schemas let the server take of what was told."""
    before = await connection.fetchval(REGISTRY["samples_file"])
    await connection.execute(REGISTRY["bound_lock_wait"], str(LOCK_TIMEOUT_MS))
    try:
        await connection.execute(REGISTRY["rewrite_samples"])
    except (asyncpg.LockNotAvailableError, asyncpg.InsufficientPrivilegeError) as error:
        logger.warning("%s: %s", shown, error)
    if await connection.fetchval(REGISTRY["samples_file"]) == before:
        logger.warning(
            "%s: erased words may be left in the pages of pg_statistic; run VACUUM FULL "
            "pg_catalog.pg_statistic as the owner of the database", shown,
        )  # fmt: skip


async def _make_extension(connection: Connection, shown: str) -> None:
    try:
        await connection.execute(REGISTRY["make_extension"])
    except (asyncpg.FeatureNotSupportedError, asyncpg.UndefinedFileError) as error:
        raise StoreError(
            f"{shown} has no pgvector ({error}). Install the extension `vector`, 0.8 or newer, on "
            "the server."
        ) from error


async def prepare(url: str, shown: str, *, read_only: bool) -> None:
    """Make the schema current; reading only, just see that it is one we know."""
    version = checked(await version_of(url), shown)
    if version.stored == version.newest:
        return
    if read_only:
        raise NotFound("no current store at", shown, "Run `scrubjay admin migrate`.")
    await migrate(url, shown)


def checked(version: Version, shown: str) -> Version:
    """The version, or StoreTooNew."""
    if version.stored > version.newest:
        raise StoreTooNew(
            f"{shown} has schema {version.stored}; this scrubjay knows up to {version.newest}. "
            "Upgrade scrubjay to open it."
        )
    return version
