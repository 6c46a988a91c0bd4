"""What a caller hands over, checked as an embedded memory checks it, as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Annotated, get_args, get_origin
from urllib.parse import quote

from scrubjay.answers import RecallOptions
from scrubjay.codec.compiled import encode_object
from scrubjay.codec.values import is_unicode
from scrubjay.engine.recall_options import check_options
from scrubjay.engine.retain.checking import check_filter, check_id, check_text, check_units
from scrubjay.engine.retain.inputs import units_of
from scrubjay.errors import BadInput, NotFound
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.operations.declared import AnyOperation, hints_of
from scrubjay.operations.operation import Operation, P, T, Target, Transfer
from scrubjay.settings import BankSettings
from scrubjay.types.filters import UnitFilter
from scrubjay.types.graph import Relation
from scrubjay.types.units import Unit, UnitFields
from scrubjay.types.values import Json, UnitId

Arguments = Mapping[str, object]
# Objects that only the process has where they were made.
_STAYS_HERE = {
    "encoder": "Name one the server has; objects do not travel.",
    "extractor": "Leave it out; the server has its own.",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent: where to, and with what."""

    method: str
    path: str
    body: Mapping[str, Json] | None = None
    query: Mapping[str, str | list[str]] | None = None


class _AnyTypes(BankSettings):
    """A bank's settings as far as a client knows them: which types it has, its server says."""

    def type_code(self, name: str) -> int:
        """No code, but BadInput for what is no name."""
        check_text(name, "type", NAME_CHARACTERS_MAX)
        return 0


_SETTINGS = _AnyTypes()


def id_of(unit: object) -> str:
    """An id that can be part of an address; NotFound for what is none of any unit."""
    known = check_id(unit)
    # Dots lead to another address.
    if known in ("", ".", "..") or not is_unicode(known):
        raise NotFound("no such unit in this bank", unit, "List the bank's units for their ids.")
    return known


def encoded(body: Mapping[str, Json]) -> bytes:
    """A body as it is sent; BadInput names the first part that is no JSON."""
    try:
        return _json(body)
    except (TypeError, ValueError, RecursionError):
        for name, value in body.items():
            try:
                _json(value)
            except (TypeError, ValueError, RecursionError):
                raise _unsendable(name, value) from None
        raise


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def arguments_of(
    operation: Operation[P, T], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """The arguments of an operation by their names."""
    return {**dict(zip(parameters_of(operation), args, strict=False)), **kwargs}


def request_of(operation: Operation[P, T], target: Target, given: Arguments) -> Request:
    """An operation as it is sent: arguments of its path there, others in the query or the body.

    BadInput for what cannot be asked, or asked so.
    """
    address, hints = operation.address, parameters_of(operation)
    path = address.path.replace("{bank}", quote(target.bank, safe=""))
    sent: dict[str, Json] = {}
    # Those that check others first.
    for name in sorted(given, key=lambda name: hints[name] not in _WHOLE):
        value, hint = given[name], hints[name]
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", quote(str(_sent(hint, value, name)), safe=""))
        elif hint in _WHOLE:
            sent |= _WHOLE[hint](value, given)
        elif value is not None:
            sent[name] = _sent(hint, value, name)
    if address.method in ("GET", "DELETE") or address.transfer is Transfer.UPLOAD:
        return Request(address.method, path, query={k: _in_query(v) for k, v in sent.items()})
    return Request(address.method, path, sent)


@cache
def parameters_of(operation: AnyOperation) -> dict[str, object]:
    """The names of an operation's arguments and their types, without what is said of those."""
    return {
        name: get_args(hint)[0] if get_origin(hint) is Annotated else hint
        for name, hint in hints_of(operation).items()
        if name != "return"
    }


def _sent(hint: object, value: object, name: str) -> Json:
    if name == "extractor" or (name == "encoder" and not isinstance(value, str)):
        raise BadInput(name, value, _STAYS_HERE[name])
    if not _is_id(hint):
        return _plain(value, name)
    return [id_of(one) for one in value] if isinstance(value, list | tuple) else id_of(value)


def _is_id(hint: object) -> bool:
    """Whether it is an id, or several."""
    return hint is UnitId or any(map(_is_id, get_args(hint)))


def _in_query(value: Json) -> str | list[str]:
    if isinstance(value, bool):
        return "true" if value else "false"
    return [str(one) for one in value] if isinstance(value, list) else str(value)


def _options(options: object, given: Arguments) -> dict[str, Json]:
    assert isinstance(options, RecallOptions)
    asked = given.get("questions", [given.get("question")])
    assert isinstance(asked, list | tuple)
    for question in asked:
        check_options(question, options, _SETTINGS)
    if not isinstance(options.preset, str):
        raise _unsendable("preset", options.preset)
    return _said(options)


def _changes(given_fields: object, given: Arguments) -> dict[str, Json]:
    """What is changed in a unit, told in the forms of a telling; null takes a part away."""
    assert isinstance(given_fields, dict)
    text = given["text"]
    told = Unit("unchanged" if text is None else text)  # type: ignore[arg-type]
    shape = _unit(units_of(told, given_fields)[0])  # type: ignore[arg-type]
    del shape["text"]
    for name, value in given_fields.items():
        if value is None:
            shape["occurred_start" if name == "occurred" else name] = None
    return shape


def _settings(values: object, _: Arguments) -> dict[str, Json]:
    if not isinstance(values, Mapping):
        raise BadInput("bank settings", values, "Give a dict of name and value.")
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }


def _filter_query(where: object, _: Arguments) -> dict[str, Json]:
    """A filter as query parameters: each value of a list by itself, each end of a window."""
    query = _filter(where)
    for name, one in (("ids", "id"), ("types", "type"), ("tags", "tag")):
        if name in query:
            query[one] = query.pop(name)
    for name in ("told", "occurred"):
        ends = query.pop(name, None)
        if isinstance(ends, list):
            query |= {
                f"{name}_{end}": at
                for end, at in zip(("from", "to"), ends, strict=True)
                if at is not None
            }
    if "metadata" in query:
        query["metadata"] = json.dumps(query["metadata"])
    return query


# Arguments whose parts stand in the query or the body themselves.
_WHOLE: dict[object, Callable[[object, Arguments], dict[str, Json]]] = {
    RecallOptions: _options,
    UnitFields: _changes,
    Relation: lambda told, _: encode_object(told),
    Mapping[str, object]: _settings,
    UnitFilter: _filter_query,
}


def _plain(value: object, name: str) -> Json:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Unit):
        return _unit(value)
    if isinstance(value, UnitFilter):
        return _filter(value)
    if isinstance(value, list | tuple):
        return [_plain(inner, name) for inner in value]
    raise _unsendable(name, value)


def _unsendable(name: str, value: object) -> BadInput:
    return BadInput(name, value, "It cannot be sent to a server; give plain values.")


def _unit(told: Unit) -> dict[str, Json]:
    """A unit without what it does not say; BadInput for one that cannot be kept."""
    (unit,) = check_units([told], _SETTINGS)
    if unit.id is not None:
        raise BadInput("id", unit.id, "Leave ids to the server; import an export to keep them.")
    return _said(unit)


def _filter(where: object) -> dict[str, Json]:
    """A filter without what it does not say; BadInput for what is none."""
    check_filter(where, _SETTINGS)
    return _said(where)


def _said(value: object) -> dict[str, Json]:
    """The JSON of a shape without what is as it is when nothing is said."""
    assert is_dataclass(value)
    usual = {
        one.name: one.default if one.default_factory is MISSING else one.default_factory()
        for one in fields(value)
    }
    return {
        name: said
        for name, said in encode_object(value).items()
        if getattr(value, name) != usual[name]
    }
