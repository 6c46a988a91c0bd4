"""Addresses of memories: tell, list, look up, change, supersede, forget."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.errors import BadInput, NotFound
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.contract.reading import (
    changes_of,
    filter_of,
    filter_of_query,
    flag_of,
    moment_of,
    texts_of,
    unit_of,
    units_of,
    whole_of,
)
from scrubjay.surface.http.contract.schemas import Parameter
from scrubjay.surface.http.problems import gone
from scrubjay.surface.http.route import Repeat, Reply, RequestContext, Route, by_id
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import to_json
from scrubjay.types import Json

MEMORIES = f"{BANK}/memories"
MEMORY = f"{MEMORIES}/{{unit}}"


def retain(request: RequestContext) -> Reply:
    """Keep one memory or many; with `extract`, also what a language model finds in them."""
    units = units_of(request.body)
    if flag_of(request.query, "extract"):
        extracted = request.memory.extract(units, bank=request.bank)
        retained = extracted.retained
        facts = {**extracted.to_json(), "facts_retained": to_json(extracted.facts)}
        shape = {**_object(to_json(retained)), "extraction": facts}
    else:
        retained = request.memory.retain(units, bank=request.bank)
        shape = _object(to_json(retained))
    return Reply(shape, 201 if retained.new else 200)


def list_units(request: RequestContext) -> Reply:
    """One page, oldest first."""
    page = request.memory.list(
        filter_of_query(request.query),
        bank=request.bank,
        limit=whole_of(request.query, "limit", 100),
        cursor=request.query.get("cursor"),
    )
    return Reply(to_json(page))


def _told_again(body: Mapping[str, Json]) -> Json:
    """What is kept of a telling: why a fact was refused may quote the model, and so the text."""
    extraction = body.get("extraction")
    if not isinstance(extraction, dict):
        return dict(body)
    troubles = [{**one, "reason": "not kept"} for one in extraction["troubles"]]
    return {**body, "extraction": {**extraction, "troubles": troubles}}


def _unit_again(request: RequestContext, identifier: Json) -> Json:
    try:
        return to_json(request.memory.get(str(identifier), bank=request.bank))
    except NotFound:
        raise gone("memory", str(identifier)) from None


def get(request: RequestContext) -> Reply:
    """One memory, every field."""
    return Reply(to_json(request.memory.get(request.path["unit"], bank=request.bank)))


def update(request: RequestContext) -> Reply:
    """Change what is given."""
    text, changes = changes_of(request.body)
    return Reply(
        to_json(
            request.memory.update(request.path["unit"], text=text, bank=request.bank, **changes)
        )
    )


def delete(request: RequestContext) -> Reply:
    """Erase one memory."""
    request.memory.get(request.path["unit"], bank=request.bank)  # 404 instead of an empty report
    return Reply(to_json(request.memory.forget(request.path["unit"], bank=request.bank)))


def supersede(request: RequestContext) -> Reply:
    """Replace one memory by another."""
    new = request.body["new"]
    unit = request.memory.supersede(
        str(request.body["old"]),
        new if isinstance(new, str) else unit_of(new),
        at=moment_of(request.body, "at"),
        bank=request.bank,
    )
    return Reply(to_json(unit))


def forget(request: RequestContext) -> Reply:
    """Erase by ids or by a filter."""
    if ("ids" in request.body) == ("filter" in request.body):
        raise BadInput("forget", sorted(request.body), "Give either ids or a filter.")
    where = request.body.get("filter")
    what = filter_of(where) if isinstance(where, dict) else texts_of(request.body, "ids")
    compact = bool(request.body.get("compact", False))
    return Reply(to_json(request.memory.forget(what, bank=request.bank, compact=compact)))


def links(request: RequestContext) -> Reply:
    """The stored links of a memory."""
    return Reply({"links": to_json(request.memory.links(request.path["unit"], bank=request.bank))})


def _object(shape: Json) -> dict[str, Json]:
    assert isinstance(shape, dict)
    return shape


def _text(name: str, about: str) -> Parameter:
    return Parameter(name, taken.TEXT, about)


PAGE = (
    Parameter("limit", {**taken.WHOLE, "minimum": 1, "maximum": 1000}, "At most this many."),
    Parameter("cursor", taken.TEXT, "Where the page before this one ended."),
)
_FILTER = (
    Parameter("id", taken.TEXTS, "With this id; repeat for more."),
    Parameter("type", taken.TEXTS, "Of this type; repeat for more."),
    Parameter("tag", taken.TEXTS, "With this tag; repeated: with all."),
    _text("metadata", "With these values: a JSON object."),
    _text("session", "Of this conversation."),
    _text("speaker", "Said by."),
    _text("key", "With this key."),
    _text("entity", "That names this entity."),
    *(
        Parameter(f"{what}_{edge}", taken.TIME, f"{said} {edge} this time.")
        for what, said in (("told", "Told"), ("occurred", "Happened"))
        for edge in ("from", "to")
    ),
)
_EXTRACT = Parameter("extract", taken.FLAG, "Also keep what the language model finds.")

ROUTES = (
    Route("POST", MEMORIES, "Keep one memory, or many.", KeyScope.WRITE, retain, body=taken.TOLD,
             query=(_EXTRACT,), answers={200: given.RETAINED, 201: given.RETAINED},
             repeat=Repeat(_told_again, lambda _, kept: dict(kept))),
    Route("GET", MEMORIES, "List memories that pass a filter, oldest first.", KeyScope.READ,
             list_units, query=(*_FILTER, *PAGE), answers={200: given.PAGE}),
    Route("GET", MEMORY, "One memory, every field.", KeyScope.READ, get,
             answers={200: given.STORED_UNIT}),
    Route("PATCH", MEMORY, "Change a memory in place.", KeyScope.WRITE, update,
             body=taken.UNIT_CHANGES, answers={200: given.STORED_UNIT},
             repeat=by_id(_unit_again)),
    Route("DELETE", MEMORY, "Erase a memory.", KeyScope.WRITE, delete,
             answers={200: given.ERASURE}),
    Route("GET", f"{MEMORY}/links", "The stored links of a memory.", KeyScope.READ, links,
             answers={200: given.LINKS}),
    Route("POST", f"{BANK}/supersede", "Replace a memory by another; the old one stays.",
             KeyScope.WRITE, supersede, body=taken.SUPERSEDE, answers={200: given.STORED_UNIT},
             repeat=by_id(_unit_again)),
    Route("POST", f"{BANK}/forget", "Erase memories by id or filter.", KeyScope.WRITE, forget,
             body=taken.FORGET, answers={200: given.ERASURE}),
)  # fmt: skip
