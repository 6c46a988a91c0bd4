"""Tries row level security: whether the store's role can see or change what is another bank's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import asyncpg

from scrubjay.store.postgres.connection.driver import Connection
from scrubjay.store.shared.statements import statements
from scrubjay.types.reports import Finding

ADMIN = statements("scrubjay.store.postgres", "admin_queries.sql")
REGISTRY = statements("scrubjay.store.postgres", "registry_queries.sql")


async def row_security_gaps(connection: Connection) -> list[Finding]:
    """Where it has a gap, tried in the role the store works in; nothing is changed.

    The connection keeps that role.
    """
    tables = await connection.fetch(ADMIN["protected_tables"])
    banks = [str(number) for (number,) in await connection.fetch(ADMIN["some_banks"])]
    said = [f"table {name} shows every bank's rows" for name, stands in tables if not stands]
    role = await connection.fetchval(REGISTRY["role_to_take"])
    if role is not None:
        await connection.execute(f"SET ROLE {role}")
    ((who, passes, owns),) = await connection.fetch(ADMIN["role_at_work"])
    if passes:
        said.append(f"the store works as {who}, whom no policy binds")
    if owns:
        said.append(
            f"the store works as {who}, who owns the tables and could drop the policies, for the "
            "role scrubjay_app cannot be taken; `scrubjay docs postgres` says how to make it"
        )
    names = [name for name, _ in tables]
    said += [text async for text in _tried(connection, str(who), names, ["", *banks])]
    return [Finding("isolation", text, fixed=False) for text in said]


async def _tried(
    connection: Connection, who: str, tables: Sequence[str], banks: Sequence[str]
) -> AsyncIterator[str]:
    seen = [
        name
        for name in tables
        # Anybody may look up the names of banks.
        if name != "banks" and await connection.fetchval(ADMIN["readable"], name)
    ]
    for name in seen:
        for bank in banks:
            if await _answer(connection, bank, ADMIN["rows_of_others"].format(table=name)):
                yield f"{who}, set to bank {bank or 'none'}, sees other banks' rows in {name}"
                break
    for bank in banks:
        if await _answer(connection, bank, ADMIN["delete_others"]):
            yield f"{who}, set to bank {bank or 'none'}, can delete other banks' names"
            break


async def _answer(connection: Connection, bank: str, statement: str) -> object:
    """What a statement gives, set to a bank; nothing of it is kept."""
    await connection.execute("BEGIN")
    try:
        # For the transaction, or the nodes of a cluster would not know.
        await connection.execute(f"SET LOCAL scrubjay.bank_id = '{bank}'")
        return await connection.fetchval(statement)
    except asyncpg.InvalidTextRepresentationError:
        # On a cluster, a policy that meets no bank raises.
        return None
    finally:
        await connection.execute("ROLLBACK")


async def kept_samples(connection: Connection) -> list[Finding]:
    """Columns of which the server samples what was told, or still keeps a sample."""
    sampled = await connection.fetch(ADMIN["sampled_columns"])
    kept: list[tuple[str]] = []
    if await connection.fetchval(ADMIN["samples_readable"]):
        kept = await connection.fetch(ADMIN["samples_kept"])
    said = [
        f"the server samples {name}, so what is forgotten may stay there" for (name,) in sampled
    ]
    said += [f"the server keeps a sample of {name} in pg_statistic" for (name,) in kept]
    return [Finding("statistics", text, fixed=False) for text in said]
