"""Reads a server's JSON back into the data a Memory returns."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from typing import Union, cast, get_args, get_origin, get_type_hints

from scrubjay.answers import Item, Parsed, Recall, ResolvedEntity, Why
from scrubjay.engine.extract import Extracted, Extractor, Trouble, Usage
from scrubjay.engine.transfer import Imported
from scrubjay.errors import StoreError, shorten
from scrubjay.operations.operation import Operation, P, T
from scrubjay.trace import Span
from scrubjay.types import (
    Entity,
    EntityId,
    Json,
    Retained,
    StoredRelation,
    Window,
)

_hints = cache(get_type_hints)  # an answer has many items of one type
# What `why` says beside the retrievers.
_AFTER_RETRIEVAL = frozenset(one.name for one in dataclasses.fields(Why)) - {"retrievers"}


@dataclasses.dataclass(frozen=True, slots=True)
class TaskState:
    """Long work on a server."""

    state: str
    done: int
    total: int
    result: Mapping[str, Json] | None
    problem: Mapping[str, Json] | None


def answer_of(operation: Operation[P, T], shape: Json) -> T:
    """What an operation gives, from the JSON of a server's answer."""
    name = operation.address.answer
    value = shape if name is None else _object(shape).get(name)
    # The reader was chosen by the very type that the function gives.
    return cast(T, _value(_answer_type(operation.function), value))


@cache
def _answer_type(function: Callable[..., object]) -> object:
    hints = get_type_hints(function, localns={"Extracted": Extracted, "Extractor": Extractor})
    return hints["return"]


def build(owner: type[T], shape: Json) -> T:
    """A dataclass from the object with its fields; what it does not know is passed over."""
    return _built(owner, _object(shape), {})


def _built(owner: type[T], given: Mapping[str, Json], parts: Mapping[str, object]) -> T:
    """The same with some fields that are read already."""
    assert dataclasses.is_dataclass(owner)
    hints = _hints(owner)
    values = {
        one.name: _value(hints[one.name], given[one.name])
        for one in dataclasses.fields(owner)
        if one.name in given and one.name not in parts
    }
    try:
        return owner(**values, **parts)
    except TypeError as error:
        raise _foreign(given) from error


def recall(shape: Json) -> Recall:
    """An answer."""
    given = _object(shape)
    timings = {
        name: build(Span, {**_object(part), "name": name})
        for name, part in _object(given.get("timings")).items()
    }
    return _built(Recall, given, {"timings": timings})


def parsed(shape: Json) -> Parsed:
    """What a question says."""
    given = _object(shape)
    kind = given.get("kind")
    parts = {
        "window_kind": None if kind is None else str(kind),
        "window_confidence": float(_number(given, "confidence")),
    }
    return _built(Parsed, given, parts)


def extracted(shape: Json) -> Extracted:
    """What telling with extraction did."""
    found = _object(_object(shape).get("extraction"))
    return Extracted(
        retained=build(Retained, shape),
        facts=build(Retained, found.get("facts_retained")),
        troubles=tuple(build(Trouble, one) for one in _list(found.get("troubles"))),
        usage=build(Usage, found.get("usage")),
    )


def task_of(shape: Json) -> TaskState:
    """How far long work is."""
    return build(TaskState, shape)


def task_path(begun: Json) -> str:
    """Where to ask about the long work that was begun."""
    return f"/v1/tasks/{_object(begun).get('id')}"


def imported(shape: Json) -> Imported:
    """What an import did."""
    given = _object(shape)
    lines = [_object(one) for one in _list(given.get("problems", []))]
    problems = tuple((whole(one.get("line")), str(one.get("reason"))) for one in lines)
    return _built(Imported, given, {"problems": problems})


def _item(shape: Json) -> Item:
    given = _object(shape)
    why = _object(given.get("why"))
    after = {name: part for name, part in why.items() if name in _AFTER_RETRIEVAL}
    found = {name: part for name, part in why.items() if name not in _AFTER_RETRIEVAL}
    return _built(Item, given, {"why": build(Why, {**after, "retrievers": found})})


def _resolved(shape: Json) -> ResolvedEntity:
    given = _object(shape)
    sure = [_list(one) for one in _list(given.get("candidates"))]
    candidates = tuple((EntityId(whole(number)), _float(chance)) for number, chance in sure)
    parts = {"entity": EntityId(whole(given.get("id"))), "candidates": candidates}
    return _built(ResolvedEntity, given, parts)


def _relation(shape: Json) -> StoredRelation:
    given = _object(shape)
    ends = {end: build(Entity, given.get(f"{end}_entity")) for end in ("subject", "object")}
    return _built(StoredRelation, given, ends)


def _value(hint: object, value: Json) -> object:
    """A JSON value as the type a field has."""
    while isinstance(hint, typing.NewType):
        hint = hint.__supertype__
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        (hint, *others) = [one for one in inside if one is not type(None)]
        return value if others else _value(hint, value)
    if origin is list:
        return [_value(inside[0], one) for one in _list(value)]
    if origin is tuple:
        return tuple(_value(inside[0], one) for one in _list(value))
    if origin is not None and issubclass(origin, Mapping):
        return {key: _value(inside[1], one) for key, one in _object(value).items()}
    return _simple(hint, value)


def _simple(hint: object, value: Json) -> object:
    if hint is type(None):
        return None
    if hint is datetime:
        return _moment(value)
    if hint is int:
        return whole(value)
    if isinstance(hint, type) and (own := _OWN_WAY.get(hint)) is not None:
        return own(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return build(hint, value)
    return value


def _moment(value: Json) -> datetime | None:
    return None if value is None else datetime.fromisoformat(str(value)).astimezone(UTC)


def _window(value: Json) -> Window:
    start, end = _list(value)
    return Window(_moment(start), _moment(end))


def _object(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise _foreign(value)
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise _foreign(value)
    return value


def whole(value: Json) -> int:
    """A whole number."""
    if not isinstance(value, int):
        raise _foreign(value)
    return value


def _number(given: Json, name: str) -> float:
    return _float(_object(given).get(name))


def _float(value: Json) -> float:
    if not isinstance(value, int | float):
        raise _foreign(value)
    return float(value)


def _foreign(value: object) -> StoreError:
    return StoreError(
        f"The server answered {shorten(value)}, which is no answer of scrubjay. Check the address "
        "and its version."
    )


# Shapes whose JSON is not the object of their fields.
_OWN_WAY: dict[type, Callable[[Json], object]] = {
    Extracted: extracted,
    Imported: imported,
    Item: _item,
    Parsed: parsed,
    Recall: recall,
    ResolvedEntity: _resolved,
    StoredRelation: _relation,
    Window: _window,
}
