"""The server's own SQLite file, `server.db`, beside the store it serves."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import platformdirs

from scrubjay.backend import IN_MEMORY
from scrubjay.errors import StoreDamaged, StoreError
from scrubjay.private_files import make_private

# Surfaces do not reach into the store, so they read their own few statements.
_FOLDER = files("scrubjay.surface.http.state")
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_parts = _NAME.split(_FOLDER.joinpath("queries.sql").read_text(encoding="utf-8"))
SQL = dict(zip(_parts[1::2], _parts[2::2], strict=True))

BUSY_TIMEOUT_S = 10.0

# Beside a `server.db` that was made; it says so when that is lost.
_MADE = "server.made"
_REMEDY = (
    f"Put back a copy of it; or remove it and {_MADE} beside it, and make new keys before others "
    "can reach the server."
)
Value = str | bytes | int | float | None
Row = tuple[Value, ...]
Read = TypeVar("Read")


class ServerDatabase:
    """Keys, answers and tasks, for many threads; `scrubjay keys` may write beside it."""

    def __init__(self, directory: Path | None) -> None:
        """Open `server.db` in `directory`, made if new; None keeps it in this process."""
        place = ":memory:"
        if directory is not None:
            try:
                make_private(directory)
            except OSError as error:
                raise StoreError(
                    f"{directory} cannot be written ({error.strerror}). Give --state a directory "
                    "of your own."
                ) from error
            _check_not_lost(directory)
            place = str(directory / "server.db")
        self._place = place
        try:
            if directory is not None:
                # Hashes of keys and names of banks are nobody else's business; the files that
                # SQLite puts beside it take after it.
                (directory / "server.db").touch(mode=0o600)
                (directory / "server.db").chmod(0o600)
            self._writer = self._reader = _Shared(place)
            self._writer.connection.execute("PRAGMA journal_mode=WAL")
            self._writer.connection.executescript(
                _FOLDER.joinpath("schema.sql").read_text(encoding="utf-8")
            )
            _clear_answers(self._writer.connection)
            if directory is not None:
                # Keys are read between requests, and must not wait while a write is synced.
                self._reader = _Shared(place)
                (directory / _MADE).touch()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"{place} cannot be opened ({error}). {_REMEDY}") from error

    def read(
        self, statement: str, reader: Callable[[Row], Read], values: Sequence[Value] = ()
    ) -> list[Read]:
        """What a statement finds, each row as `reader` reads it."""
        with self._reader.turn() as connection:
            rows = connection.execute(SQL[statement], values).fetchall()
        try:
            return [reader(row) for row in rows]
        # SQLite keeps no checksums: a page may be whole and what stands in it not.
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise StoreDamaged(f"{self._place} has a row that cannot be read. {_REMEDY}") from error

    def change(self, statement: str, values: Sequence[Value] = (), *, synced: bool = True) -> int:
        """Run a statement in a transaction of its own; how many rows it changed.

        When this returns it survives a power failure, or, if not `synced`, a killed process.
        """
        with self._writer.turn() as connection:
            connection.execute(SQL["sync_now" if synced else "sync_later"])
            return connection.execute(SQL[statement], values).rowcount

    def close(self) -> None:
        """Close it."""
        self._reader.close()
        self._writer.close()


class _Shared:
    """A connection that threads use in turn."""

    def __init__(self, place: str) -> None:
        self._lock = threading.Lock()
        self.connection = sqlite3.connect(
            place, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        self.connection.execute(SQL["erase_deleted"])

    @contextmanager
    def turn(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self.connection
            except sqlite3.Error as error:
                raise StoreError(f"The server's own database failed ({error}).") from error

    def close(self) -> None:
        with self._lock:
            self.connection.close()


def _check_not_lost(directory: Path) -> None:
    """StoreDamaged where the file was, and is no more: without its keys all would be let in."""
    file = directory / "server.db"
    if (directory / _MADE).exists() and not (file.exists() and file.stat().st_size):
        raise StoreDamaged(f"{file} is gone or empty, and its keys with it. {_REMEDY}")


def _clear_answers(connection: sqlite3.Connection) -> None:
    """Erase what an earlier version kept of answers, down to the byte; done once for a file."""
    if connection.execute(SQL["version"]).fetchone() != (0,):
        return
    for statement in ("drop_answers", "drop_ended_tasks", "rewrite", "empty_log", "set_version"):
        connection.execute(SQL[statement]).fetchall()


def state_directory(location: str, given: Path | None = None) -> Path | None:
    """Where a server for the store at `location` keeps its own files; None: in memory only."""
    if given is not None:
        return given
    if location == IN_MEMORY:
        return None
    if "://" in location:
        return Path(platformdirs.user_data_dir("scrubjay")) / "server"
    return Path(location) / "server"
