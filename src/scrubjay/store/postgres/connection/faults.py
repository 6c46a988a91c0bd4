"""Turns the driver's errors into ours, with the place and the remedy."""

from __future__ import annotations

import asyncpg

from scrubjay.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, StoreReadOnly


class Unreachable(ConnectionError):
    """No connection could be had, with all the patience there was."""


# The connection is gone, or there is none to be had yet; another attempt may find one.
BROKEN: tuple[type[BaseException], ...] = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.ConnectionDoesNotExistError,
    asyncpg.InterfaceError,
    # What the driver says of a connection that died between two of its steps.
    asyncpg.InternalClientError,
    ConnectionError,
    OSError,
)
# Everything the driver raises; TimeoutError is an OSError.
ERRORS: tuple[type[BaseException], ...] = (asyncpg.PostgresError, *BROKEN)

# What a server that is there may say, or the driver by itself.
_STANDING = (
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)

# The server gave up one of two that waited for each other, or could not order them; a replica
# says so of a read that is in the way of what it takes in.
CONFLICTS: tuple[type[BaseException], ...] = (
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)
_REPEATABLE = (*CONFLICTS, asyncpg.LockNotAvailableError)

# Where the server makes a file longer. A quota or a limit stops it there as a full disk does, only
# that the error's class does not say so.
_EXTENDING = ("mdextend", "mdzeroextend")


def is_down(error: BaseException) -> bool:
    """Whether the error says that there is no server, rather than a busy one."""
    cause = error.__cause__ if isinstance(error, Unreachable) else error
    return isinstance(cause, BROKEN) and not isinstance(cause, _STANDING)


def translated(error: BaseException, place: str) -> StoreError:
    """Our error for one of the driver's."""
    if isinstance(error, Unreachable) and isinstance(
        error.__cause__, asyncpg.TooManyConnectionsError
    ):
        error = error.__cause__
    if isinstance(error, TimeoutError | asyncpg.QueryCanceledError):
        return StoreError(f"{place}: the statement ran past its deadline and was cancelled there.")
    if isinstance(error, asyncpg.TooManyConnectionsError):
        return StoreError(
            f"{place} has no connection left ({error}). Lower scrubjay_pool in the address, or "
            "raise max_connections on the server."
        )
    if isinstance(error, _REPEATABLE):
        return StoreLocked(f"{place} is busy ({error}). Nothing was changed; repeat the call.")
    if _is_full(error):
        return StoreFull(f"No space left at {place} ({error}). Free some, then repeat the call.")
    if isinstance(error, asyncpg.ReadOnlySQLTransactionError | asyncpg.InsufficientPrivilegeError):
        return StoreReadOnly(f"{place} cannot be written ({error}). Check the role's rights.")
    if isinstance(error, asyncpg.DataCorruptedError | asyncpg.IndexCorruptedError):
        return StoreDamaged(f"{place} cannot be read ({error}). Restore it from a backup.")
    if isinstance(error, BROKEN):
        cause = error.__cause__ if isinstance(error, Unreachable) else error
        return StoreError(
            f"{place} does not answer ({type(cause).__name__}: {cause}). Repeat the call when the "
            "server is back; what was told twice is stored once."
        )
    return StoreError(f"{place}: {error}.")


def _is_full(error: BaseException) -> bool:
    if not isinstance(error, asyncpg.PostgresError):
        return False
    return isinstance(error, asyncpg.DiskFullError) or error.server_source_function in _EXTENDING
