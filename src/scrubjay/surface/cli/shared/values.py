"""Reads the values of options: times, days, JSON objects."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from scrubjay.errors import BadInput, NotFound

if TYPE_CHECKING:
    from scrubjay.types.values import Json

Instant = Literal["first", "noon", "last"]


def moment(name: str, text: str, instant: Instant = "noon") -> datetime:
    """An ISO time with its zone, or an instant of a day, which is taken in UTC."""
    from scrubjay.codec.compiled import decode_as  # brings numpy; see options.py
    from scrubjay.marks import Day

    read = decode_as(Annotated[datetime, Day(instant)], text, name)
    assert isinstance(read, datetime), "it was declared as one"
    return read


def moment_or_none(name: str, text: str | None, instant: Instant = "noon") -> datetime | None:
    """The same, if given."""
    return None if text is None else moment(name, text, instant)


def day_bound(name: str, text: str, *, last: bool) -> datetime:
    """A time, or the first or last instant of a day."""
    return moment(name, text, "last" if last else "first")


def span(text: str) -> str | tuple[str, str]:
    """`START/END`, as ISO 8601 writes an interval, or one time."""
    start, slash, end = text.partition("/")
    return (start, end) if slash else text


def json_object(name: str, text: str) -> dict[str, Json]:
    """A JSON object given as text."""
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadInput(name, text, """Give a JSON object, such as '{"team": "quay"}'.""")
    return value


def read_messages(path: str) -> list[dict[str, object]]:
    """A conversation from a file: a JSON list of messages, an object with one, or JSON lines."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NotFound("no such file", path, "Give a file of JSON, or - for stdin.") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"file that cannot be read ({error})", path, _MESSAGES) from None
    try:
        told = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        told = [_line(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if isinstance(told, dict):
        told = told.get("messages", [told])
    if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
        raise BadInput("messages", told, _MESSAGES)
    return told


_MESSAGES = "Give a JSON list of messages, an object with `messages`, or one message a line."


def _line(number: int, line: str) -> Json:
    try:
        read: Json = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise BadInput(f"line {number} is not JSON", line, _MESSAGES) from None
    return read


def assignments(given: Sequence[str]) -> dict[str, object]:
    """`NAME=VALUE` pairs; a value is JSON where it can be read so, else text."""
    read: dict[str, object] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadInput("setting", pair, "Give NAME=VALUE, such as timezone=Europe/Berlin.")
        try:
            read[name] = json.loads(value)
        except json.JSONDecodeError:
            read[name] = value
    return read
