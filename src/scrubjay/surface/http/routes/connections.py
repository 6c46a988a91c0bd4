"""Addresses of what joins memories: entities, relations, links, sessions."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.codec.compiled import encode
from scrubjay.errors import BadInput
from scrubjay.limits import PAGE_UNITS_MAX
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract.bodies import (
    AliasBody,
    EntitiesQuery,
    LinkBody,
    MergeBody,
    PartQuery,
    SessionBody,
    SplitBody,
)
from scrubjay.surface.http.contract.replies import Done, Entities, Made, Relations, Sessions
from scrubjay.surface.http.handling.route import Repeat, Reply, RequestContext, Route, by_id
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.http.shared.problems import gone, refuse
from scrubjay.types import Entity, Json, Relation, Session

# Pages of entities that are looked through for one that a repeated request was about.
_PAGES_MAX = 10


def entities(request: RequestContext) -> Reply:
    """Most mentioned first."""
    asked = request.asked(EntitiesQuery)
    found = request.memory.entities(
        containing=asked.containing, limit=asked.limit, offset=asked.offset, bank=request.bank
    )
    return Reply(encode(Entities(tuple(found))))


def alias(request: RequestContext) -> Reply:
    """Let an entity answer to another name."""
    name = request.given(AliasBody).alias
    return Reply(encode(request.memory.alias_entity(_entity(request), name, bank=request.bank)))


def merge(request: RequestContext) -> Reply:
    """Make two entities one."""
    given = request.given(MergeBody)
    return Reply(encode(request.memory.merge_entities(given.keep, given.drop, bank=request.bank)))


def split(request: RequestContext) -> Reply:
    """Give some mentions to a new entity."""
    given = request.given(SplitBody)
    made = request.memory.split_entity(_entity(request), given.name, given.units, bank=request.bank)
    return Reply(encode(made))


def _entity_again(request: RequestContext, identifier: Json) -> Json:
    """The entity of that number, looked for by the name the request gave it, if it gave one."""
    name = getattr(request.body, "alias", None) or getattr(request.body, "name", None)
    for page in range(_PAGES_MAX):
        found = request.memory.entities(
            containing=name, limit=PAGE_UNITS_MAX, offset=page * PAGE_UNITS_MAX, bank=request.bank
        )
        for one in found:
            if one.id == identifier:
                return encode(one)
        if len(found) < PAGE_UNITS_MAX:
            raise gone("entity", str(identifier))
    raise refuse(409, "DoneBefore", f"This was done; entity {identifier} is not mentioned often.",
                 "Look for it by its name.")  # fmt: skip


def _session_again(request: RequestContext, _: Mapping[str, Json]) -> Json:
    # Its name, which is not kept, is in the request.
    name = request.given(SessionBody).name
    for found in request.memory.sessions(bank=request.bank):
        if found.name == name:
            return encode(found)
    raise gone("session", name)


def _entity(request: RequestContext) -> int:
    text = request.path["entity"]
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise BadInput("entity", text, "Give the number that a listing shows.")
    return int(text)


def relations(request: RequestContext) -> Reply:
    """In the order they were told."""
    asked = request.asked(PartQuery)
    found = request.memory.relations(limit=asked.limit, offset=asked.offset, bank=request.bank)
    return Reply(encode(Relations(tuple(found))))


def relate(request: RequestContext) -> Reply:
    """Say how two entities stand to each other."""
    told = request.given(Relation)
    number = request.memory.relate(
        told.subject,
        told.relation,
        told.object,
        bank=request.bank,
        relation_class=told.relation_class,
        confidence=told.confidence,
        valid_from=told.valid_from,
        valid_to=told.valid_to,
    )
    return Reply(encode(Made(number)), 201)


def link(request: RequestContext) -> Reply:
    """Say that one memory causes another."""
    told = request.given(LinkBody)
    request.memory.link(told.cause, told.effect, told.kind, told.weight, bank=request.bank)
    return Reply(encode(Done()))


def sessions(request: RequestContext) -> Reply:
    """The log of conversations."""
    return Reply(encode(Sessions(tuple(request.memory.sessions(bank=request.bank)))))


def start(request: RequestContext) -> Reply:
    """Log that a conversation began."""
    given = request.given(SessionBody)
    begun = request.memory.start_session(given.name, at=given.at, bank=request.bank)
    return Reply(encode(begun))


def end(request: RequestContext) -> Reply:
    """Log that a conversation ended."""
    given = request.given(SessionBody)
    return Reply(encode(request.memory.end_session(given.name, at=given.at, bank=request.bank)))


_ENTITIES = f"{BANK}/entities"
_SESSION_AGAIN = Repeat(lambda _: {}, _session_again)

ROUTES = (
    Route("GET", _ENTITIES, "Entities, most mentioned first.", KeyScope.READ, entities,
             query=EntitiesQuery, answers={200: Entities}),
    Route("POST", f"{_ENTITIES}/merge", "Make two entities one.", KeyScope.WRITE, merge,
             body=MergeBody, answers={200: Entity}, repeatable=False,
             repeat=by_id(_entity_again)),
    Route("POST", f"{_ENTITIES}/{{entity}}/alias", "Give an entity another name.", KeyScope.WRITE,
             alias, body=AliasBody, answers={200: Entity}, repeat=by_id(_entity_again)),
    Route("POST", f"{_ENTITIES}/{{entity}}/split", "Give some mentions to a new entity.",
             KeyScope.WRITE, split, body=SplitBody, answers={200: Entity}, repeatable=False,
             repeat=by_id(_entity_again)),
    Route("GET", f"{BANK}/relations", "Relations, in the order they were told.", KeyScope.READ,
             relations, query=PartQuery, answers={200: Relations}),
    Route("POST", f"{BANK}/relations", "Say how two entities stand to each other.", KeyScope.WRITE,
             relate, body=Relation, answers={201: Made}),
    Route("POST", f"{BANK}/links", "Say that one memory causes, enables or prevents another.",
             KeyScope.WRITE, link, body=LinkBody, answers={200: Done}),
    Route("GET", f"{BANK}/sessions", "The log of conversations.", KeyScope.READ, sessions,
             answers={200: Sessions}),
    Route("POST", f"{BANK}/sessions", "Log that a conversation began.", KeyScope.WRITE, start,
             body=SessionBody, answers={200: Session}, repeat=_SESSION_AGAIN),
    Route("POST", f"{BANK}/sessions/end", "Log that a conversation ended.", KeyScope.WRITE, end,
             body=SessionBody, answers={200: Session}, repeat=_SESSION_AGAIN),
)  # fmt: skip
