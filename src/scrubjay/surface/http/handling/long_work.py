"""Runs long work one piece at a time, and takes up again what a restart interrupted."""

from __future__ import annotations

import json
import logging
import shutil
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock

from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.importers.kinds import OWN
from scrubjay.importers.running import import_file
from scrubjay.memory import Memory
from scrubjay.private_files import make_private
from scrubjay.surface.http.shared.problems import BAD_LINES_MAX, bad_lines, kept_problem, refuse
from scrubjay.surface.http.shared.server_settings import SPOOL_BYTES_MAX, TASKS_WAITING_MAX
from scrubjay.surface.http.state.tasks import Task, Tasks
from scrubjay.surface.http.watching.logs import log
from scrubjay.types.values import Json

# How often progress is written down; a task may report thousands of times a second.
_REPORT_SECONDS = 0.2


class _Stopped(Exception):
    """The server shuts down; the task goes on after its next start."""


Tell = Callable[[int, int], None]


class LongWork:
    """A queue of tasks with one worker; a task whose acceptance was acknowledged will be done."""

    def __init__(self, memory: Memory, tasks: Tasks, spool: Path, *, passing: bool) -> None:
        """Imports are read from files in `spool`, which goes with this object if `passing`."""
        self._memory = memory
        self._tasks = tasks
        self.spool = spool
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="scrubjay-task")
        self._waiting = 0
        self._passing = passing
        self._guard = Lock()
        self._stopping = False

    def resume(self) -> None:
        """Queue what an earlier process accepted, and clear files nobody waits for."""
        unfinished = self._tasks.unfinished()
        wanted = {self._spooled(task) for task in unfinished}
        # Its files hold memories, which are nobody else's business.
        make_private(self.spool)
        for entry in self.spool.iterdir():
            if entry not in wanted:
                discard(entry)
        for task in unfinished:
            self._queue(task)

    def accept(self, kind: str, bank: str, arguments: Mapping[str, str]) -> Task:
        """Write a task down and queue it; Refusal when too many wait."""
        self.check_room()
        task = self._tasks.add(kind, bank, arguments)
        self._queue(task)
        return task

    def check_room(self) -> None:
        """Refusal when too many tasks wait, or their files take too much of the disk."""
        held = sum(map(_size, self.spool.iterdir()))
        if held > SPOOL_BYTES_MAX:
            raise refuse(503, "Overloaded", f"{held:,} bytes of imports and exports are waiting.",
                         "Send it again when some are done.")  # fmt: skip
        if self._waiting >= TASKS_WAITING_MAX:
            raise refuse(503, "Overloaded", f"{self._waiting} tasks wait already.",
                         "Send it again when some are done.")  # fmt: skip

    def find(self, identifier: str) -> Task | None:
        """A task by its id."""
        return self._tasks.find(identifier)

    def newest(self, limit: int) -> list[Task]:
        """The tasks that were accepted last, newest first."""
        return self._tasks.newest(limit)

    def close(self) -> None:
        """Stop; a task at work stops at its next report and goes on after the next start."""
        self._stopping = True
        self._pool.shutdown(wait=True, cancel_futures=True)
        if self._passing:
            shutil.rmtree(self.spool, ignore_errors=True)

    def _queue(self, task: Task) -> None:
        with self._guard:
            self._waiting += 1
        self._pool.submit(self._run, task)

    def _run(self, task: Task) -> None:
        with self._guard:
            self._waiting -= 1
        begun = time.monotonic()
        state = "failed"
        outcome: dict[str, Json]
        try:
            outcome, state = self._work(task), "done"
        except _Stopped:
            self._tasks.change(replace(task, state="waiting"))
            return
        except ScrubjayError as error:
            outcome = {**kept_problem(error), "request_id": task.id}
            if isinstance(error, BadInput) and error.value == task.arguments.get("encoder"):
                # Kept with the task already, and no memory's text.
                outcome |= {"detail": str(error), "value": task.arguments["encoder"]}
        # A task must end in a state its caller can see, whatever it met; the log has the rest.
        except Exception as error:
            logging.getLogger("scrubjay.server").exception("task failed")
            outcome = {"title": type(error).__name__, "status": 500, "detail": "See the log."}
        latest = self._tasks.find(task.id) or task
        if state == "done":
            # What was reported last may be older than the end.
            whole = int(str(outcome.get("lines", outcome.get("units"))))
            latest = replace(latest, done=whole, total=whole)
        self._tasks.change(replace(latest, state=state, outcome=outcome))
        if (entry := self._spooled(task)) is not None:
            discard(entry)
        log(logging.INFO, "task ended", task=task.id, kind=task.kind, bank=task.bank, state=state,
            seconds=round(time.monotonic() - begun, 3))  # fmt: skip

    def _work(self, task: Task) -> dict[str, Json]:
        tell = self._teller(task)
        if task.kind == "reembed":
            units = self._memory.reembed(task.arguments["encoder"], bank=task.bank, progress=tell)
            return {"units": units}
        assert task.kind == "import", task.kind
        file, keep_going = task.arguments["file"], task.arguments["keep_going"] == "true"
        kind = task.arguments.get("kind", OWN)
        brought = import_file(
            self._memory.bank(task.bank), file, kind,
            columns=json.loads(task.arguments.get("columns", "{}")),
            keep_going=keep_going, progress=tell,
        )  # fmt: skip
        if brought is not None:
            left_out: list[Json] = [
                {"file": one.file, **line}
                for one in brought.problems
                for line in bad_lines([(one.line, one.reason)])
                if isinstance(line, dict)
            ]
            return {**asdict(brought), "problems": left_out[:BAD_LINES_MAX]}
        imported = self._memory.import_(file, bank=task.bank, keep_going=keep_going, progress=tell)
        return {**asdict(imported), "problems": bad_lines(imported.problems)}

    def _spooled(self, task: Task) -> Path | None:
        """What lies in the spool for a task: a file, or a folder with the file in it."""
        if "file" not in task.arguments:
            return None
        inside = Path(task.arguments["file"]).relative_to(self.spool)
        return self.spool / inside.parts[0]

    def _teller(self, task: Task) -> Tell:
        written = 0.0

        def tell(done: int, total: int) -> None:
            nonlocal written
            if self._stopping:
                raise _Stopped
            if time.monotonic() - written >= _REPORT_SECONDS:
                written = time.monotonic()
                self._tasks.change(replace(task, state="running", done=done, total=total))

        tell(0, 0)
        return tell


def discard(entry: Path) -> None:
    """Remove a file, or a folder, that nobody waits for any more."""
    if entry.is_dir():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)


def _size(entry: Path) -> int:
    try:
        if entry.is_dir():
            return sum(map(_size, entry.iterdir()))
        return entry.stat().st_size
    except FileNotFoundError:  # its task has just ended
        return 0
