"""What an importer finds, place by place: something to keep, to pass over, or that is wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from scrubjay.codec.values import read_stamp
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

Object = Mapping[str, Json]


class Read(NamedTuple):
    """A unit to keep, and the line it stands on."""

    line: int
    unit: Unit
    pending: bool = False  # it is to wait until it is approved


class Skipped(NamedTuple):
    """What is left out on purpose, and why; the same reason is said in the same words."""

    line: int
    reason: str


class Wrong(NamedTuple):
    """What cannot be read."""

    line: int
    reason: str


Found = Read | Skipped | Wrong


class NotRead(ValueError):
    """A part has not the form that its kind has; says which."""


def units_in(found: Iterable[Found]) -> Iterator[Unit]:
    """The units, without what was passed over or wrong."""
    return (one.unit for one in found if isinstance(one, Read))


def json_lines(
    lines: Iterable[str | bytes], first_line: int = 1
) -> Iterator[tuple[int, Object] | Wrong]:
    """The objects of JSON lines, by number; blank lines are passed over."""
    for number, raw in enumerate(lines, first_line):
        if not raw.strip():
            continue
        try:
            # A file may begin with a mark that it is UTF-8, which is none of its first line.
            text = (
                raw if isinstance(raw, str) else raw.decode("utf-8-sig" if number == 1 else "utf-8")
            )
            shape = json.loads(text)
        except UnicodeDecodeError as error:
            yield Wrong(number, f"not UTF-8 at byte {error.start}")
        except (ValueError, RecursionError) as error:
            yield Wrong(number, f"not JSON: {error}")
        else:
            yield (number, shape) if isinstance(shape, dict) else Wrong(number, "not a JSON object")


def object_in(shape: Object, name: str) -> Object:
    """A part that is an object; NotRead for anything else."""
    part = shape.get(name)
    if not isinstance(part, Mapping):
        raise NotRead(f"{name!r} is not an object")
    return part


def text_in(shape: Object, name: str) -> str:
    """A part that is text with something in it; NotRead for anything else."""
    part = shape.get(name)
    if not isinstance(part, str) or not part.strip():
        raise NotRead(f"{name!r} is not text")
    return part


def moment_in(shape: Object, *names: str) -> datetime | None:
    """The first of these times that is there; NotRead for one that is none."""
    for name in names:
        value = shape.get(name)
        if value is None or value == "":
            continue
        try:
            return read_stamp(value)
        except (ValueError, OverflowError) as error:
            raise NotRead(f"{name!r} is not a time: {value!r}. {error}") from None
    return None


def bounded(name: str) -> str:
    """A name as a key, a session or a speaker can be; one that is too long ends in its hash."""
    if len(name) <= NAME_CHARACTERS_MAX:
        return name
    digest = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{name[: NAME_CHARACTERS_MAX - len(digest) - 1]}~{digest}"
