"""Structured logs: one JSON object a line on stderr, without the text of any memory."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from scrubjay.types.values import Json

LOGGER = logging.getLogger("scrubjay.server")
# A year of busy writing; the oldest file goes when the last is full.
AUDIT_BYTES_MAX = 64 << 20
AUDIT_FILES_MAX = 16


class JsonLines(logging.Formatter):
    """A record as one line of JSON; fields come in under `fields`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        shape: dict[str, Json] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            shape["traceback"] = _where(record.exc_info[1])
        return json.dumps(shape, ensure_ascii=False)


def _where(error: BaseException) -> str:
    """Where an error came from, and its class; its words may quote a memory, and are left out."""
    parts = [*traceback.format_tb(error.__traceback__), type(error).__qualname__]
    cause = error.__cause__ or error.__context__
    if cause is not None:
        parts = [_where(cause), "\n", *parts]
    return "".join(parts)


def log(level: int, event: str, **fields: Json) -> None:
    """Write one event; values are ids, names of routes and numbers, never memories."""
    LOGGER.log(level, event, extra={"fields": fields})


def to_stderr(level: int) -> None:
    """Send the server's logs, and those of the web server under it, to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    for name in ("scrubjay.server", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


class _OwnersFile(RotatingFileHandler):
    """A rotated file that nobody but its owner reads."""

    def _open(self) -> TextIOWrapper:
        stream = super()._open()
        Path(self.baseFilename).chmod(0o600)
        return stream


class Audit:
    """Writes down who changed or erased what: ids and counts, one line of JSON each."""

    def __init__(self, directory: Path | None) -> None:
        """Lines go to `audit.jsonl` in `directory`, rotated; None writes none."""
        self._handler = None
        if directory is not None:
            self._handler = _OwnersFile(
                directory / "audit.jsonl", maxBytes=AUDIT_BYTES_MAX, backupCount=AUDIT_FILES_MAX,
                encoding="utf-8", delay=True,
            )  # fmt: skip
            self._handler.setFormatter(JsonLines())

    def write(self, route: str, **fields: Json) -> None:
        """One line, in the file when this returns."""
        if self._handler is not None:
            record = logging.LogRecord("scrubjay.audit", logging.INFO, "", 0, route, None, None)
            record.fields = fields
            self._handler.handle(record)

    def close(self) -> None:
        """Close the file."""
        if self._handler is not None:
            self._handler.close()
