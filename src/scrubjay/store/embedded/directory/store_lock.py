"""Keeps a second writing process out of a store, and says who is in."""

from __future__ import annotations

import json
import os
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from scrubjay.errors import StoreLocked
from scrubjay.forking import keep, watch
from scrubjay.undoing import undone_by


class StoreLock:
    """Holds the store for writing until released; the system frees it if the process dies."""

    def __init__(self, directory: Path) -> None:
        self._lock = FileLock(directory / "writer.lock", timeout=0)
        self._holder = directory / "writer.json"
        try:
            self._lock.acquire()
        except Timeout:
            raise StoreLocked(
                f"{directory} is open for writing by {self._describe_holder()}. Close it there, "
                "or open it here with read_only=True."
            ) from None
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "program": Path(sys.argv[0]).name,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        with undone_by(self._lock.release):
            self._holder.write_text(json.dumps(holder), encoding="utf-8")
            watch(self)

    def forked(self) -> None:
        """The lock stays with the process that took it: to release it here would free it there."""
        keep(self._lock)

    def _describe_holder(self) -> str:
        try:
            holder = json.loads(self._holder.read_text(encoding="utf-8"))
            return (
                f"process {holder['pid']} ({holder['program']}) on {holder['host']}, "
                f"since {holder['since']}"
            )
        # Cut off, damaged, or written by something else: who holds it is all that is unknown.
        except (OSError, ValueError, TypeError, KeyError):
            return "another process"

    def release(self) -> None:
        """Let the next writer in."""
        self._holder.unlink(missing_ok=True)
        self._lock.release()
