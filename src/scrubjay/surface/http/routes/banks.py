"""Addresses of banks: list, make, look at, change, check, delete."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from scrubjay.backend import HTTP_SCHEMES
from scrubjay.errors import BadInput, NotFound
from scrubjay.operations.operation import KeyScope
from scrubjay.surface.http.contract import answer_schemas as given
from scrubjay.surface.http.contract import schemas as taken
from scrubjay.surface.http.problems import gone
from scrubjay.surface.http.route import Repeat, Reply, RequestContext, Route, by_id
from scrubjay.surface.payloads import to_json
from scrubjay.types import BankInfo, Json

BANK = "/v1/banks/{bank}"


def list_banks(request: RequestContext) -> Reply:
    """Those the caller may read."""
    names = request.caller.banks
    if names is None:
        return Reply({"banks": to_json(request.memory.banks())})
    # Only these are opened: a key of one bank must not make the server go through all.
    return Reply({"banks": [_info(info) for name in names if (info := _existing(request, name))]})


def _existing(request: RequestContext, name: str) -> BankInfo | None:
    try:
        request.memory.stats(bank=name)  # `bank` would make it
        return request.memory.bank(name).info()
    except NotFound:
        return None


def get_bank(request: RequestContext) -> Reply:
    """Its identity card and settings."""
    request.memory.stats(
        bank=request.bank
    )  # raises for a bank that is not there; `bank` would make it
    return _card(request)


def put_bank(request: RequestContext) -> Reply:
    """Make it, or change the settings that are given."""
    made = request.memory.bank(request.bank, **request.body)
    return Reply({**_info(made.info()), "settings": _settings(made.settings)})


def _card(request: RequestContext) -> Reply:
    bank = request.memory.bank(request.bank)
    return Reply({**_info(bank.info()), "settings": _settings(bank.settings)})


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


def _info(info: object) -> dict[str, Json]:
    shape = to_json(info)
    assert isinstance(shape, dict)
    return shape


def _settings(settings: object) -> dict[str, Json]:
    shape = asdict(settings)  # type: ignore[call-overload]
    return {**shape, "types": list(shape["types"])}


def delete_bank(request: RequestContext) -> Reply:
    """Erase it and its files."""
    request.memory.delete_bank(request.bank)
    return Reply({"done": True})


def stats(request: RequestContext) -> Reply:
    """Counts and sizes."""
    return Reply(to_json(request.memory.stats(bank=request.bank)))


def doctor(request: RequestContext) -> Reply:
    """Compare indexes with rows."""
    found = request.memory.doctor(bank=request.bank, fix=bool(request.body.get("fix", False)))
    return Reply({"findings": to_json(found)})


def compact(request: RequestContext) -> Reply:
    """Rewrite the files without what was erased."""
    pending = request.memory.compact(bank=request.bank)
    return Reply({"done": pending is None, "pending": pending})


def reembed(request: RequestContext) -> Reply:
    """Start long work: give every unit another encoder's vector."""
    request.memory.stats(bank=request.bank)
    encoder = str(request.body["encoder"])
    if encoder.startswith(HTTP_SCHEMES):
        # Every memory, and the key of the server's own route, would go to that address.
        raise BadInput("encoder", encoder, "Give a model's name; an address is for those who run "
                       "the server, with `scrubjay reembed`.")  # fmt: skip
    task = request.service.tasks.accept("reembed", request.bank, {"encoder": encoder})
    return Reply(task.to_json(), 202)


ROUTES = (
    Route("GET", "/v1/banks", "List the banks this key may read.", KeyScope.READ, list_banks,
             answers={200: given.BANKS}),
    Route("GET", BANK, "A bank's identity card and settings.", KeyScope.READ, get_bank,
             answers={200: given.BANK}),
    Route("PUT", BANK, "Make a bank, or change its settings.", KeyScope.ADMIN, put_bank,
             body=taken.SETTINGS, body_optional=True, answers={200: given.BANK},
             repeat=Repeat(lambda _: {}, _card_again)),
    Route("DELETE", BANK, "Erase a bank and its files.", KeyScope.ADMIN, delete_bank,
             answers={200: given.DONE}, repeatable=False),
    Route("GET", f"{BANK}/stats", "Counts and sizes of a bank.", KeyScope.READ, stats,
             answers={200: given.STATS}),
    Route("POST", f"{BANK}/doctor", "Check a bank's indexes, and mend them with `fix`.",
             KeyScope.ADMIN, doctor, body=taken.DOCTOR, body_optional=True,
             answers={200: given.FINDINGS},
             repeat=Repeat(_findings_kept, lambda _, kept: dict(kept))),
    Route("POST", f"{BANK}/compact", "Rewrite a bank's files without what was erased.",
             KeyScope.ADMIN, compact, body=taken.NOTHING, body_optional=True,
             answers={200: given.COMPACTED}),
    Route("POST", f"{BANK}/reembed", "Give every unit the vector of another encoder.",
             KeyScope.ADMIN, reembed, body=taken.REEMBED, answers={202: given.TASK},
             repeat=by_id(task_again)),
)  # fmt: skip
