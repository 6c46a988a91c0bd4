"""JSON schemas of what the server takes; they document it, and requests are checked by them.

They say which shape a value has. Whether it makes sense is the engine's to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.types import Json, LinkKind, RelationClass

Schema = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One name of the query string; one whose schema is a list may be repeated."""

    name: str
    schema: Schema
    about: str


TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
TEXTS: Schema = {"type": "array", "items": TEXT}
TIME: Schema = {"type": "string", "format": "date-time", "description": "ISO time with its zone."}
TIME_OR_NULL: Schema = {**TIME, "type": ["string", "null"]}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}
FLAG: Schema = {"type": "boolean"}
ANY_OBJECT: Schema = {"type": "object"}


def closed(properties: dict[str, Schema], *required: str, about: str = "") -> Schema:
    """An object with these properties and no others."""
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": list(required),
    }
    return {**schema, "description": about} if about else schema


def window(about: str) -> Schema:
    """[start, end], null at an open end."""
    ends: Schema = {"type": "array", "items": TIME_OR_NULL, "minItems": 2, "maxItems": 2}
    return {**ends, "type": ["array", "null"], "description": about}


RELATION = closed(
    {
        "subject": TEXT,
        "relation": TEXT,
        "object": TEXT,
        "relation_class": {"type": "string", "enum": [str(kind) for kind in RelationClass]},
        "confidence": {**NUMBER, "exclusiveMinimum": 0, "maximum": 1},
        "valid_from": TIME_OR_NULL,
        "valid_to": TIME_OR_NULL,
    },
    "subject",
    "relation",
    "object",
)

_CAUSAL: list[Json] = [str(k) for k in LinkKind if k not in (LinkKind.ENTITY, LinkKind.SEMANTIC)]
CAUSE = closed(
    {"other": TEXT, "kind": {"type": "string", "enum": _CAUSAL}, "weight": NUMBER}, "other"
)

_UNIT_FIELDS: dict[str, Schema] = {
    "text": TEXT,
    "type": TEXT_OR_NULL,
    "predicate": TEXT_OR_NULL,
    "context": TEXT_OR_NULL,
    "occurred_start": TIME_OR_NULL,
    "occurred_end": TIME_OR_NULL,
    "told_at": TIME_OR_NULL,
    "valid_from": TIME_OR_NULL,
    "valid_to": TIME_OR_NULL,
    "entities": TEXTS,
    "relations": {"type": "array", "items": RELATION},
    "causes": {"type": "array", "items": {"anyOf": [TEXT, CAUSE]}},
    "tags": TEXTS,
    "metadata": ANY_OBJECT,
    "session": TEXT_OR_NULL,
    "speaker": TEXT_OR_NULL,
    "key": TEXT_OR_NULL,
}
UNIT = closed(_UNIT_FIELDS, "text", about="One memory as it is told; see docs/retain.md.")
_CLEARABLE: dict[str, Schema] = {
    name: {**_UNIT_FIELDS[name], "type": [str(_UNIT_FIELDS[name]["type"]), "null"]}
    for name in ("entities", "relations", "causes", "tags", "metadata")
}
UNIT_CHANGES = closed(
    {**_UNIT_FIELDS, **_CLEARABLE}, about="What to change; null clears, the rest stays as it is."
)
UNITS = closed({"units": {"type": "array", "items": UNIT}}, "units", about="Several memories.")
TOLD: Schema = {"anyOf": [UNIT, UNITS]}

FILTER = closed(
    {
        "ids": TEXTS,
        "types": TEXTS,
        "tags": TEXTS,
        "metadata": ANY_OBJECT,
        "session": TEXT_OR_NULL,
        "speaker": TEXT_OR_NULL,
        "key": TEXT_OR_NULL,
        "entity": TEXT_OR_NULL,
        "told": window("When it was told."),
        "occurred": window("When it happened."),
    },
    about="Which units; all conditions hold at once.",
)

_HOW: dict[str, Schema] = {
    "limit": WHOLE,
    "max_tokens": WHOLE,
    "types": {"type": ["array", "null"], "items": TEXT},
    "tags": TEXTS,
    "metadata": ANY_OBJECT,
    "window": window("Only what happened or was told in it."),
    "as_of": TIME_OR_NULL,
    "known_at": TIME_OR_NULL,
    "now": TIME_OR_NULL,
    "preset": TEXT,
    "rerank": {"type": ["boolean", "null"]},
    "min_score": NUMBER_OR_NULL,
    "session": TEXT_OR_NULL,
    "deadline_ms": NUMBER_OR_NULL,
    "strict": FLAG,
    "trace": FLAG,
}
QUESTION = closed({"question": TEXT, **_HOW}, "question", about="See docs/recall.md.")
QUESTIONS = closed({"questions": {**TEXTS, "maxItems": 100}, **_HOW}, "questions")
EXPLAIN = closed({"question": TEXT, "unit": TEXT, **_HOW}, "question", "unit")
PARSE = closed({"question": TEXT, "timezone": TEXT_OR_NULL, **_HOW}, "question")

SUPERSEDE = closed({"old": TEXT, "new": {"anyOf": [TEXT, UNIT]}, "at": TIME_OR_NULL}, "old", "new")
FORGET = closed({"ids": TEXTS, "filter": FILTER, "compact": FLAG}, about="Give ids or a filter.")
ALIAS = closed({"alias": TEXT}, "alias")
MERGE = closed({"keep": WHOLE, "drop": WHOLE}, "keep", "drop")
SPLIT = closed({"name": TEXT, "units": TEXTS}, "name", "units")
LINK = closed({"cause": TEXT, "effect": TEXT, "kind": TEXT, "weight": NUMBER}, "cause", "effect")
SESSION = closed({"name": TEXT, "at": TIME_OR_NULL}, "name")
REEMBED = closed({"encoder": TEXT}, "encoder")
DOCTOR = closed({"fix": FLAG})
NOTHING = closed({})
SETTINGS = closed(
    {
        "timezone": TEXT,
        "analysis": TEXT,
        "types": TEXTS,
        "recent_days": WHOLE,
        "widen_below": WHOLE,
        "links_per_unit_max": WHOLE,
        "link_floor": NUMBER,
        "links_per_entity_max": WHOLE,
    },
    about="Settings of the bank; see docs/operations.md.",
)
