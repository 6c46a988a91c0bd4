"""Reads a body as JSON, and checks a value against a schema; what is wrong is named by its path."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NoReturn

from starlette.datastructures import QueryParams

from scrubjay.errors import BadInput
from scrubjay.surface.http.contract.schemas import Parameter, Schema
from scrubjay.surface.http.problems import refuse
from scrubjay.surface.http.server_settings import JSON_CONTAINERS_MAX, JSON_DEPTH_MAX
from scrubjay.types import Json

_NAMES = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "array": "a list", "object": "an object", "null": "null",
}  # fmt: skip


def read_json(body: bytes) -> Json:
    """The value of a body; Refusal, with 400, when it is not JSON that can be worked with."""
    remedy = "Send one JSON value in UTF-8."
    containers = body.count(b"[") + body.count(b"{")
    if containers > JSON_CONTAINERS_MAX:
        raise refuse(413, "BodyTooLarge", f"{containers:,} lists and objects in one body.",
                     f"Send at most {JSON_CONTAINERS_MAX:,}, or import a file.")  # fmt: skip
    try:
        text = body.decode("utf-8")
        value: Json = json.loads(
            text,
            parse_constant=_no_such_number,
            parse_float=_finite,
            object_pairs_hook=_each_once,
        )
        if "\\u" in text:
            # Half of a surrogate pair is JSON, and no text.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise refuse(400, "NotJson", f"Not UTF-8 at byte {error.start}.", remedy) from None
    except UnicodeEncodeError:
        raise refuse(400, "NotJson", "A lone surrogate is not text.", remedy) from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError as error:
        raise refuse(400, "NotJson", f"Not JSON: {error}.", remedy) from None
    if containers > JSON_DEPTH_MAX and _depth(value) > JSON_DEPTH_MAX:
        raise _too_deep()
    return value


def _too_deep() -> Exception:
    return refuse(400, "NotJson", f"Nested more than {JSON_DEPTH_MAX} levels.", "Send flat values.")


def _each_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object; of a field that is given twice nobody can say which was meant."""
    given = dict(pairs)
    if len(given) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the field {twice[:40]!r} is given twice")
    return given


def _no_such_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError(f"{digits[:40]} is too large a number")
    return value


def _depth(value: Json) -> int:
    """How deep a value is nested, counted level by level: recursion is what it guards against."""
    level, depth = [value], 0
    while level and depth <= JSON_DEPTH_MAX:
        level = [inner for outer in level for inner in _inside(outer)]
        depth += 1
    return depth


def _inside(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list) else []


def check_query(query: QueryParams, known: Sequence[Parameter]) -> None:
    """BadInput for a name that means nothing here, or one too many of a name that means one thing.

    A filter with a typing error would otherwise let everything through.
    """
    by_name = {one.name: one for one in known}
    for name in dict.fromkeys(name for name, _ in query.multi_items()):
        parameter = by_name.get(name)
        if parameter is None:
            there = f"Known here: {', '.join(by_name)}." if by_name else "None is known here."
            raise BadInput("unknown query parameter", name, there)
        if parameter.schema.get("type") != "array" and len(query.getlist(name)) > 1:
            raise BadInput("query parameter given more than once", name, "Give it once.")


def check(value: Json, schema: Schema, at: str = "body") -> None:
    """Nothing when `value` has the shape of `schema`, else BadInput for the first that has not."""
    choices = schema.get("anyOf")
    if isinstance(choices, Sequence):
        return _check_any(value, choices, at)
    kinds = schema.get("type", ())
    allowed = [kinds] if isinstance(kinds, str) else kinds
    assert isinstance(allowed, Sequence), "a type is a name or a list of names"
    if allowed and not any(_is_a(value, str(kind)) for kind in allowed):
        said = " or ".join(_NAMES[str(kind)] for kind in allowed)
        raise BadInput(at, value, f"Give {said}.")
    if isinstance(value, Mapping):
        _check_object(value, schema, at)
    elif isinstance(value, list):
        _check_list(value, schema, at)
    choice = schema.get("enum")
    if isinstance(choice, Sequence) and value is not None and value not in choice:
        raise BadInput(at, value, f"Use one of {', '.join(map(str, choice))}.")
    return None


def _check_any(value: Json, choices: Sequence[Json], at: str) -> None:
    problems = []
    for choice in choices:
        assert isinstance(choice, dict)
        try:
            return check(value, choice, at)
        except BadInput as error:
            problems.append((_fits(value, choice), error))
    # The choice that names the most of what is there is the one that was meant.
    raise max(problems, key=lambda problem: problem[0])[1]


def _fits(value: Json, schema: Schema) -> int:
    known = schema.get("properties")
    if not isinstance(value, Mapping) or not isinstance(known, Mapping):
        return 0
    return len(value.keys() & known.keys())


def _check_object(value: Mapping[str, Json], schema: Schema, at: str) -> None:
    known = schema.get("properties", {})
    assert isinstance(known, Mapping)
    for name in schema.get("required", ()):  # type: ignore[union-attr]
        if name not in value:
            raise BadInput(f"{at} without", name, f"Give {name!r}.")
    for name, inner in value.items():
        part = known.get(name)
        if isinstance(part, dict):
            check(inner, part, f"{at}.{name}")
        elif schema.get("additionalProperties") is False:
            raise BadInput(f"unknown field in {at}", name, f"Known: {', '.join(known) or 'none'}.")


def _check_list(value: list[Json], schema: Schema, at: str) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    assert isinstance(least, int) and isinstance(most, int | None)
    if len(value) < least or (most is not None and len(value) > most):
        remedy = f"Give at least {least}." if most is None else f"Give {least} to {most}."
        raise BadInput(f"length of {at}", len(value), remedy)
    items = schema.get("items")
    if isinstance(items, dict):
        for number, inner in enumerate(value):
            check(inner, items, f"{at}[{number}]")


def _is_a(value: Json, kind: str) -> bool:
    match kind:
        case "string":
            return isinstance(value, str)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "boolean":
            return isinstance(value, bool)
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
    return value is None
