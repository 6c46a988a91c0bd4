"""Reads bodies and query strings into what a route declares; what is wrong is named by its path."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import NoReturn, TypeVar

from starlette.datastructures import QueryParams

from scrubjay.codec.compiled import check, decode, decode_as, parts_of
from scrubjay.codec.kinds import AnyOf, Flag, Kind, Listing, Number, OrNull, Table
from scrubjay.entity_names import number_or_name
from scrubjay.errors import BadInput
from scrubjay.surface.http.shared.problems import Refusal, refuse
from scrubjay.surface.http.shared.server_settings import JSON_CONTAINERS_MAX, JSON_DEPTH_MAX
from scrubjay.types.values import Json

T = TypeVar("T")


def read_body(
    content: bytes, declared: object, bare: Callable[[Json], Json] | None = None
) -> object:
    """The value of a body, of the type that is declared; `bare` makes that of what else is sent."""
    sent = read_json(content)
    value = decode_as(declared, sent if bare is None else bare(sent), "body")
    return check(value, "body") if is_dataclass(value) else value


def read_query(query: QueryParams, declared: type[T]) -> T:
    """The query string, of the type that is declared; a list's name may be repeated.

    BadInput for a name that means nothing here, or one too many of a name that means one thing: a
    filter with a typing error would otherwise let everything through.
    """
    kinds = {part.key: part.kind for part in parts_of(declared)}
    given: dict[str, Json] = {}
    for name in dict.fromkeys(name for name, _ in query.multi_items()):
        kind = kinds.get(name)
        if kind is None:
            there = f"Known here: {', '.join(kinds)}." if kinds else "None is known here."
            raise BadInput("unknown query parameter", name, there)
        texts = query.getlist(name)
        if isinstance(kind, Listing):
            given[name] = list(texts)
        elif len(texts) > 1:
            raise BadInput("query parameter given more than once", name, "Give it once.")
        else:
            given[name] = _value(kind, texts[0], name)
    return check(decode(declared, given, "query"), "query")


def _value(kind: Kind, text: str, name: str) -> Json:
    """One value of a query string as the JSON it stands for."""
    if isinstance(kind, OrNull):
        kind = kind.inner
    if isinstance(kind, Number):
        # Python also reads "1_000" and digits of other scripts, which the schema does not promise.
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            raise BadInput(name, text, "Give a whole number.")
        return int(text)
    if isinstance(kind, Flag):
        if text not in ("true", "false"):
            raise BadInput(name, text, "Give true or false.")
        return text == "true"
    if isinstance(kind, AnyOf) and any(isinstance(choice, Number) for choice in kind.choices):
        return number_or_name(text)
    return _object(text, name) if isinstance(kind, Table) else text


def _object(text: str, name: str) -> dict[str, Json]:
    try:
        value = read_json(text.encode("utf-8", "surrogateescape"))
    except Refusal:
        value = None
    if not isinstance(value, dict):
        raise BadInput(name, text, 'Give a JSON object, such as {"team": "quay"}.')
    return value


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
