"""Addresses of memories: tell, list, look up, change, supersede, forget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scrubjay.codec.compiled import encode
from scrubjay.errors import BadInput, NotFound
from scrubjay.messages import Message
from scrubjay.operations import memories
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract.bodies import (
    Changes,
    ForgetBody,
    ListQuery,
    Messages,
    RetainQuery,
    Units,
    wrapped,
)
from scrubjay.surface.http.contract.replies import Told
from scrubjay.surface.http.handling.performing import route_of, routes_of
from scrubjay.surface.http.handling.route import Repeat, Reply, RequestContext, Route, by_id
from scrubjay.surface.http.shared.problems import gone
from scrubjay.types.outcomes import Erasure
from scrubjay.types.units import Unit, UnitFields
from scrubjay.types.values import Json


def retain(request: RequestContext) -> Reply:
    """Keep one memory or many; with `extract`, also what a language model finds in them."""
    body = request.body
    given = UnitFields()
    units: Sequence[Unit | Message]
    if isinstance(body, Messages):
        units, given = body.messages, body.given()
    else:
        units = body.units if isinstance(body, Units) else (request.given(Unit),)
    if request.asked(RetainQuery).extract:
        told = Told.of(request.memory.extract(units, bank=request.bank, **given))
    else:
        pending = getattr(body, "pending", False)
        told = Told(request.memory.retain(units, pending=pending, bank=request.bank, **given))
    return Reply(encode(told), 201 if told.retained.new or told.retained.pending else 200)


def list_units(request: RequestContext) -> Reply:
    """One page."""
    asked = request.asked(ListQuery)
    page = request.memory.list(
        asked.filter(),
        bank=request.bank,
        limit=asked.limit,
        cursor=asked.cursor,
        order=asked.order,
        offset=asked.offset,
    )
    return Reply(encode(page))


def _told_again(body: Mapping[str, Json]) -> Json:
    """What is kept of a telling: why a fact was refused may quote the model, and so the text."""
    extraction = body.get("extraction")
    if not isinstance(extraction, dict):
        return dict(body)
    troubles = [{**one, "reason": "not kept"} for one in extraction["troubles"]]
    return {**body, "extraction": {**extraction, "troubles": troubles}}


def unit_again(request: RequestContext, identifier: Json) -> Json:
    """The memory that a repeated request was about, as it is now."""
    try:
        return encode(request.memory.get(str(identifier), bank=request.bank))
    except NotFound:
        raise gone("memory", str(identifier)) from None


def update(request: RequestContext) -> Reply:
    """Change what is given."""
    changes = request.given(dict)
    # A time alone is a moment; null takes it away.
    occurred = {name: changes.pop(name) for name in _OCCURRED if name in changes}
    start, end = (occurred.get(name) for name in _OCCURRED)
    if end is not None and start is None:
        raise BadInput("occurred_end without occurred_start", end, "Give both.")
    if "occurred_start" in occurred:
        changes["occurred"] = None if start is None else (start, end or start)
    return Reply(encode(request.memory.update(request.path["unit"], bank=request.bank, **changes)))


_OCCURRED = ("occurred_start", "occurred_end")


def delete(request: RequestContext) -> Reply:
    """Erase one memory."""
    request.memory.get(request.path["unit"], bank=request.bank)  # 404 instead of an empty report
    return Reply(encode(request.memory.forget(request.path["unit"], bank=request.bank)))


def forget(request: RequestContext) -> Reply:
    """Erase by ids or by a filter."""
    given = request.given(ForgetBody)
    what = (given.ids or ()) if given.filter is None else given.filter
    erased = request.memory.forget(what, bank=request.bank, compact=given.compact)
    return Reply(encode(erased))


ROUTES = routes_of(
    memories,
    replace(
        route_of(memories.retain), handler=retain, body=Unit | Units | Messages, bare=wrapped,
        query=RetainQuery,
        answers={200: Told, 201: Told}, repeat=Repeat(_told_again, lambda _, kept: dict(kept)),
    ),
    replace(route_of(memories.list_units), handler=list_units, query=ListQuery),
    route_of(memories.get),
    replace(
        route_of(memories.update), handler=update, body=Changes, repeat=by_id(unit_again)
    ),
    Route("DELETE", memories.MEMORY, "Erase a memory.", KeyScope.WRITE, delete,
          answers={200: Erasure}),
    route_of(memories.links),
    replace(route_of(memories.supersede), repeat=by_id(unit_again)),
    replace(route_of(memories.undo_supersede), repeat=by_id(unit_again)),
    replace(route_of(memories.forget), handler=forget, body=ForgetBody, body_optional=False),
)  # fmt: skip
