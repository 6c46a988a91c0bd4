"""Ties index files to the state of the bank's database that they were made from."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from scrubjay.store.embedded.tables.sql import SQL

_KEY = "index_stamps"

# Saves that were cut off one after the other and leave files that may be used.
_CUT_OFF_MAX = 8


def trusted_stamps(connection: sqlite3.Connection) -> list[str]:
    """The stamps of the saves whose files belong to this database."""
    found = connection.execute(SQL["get_meta"], (_KEY,)).fetchone()
    return [] if found is None else found[0].split()


@contextmanager
def stamped(
    transaction: Callable[[], AbstractContextManager[sqlite3.Connection]],
) -> Iterator[str]:
    """The stamp for a save of the index files, which the database knows before they have it.

    A database that was put back to an earlier state does not know it, nor does another bank's.
    When the block is left, no other stamp is trusted; when it raises, earlier ones are as well.
    """
    stamp = secrets.token_hex(16)
    with transaction() as connection:
        _trust(connection, [*trusted_stamps(connection)[-_CUT_OFF_MAX:], stamp])
    yield stamp
    with transaction() as connection:
        _trust(connection, [stamp])


def distrust_files(connection: sqlite3.Connection) -> None:
    """Let no index file be used that was saved before now."""
    connection.execute(SQL["delete_meta"], (_KEY,))


def _trust(connection: sqlite3.Connection, stamps: list[str]) -> None:
    connection.execute(SQL["set_meta"], (_KEY, " ".join(stamps)))
