"""The JSON shape of a unit: one for files, the command line and every server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import datetime

from scrubjay.errors import BadInput
from scrubjay.types import Cause, Json, LinkKind, Relation, RelationClass, Source, StoredUnit, Unit

_TIMES = frozenset(
    {
        "occurred_start",
        "occurred_end",
        "told_at",
        "created_at",
        "valid_from",
        "valid_to",
        "closed_at",
    }
)
_LISTS = frozenset({"entities", "tags", "relations", "causes"})
_UNIT_FIELDS = frozenset(field.name for field in fields(Unit))
# Shown by `get` and exports; the store decides them, so reading them back ignores them.
_DECIDED = frozenset({"created_at", "closed_at", "source", "supersedes", "superseded_by", "tokens"})

_RELATION_TIMES = ("valid_from", "valid_to")


def iso(moment: datetime | None) -> str | None:
    """A time as JSON."""
    return None if moment is None else moment.isoformat()


def unit_to_json(unit: StoredUnit) -> dict[str, Json]:
    """A stored unit, every field, times as ISO text."""
    source = unit.source
    return {
        "id": unit.id,
        "text": unit.text,
        "type": unit.type,
        "predicate": unit.predicate,
        "context": unit.context,
        "occurred_start": iso(unit.occurred_start),
        "occurred_end": iso(unit.occurred_end),
        "told_at": iso(unit.told_at),
        "created_at": iso(unit.created_at),
        "valid_from": iso(unit.valid_from),
        "valid_to": iso(unit.valid_to),
        "closed_at": iso(unit.closed_at),
        "entities": list(unit.entities),
        "tags": list(unit.tags),
        "metadata": dict(unit.metadata),
        "session": unit.session,
        "speaker": unit.speaker,
        "key": unit.key,
        "source": None if source is None else asdict(source),
        "supersedes": unit.supersedes,
        "superseded_by": unit.superseded_by,
        "tokens": unit.tokens,
    }


def unit_from_json(shape: object) -> Unit:
    """A unit as a caller or a file tells it; unknown fields and wrong types are BadInput."""
    if not isinstance(shape, Mapping):
        raise BadInput("unit", shape, 'Give an object such as {"text": "..."}.')
    given: dict[str, object] = {}
    for name, value in shape.items():
        if name in _DECIDED or value is None:
            continue
        if name not in _UNIT_FIELDS:
            known = ", ".join(sorted(_UNIT_FIELDS))
            raise BadInput("unknown field", name, f"Known: {known}.")
        given[name] = _read(name, value)
    text = given.pop("text", None)
    if not isinstance(text, str):
        raise BadInput("unit without text", dict(shape), "Give it a 'text'.")
    return Unit(text, **given)  # type: ignore[arg-type]


def _read(name: str, value: object) -> object:
    if name in _TIMES:
        return read_moment(name, value)
    if name == "relations":
        return tuple(relation_from_json(item) for item in _list(name, value))
    if name == "causes":
        return tuple(_cause(item) for item in _list(name, value))
    if name in _LISTS:
        return _list(name, value)
    if name == "metadata":
        if not isinstance(value, Mapping):
            raise BadInput(name, value, "Give an object.")
        return value
    if not isinstance(value, str):
        raise BadInput(name, value, "Give text.")
    return value


def _list(name: str, value: object) -> tuple[object, ...]:
    if not isinstance(value, list | tuple):
        raise BadInput(name, value, "Give a list.")
    return tuple(value)


def read_moment(name: str, value: object) -> datetime:
    """A time from JSON: ISO text with its zone."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise BadInput(
            name, value, "Give an ISO time with its zone, such as '2026-03-02T09:30:00+00:00'."
        ) from None
    if moment.tzinfo is None:
        raise BadInput(f"{name} has no time zone", value, "Add one, such as +00:00.")
    return moment


def source_from_json(shape: object) -> Source | None:
    """Where an exported unit was cut from."""
    if shape is None:
        return None
    try:
        assert isinstance(shape, Mapping)
        document, start, end = str(shape["document"]), int(shape["start"]), int(shape["end"])
    except (AssertionError, KeyError, TypeError, ValueError):
        raise BadInput("source", shape, "Give a document, a start and an end.") from None
    return Source(document, start, end)


def relation_to_json(relation: Relation) -> dict[str, Json]:
    """A relation as JSON."""
    return {
        "subject": relation.subject,
        "relation": relation.relation,
        "object": relation.object,
        "relation_class": str(relation.relation_class),
        "confidence": relation.confidence,
        "valid_from": iso(relation.valid_from),
        "valid_to": iso(relation.valid_to),
    }


def relation_from_json(shape: object) -> Relation:
    """A relation from JSON."""
    known = {field.name for field in fields(Relation)}
    if not isinstance(shape, Mapping) or not set(shape) <= known:
        raise BadInput("relation", shape, f"Give an object with {', '.join(sorted(known))}.")
    try:
        given = dict(shape)
        for name in _RELATION_TIMES:
            if given.get(name) is not None:
                given[name] = read_moment(name, given[name])
        given["relation_class"] = RelationClass(given.get("relation_class", "semantic"))
        given["confidence"] = float(given.get("confidence", 1.0))
        return Relation(**given)
    except (TypeError, ValueError):
        raise BadInput(
            "relation",
            shape,
            "Give subject, relation and object; relation_class is one of "
            f"{', '.join(RelationClass)}, confidence a number.",
        ) from None


def _cause(shape: object) -> Cause:
    if isinstance(shape, str):
        return Cause(shape)
    if not isinstance(shape, Mapping) or not isinstance(shape.get("other"), str):
        raise BadInput("cause", shape, 'Give a unit id or key, or {"other": ..., "kind": ...}.')
    try:
        kind = LinkKind(shape.get("kind", "causes"))
        return Cause(shape["other"], kind, float(shape.get("weight", 1.0)))
    except (TypeError, ValueError):
        raise BadInput(
            "cause", shape, f"Kinds are {', '.join(LinkKind)}; weight a number."
        ) from None
