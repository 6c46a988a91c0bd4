"""Turns checked JSON and query strings into what a Memory takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypedDict

from starlette.datastructures import QueryParams

from scrubjay.errors import BadInput
from scrubjay.shapes import read_moment, unit_from_json
from scrubjay.surface.http.contract.checking import read_json
from scrubjay.surface.http.problems import Refusal
from scrubjay.types import Cause, Json, Relation, Unit, UnitFilter, Window

Body = Mapping[str, Json]


class UnitGiven(TypedDict, total=False):
    """The parts of a unit that a change gives."""

    type: str | None
    predicate: str | None
    context: str | None
    occurred: tuple[datetime, datetime] | None
    told_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    tags: Sequence[str] | None
    metadata: Mapping[str, Json] | None
    entities: Sequence[str] | None
    relations: Sequence[Relation] | None
    causes: Sequence[Cause | str] | None
    session: str | None
    speaker: str | None
    key: str | None


class RecallGiven(TypedDict, total=False):
    """How to recall, as far as it was given."""

    limit: int
    max_tokens: int
    types: Sequence[str] | None
    tags: Sequence[str]
    metadata: Mapping[str, Json]
    window: Window | tuple[datetime | str | None, datetime | str | None] | None
    as_of: datetime | str | None
    known_at: datetime | str | None
    now: datetime | str | None
    preset: str
    rerank: bool | None
    min_score: float | None
    session: str | None
    deadline_ms: float | None
    strict: bool
    trace: bool


_OWN_FIELDS = (
    "type", "predicate", "context", "told_at", "valid_from", "valid_to", "tags", "metadata",
    "entities", "relations", "causes", "session", "speaker", "key",
)  # fmt: skip


def units_of(body: Body) -> list[Unit]:
    """The units of a telling: one, or those under `units`."""
    told = body.get("units")
    return [unit_from_json(unit) for unit in told] if isinstance(told, list) else [unit_of(body)]


def unit_of(shape: Json) -> Unit:
    """One unit."""
    return unit_from_json(shape)


def changes_of(body: Body) -> tuple[str | None, UnitGiven]:
    """What to change in a unit: its text, if given, and its other parts; null clears one."""
    text = text_of(body, "text")
    # A whole unit is read, so that files, commands and servers take the same values.
    unit = unit_from_json({**body, "text": text or "unchanged"})
    given: dict[str, object] = {
        name: None if body[name] is None else getattr(unit, name)
        for name in _OWN_FIELDS
        if name in body
    }
    if "occurred_start" in body and unit.occurred_start is None:
        given["occurred"] = None
    if unit.occurred_start is not None:
        given["occurred"] = (unit.occurred_start, unit.occurred_end or unit.occurred_start)
    elif unit.occurred_end is not None:
        raise BadInput("occurred_end without occurred_start", body["occurred_end"], "Give both.")
    return text, UnitGiven(**given)  # type: ignore[typeddict-item]


def recall_of(body: Body) -> RecallGiven:
    """How to recall; what is null counts as not given."""
    names = RecallGiven.__annotations__
    given = {name: value for name, value in body.items() if name in names and value is not None}
    read: RecallGiven = RecallGiven(**given)  # type: ignore[typeddict-item]
    return read


def filter_of(body: Body) -> UnitFilter:
    """A filter from its JSON."""
    metadata = body.get("metadata") or {}
    assert isinstance(metadata, Mapping), "the schema says so"
    return UnitFilter(
        ids=texts_of(body, "ids"),
        types=texts_of(body, "types"),
        tags=texts_of(body, "tags"),
        metadata=metadata,
        session=text_of(body, "session"),
        speaker=text_of(body, "speaker"),
        key=text_of(body, "key"),
        entity=text_of(body, "entity"),
        told=_window(body, "told"),
        occurred=_window(body, "occurred"),
    )


def filter_of_query(query: QueryParams) -> UnitFilter:
    """A filter from the query string: `type`, `tag` and `id` may repeat, `metadata` is JSON."""
    return UnitFilter(
        ids=tuple(query.getlist("id")),
        types=tuple(query.getlist("type")),
        tags=tuple(query.getlist("tag")),
        metadata=_metadata(query.get("metadata")),
        session=query.get("session"),
        speaker=query.get("speaker"),
        key=query.get("key"),
        entity=query.get("entity"),
        told=_edges(query, "told_from", "told_to"),
        occurred=_edges(query, "occurred_from", "occurred_to"),
    )


def text_of(body: Body, name: str) -> str | None:
    """A text that may be absent."""
    value = body.get(name)
    assert value is None or isinstance(value, str), "the schema says so"
    return value


def texts_of(body: Body, name: str) -> tuple[str, ...]:
    """A list of texts that may be absent."""
    value = body.get(name) or ()
    assert isinstance(value, list | tuple), "the schema says so"
    return tuple(str(one) for one in value)


def moment_of(body: Body, name: str) -> datetime | None:
    """A time that may be absent."""
    value = body.get(name)
    return None if value is None else read_moment(name, value)


def whole_of(query: QueryParams, name: str, otherwise: int) -> int:
    """A whole number of the query string."""
    text = query.get(name)
    if text is None:
        return otherwise
    # Python also reads "1_000" and digits of other scripts, which the schema does not promise.
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        raise BadInput(name, text, "Give a whole number.")
    return int(text)


def flag_of(query: QueryParams, name: str) -> bool:
    """A yes or no of the query string."""
    text = query.get(name, "false")
    if text not in ("true", "false"):
        raise BadInput(name, text, "Give true or false.")
    return text == "true"


def _metadata(text: str | None) -> Mapping[str, Json]:
    try:
        value = {} if text is None else read_json(text.encode("utf-8", "surrogateescape"))
    except Refusal:
        value = None
    if not isinstance(value, dict):
        raise BadInput("metadata", text, 'Give a JSON object, such as {"team": "quay"}.')
    return value


def _window(body: Body, name: str) -> Window | None:
    ends = body.get(name)
    if ends is None:
        return None
    assert isinstance(ends, list), "the schema says so"
    start, end = (None if edge is None else read_moment(name, edge) for edge in ends)
    return Window(start, end)


def _edges(query: QueryParams, first: str, last: str) -> Window | None:
    start, end = (
        None if query.get(name) is None else read_moment(name, query[name])
        for name in (first, last)
    )
    return None if start is None and end is None else Window(start, end)
