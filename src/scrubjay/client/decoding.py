"""Reads a server's JSON back into the data a Memory returns."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

from scrubjay.answers import Degraded, Item, Parsed, Plan, Recall, ResolvedEntity
from scrubjay.engine.extract import Extracted, Trouble, Usage
from scrubjay.errors import StoreError, shorten
from scrubjay.settings import BankSettings
from scrubjay.trace import Span
from scrubjay.types import (
    Derived,
    Entity,
    EntityId,
    Json,
    RelationClass,
    Retained,
    StoredRelation,
    UnitId,
    Window,
)

T = TypeVar("T")
_AFTER_RETRIEVAL = ("rerank", "recency", "temporal_boost")


@dataclasses.dataclass(frozen=True, slots=True)
class TaskState:
    """Long work on a server."""

    state: str
    done: int
    total: int
    result: Mapping[str, Json] | None
    problem: Mapping[str, Json] | None


def build(owner: type[T], shape: Json) -> T:
    """A dataclass from the object with its fields; what it does not know is passed over."""
    given = _object(shape)
    assert dataclasses.is_dataclass(owner)
    hints = get_type_hints(owner)
    values = {
        one.name: _value(hints[one.name], given[one.name])
        for one in dataclasses.fields(owner)
        if one.name in given
    }
    try:
        return owner(**values)
    except TypeError as error:
        raise _foreign(shape) from error


def listed(owner: type[T], name: str, shape: Json) -> list[T]:
    """The dataclasses under a name."""
    return [build(owner, one) for one in _list(_object(shape).get(name))]


def plain_object(values: Mapping[str, object]) -> dict[str, Json]:
    """Settings as they are sent; tuples become lists."""
    return {
        name: list(value) if isinstance(value, tuple) else value  # type: ignore[misc]
        for name, value in values.items()
    }


def settings(shape: Json) -> BankSettings:
    """A bank's settings."""
    return build(BankSettings, _object(shape).get("settings"))


def number(shape: Json) -> int:
    """The number of what was made."""
    return whole(_object(shape).get("id"))


def recall(question: str, shape: Json) -> Recall:
    """An answer; of the parse, the question and its window travel."""
    given = _object(shape)
    window = _window(given.get("window"))
    timings = {
        name: Span(name, float(_number(part, "start_ms")), float(_number(part, "end_ms")), 0.0)
        for name, part in _object(given.get("timings")).items()
    }
    items = tuple(_item(item) for item in _list(given.get("items")))
    trace = given.get("trace")
    return Recall(
        question=question,
        items=items,
        plan=build(Plan, given.get("plan")),
        parsed=_unread(question, window),
        window=window,
        timings=timings,
        widened=bool(given.get("widened")),
        degraded=tuple(build(Degraded, part) for part in _list(given.get("degraded"))),
        nothing_relevant=bool(given.get("nothing_relevant")),
        max_wait_ms=float(_number(given, "max_wait_ms")),
        tokens=whole(given.get("tokens")),
        reranked=sum(item.why.rerank is not None for item in items),
        trace=None if trace is None else _object(trace),
    )


def recalls(questions: Sequence[str], shape: Json) -> list[Recall]:
    """Answers, in the order of the questions."""
    found = _list(_object(shape).get("recalls"))
    return [recall(question, one) for question, one in zip(questions, found, strict=True)]


def parsed(question: str, now: datetime | None, shape: Json) -> Parsed:
    """What a question says, as far as it travels."""
    given = _object(shape)
    kind = given.get("kind")
    return dataclasses.replace(
        _unread(question, _window(given.get("window"))),
        now=now or datetime.now(UTC),
        window_kind=None if kind is None else str(kind),
        window_confidence=float(_number(given, "confidence")),
        entities=tuple(_resolved(one) for one in _list(given.get("entities"))),
    )


def relations(shape: Json) -> list[StoredRelation]:
    """Relations; of their entities, the number and the name travel."""
    return [_relation(_object(one)) for one in _list(_object(shape).get("relations"))]


def extracted(shape: Json) -> Extracted:
    """What telling with extraction did."""
    found = _object(_object(shape).get("extraction"))
    facts = tuple(UnitId(str(unit)) for unit in _list(found.get("facts")))
    return Extracted(
        retained=build(Retained, shape),
        facts=Retained(facts, facts, (), (), Derived()),
        troubles=tuple(build(Trouble, one) for one in _list(found.get("troubles"))),
        usage=build(Usage, found.get("usage")),
    )


def task(shape: Json) -> TaskState:
    """A task."""
    return build(TaskState, shape)


def task_address(shape: Json) -> str:
    """Where to ask how far a task is."""
    return f"/v1/tasks/{_object(shape).get('id')}"


def _item(shape: Json) -> Item:
    given = dict(_object(shape))
    why = _object(given.pop("why", None))
    found = {name: part for name, part in why.items() if name not in _AFTER_RETRIEVAL}
    return build(
        Item,
        {
            **given,
            "why": {
                "retrievers": found,
                # Scores before reranking stay on the server; the order is that of the items.
                "fused": given.get("score"),
                "rerank": why.get("rerank"),
                "recency": why.get("recency"),
                "temporal_boost": why.get("temporal_boost"),
            },
        },
    )


def _resolved(shape: Json) -> ResolvedEntity:
    given = _object(shape)
    entity, sure = EntityId(whole(given.get("id"))), float(_number(given, "confidence"))
    return ResolvedEntity(
        mention=str(given.get("mention")),
        entity=entity,
        name=str(given.get("name")),
        confidence=sure,
        candidates=((entity, sure),),
        by_pronoun=bool(given.get("by_pronoun")),
    )


def _relation(given: Mapping[str, Json]) -> StoredRelation:
    return StoredRelation(
        id=whole(given.get("id")),
        subject=_entity(given, "subject"),
        relation=str(given.get("relation")),
        object=_entity(given, "object"),
        relation_class=RelationClass(str(given.get("relation_class"))),
        confidence=float(_number(given, "confidence")),
        valid_from=_moment(given.get("valid_from")),
        valid_to=_moment(given.get("valid_to")),
    )


def _entity(given: Mapping[str, Json], end: str) -> Entity:
    return Entity(EntityId(whole(given.get(f"{end}_id"))), str(given.get(end)), "", (), 0)


def _unread(question: str, window: Window | None) -> Parsed:
    return Parsed(
        question=question, now=datetime.now(UTC), window=window, window_kind=None,
        window_confidence=0.0, window_text=None, entities=(), terms=(), phrases=(), none_of=(),
        content_words=0, speculative_time=None, multi_hop=False, asks_for=None,
    )  # fmt: skip


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
    if origin is tuple:
        return tuple(_value(inside[0], one) for one in _list(value))
    if origin is not None and issubclass(origin, Mapping):
        return {key: _value(inside[1], one) for key, one in _object(value).items()}
    return _simple(hint, value)


def _simple(hint: object, value: Json) -> object:
    if hint is datetime:
        return _moment(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return build(hint, value)
    return value


def _moment(value: Json) -> datetime | None:
    return None if value is None else datetime.fromisoformat(str(value)).astimezone(UTC)


def _window(value: Json) -> Window | None:
    if value is None:
        return None
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
    value = _object(given).get(name)
    if not isinstance(value, int | float):
        raise _foreign(given)
    return float(value)


def _foreign(value: object) -> StoreError:
    return StoreError(
        f"The server answered {shorten(value)}, which is no answer of scrubjay. Check the address "
        "and its version."
    )
