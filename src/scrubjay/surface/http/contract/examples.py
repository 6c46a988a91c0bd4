"""An example of what a schema describes, from the values that its parts give as examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrubjay.codec.kinds import Schema

_TIME = "2026-03-02T09:00:00Z"
_ONE_OF = ("anyOf", "oneOf")


def example_of(shape: Schema, named: Mapping[str, Schema]) -> Any:  # noqa: ANN401
    """A value of a schema: what is required, and whatever else has an example of its own."""
    if shape.get("examples"):
        return shape["examples"][0]  # type: ignore[index]
    if "$ref" in shape:
        return example_of(named[str(shape["$ref"]).rpartition("/")[2]], named)
    if "enum" in shape:
        return shape["enum"][0]  # type: ignore[index]
    properties = shape.get("properties")
    if isinstance(properties, dict):
        told = {*_required(shape), *(one for one, part in properties.items() if _says(part))}
        return {name: example_of(properties[name], named) for name in properties if name in told}
    for way in _ONE_OF:
        forms = shape.get(way)
        if isinstance(forms, list):
            return example_of(forms[0], named)
    return _plain(shape, named)


def _required(shape: Schema) -> set[str]:
    """What has to be said, by the first of the ways there are to say it."""
    names = set(map(str, shape.get("required") or ()))  # type: ignore[call-overload]
    for way in _ONE_OF:
        forms = shape.get(way)
        if isinstance(forms, list):
            names |= _required(forms[0])
    return names


def _says(part: Schema) -> bool:
    return bool(part.get("examples"))


def _plain(shape: Schema, named: Mapping[str, Schema]) -> Any:  # noqa: ANN401
    kind = shape.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "array":
        items = shape.get("items")
        prefix = shape.get("prefixItems")
        if isinstance(prefix, list):
            return [example_of(one, named) for one in prefix]
        return [example_of(items, named)] if isinstance(items, dict) else []
    if kind == "string":
        return {"date-time": _TIME, "date": _TIME[:10]}.get(str(shape.get("format")), "text")
    plain = {"integer": 1, "number": 0.5, "boolean": True, "null": None}
    return plain.get(str(kind), {})
