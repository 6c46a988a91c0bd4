"""Addresses of what joins memories: entities, relations, links, sessions."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.errors import BadInput
from scrubjay.limits import PAGE_UNITS_MAX
from scrubjay.shapes import relation_from_json
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import moment_of, text_of, texts_of, whole_of
from scrubjay.surface.http.endpoint import (
    Call,
    Endpoint,
    Parameter,
    Repeat,
    Reply,
    Scope,
    by_id,
)
from scrubjay.surface.http.problems import gone, refuse
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import to_json
from scrubjay.types import Json, LinkKind

# Pages of entities that are looked through for one that a repeated request was about.
_PAGES_MAX = 10


def entities(call: Call) -> Reply:
    """Most mentioned first."""
    found = call.memory.entities(
        containing=call.query.get("containing"),
        limit=whole_of(call.query, "limit", 100),
        offset=whole_of(call.query, "offset", 0),
        bank=call.bank,
    )
    return Reply({"entities": to_json(found)})


def alias(call: Call) -> Reply:
    """Let an entity answer to another name."""
    named = call.memory.alias_entity(_entity(call), str(call.body["alias"]), bank=call.bank)
    return Reply(to_json(named))


def merge(call: Call) -> Reply:
    """Make two entities one."""
    keep, drop = _number(call, "keep"), _number(call, "drop")
    return Reply(to_json(call.memory.merge_entities(keep, drop, bank=call.bank)))


def split(call: Call) -> Reply:
    """Give some mentions to a new entity."""
    made = call.memory.split_entity(
        _entity(call), str(call.body["name"]), texts_of(call.body, "units"), bank=call.bank
    )
    return Reply(to_json(made))


def _entity_again(call: Call, identifier: Json) -> Json:
    """The entity of that number, looked for by the name the request gave it, if it gave one."""
    name = text_of(call.body, "alias") or text_of(call.body, "name")
    for page in range(_PAGES_MAX):
        found = call.memory.entities(
            containing=name, limit=PAGE_UNITS_MAX, offset=page * PAGE_UNITS_MAX, bank=call.bank
        )
        for one in found:
            if one.id == identifier:
                return to_json(one)
        if len(found) < PAGE_UNITS_MAX:
            raise gone("entity", str(identifier))
    raise refuse(409, "DoneBefore", f"This was done; entity {identifier} is not mentioned often.",
                 "Look for it by its name.")  # fmt: skip


def _session_again(call: Call, _: Mapping[str, Json]) -> Json:
    # Its name, which is not kept, is in the request.
    name = str(call.body["name"])
    for found in call.memory.sessions(bank=call.bank):
        if found.name == name:
            return to_json(found)
    raise gone("session", name)


def _entity(call: Call) -> int:
    text = call.path["entity"]
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise BadInput("entity", text, "Give the number that a listing shows.")
    return int(text)


def _number(call: Call, name: str) -> int:
    value = call.body[name]
    assert isinstance(value, int), "the schema says so"
    return value


def relations(call: Call) -> Reply:
    """In the order they were told."""
    found = call.memory.relations(
        limit=whole_of(call.query, "limit", 100),
        offset=whole_of(call.query, "offset", 0),
        bank=call.bank,
    )
    return Reply({"relations": to_json(found)})


def relate(call: Call) -> Reply:
    """Say how two entities stand to each other."""
    told = relation_from_json(call.body)
    number = call.memory.relate(
        told.subject,
        told.relation,
        told.object,
        bank=call.bank,
        relation_class=told.relation_class,
        confidence=told.confidence,
        valid_from=told.valid_from,
        valid_to=told.valid_to,
    )
    return Reply({"id": number}, 201)


def link(call: Call) -> Reply:
    """Say that one memory causes another."""
    weight = call.body.get("weight", 1.0)
    assert isinstance(weight, int | float), "the schema says so"
    call.memory.link(
        str(call.body["cause"]),
        str(call.body["effect"]),
        str(call.body.get("kind", LinkKind.CAUSES)),
        weight,
        bank=call.bank,
    )
    return Reply({"done": True})


def sessions(call: Call) -> Reply:
    """The log of conversations."""
    return Reply({"sessions": to_json(call.memory.sessions(bank=call.bank))})


def start(call: Call) -> Reply:
    """Log that a conversation began."""
    at = moment_of(call.body, "at")
    return Reply(to_json(call.memory.start_session(str(call.body["name"]), at=at, bank=call.bank)))


def end(call: Call) -> Reply:
    """Log that a conversation ended."""
    at = moment_of(call.body, "at")
    return Reply(to_json(call.memory.end_session(str(call.body["name"]), at=at, bank=call.bank)))


_PART = (
    Parameter("limit", {**taken.WHOLE, "minimum": 1, "maximum": 1000}, "At most this many."),
    Parameter("offset", {**taken.WHOLE, "minimum": 0}, "Pass over so many."),
)
_CONTAINING = Parameter("containing", taken.TEXT, "With a name that contains this.")
_ENTITIES = f"{BANK}/entities"
_SESSION_AGAIN = Repeat(lambda _: {}, _session_again)

ENDPOINTS = (
    Endpoint("GET", _ENTITIES, "Entities, most mentioned first.", Scope.READ, entities,
             query=(_CONTAINING, *_PART), answers={200: given.ENTITIES}),
    Endpoint("POST", f"{_ENTITIES}/merge", "Make two entities one.", Scope.WRITE, merge,
             body=taken.MERGE, answers={200: given.ENTITY}, repeatable=False,
             repeat=by_id(_entity_again)),
    Endpoint("POST", f"{_ENTITIES}/{{entity}}/alias", "Give an entity another name.", Scope.WRITE,
             alias, body=taken.ALIAS, answers={200: given.ENTITY}, repeat=by_id(_entity_again)),
    Endpoint("POST", f"{_ENTITIES}/{{entity}}/split", "Give some mentions to a new entity.",
             Scope.WRITE, split, body=taken.SPLIT, answers={200: given.ENTITY}, repeatable=False,
             repeat=by_id(_entity_again)),
    Endpoint("GET", f"{BANK}/relations", "Relations, in the order they were told.", Scope.READ,
             relations, query=_PART, answers={200: given.RELATIONS}),
    Endpoint("POST", f"{BANK}/relations", "Say how two entities stand to each other.", Scope.WRITE,
             relate, body=taken.RELATION, answers={201: given.RELATION_ID}),
    Endpoint("POST", f"{BANK}/links", "Say that one memory causes, enables or prevents another.",
             Scope.WRITE, link, body=taken.LINK, answers={200: given.DONE}),
    Endpoint("GET", f"{BANK}/sessions", "The log of conversations.", Scope.READ, sessions,
             answers={200: given.SESSIONS}),
    Endpoint("POST", f"{BANK}/sessions", "Log that a conversation began.", Scope.WRITE, start,
             body=taken.SESSION, answers={200: given.SESSION_INFO}, repeat=_SESSION_AGAIN),
    Endpoint("POST", f"{BANK}/sessions/end", "Log that a conversation ended.", Scope.WRITE, end,
             body=taken.SESSION, answers={200: given.SESSION_INFO}, repeat=_SESSION_AGAIN),
)  # fmt: skip
