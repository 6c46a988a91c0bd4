"""Everything one server is made of, put together and taken apart."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from scrubjay.memory import Memory
from scrubjay.surface.http.auth import Doorkeeper
from scrubjay.surface.http.gate import BodyBudget, Gate
from scrubjay.surface.http.long_work import LongWork
from scrubjay.surface.http.server_settings import BODIES_BYTES_MAX, ServerSettings
from scrubjay.surface.http.state.database import ServerDatabase
from scrubjay.surface.http.state.keys import Keys
from scrubjay.surface.http.state.replies import Replies
from scrubjay.surface.http.state.tasks import Tasks
from scrubjay.surface.http.watching.logs import Audit
from scrubjay.surface.http.watching.metrics import Metrics
from scrubjay.surface.http.watching.tracing import RecallTracer

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
    bodies: BodyBudget
    metrics: Metrics
    tracer: RecallTracer
    audit: Audit

    def close(self) -> None:
        """Finish what is at work, then close; the memory itself is its opener's to close."""
        for gate in (self.writes, self.reads, self.transfers):
            gate.close()
        self.tasks.close()
        self.audit.close()
        self.database.close()


def open_service(
    memory: Memory,
    directory: Path | None,
    *,
    auth_required: bool | None = None,
    settings: ServerSettings | None = None,
) -> Service:
    """A service for a memory; keys are required if told so, or by default if there are any."""
    chosen = settings or ServerSettings()
    database = ServerDatabase(directory)
    keys, spool = Keys(database), Path(tempfile.mkdtemp(prefix="scrubjay-spool-"))
    if directory is not None:
        spool.rmdir()
        spool = directory / "spool"
    # A revoked key is a key too: closing the last one must not open the door.
    required = bool(keys.all()) if auth_required is None else auth_required
    tasks = LongWork(memory, Tasks(database), spool)
    tasks.resume()
    room = {"workers": chosen.workers, "waiting_max": chosen.waiting_max}
    return Service(
        memory=memory,
        settings=chosen,
        database=database,
        door=Doorkeeper(keys, required=required),
        replies=Replies(database),
        tasks=tasks,
        reads=Gate("read", **room),
        writes=Gate("write", **room),
        transfers=Gate("transfer", workers=_TRANSFERS_AT_ONCE, waiting_max=_TRANSFERS_WAITING_MAX),
        bodies=BodyBudget(BODIES_BYTES_MAX),
        metrics=Metrics(),
        tracer=RecallTracer(),
        audit=Audit(directory),
    )
