"""Long work, kept in the database, so that what was accepted survives a restart."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from scrubjay.codec.compiled import encode_object
from scrubjay.operations.declared import TaskReply
from scrubjay.surface.http.shared.server_settings import TASKS_KEPT_MAX
from scrubjay.surface.http.state.database import Row, ServerDatabase
from scrubjay.types.values import Json


@dataclass(frozen=True, slots=True)
class Task:
    """One piece of long work: `waiting`, `running`, `done` or `failed`."""

    id: str
    kind: str
    bank: str
    arguments: Mapping[str, str]
    state: str
    done: int
    total: int
    outcome: Mapping[str, Json] | None  # what it gave, or its problem; None before
    created_at: str

    def reply(self) -> TaskReply:
        """The task as callers see it."""
        result = self.outcome if self.state == "done" else None
        problem = self.outcome if self.state == "failed" else None
        how_far = (self.id, self.kind, self.bank, self.state, self.done, self.total)
        return TaskReply(*how_far, result, problem, self.created_at)

    def to_json(self) -> dict[str, Json]:
        """The same as JSON."""
        return encode_object(self.reply())


class Tasks:
    """The tasks of one server."""

    def __init__(self, database: ServerDatabase) -> None:
        self._database = database

    def add(self, kind: str, bank: str, arguments: Mapping[str, str]) -> Task:
        """Write down work that was accepted."""
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        task = Task(secrets.token_hex(10), kind, bank, dict(arguments), "waiting", 0, 0, None, now)
        kept = json.dumps(dict(arguments))
        self._database.change("add_task", (task.id, kind, bank, kept, task.state, now))
        self._database.change("drop_old_tasks", (TASKS_KEPT_MAX,))
        return task

    def find(self, identifier: str) -> Task | None:
        """One task, None if there is none of that id."""
        found = self._database.read("find_task", _task, (identifier,))
        return found[0] if found else None

    def newest(self, limit: int) -> list[Task]:
        """The work that was accepted last, newest first."""
        return self._database.read("newest_tasks", _task, (limit,))

    def unfinished(self) -> list[Task]:
        """What was accepted and not finished, oldest first."""
        return self._database.read("unfinished_tasks", _task)

    def change(self, task: Task) -> None:
        """Write down how far it is."""
        outcome = None if task.outcome is None else json.dumps(task.outcome)
        self._database.change("change_task", (task.state, task.done, task.total, outcome, task.id))


def _task(row: Row) -> Task:
    identifier, kind, bank, arguments, state, done, total, outcome, created_at = row
    return Task(
        id=str(identifier),
        kind=str(kind),
        bank=str(bank),
        arguments=json.loads(str(arguments)),
        state=str(state),
        done=int(str(done)),
        total=int(str(total)),
        outcome=None if outcome is None else json.loads(str(outcome)),
        created_at=str(created_at),
    )
