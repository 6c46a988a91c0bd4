"""Reads a server's JSON back into what an operation gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC
from typing import cast, get_args, get_origin

from scrubjay.answers import Parsed
from scrubjay.codec.compiled import decode
from scrubjay.engine.transfer import Imported
from scrubjay.errors import BadInput, StoreError, shorten
from scrubjay.operations.declared import TaskReply, hints_of
from scrubjay.operations.operation import Operation, P, T
from scrubjay.types.outcomes import Extracted, Retained, Trouble, Usage
from scrubjay.types.values import Json, Window


def answer_of(operation: Operation[P, T], shape: Json) -> T:
    """What an operation gives, from the JSON of a server's answer.

    Fields that are not known here are passed over: the server may be newer.
    """
    name = operation.address.answer
    value = shape if name is None else _object(shape).get(name)
    try:
        # It is read as the very type that the function gives.
        return cast(T, _read(hints_of(operation)["return"], value))
    except BadInput:
        raise _foreign(shape) from None


def _read(hint: object, value: Json) -> object:
    if hint is type(None):
        return None
    if get_origin(hint) is list:
        return [_read(get_args(hint)[0], one) for one in _list(value)]
    own = _OWN_WAY.get(hint)
    if own is not None:
        return own(value)
    return decode(cast("type[object]", hint), value, "answer", strict=False)


def _extracted(shape: Json) -> Extracted:
    found = _object(_object(shape).get("extraction"))
    return Extracted(
        retained=decode(Retained, shape, "answer", strict=False),
        facts=decode(Retained, found.get("facts_retained"), "answer", strict=False),
        troubles=decode(tuple[Trouble, ...], found.get("troubles"), "answer", strict=False),
        usage=decode(Usage, found.get("usage"), "answer", strict=False),
    )


def _imported(shape: Json) -> Imported:
    given = _object(shape)
    lines = [_object(one) for one in _list(given.get("problems", []))]
    read = decode(Imported, {**given, "problems": []}, "answer", strict=False)
    return replace(
        read, problems=tuple((int(str(one["line"])), str(one["reason"])) for one in lines)
    )


def _parsed(shape: Json) -> Parsed:
    """A parse, whose window comes in the zone that was asked for."""
    read = decode(Parsed, shape, "answer", strict=False)
    if read.window is None:
        return read
    ends = (read.window.start, read.window.end)
    return replace(read, window=Window(*(end and end.astimezone(UTC) for end in ends)))


# What is more than one declared shape.
_OWN_WAY: dict[object, Callable[[Json], object]] = {
    Extracted: _extracted,
    Imported: _imported,
    Parsed: _parsed,
}


def task_of(shape: Json) -> TaskReply:
    """How far long work is."""
    try:
        return decode(TaskReply, shape, "answer", strict=False)
    except BadInput:
        raise _foreign(shape) from None


def _object(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise _foreign(value)
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise _foreign(value)
    return value


def _foreign(value: object) -> StoreError:
    return StoreError(
        f"The server answered {shorten(value)}, which is no answer of scrubjay. Check the address "
        "and its version."
    )
