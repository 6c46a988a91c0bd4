"""Writes tables anew without what was erased, and says whether that is done."""

from __future__ import annotations

import asyncio
import time

import asyncpg

from scrubjay.errors import StoreLocked, StoreReadOnly
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

    Rows that some transaction on the server still sees are kept by it; such transactions are
    waited for, and if they last it is StoreLocked, and nothing but the erased rows' bytes is left
    to be done.
    """
    connection = await as_owner(url, lock_timeout_ms=LOCK_TIMEOUT_MS)
    try:
        # Every transaction that erased something is older than the next one.
        horizon = int(str(await connection.fetchval(ADMIN["next_transaction"])))
        first, *others = [t for (t,) in await connection.fetch(ADMIN["tables_of_bank"], bank)]
        # The first is small, so it is the one to find out with whether all can be done.
        until = time.monotonic() + wait_s
        while not await _rewritten(connection, shown, first, horizon):
            if time.monotonic() > until:
                raise _pending(shown, first)
            await asyncio.sleep(_PAUSE_S)
        for table in others:
            if not await _rewritten(connection, shown, table, horizon):
                raise _pending(shown, table)
    finally:
        await connection.close()


def _pending(shown: str, table: str) -> StoreLocked:
    return StoreLocked(
        f"{shown}: what was forgotten is gone from every answer, but its bytes are still in the "
        f"files of {table} and others, for a transaction begun before still uses them. Call "
        "compact() when it has ended."
    )


async def _rewritten(connection: Connection, shown: str, table: str, horizon: int) -> bool:
    """Write a table anew; whether nothing is left that was erased before the horizon."""
    try:
        await connection.execute(ADMIN["rewrite"].format(table=table))
    except asyncpg.LockNotAvailableError as error:
        raise _pending(shown, table) from error
    ((oldest, ours),) = await connection.fetch(ADMIN["oldest_kept"], table)
    # A rewritten table keeps no row version that died before this number, which has 32 bits.
    done = bool((oldest - horizon) % 2**32 < 2**31)
    if not done and not ours:
        raise StoreReadOnly(
            f"{shown}: {table} can be rewritten by its owner only. Erased rows are gone from every "
            "answer; call compact() as the owner to clear their bytes."
        )
    return done
