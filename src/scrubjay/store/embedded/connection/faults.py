"""What a database file and its directory can refuse, as errors that say what to do."""

from __future__ import annotations

import errno
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scrubjay.errors import StoreDamaged, StoreError, StoreFull, StoreLocked, StoreReadOnly

# Of a file whose schema holds bytes that are no text, Python cannot even say what SQLite said.
SQLITE_ERRORS = (sqlite3.Error, UnicodeDecodeError)

# What comes of values that nobody wrote: numbers out of range, blobs cut short, JSON that is none.
_UNREADABLE = (IndexError, KeyError, OverflowError, TypeError, ValueError, struct.error)

# The version is checked on opening, so a table that is not there was there, and text was text.
_SPOILED = ("no such table", "no such column", "Could not decode to UTF-8")


class Unreadable(sqlite3.DatabaseError):
    """A row holds what was not written there; SQLite itself keeps no checksums."""


@contextmanager
def decoded() -> Iterator[None]:
    """Take what cannot be made of a row's values for damage; inside a block that maps errors."""
    try:
        yield
    except _UNREADABLE as error:
        # What was read stays out of the message: it is somebody's memory.
        raise Unreadable(f"a row holds what was not written, {type(error).__name__}") from error


def unwritable(path: Path, error: OSError) -> StoreError:
    """The error for a file or directory the system refuses to write."""
    if error.errno == errno.ENOSPC:
        return StoreFull(f"No space left for {path}. Free some, then repeat the call.")
    return StoreReadOnly(
        f"{path} cannot be written ({error.strerror}). Choose another directory, mend its "
        "permissions, or open the store with read_only=True."
    )


@contextmanager
def mapped_errors(location: object) -> Iterator[None]:
    """Turn SQLite's errors into ours, with the place and the remedy."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise translated(error, location) from error


def is_full(error: Exception) -> bool:
    """Whether SQLite found no room for what was to be written."""
    return _code(error) == sqlite3.SQLITE_FULL


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def translated(error: Exception, location: object) -> StoreError:
    """Our error for one of SQLite's."""
    code = _code(error)
    if is_full(error):
        return StoreFull(f"No space left for {location}. Free some, then repeat the call.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreReadOnly(
            f"{location} cannot be opened or written ({error}). Check the directory and its "
            "permissions, or open the store with read_only=True."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(f"{location} is busy ({error}). Repeat the call.")
    # What was read stays out of the message: it is somebody's memory.
    said = str(error).partition(" with text")[0]
    spoiled = isinstance(error, UnicodeDecodeError | Unreadable) or said.startswith(_SPOILED)
    if spoiled or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreDamaged(
            f"{location} cannot be read ({said}). Restore it with `scrubjay restore`."
        )
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"The system refused to read or write {location} ({error}). Check the disk, its space "
            "and its quota, then repeat the call."
        )
    return StoreError(f"{location}: {error}.")
