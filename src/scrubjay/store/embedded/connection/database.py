"""One SQLite file: a writer and a small pool of readers, shared by the threads of a process."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from scrubjay.errors import (
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreForked,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
)
from scrubjay.forking import keep, refusal, watch
from scrubjay.settings import (
    BUSY_TIMEOUT_MS,
    LOG_WAIT_MS,
    LOW_LOG_BYTES,
    READERS_PER_BANK_MAX,
)
from scrubjay.store.embedded.connection.faults import (
    SQLITE_ERRORS,
    is_full,
    mapped_errors,
    translated,
)
from scrubjay.store.embedded.connection.reserve import Reserve
from scrubjay.undoing import undone_by

# Files that were open in the process that this one was forked off, by device and inode.
_inherited: set[tuple[int, int]] = set()


@dataclass(frozen=True, slots=True)
class Location:
    """Where a database lives: a file, or a name in this process's memory."""

    path: Path | None
    memory_name: str = ""

    @property
    def uri(self) -> str:
        """The address SQLite opens."""
        if self.path is None:
            return f"file:/{self.memory_name}?vfs=memdb"
        return self.path.absolute().as_uri()

    def __str__(self) -> str:
        return str(self.path) if self.path else ":memory:"


class OwnConnection(sqlite3.Connection):
    """A connection that a forked process leaves alone, whatever happens to it there."""

    _inherited = False

    def forked(self) -> None:
        """Stay open in the forked process until it ends: see `keep`."""
        self._inherited = True
        keep(self)

    def close(self) -> None:
        """Close it, where it was opened."""
        if not self._inherited:
            super().close()


class Reading:
    """A connection for as long as a block reads; a class, because a question reads ten times.

    A generator costs three times as much each time.
    """

    __slots__ = ("_connection", "_database")

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> sqlite3.Connection:
        self._connection = self._database.lend()
        return self._connection

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        try:
            self._database.hand_back(self._connection)
        except SQLITE_ERRORS as closing:
            raise self._database.told(closing) from closing
        if isinstance(error, SQLITE_ERRORS):
            raise self._database.told(error) from error


class Database:
    """A SQLite database shared by the threads of one process."""

    def __init__(
        self,
        location: Location,
        migrations: Sequence[tuple[int, str]],
        *,
        read_only: bool = False,
        existing: bool = False,
        reserve: Reserve | None = None,
    ) -> None:
        self.location = location
        self._reserve = reserve
        self.read_only = read_only
        # Of a file that must be there, nothing or an empty one is damage and not a new database.
        self._existing = existing
        if location.path is not None:
            _check_own(location.path)
        if existing:
            _check_content(location)
        self._idle: list[sqlite3.Connection] = []
        self._idle_lock = threading.Lock()
        self._closed = self._forked = False
        # How many transactions were committed; those that may have been count too.
        self.commits = 0
        # Whether the log may hold what was erased. One that was left behind may: who wrote it was
        # cut off, or had to leave it to a reader.
        self.soiled = not read_only and _log_bytes(location) > 0
        self._current: object = None  # stands for the transaction under way, or the last one
        # Re-entrant: a save inside a `writing` block is still one transaction's owner.
        self._write_lock = threading.RLock()
        with mapped_errors(location):
            self._writer = self._connect()
            with undone_by(self.close):
                self._check_version(migrations[-1][0])
                if not read_only:
                    self._migrate(migrations)
                if self.soiled:
                    with suppress(StoreFull):  # it is still soiled, and tried again
                        self.empty_log()
        watch(self)

    def forked(self) -> None:
        """In a forked process: refuse all use. Other threads' locks are held there for ever."""
        if self._closed:
            return
        self._closed = self._forked = True
        self._idle_lock, self._write_lock = threading.Lock(), threading.RLock()
        path = self.location.path
        if path is not None:
            with suppress(OSError):
                _inherited.add(_file_id(path))

    def _check_version(self, newest: int) -> None:
        version = int(self._writer.execute("PRAGMA user_version").fetchone()[0])
        if not version and self._existing:
            raise StoreDamaged(
                f"{self.location} has no tables. Restore it with `scrubjay restore`."
            )
        if version > newest:
            raise StoreTooNew(
                f"{self.location} has format {version}; this scrubjay reads up to {newest}. "
                "Upgrade scrubjay to open it."
            )
        if self.read_only and version < newest:
            raise StoreReadOnly(
                f"{self.location} has format {version}, and reading it takes format {newest}. Open "
                "the store once for writing, which brings it up to date."
            )

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.location.uri + self._mode(),
            uri=True,
            timeout=BUSY_TIMEOUT_MS / 1000,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
            factory=OwnConnection,
        )
        watch(connection)
        with undone_by(connection.close):
            self._prepare(connection)
        return connection

    def _mode(self) -> str:
        path = self.location.path
        if not self.read_only:
            return "?mode=rw" if self._existing else ""
        if path is None:
            return "&mode=ro"
        # Beside the file SQLite keeps an index of its log, for which a directory that nobody may
        # write to has no room. There nobody changes the file either, so none is needed.
        settled = not path.with_name(f"{path.name}-wal").exists()
        return "?mode=ro&immutable=1" if settled and _sealed(path.parent) else "?mode=ro"

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if not self.read_only:
            if self.location.path is not None:
                connection.execute("PRAGMA journal_mode=WAL")
                # FULL: an acknowledged write survives a power cut, not only a killed process.
                connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA secure_delete=ON")
        # 16 MB: the row pages of a small bank; larger banks lean on the system's page cache.
        connection.execute("PRAGMA cache_size=-16384")
        # 64 MB of a file are mapped; every connection maps them anew, which counts each time.
        connection.execute("PRAGMA mmap_size=67108864")

    def _migrate(self, migrations: Sequence[tuple[int, str]]) -> None:
        version = int(self._writer.execute("PRAGMA user_version").fetchone()[0])
        steps = [
            f"{script}\nPRAGMA user_version={number};"
            for number, script in migrations
            if number > version
        ]
        # A new database is made at once, which is durable once; of another each step stays done.
        for step in steps if version else ["\n".join(steps)]:
            # executescript commits on its own; the markers keep each step atomic.
            self._writer.executescript(f"BEGIN IMMEDIATE;\n{step}\nCOMMIT;")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """A write transaction: committed and durable on leaving, undone when it raises."""
        if self.read_only:
            raise StoreReadOnly(
                f"{self.location} was opened with read_only=True. Open it for writing to change it."
            )
        with self._write_lock, mapped_errors(self.location):
            self._check_open()
            self._undo()  # what an interrupt cut off before it could be undone
            mine = self._current = object()
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._commit()
            except BaseException as error:
                # An interrupt may leave a transaction to the garbage collector, which ends it
                # when it likes; by then another may be under way.
                if self._current is mine:
                    self._undo()
                if isinstance(error, sqlite3.Error) and is_full(error):
                    self._keep_room(0)
                raise
            self._keep_room(LOW_LOG_BYTES)

    def _commit(self) -> None:
        # Counted first: who is cut off here must take it for done.
        self.commits += 1
        try:
            self._writer.execute("COMMIT")
        except sqlite3.Error:
            self.commits -= 1
            raise

    def _keep_room(self, log_bytes: int) -> None:
        """On a disk that is low, keep the log no longer than this, and room to erase in."""
        reserve = self._reserve
        if reserve is None:
            return
        if reserve.low() and _log_bytes(self.location) > log_bytes:
            self._fold(reserve)
        reserve.keep()

    def _fold(self, reserve: Reserve) -> None:
        # What was committed is safe in the log; where this fails the next write tries it again.
        with suppress(StoreError):
            self._truncate(wait_ms=0)
            return
        # The file may have to grow by what the log holds before the log can be given up.
        with reserve.released(), suppress(StoreError):
            self._truncate(wait_ms=0)

    @contextmanager
    def erasing(self) -> Iterator[None]:
        """Let what is kept back of a low disk be used, by a change that takes rows away."""
        reserve = self._reserve
        if reserve is None or not reserve.low():
            yield
            return
        with self._write_lock, reserve.released():
            with suppress(StoreError):
                self._truncate(wait_ms=0)
            try:
                yield
            except StoreFull as error:
                raise StoreFull(
                    f"No space left to erase so much of {self.location} at once. Free some, or "
                    "forget less at once, or delete a bank, which takes no room."
                ) from error

    def _undo(self) -> None:
        # SQLite has already undone it when, for one, the disk was full.
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Keep other writers out across several steps of one write."""
        with self._write_lock:
            yield

    def reading(self) -> Reading:
        """A connection for reading; others read at the same time."""
        return Reading(self)

    def lend(self) -> sqlite3.Connection:
        """A connection to be handed back; see `reading`."""
        self._check_open()
        with self._idle_lock:
            connection = self._idle.pop() if self._idle else None
        if connection is not None:
            return connection
        try:
            return self._connect_unless_closed()
        except SQLITE_ERRORS as error:
            raise self.told(error) from error

    def told(self, error: Exception) -> StoreError:
        """Our error for one of SQLite's, which reading met."""
        # In memory, a bank that is deleted meanwhile is found empty; again that is the news.
        self._check_open()
        return translated(error, self.location)

    def hand_back(self, connection: sqlite3.Connection) -> None:
        """Keep a connection for whoever reads next."""
        # An interrupt may have come before its snapshot was given up, which would then last.
        keep = not connection.in_transaction
        with self._idle_lock:
            keep = keep and len(self._idle) < READERS_PER_BANK_MAX and not self._closed
            if keep:
                self._idle.append(connection)
        if not keep:
            connection.close()

    def _connect_unless_closed(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.Error:
            # The file of a bank that is deleted meanwhile is gone; that is the news, not the file.
            self._check_open()
            raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A connection for several reads that must agree with each other."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def vacuum(self) -> None:
        """Rewrite the file without the space that erased rows held."""
        with self._write_lock, mapped_errors(self.location):
            self._check_open()
            try:
                with self.erasing():
                    self._writer.execute("VACUUM")
            except sqlite3.Error:
                self._keep_room(0)
                raise

    def empty_log(self, *, wait_ms: int = LOG_WAIT_MS) -> bool:
        """Fold the log into the file and empty it; False if a reader is in the way."""
        self.soiled = not self._truncate(wait_ms=wait_ms)
        return not self.soiled

    def _truncate(self, *, wait_ms: int) -> bool:
        with self._write_lock, mapped_errors(self.location):
            self._check_open()
            try:
                # A reader of this process is soon done; nobody should stand still for another's.
                self._writer.execute(f"PRAGMA busy_timeout={wait_ms}")
                busy: int = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            finally:
                self._writer.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
            self.soiled = self.soiled and bool(busy)
            return not busy

    def data_version(self) -> int:
        """A number that changes when another connection has changed the database."""
        with self._write_lock, mapped_errors(self.location):
            self._check_open()
            return int(self._writer.execute("PRAGMA data_version").fetchone()[0])

    def copy_to(self, target: Path) -> None:
        """A consistent copy, while others go on reading and writing."""
        with self.reading() as source, mapped_errors(Location(target)):
            copy = sqlite3.connect(target)
            try:
                source.backup(copy)
            finally:
                copy.close()

    def close(self) -> None:
        """Close all connections; a closed database raises StoreClosed."""
        with self._write_lock, self._idle_lock:
            if self.soiled and not self._closed:
                with suppress(StoreError):  # the next opening finds the log
                    self.empty_log(wait_ms=0)
            # Closing twice does nothing, and ends what an interrupt cut off.
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def _check_open(self) -> None:
        if not self._closed:
            return
        if self._forked:
            raise refusal(self.location)
        raise StoreClosed(f"{self.location} was closed. Open it again with Memory.open().")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _log_bytes(location: Location) -> int:
    path = location.path
    try:
        return 0 if path is None else path.with_name(f"{path.name}-wal").stat().st_size
    except OSError:
        return 0


def _file_id(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _check_own(path: Path) -> None:
    """SQLite holds its locks by process, and a forked one believes that it has its parent's."""
    if not _inherited:
        return
    with suppress(OSError):
        if _file_id(path) in _inherited:
            raise StoreForked(
                f"{path} was open in the process that this one ({os.getpid()}) was forked off, and "
                "cannot be opened safely here. Close the store before the fork, open it only in "
                "the processes that use it, or start them with 'spawn'."
            )


def _check_content(location: Location) -> None:
    """Before SQLite looks: it would make a database of an empty file, and drop its log."""
    path = location.path
    assert path is not None, "what is in memory is always new"
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        size = 0
    except OSError as error:
        raise StoreReadOnly(f"{path} cannot be read ({error.strerror}).") from error
    if not size:
        raise StoreDamaged(f"{path} is missing or empty. Restore it with `scrubjay restore`.")


def _sealed(directory: Path) -> bool:
    """Whether nobody may write here: a read-only disk, or a directory without a write bit."""
    if os.access(directory, os.W_OK):
        return False
    read_only_disk = hasattr(os, "statvfs") and os.statvfs(directory).f_flag & os.ST_RDONLY
    return bool(read_only_disk) or not directory.stat().st_mode & 0o222
