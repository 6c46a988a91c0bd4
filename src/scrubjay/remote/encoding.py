"""What a caller hands over, checked as an embedded memory checks it, as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cache
from inspect import signature
from typing import get_args, get_type_hints
from urllib.parse import quote

from scrubjay.answers import RecallOptions
from scrubjay.engine.extract import Extracted, Extractor
from scrubjay.engine.recall_options import check_options
from scrubjay.engine.retain.checking import check_filter, check_id, check_text, check_units
from scrubjay.engine.retain.told import UnitFields, units_of
from scrubjay.errors import BadInput, NotFound
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.operations.operation import Operation, P, T, Target, Transfer
from scrubjay.settings import BankSettings
from scrubjay.shapes import iso, relation_to_json
from scrubjay.types import Cause, Json, Relation, Unit, UnitFilter, UnitId, Window

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
    if known in ("", ".", "..") or not _is_text(known):
        raise NotFound("no such unit in this bank", unit, "List the bank's units for their ids.")
    return known


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def encoded(body: Mapping[str, Json]) -> bytes:
    """A body as it is sent; BadInput names the first part that is no JSON."""
    try:
        return _json(body)
    except (TypeError, ValueError, RecursionError):
        for name, value in body.items():
            try:
                _json(value)
            except (TypeError, ValueError, RecursionError):
                raise BadInput(
                    name, value, "It cannot be sent to a server; give plain values."
                ) from None
        raise


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def arguments_of(
    operation: Operation[P, T], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """The arguments of an operation by their names."""
    return {**dict(zip(parameters_of(operation.function), args, strict=False)), **kwargs}


def request_of(operation: Operation[P, T], target: Target, given: Arguments) -> Request:
    """An operation as it is sent: arguments of its path there, others in the query or the body.

    BadInput for what cannot be asked, or asked so.
    """
    address, hints = operation.address, parameters_of(operation.function)
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
def parameters_of(function: Callable[..., object]) -> dict[str, object]:
    """The names and types of what a function of the engine takes beside the engine."""
    hints = get_type_hints(function, localns={"Extracted": Extracted, "Extractor": Extractor})
    names = list(signature(function).parameters)[1:]
    return {name: hints[name] for name in names}


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


_DEFAULTS = RecallOptions()


def _options(options: object, given: Arguments) -> dict[str, Json]:
    """Options that are not the default."""
    assert isinstance(options, RecallOptions)
    asked = given.get("questions", [given.get("question")])
    assert isinstance(asked, list | tuple)
    for question in asked:
        options = check_options(question, options, _SETTINGS)
    body: dict[str, Json] = {}
    for one in fields(options):
        value = getattr(options, one.name)
        if value != getattr(_DEFAULTS, one.name):
            body[one.name] = _plain(value, one.name)
    return body


def _changes(given_fields: object, given: Arguments) -> dict[str, Json]:
    """What is changed in a unit, told in the forms of a telling; null takes a part away."""
    assert isinstance(given_fields, dict)
    text = given["text"]
    told = Unit("unchanged" if text is None else text)  # type: ignore[arg-type]
    shape = unit_shape(units_of(told, given_fields)[0])  # type: ignore[arg-type]
    del shape["text"]
    for name, value in given_fields.items():
        if value is None:
            shape["occurred_start" if name == "occurred" else name] = None
    return shape


def _settings(values: object, _: Arguments) -> dict[str, Json]:
    """Settings; tuples become lists."""
    if not isinstance(values, Mapping):
        raise BadInput("bank settings", values, "Give a dict of name and value.")
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }


def _relation(told: object, _: Arguments) -> dict[str, Json]:
    assert isinstance(told, Relation)
    return relation_to_json(told)


# Arguments that are the body, or a part of it as wide.
_WHOLE: dict[object, Callable[[object, Arguments], dict[str, Json]]] = {
    RecallOptions: _options,
    UnitFields: _changes,
    Relation: _relation,
    Mapping[str, object]: _settings,
    UnitFilter: lambda where, _: filter_query(where),
}


def _plain(value: object, name: str) -> Json:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Window):
        return [_plain(value.start, name), _plain(value.end, name)]
    if isinstance(value, Unit):
        return unit_shape(value)
    if isinstance(value, UnitFilter):
        return filter_shape(value)
    if isinstance(value, Cause):
        return {"other": value.other, "kind": str(value.kind), "weight": value.weight}
    if isinstance(value, Relation):
        return relation_to_json(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, name) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, name) for inner in value]
    raise BadInput(name, value, "It cannot be sent to a server; give plain values.")


def unit_shape(told: Unit) -> dict[str, Json]:
    """A unit without what it does not say; BadInput for one that cannot be kept."""
    (unit,) = check_units([told], _SETTINGS)
    shape = {one.name: getattr(unit, one.name) for one in fields(unit)}
    if shape.pop("id") is not None:
        raise BadInput("id", unit.id, "Leave ids to the server; import an export to keep them.")
    return {
        name: _plain(value, name)
        for name, value in shape.items()
        if value is not None and value not in ((), {})
    }


def filter_shape(where: UnitFilter) -> dict[str, Json]:
    """A filter as part of a body."""
    check_filter(where, _SETTINGS)
    shape = {one.name: getattr(where, one.name) for one in fields(where)}
    return {name: _plain(value, name) for name, value in shape.items() if value}


def filter_query(where: object) -> dict[str, Json]:
    """A filter as query parameters."""
    check_filter(where, _SETTINGS)
    assert isinstance(where, UnitFilter)
    query: dict[str, Json] = {}
    for name, values in (("id", where.ids), ("type", where.types), ("tag", where.tags)):
        if values:
            query[name] = [str(value) for value in values]
    for name in ("session", "speaker", "key", "entity"):
        if getattr(where, name) is not None:
            query[name] = str(getattr(where, name))
    for name, window in (("told", where.told), ("occurred", where.occurred)):
        for edge in ("start", "end"):
            moment_given = None if window is None else getattr(window, edge)
            if moment_given is not None:
                query[f"{name}_{'from' if edge == 'start' else 'to'}"] = moment_given.isoformat()
    if where.metadata:
        query["metadata"] = json.dumps(_plain(where.metadata, "metadata"))
    return query
