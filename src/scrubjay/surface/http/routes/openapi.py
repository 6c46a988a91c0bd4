"""The OpenAPI 3.1 document, made from the table of routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

from scrubjay.codec.compiled import parts_of, schema
from scrubjay.codec.kinds import Kind, Named, OrNull, Schema
from scrubjay.marks import About, Pattern
from scrubjay.operations.operation import BANK
from scrubjay.surface.http.admitting.auth import COOKIE, OWN_PAGE
from scrubjay.surface.http.contract import bodies
from scrubjay.surface.http.contract.examples import example_of
from scrubjay.surface.http.contract.replies import Problem
from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.shared.problems import MEDIA_TYPE
from scrubjay.types.values import EntityRef, Identifier

PROBLEMS = {
    400: "The body is not JSON, or the request is not HTTP.",
    401: "No key, or not a valid one.",
    403: "The key may not do this here, or the page that asks may not.",
    404: "There is no such bank, unit, entity, session, task or address.",
    405: "The address does not take this method.",
    408: "The body came too slowly.",
    409: "The bank has another encoder, is read-only, or the request is at work or was cut off.",
    410: "Done before under this Idempotency-Key, and what it was about has been erased since.",
    413: "The body is too large.",
    415: "The body is of another type than the address takes.",
    422: "A value cannot be used; `what`, `value` and `remedy` say which and why.",
    429: "The key asks too often, or wrong ones come from its address; see Retry-After.",
    431: "The headers are too large.",
    501: "A part of scrubjay that this needs is not installed.",
    503: "The server is busy, or its store or model cannot work; Retry-After says how long to wait",
    507: "No space is left for the store.",
}
_ANYONE = (400, 403, 404, 405, 422, 431, 503)
_KEYED = (*_ANYONE, 401, 409, 429, 501)
_WITH_BODY = (408, 413, 415)


def statuses(route: Route) -> list[int]:
    """Every status an route may answer with."""
    problems = set(_ANYONE if route.scope is None else _KEYED)
    if route.body is not None:
        problems |= set(_WITH_BODY)
    if route.writes:
        problems |= {410, 507}
    problems |= set(route.refusals)
    return sorted({*route.answers, *problems})


# What each group of routes is about, by the name of its module.
SUBJECTS = {
    "banks": "Spaces of memory: make, look at, change, check, delete.",
    "memories": "Tell, list, look up, change, supersede, forget.",
    "recalling": "Ask, and see why.",
    "connections": "What joins memories: entities, relations, links, sessions.",
    "views": "Look at a bank: its time, its neighbourhoods, its entities.",
    "transfer": "Move banks, and follow long work.",
    "status": "How the server is doing, and what happens in a bank.",
    "access": "Sign in, and look after keys.",
    "watching": "For those who run the server.",
}
_IN_PATHS = {
    "bank": bodies.BankName,
    "unit": Identifier,
    "entity": EntityRef,
    "task": bodies.TaskName,
    "key": bodies.KeyName,
}
# Where an answer has what other paths name.
_GIVES = {
    ("POST", f"{BANK}/memories"): ("unit", "$response.body#/ids/0"),
    ("GET", f"{BANK}/entities"): ("entity", "$response.body#/entities/0/id"),
    ("POST", f"{BANK}/import"): ("task", "$response.body#/id"),
    ("POST", f"{BANK}/reembed"): ("task", "$response.body#/id"),
}


def document(routes: Sequence[Route]) -> Schema:
    """The description of these routes."""
    named: dict[str, Schema] = {}
    schema(Problem, named, strict=False)
    paths: dict[str, dict[str, object]] = {}
    for route in routes:
        operation = _operation(route, named)
        _link(route, operation, routes)
        paths.setdefault(route.path, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "scrubjay", "version": version("scrubjay"), "description": (
            "Memory for AI agents: four searches, one ranked answer.")},
        "tags": [{"name": name, "description": about} for name, about in SUBJECTS.items()],
        "paths": dict(paths),
        "components": {
            "schemas": dict(sorted(named.items())),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }  # fmt: skip


def _operation(route: Route, named: dict[str, Schema]) -> Schema:
    answers = {str(status): _response(route, status, named) for status in statuses(route)}
    shape: Schema = {
        "summary": route.summary,
        "description": route.about,
        "operationId": route.kind,
        "tags": [route.subject],
        "parameters": _parameters(route, named),
        "responses": answers,
    }
    if route.scope is not None:
        shape["security"] = [{"bearer": []}, {"header": []}, {"cookie": []}]
        shape["x-scope"] = route.scope.name.lower()
    if route.body is not None:
        taken = schema(route.body, named)
        example = example_of(taken, named)
        content = {route.body_media_type: {"schema": taken, "example": example}}
        shape["requestBody"] = {"required": not route.body_optional, "content": content}
    return shape


def _link(route: Route, operation: Schema, routes: Sequence[Route]) -> None:
    """Say in its answers which other operations they have the names for."""
    name, where = _GIVES.get((route.method, route.path), ("", ""))
    links = {
        other.kind: {
            "operationId": other.kind,
            "parameters": {
                one: where if one == name else f"$request.path.{one}"
                for one in re.findall(r"{(\w+)}", other.path)
            },
        }
        for other in routes
        if f"{{{name}}}" in other.path
    }
    for status in route.answers if links else ():
        operation["responses"][str(status)]["links"] = links  # type: ignore[index]


def _parameters(route: Route, named: Named) -> list[object]:
    parts = [
        ("path", name, schema(_IN_PATHS[name]), True) for name in re.findall(r"{(\w+)}", route.path)
    ]
    # A query string has no null: what may be one may be left out.
    parts += [
        ("query", part.key, _said(part.kind).schema(named), False) for part in parts_of(route.query)
    ]
    if route.writes:
        parts.append(("header", "Idempotency-Key", schema(_KEY), False))
    if route.own_page:
        parts.append(("header", OWN_PAGE, schema(_ONE), True))
    found: list[object] = []
    for place, name, shape, required in parts:
        about = {"description": shape.pop("description")} if "description" in shape else {}
        need = {"required": True} if required else {}
        # An object in a query string is JSON.
        form: Schema = {"schema": shape}
        if place == "query" and shape.get("type") == "object":
            form = {"content": {"application/json": form}}
        found.append({"name": name, "in": place, **need, **form, **about})
    return found


def _said(kind: Kind) -> Kind:
    return kind.inner.marked(kind.about) if isinstance(kind, OrNull) else kind


_KEY = Annotated[
    str, Pattern("[!-~]{1,255}", 255), About("The same request with the same key is done once.")
]


_ONE = Annotated[str, Pattern("1", 1), About("That the page of this server asks.", "1")]


def _response(route: Route, status: int, named: Named) -> Schema:
    if status in route.answers:
        shape = schema(route.answers[status], named, strict=False)
        return {
            "description": "Accepted; the task tells how far it is." if status == 202 else "Done.",
            "content": {route.media_type: {"schema": shape}},
        }
    problem = {"$ref": "#/components/schemas/Problem"}
    return {"description": PROBLEMS[status], "content": {MEDIA_TYPE: {"schema": problem}}}
