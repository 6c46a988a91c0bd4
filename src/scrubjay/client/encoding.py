"""What a caller hands over, checked as an embedded memory checks it, as the JSON that is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime

from scrubjay.answers import RecallOptions
from scrubjay.engine.recall_options import RecallKeywords, check_options, options_of
from scrubjay.engine.retain.checking import check_filter, check_id, check_text, check_units
from scrubjay.errors import BadInput, NotFound
from scrubjay.limits import NAME_CHARACTERS_MAX
from scrubjay.settings import BankSettings
from scrubjay.shapes import iso, relation_to_json
from scrubjay.types import Cause, Json, Relation, Unit, UnitFilter, Window


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


_DEFAULTS = RecallOptions()


def how(given: RecallKeywords, *questions: object) -> dict[str, Json]:
    """Options that are not the default; BadInput for what cannot be asked, or asked so."""
    options = options_of(given)
    for question in questions:
        options = check_options(question, options, _SETTINGS)
    body: dict[str, Json] = {}
    for one in fields(options):
        value = getattr(options, one.name)
        if value != getattr(_DEFAULTS, one.name):
            body[one.name] = _plain(value, one.name)
    return body


def _plain(value: object, name: str) -> Json:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Window):
        return [iso(value.start), iso(value.end)]
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


def filter_query(where: UnitFilter) -> dict[str, str | list[str]]:
    """A filter as query parameters."""
    check_filter(where, _SETTINGS)
    query: dict[str, str | list[str]] = {}
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
