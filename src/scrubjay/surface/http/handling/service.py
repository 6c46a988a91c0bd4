"""Everything one server is made of, put together and taken apart."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from scrubjay.errors import StoreLocked
from scrubjay.memory import Memory
from scrubjay.surface.http.admitting.auth import Doorkeeper
from scrubjay.surface.http.admitting.gate import Budget, Gate
from scrubjay.surface.http.handling.long_work import LongWork
from scrubjay.surface.http.readers.messages import Opening
from scrubjay.surface.http.readers.pool import Readers
from scrubjay.surface.http.shared.server_settings import (
    BODIES_BYTES_MAX,
    EXPORTS_AT_ONCE_MAX,
    ServerSettings,
    workers_for,
)
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.keys import Keys
from scrubjay.surface.http.state.replies import Replies
from scrubjay.surface.http.state.tasks import Tasks
from scrubjay.surface.http.watching.feed import Feed
from scrubjay.surface.http.watching.logs import Audit
from scrubjay.surface.http.watching.readiness import Readiness
from scrubjay.surface.http.watching.watch import Watch

_TRANSFERS_AT_ONCE = 2
_TRANSFERS_WAITING_MAX = 16


@dataclass(frozen=True, slots=True)
class Service:
    """What handlers and the dispatcher use."""

    memory: Memory
    settings: ServerSettings
    database: ServerDatabase
    door: Doorkeeper
    replies: Replies
    tasks: LongWork
    reads: Gate
    writes: Gate
    transfers: Gate
    bodies: Budget
    exports: Budget
    readiness: Readiness
    watch: Watch
    audit: Audit
    feed: Feed
    started_at: datetime
    lock: FileLock | None  # None: nothing is kept on disk
    readers: Readers | None = None  # None: this process answers all

    def close(self) -> None:
        """Finish what is at work, then close; the memory itself is its opener's to close."""
        for gate in (self.writes, self.reads, self.transfers):
            gate.close()
        self.tasks.close()
        self.audit.close()
        self.database.close()
        if self.lock is not None:
            self.lock.release()


def open_service(
    memory: Memory,
    directory: Path | None,
    *,
    auth_required: bool | None = None,
    settings: ServerSettings | None = None,
    watch: Watch | None = None,
    readers: tuple[Opening, int] | None = None,
) -> Service:
    """A service for a memory; keys are required if told so, or by default if there are any.

    `watch` is the observer the memory was opened with, if any; `readers` are what and how many
    processes read beside this one, started with the application.

    StoreLocked where another server keeps its files in `directory`.
    """
    chosen = settings or ServerSettings()
    database = ServerDatabase(directory)
    try:
        lock = None if directory is None else _locked(directory)
    except StoreLocked:
        database.close()
        raise
    keys, spool = Keys(database), Path(tempfile.mkdtemp(prefix="scrubjay-spool-"))
    if directory is not None:
        spool.rmdir()
        spool = directory / "spool"
    # A revoked key is a key too: closing the last one must not open the door.
    required = bool(keys.all()) if auth_required is None else auth_required
    tasks = LongWork(memory, Tasks(database), spool, passing=directory is None)
    tasks.resume()
    workers = chosen.workers or workers_for(memory.location)
    room = {"workers": workers, "waiting_max": chosen.waiting_max}
    # Two for the writers of one bank, and one that is another's.
    writers = chosen.workers or max(workers, 3)
    watch = watch or Watch()
    return Service(
        memory=memory,
        settings=chosen,
        database=database,
        door=Doorkeeper(keys, required=required),
        replies=Replies(database),
        tasks=tasks,
        reads=Gate("read", **room),
        writes=Gate("write", workers=writers, waiting_max=chosen.waiting_max),
        transfers=Gate("transfer", workers=_TRANSFERS_AT_ONCE, waiting_max=_TRANSFERS_WAITING_MAX),
        bodies=Budget(BODIES_BYTES_MAX, "large bodies are being read"),
        exports=Budget(EXPORTS_AT_ONCE_MAX, "exports are on their way"),
        readiness=Readiness(),
        watch=watch,
        audit=Audit(directory),
        feed=Feed(),
        started_at=datetime.now(UTC),
        lock=lock,
        readers=None if readers is None else Readers(*readers, watch.metrics),
    )


def _locked(directory: Path) -> FileLock:
    """Keep other servers out: each would take up the other's tasks and requests as cut off."""
    # Opened and closed in different threads.
    lock = FileLock(directory / "server.lock", timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise StoreLocked(
            f"Another server keeps its files in {directory}. Stop it, or give this one its own "
            "--state."
        ) from None
    return lock
