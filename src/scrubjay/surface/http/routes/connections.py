"""Addresses of what joins memories: entities, relations, links, sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scrubjay.codec.compiled import encode
from scrubjay.limits import PAGE_UNITS_MAX
from scrubjay.operations import connections
from scrubjay.surface.http.contract.replies import Made
from scrubjay.surface.http.handling.performing import route_of, routes_of
from scrubjay.surface.http.handling.route import Repeat, Reply, RequestContext, by_id
from scrubjay.surface.http.routes.memories import unit_again
from scrubjay.surface.http.shared.problems import gone, refuse
from scrubjay.types.graph import Relation
from scrubjay.types.values import Json

# Pages of entities that are looked through for one that a repeated request was about.
_PAGES_MAX = 10


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
    name = str(getattr(request.body, "name", ""))
    for found in request.memory.sessions(bank=request.bank):
        if found.name == name:
            return encode(found)
    raise gone("session", name)


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


_ENTITY_AGAIN = by_id(_entity_again)
_SESSION_AGAIN = Repeat(lambda _: {}, _session_again)

ROUTES = routes_of(
    connections,
    route_of(connections.entities),
    replace(route_of(connections.merge_entities), repeatable=False, repeat=_ENTITY_AGAIN),
    replace(route_of(connections.alias_entity), repeat=_ENTITY_AGAIN),
    replace(route_of(connections.split_entity), repeatable=False, repeat=_ENTITY_AGAIN),
    route_of(connections.relations),
    replace(
        route_of(connections.relate), handler=relate, body=Relation,
        answers={201: Made},
    ),
    route_of(connections.link),
    route_of(connections.conflicts),
    replace(route_of(connections.accept_conflict), repeat=by_id(unit_again)),
    route_of(connections.reject_conflict),
    route_of(connections.sessions),
    replace(route_of(connections.start_session), repeat=_SESSION_AGAIN),
    replace(route_of(connections.end_session), repeat=_SESSION_AGAIN),
)  # fmt: skip
