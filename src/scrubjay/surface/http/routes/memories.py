"""Addresses of memories: tell, list, look up, change, supersede, forget."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from scrubjay.codec.compiled import encode
from scrubjay.errors import BadInput, NotFound
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract.bodies import (
    Changes,
    ForgetBody,
    ListQuery,
    RetainQuery,
    SupersedeBody,
    Units,
)
from scrubjay.surface.http.contract.replies import Links, Told
from scrubjay.surface.http.handling.route import Repeat, Reply, RequestContext, Route, by_id
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.http.shared.problems import gone
from scrubjay.types import Erasure, Json, Page, StoredUnit, Unit, UnitFilter, Window

MEMORIES = f"{BANK}/memories"
MEMORY = f"{MEMORIES}/{{unit}}"


def retain(request: RequestContext) -> Reply:
    """Keep one memory or many; with `extract`, also what a language model finds in them."""
    body = request.body
    units = body.units if isinstance(body, Units) else (request.given(Unit),)
    if request.asked(RetainQuery).extract:
        told = Told.of(request.memory.extract(units, bank=request.bank))
    else:
        told = Told(request.memory.retain(units, bank=request.bank))
    return Reply(encode(told), 201 if told.retained.new else 200)


def list_units(request: RequestContext) -> Reply:
    """One page, oldest first."""
    asked = request.asked(ListQuery)
    where = UnitFilter(
        asked.id,
        asked.type,
        asked.tag,
        asked.metadata,
        asked.session,
        asked.speaker,
        asked.key,
        asked.entity,
        _window(asked.told_from, asked.told_to),
        _window(asked.occurred_from, asked.occurred_to),
    )
    page = request.memory.list(where, bank=request.bank, limit=asked.limit, cursor=asked.cursor)
    return Reply(encode(page))


def _window(start: datetime | None, end: datetime | None) -> Window | None:
    return None if start is None and end is None else Window(start, end)


def _told_again(body: Mapping[str, Json]) -> Json:
    """What is kept of a telling: why a fact was refused may quote the model, and so the text."""
    extraction = body.get("extraction")
    if not isinstance(extraction, dict):
        return dict(body)
    troubles = [{**one, "reason": "not kept"} for one in extraction["troubles"]]
    return {**body, "extraction": {**extraction, "troubles": troubles}}


def _unit_again(request: RequestContext, identifier: Json) -> Json:
    try:
        return encode(request.memory.get(str(identifier), bank=request.bank))
    except NotFound:
        raise gone("memory", str(identifier)) from None


def get(request: RequestContext) -> Reply:
    """One memory, every field."""
    return Reply(encode(request.memory.get(request.path["unit"], bank=request.bank)))


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


def supersede(request: RequestContext) -> Reply:
    """Replace one memory by another."""
    given = request.given(SupersedeBody)
    unit = request.memory.supersede(given.old, given.new, at=given.at, bank=request.bank)
    return Reply(encode(unit))


def forget(request: RequestContext) -> Reply:
    """Erase by ids or by a filter."""
    given = request.given(ForgetBody)
    what = (given.ids or ()) if given.filter is None else given.filter
    erased = request.memory.forget(what, bank=request.bank, compact=given.compact)
    return Reply(encode(erased))


def links(request: RequestContext) -> Reply:
    """The stored links of a memory."""
    found = request.memory.links(request.path["unit"], bank=request.bank)
    return Reply(encode(Links(tuple(found))))


ROUTES = (
    Route("POST", MEMORIES, "Keep one memory, or many.", KeyScope.WRITE, retain, body=Unit | Units,
             query=RetainQuery, answers={200: Told, 201: Told},
             repeat=Repeat(_told_again, lambda _, kept: dict(kept))),
    Route("GET", MEMORIES, "List memories that pass a filter, oldest first.", KeyScope.READ,
             list_units, query=ListQuery, answers={200: Page}),
    Route("GET", MEMORY, "One memory, every field.", KeyScope.READ, get,
             answers={200: StoredUnit}),
    Route("PATCH", MEMORY, "Change a memory in place.", KeyScope.WRITE, update,
             body=Changes, answers={200: StoredUnit},
             repeat=by_id(_unit_again)),
    Route("DELETE", MEMORY, "Erase a memory.", KeyScope.WRITE, delete,
             answers={200: Erasure}),
    Route("GET", f"{MEMORY}/links", "The stored links of a memory.", KeyScope.READ, links,
             answers={200: Links}),
    Route("POST", f"{BANK}/supersede", "Replace a memory by another; the old one stays.",
             KeyScope.WRITE, supersede, body=SupersedeBody, answers={200: StoredUnit},
             repeat=by_id(_unit_again)),
    Route("POST", f"{BANK}/forget", "Erase memories by id or filter.", KeyScope.WRITE, forget,
             body=ForgetBody, answers={200: Erasure}),
)  # fmt: skip
