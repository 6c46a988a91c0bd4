"""Addresses of what joins memories: entities, relations, links, sessions."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.errors import BadInput
from scrubjay.limits import PAGE_UNITS_MAX
from scrubjay.operations.operation import KeyScope
from scrubjay.shapes import relation_from_json
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import moment_of, text_of, texts_of, whole_of
from scrubjay.surface.http.contract.schemas import Parameter
from scrubjay.surface.http.problems import gone, refuse
from scrubjay.surface.http.route import Repeat, Reply, RequestContext, Route, by_id
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import to_json
from scrubjay.types import Json, LinkKind

# Pages of entities that are looked through for one that a repeated request was about.
_PAGES_MAX = 10


def entities(request: RequestContext) -> Reply:
    """Most mentioned first."""
    found = request.memory.entities(
        containing=request.query.get("containing"),
        limit=whole_of(request.query, "limit", 100),
        offset=whole_of(request.query, "offset", 0),
        bank=request.bank,
    )
    return Reply({"entities": to_json(found)})


def alias(request: RequestContext) -> Reply:
    """Let an entity answer to another name."""
    named = request.memory.alias_entity(
        _entity(request), str(request.body["alias"]), bank=request.bank
    )
    return Reply(to_json(named))


def merge(request: RequestContext) -> Reply:
    """Make two entities one."""
    keep, drop = _number(request, "keep"), _number(request, "drop")
    return Reply(to_json(request.memory.merge_entities(keep, drop, bank=request.bank)))


def split(request: RequestContext) -> Reply:
    """Give some mentions to a new entity."""
    made = request.memory.split_entity(
        _entity(request),
        str(request.body["name"]),
        texts_of(request.body, "units"),
        bank=request.bank,
    )
    return Reply(to_json(made))


def _entity_again(request: RequestContext, identifier: Json) -> Json:
    """The entity of that number, looked for by the name the request gave it, if it gave one."""
    name = text_of(request.body, "alias") or text_of(request.body, "name")
    for page in range(_PAGES_MAX):
        found = request.memory.entities(
            containing=name, limit=PAGE_UNITS_MAX, offset=page * PAGE_UNITS_MAX, bank=request.bank
        )
        for one in found:
            if one.id == identifier:
                return to_json(one)
        if len(found) < PAGE_UNITS_MAX:
            raise gone("entity", str(identifier))
    raise refuse(409, "DoneBefore", f"This was done; entity {identifier} is not mentioned often.",
                 "Look for it by its name.")  # fmt: skip


def _session_again(request: RequestContext, _: Mapping[str, Json]) -> Json:
    # Its name, which is not kept, is in the request.
    name = str(request.body["name"])
    for found in request.memory.sessions(bank=request.bank):
        if found.name == name:
            return to_json(found)
    raise gone("session", name)


def _entity(request: RequestContext) -> int:
    text = request.path["entity"]
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise BadInput("entity", text, "Give the number that a listing shows.")
    return int(text)


def _number(request: RequestContext, name: str) -> int:
    value = request.body[name]
    assert isinstance(value, int), "the schema says so"
    return value


def relations(request: RequestContext) -> Reply:
    """In the order they were told."""
    found = request.memory.relations(
        limit=whole_of(request.query, "limit", 100),
        offset=whole_of(request.query, "offset", 0),
        bank=request.bank,
    )
    return Reply({"relations": to_json(found)})


def relate(request: RequestContext) -> Reply:
    """Say how two entities stand to each other."""
    told = relation_from_json(request.body)
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
    return Reply({"id": number}, 201)


def link(request: RequestContext) -> Reply:
    """Say that one memory causes another."""
    weight = request.body.get("weight", 1.0)
    assert isinstance(weight, int | float), "the schema says so"
    request.memory.link(
        str(request.body["cause"]),
        str(request.body["effect"]),
        str(request.body.get("kind", LinkKind.CAUSES)),
        weight,
        bank=request.bank,
    )
    return Reply({"done": True})


def sessions(request: RequestContext) -> Reply:
    """The log of conversations."""
    return Reply({"sessions": to_json(request.memory.sessions(bank=request.bank))})


def start(request: RequestContext) -> Reply:
    """Log that a conversation began."""
    at = moment_of(request.body, "at")
    return Reply(
        to_json(request.memory.start_session(str(request.body["name"]), at=at, bank=request.bank))
    )


def end(request: RequestContext) -> Reply:
    """Log that a conversation ended."""
    at = moment_of(request.body, "at")
    return Reply(
        to_json(request.memory.end_session(str(request.body["name"]), at=at, bank=request.bank))
    )


_PART = (
    Parameter("limit", {**taken.WHOLE, "minimum": 1, "maximum": 1000}, "At most this many."),
    Parameter("offset", {**taken.WHOLE, "minimum": 0}, "Pass over so many."),
)
_CONTAINING = Parameter("containing", taken.TEXT, "With a name that contains this.")
_ENTITIES = f"{BANK}/entities"
_SESSION_AGAIN = Repeat(lambda _: {}, _session_again)

ROUTES = (
    Route("GET", _ENTITIES, "Entities, most mentioned first.", KeyScope.READ, entities,
             query=(_CONTAINING, *_PART), answers={200: given.ENTITIES}),
    Route("POST", f"{_ENTITIES}/merge", "Make two entities one.", KeyScope.WRITE, merge,
             body=taken.MERGE, answers={200: given.ENTITY}, repeatable=False,
             repeat=by_id(_entity_again)),
    Route("POST", f"{_ENTITIES}/{{entity}}/alias", "Give an entity another name.", KeyScope.WRITE,
             alias, body=taken.ALIAS, answers={200: given.ENTITY}, repeat=by_id(_entity_again)),
    Route("POST", f"{_ENTITIES}/{{entity}}/split", "Give some mentions to a new entity.",
             KeyScope.WRITE, split, body=taken.SPLIT, answers={200: given.ENTITY}, repeatable=False,
             repeat=by_id(_entity_again)),
    Route("GET", f"{BANK}/relations", "Relations, in the order they were told.", KeyScope.READ,
             relations, query=_PART, answers={200: given.RELATIONS}),
    Route("POST", f"{BANK}/relations", "Say how two entities stand to each other.", KeyScope.WRITE,
             relate, body=taken.RELATION, answers={201: given.RELATION_ID}),
    Route("POST", f"{BANK}/links", "Say that one memory causes, enables or prevents another.",
             KeyScope.WRITE, link, body=taken.LINK, answers={200: given.DONE}),
    Route("GET", f"{BANK}/sessions", "The log of conversations.", KeyScope.READ, sessions,
             answers={200: given.SESSIONS}),
    Route("POST", f"{BANK}/sessions", "Log that a conversation began.", KeyScope.WRITE, start,
             body=taken.SESSION, answers={200: given.SESSION_INFO}, repeat=_SESSION_AGAIN),
    Route("POST", f"{BANK}/sessions/end", "Log that a conversation ended.", KeyScope.WRITE, end,
             body=taken.SESSION, answers={200: given.SESSION_INFO}, repeat=_SESSION_AGAIN),
)  # fmt: skip
