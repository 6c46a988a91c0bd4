"""JSON schemas of what the server answers: the shapes of payloads.py, named."""

from __future__ import annotations

from scrubjay.surface.http.contract.schemas import (
    ANY_OBJECT,
    FLAG,
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    WHOLE,
    Schema,
)
from scrubjay.types import Json

_OBJECTS: Schema = {"type": "array", "items": ANY_OBJECT}


def shape(**properties: Schema) -> Schema:
    """An object that has all of these."""
    kept: dict[str, Json] = dict(properties)
    return {"type": "object", "properties": kept, "required": list(properties)}


def listing(name: str, of: Schema) -> Schema:
    """An object with one list in it."""
    items: Schema = {"type": "array", "items": of}
    return shape(**{name: items})


PROBLEM = shape(type=TEXT, title=TEXT, status=WHOLE, detail=TEXT, remedy=TEXT, request_id=TEXT)
STORED_UNIT = shape(
    id=TEXT, text=TEXT, type=TEXT, told_at=TEXT, created_at=TEXT, predicate=TEXT_OR_NULL,
    context=TEXT_OR_NULL, occurred_start=TEXT_OR_NULL, occurred_end=TEXT_OR_NULL,
    valid_from=TEXT_OR_NULL, valid_to=TEXT_OR_NULL, closed_at=TEXT_OR_NULL, entities=TEXTS,
    tags=TEXTS, metadata=ANY_OBJECT, session=TEXT_OR_NULL, speaker=TEXT_OR_NULL, key=TEXT_OR_NULL,
    supersedes=TEXT_OR_NULL, superseded_by=TEXT_OR_NULL, tokens=WHOLE,
)  # fmt: skip
PAGE = shape(units={"type": "array", "items": STORED_UNIT}, cursor=TEXT_OR_NULL)
RETAINED = shape(ids=TEXTS, new=TEXTS, duplicates=TEXTS, updated=TEXTS, derived=ANY_OBJECT)
ERASURE = shape(
    units=WHOLE, vectors=WHOLE, words=WHOLE, links=WHOLE, mentions=WHOLE, entities=WHOLE,
    relations=WHOLE, compacted=FLAG, ids=TEXTS, sessions=WHOLE, left_closed=TEXTS,
    pending=TEXT_OR_NULL,
)  # fmt: skip
RECALL = shape(
    items={
        "type": "array",
        "items": shape(id=TEXT, text=TEXT, type=TEXT, score=NUMBER, relevance=NUMBER,
                       told_at=TEXT, tokens=WHOLE, why=ANY_OBJECT),
    },
    plan=ANY_OBJECT, window={"type": ["array", "null"]}, timings=ANY_OBJECT, widened=FLAG,
    degraded=_OBJECTS, nothing_relevant=FLAG, tokens=WHOLE, max_wait_ms=NUMBER,
    question=TEXT, parsed=ANY_OBJECT, reranked=WHOLE,
)  # fmt: skip
RECALLS = listing("recalls", RECALL)
EXPLANATION = shape(unit=TEXT, question=TEXT, returned=FLAG, step=TEXT, reason=TEXT)
PARSED = shape(window={"type": ["array", "null"]}, kind=TEXT_OR_NULL, confidence=NUMBER,
               entities=_OBJECTS, hints=TEXTS, now=TEXT, question=TEXT, terms=TEXTS)  # fmt: skip
PLAN = shape(preset=TEXT, retrievers=_OBJECTS, type_hints=TEXTS, mode=TEXT)
ENTITY = shape(id=WHOLE, name=TEXT, kind=TEXT, aliases=TEXTS, mentions=WHOLE)
ENTITIES = listing("entities", ENTITY)
RELATIONS = listing(
    "relations",
    shape(id=WHOLE, subject=TEXT, relation=TEXT, object=TEXT, subject_entity=ENTITY,
          object_entity=ENTITY),
)  # fmt: skip
LINKS = listing("links", shape(source=TEXT, target=TEXT, kind=TEXT, weight=NUMBER))
SESSION_INFO = shape(name=TEXT, started_at=TEXT, last_at=TEXT, ended_at=TEXT_OR_NULL, units=WHOLE)
SESSIONS = listing("sessions", SESSION_INFO)
BANK = shape(name=TEXT, created_at=TEXT, encoder=TEXT_OR_NULL, units=WHOLE, settings=ANY_OBJECT)
BANKS = listing("banks", shape(name=TEXT, created_at=TEXT, encoder=TEXT_OR_NULL, units=WHOLE))
STATS = shape(bank=TEXT, units=WHOLE, by_type=ANY_OBJECT, disk_bytes=WHOLE)
FINDINGS = listing("findings", shape(check=TEXT, detail=TEXT, fixed=FLAG))
TASK = shape(id=TEXT, kind=TEXT, bank=TEXT, state=TEXT, done=WHOLE, total=WHOLE)
RELATION_ID = shape(id=WHOLE)
DONE = shape(done=FLAG)
COMPACTED = shape(done=FLAG, pending=TEXT_OR_NULL)
HEALTH = shape(status=TEXT)
