"""Addresses of memories: tell, list, look up, change, supersede, forget."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.errors import BadInput, NotFound
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
from scrubjay.surface.http.endpoint import (
    Call,
    Endpoint,
    Parameter,
    Repeat,
    Reply,
    Scope,
    by_id,
)
from scrubjay.surface.http.problems import gone
from scrubjay.surface.http.routes.banks import BANK
from scrubjay.surface.payloads import to_json
from scrubjay.types import Json

MEMORIES = f"{BANK}/memories"
MEMORY = f"{MEMORIES}/{{unit}}"


def retain(call: Call) -> Reply:
    """Keep one memory or many; with `extract`, also what a language model finds in them."""
    units = units_of(call.body)
    if flag_of(call.query, "extract"):
        extracted = call.memory.extract(units, bank=call.bank)
        retained = extracted.retained
        facts = {**extracted.to_json(), "facts_retained": to_json(extracted.facts)}
        shape = {**_object(to_json(retained)), "extraction": facts}
    else:
        retained = call.memory.retain(units, bank=call.bank)
        shape = _object(to_json(retained))
    return Reply(shape, 201 if retained.new else 200)


def list_units(call: Call) -> Reply:
    """One page, oldest first."""
    page = call.memory.list(
        filter_of_query(call.query),
        bank=call.bank,
        limit=whole_of(call.query, "limit", 100),
        cursor=call.query.get("cursor"),
    )
    return Reply(to_json(page))


def _told_again(body: Mapping[str, Json]) -> Json:
    """What is kept of a telling: why a fact was refused may quote the model, and so the text."""
    extraction = body.get("extraction")
    if not isinstance(extraction, dict):
        return dict(body)
    troubles = [{**one, "reason": "not kept"} for one in extraction["troubles"]]
    return {**body, "extraction": {**extraction, "troubles": troubles}}


def _unit_again(call: Call, identifier: Json) -> Json:
    try:
        return to_json(call.memory.get(str(identifier), bank=call.bank))
    except NotFound:
        raise gone("memory", str(identifier)) from None


def get(call: Call) -> Reply:
    """One memory, every field."""
    return Reply(to_json(call.memory.get(call.path["unit"], bank=call.bank)))


def update(call: Call) -> Reply:
    """Change what is given."""
    text, changes = changes_of(call.body)
    return Reply(
        to_json(call.memory.update(call.path["unit"], text=text, bank=call.bank, **changes))
    )


def delete(call: Call) -> Reply:
    """Erase one memory."""
    call.memory.get(call.path["unit"], bank=call.bank)  # 404 instead of an empty report
    return Reply(to_json(call.memory.forget(call.path["unit"], bank=call.bank)))


def supersede(call: Call) -> Reply:
    """Replace one memory by another."""
    new = call.body["new"]
    unit = call.memory.supersede(
        str(call.body["old"]),
        new if isinstance(new, str) else unit_of(new),
        at=moment_of(call.body, "at"),
        bank=call.bank,
    )
    return Reply(to_json(unit))


def forget(call: Call) -> Reply:
    """Erase by ids or by a filter."""
    if ("ids" in call.body) == ("filter" in call.body):
        raise BadInput("forget", sorted(call.body), "Give either ids or a filter.")
    where = call.body.get("filter")
    what = filter_of(where) if isinstance(where, dict) else texts_of(call.body, "ids")
    compact = bool(call.body.get("compact", False))
    return Reply(to_json(call.memory.forget(what, bank=call.bank, compact=compact)))


def links(call: Call) -> Reply:
    """The stored links of a memory."""
    return Reply({"links": to_json(call.memory.links(call.path["unit"], bank=call.bank))})


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

ENDPOINTS = (
    Endpoint("POST", MEMORIES, "Keep one memory, or many.", Scope.WRITE, retain, body=taken.TOLD,
             query=(_EXTRACT,), answers={200: given.RETAINED, 201: given.RETAINED},
             repeat=Repeat(_told_again, lambda _, kept: dict(kept))),
    Endpoint("GET", MEMORIES, "List memories that pass a filter, oldest first.", Scope.READ,
             list_units, query=(*_FILTER, *PAGE), answers={200: given.PAGE}),
    Endpoint("GET", MEMORY, "One memory, every field.", Scope.READ, get,
             answers={200: given.STORED_UNIT}),
    Endpoint("PATCH", MEMORY, "Change a memory in place.", Scope.WRITE, update,
             body=taken.UNIT_CHANGES, answers={200: given.STORED_UNIT},
             repeat=by_id(_unit_again)),
    Endpoint("DELETE", MEMORY, "Erase a memory.", Scope.WRITE, delete,
             answers={200: given.ERASURE}),
    Endpoint("GET", f"{MEMORY}/links", "The stored links of a memory.", Scope.READ, links,
             answers={200: given.LINKS}),
    Endpoint("POST", f"{BANK}/supersede", "Replace a memory by another; the old one stays.",
             Scope.WRITE, supersede, body=taken.SUPERSEDE, answers={200: given.STORED_UNIT},
             repeat=by_id(_unit_again)),
    Endpoint("POST", f"{BANK}/forget", "Erase memories by id or filter.", Scope.WRITE, forget,
             body=taken.FORGET, answers={200: given.ERASURE}),
)  # fmt: skip
