"""Addresses of banks: list, make, look at, change, check, delete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scrubjay.backend import HTTP_SCHEMES
from scrubjay.bank import Bank
from scrubjay.codec.compiled import encode
from scrubjay.errors import BadInput, NotFound
from scrubjay.operations import banks
from scrubjay.operations.declared import Done, TaskReply
from scrubjay.surface.http.contract.bodies import ReembedBody, Settings
from scrubjay.surface.http.contract.replies import BankCard, Banks, Compacted
from scrubjay.surface.http.handling.performing import route_of, routes_of
from scrubjay.surface.http.handling.route import Repeat, Reply, RequestContext, by_id
from scrubjay.surface.http.shared.problems import gone
from scrubjay.types.reports import BankInfo
from scrubjay.types.values import Json


def list_banks(request: RequestContext) -> Reply:
    """Those the caller may read."""
    names = request.caller.banks
    if names is None:
        return Reply(encode(Banks(tuple(request.memory.banks()))))
    # Only these are opened: a key of one bank must not make the server go through all.
    found = [info for name in names if (info := _existing(request, name))]
    return Reply(encode(Banks(tuple(found))))


def _existing(request: RequestContext, name: str) -> BankInfo | None:
    try:
        request.memory.stats(bank=name)  # `bank` would make it
        return request.memory.bank(name).info()
    except NotFound:
        return None


def get_bank(request: RequestContext) -> Reply:
    """Its identity card and settings."""
    # Raises for a bank that is not there; `bank` would make it.
    request.memory.stats(bank=request.bank)
    return _card(request.memory.bank(request.bank))


def put_bank(request: RequestContext) -> Reply:
    """Make it, or change the settings that are given."""
    return _card(request.memory.bank(request.bank, **request.given(dict)))


def _card(bank: Bank) -> Reply:
    return Reply(encode(BankCard(bank.info(), bank.settings)))


def _card_again(request: RequestContext, _: Mapping[str, Json]) -> Json:
    try:
        return get_bank(request).body
    except NotFound:
        raise gone("bank", request.bank) from None


def _findings_kept(body: Mapping[str, Json]) -> Json:
    """What doctor found, less the details, which may name what was told."""
    found = body["findings"]
    assert isinstance(found, list)
    return {"findings": [{**one, "detail": "not kept"} for one in found]}


def task_again(request: RequestContext, identifier: Json) -> Json:
    """A task that was accepted, as it is now."""
    task = request.service.tasks.find(str(identifier))
    if task is None:
        raise gone("task", str(identifier))
    return task.to_json()


def delete_bank(request: RequestContext) -> Reply:
    """Erase it and its files."""
    request.memory.delete_bank(request.bank)
    return Reply(encode(Done()))


def compact(request: RequestContext) -> Reply:
    """Rewrite the files without what was erased."""
    pending = request.memory.compact(bank=request.bank)
    return Reply(encode(Compacted(pending is None, pending)))


def reembed(request: RequestContext) -> Reply:
    """Start long work: give every unit another encoder's vector."""
    request.memory.stats(bank=request.bank)
    encoder = request.given(ReembedBody).encoder
    if encoder.startswith(HTTP_SCHEMES):
        # Every memory, and the key of the server's own route, would go to that address.
        raise BadInput("encoder", encoder, "Give a model's name; an address is for those who run "
                       "the server, with `scrubjay reembed`.")  # fmt: skip
    task = request.service.tasks.accept("reembed", request.bank, {"encoder": encoder})
    return Reply(task.to_json(), 202)


ROUTES = routes_of(
    banks,
    replace(route_of(banks.banks), handler=list_banks, answers={200: Banks}),
    replace(route_of(banks.info), handler=get_bank, answers={200: BankCard}),
    replace(
        route_of(banks.configure), handler=put_bank, body=Settings, body_optional=True,
        answers={200: BankCard}, repeat=Repeat(lambda _: {}, _card_again),
    ),
    replace(route_of(banks.delete_bank), handler=delete_bank, repeatable=False),
    route_of(banks.stats),
    replace(
        route_of(banks.doctor), repeat=Repeat(_findings_kept, lambda _, kept: dict(kept))
    ),
    replace(route_of(banks.compact), handler=compact, answers={200: Compacted}),
    replace(
        route_of(banks.reembed), handler=reembed, body=ReembedBody, body_optional=False,
        answers={202: TaskReply}, repeat=by_id(task_again),
    ),
)  # fmt: skip
