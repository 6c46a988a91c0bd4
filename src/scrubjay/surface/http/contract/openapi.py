"""The OpenAPI 3.1 document, made from the table of routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

from scrubjay.surface.http.contract.answer_schemas import PROBLEM
from scrubjay.surface.http.contract.schemas import Schema
from scrubjay.surface.http.problems import MEDIA_TYPE
from scrubjay.surface.http.route import Route
from scrubjay.types import Json

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
    return sorted({*route.answers, *problems})


def document(routes: Sequence[Route]) -> Schema:
    """The description of these routes."""
    paths: dict[str, dict[str, Json]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "scrubjay", "version": version("scrubjay"), "description": (
            "Memory for AI agents: four searches, one ranked answer.")},
        "paths": dict(paths),
        "components": {
            "schemas": {"Problem": PROBLEM},
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "header": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            },
        },
    }  # fmt: skip


def _operation(route: Route) -> Schema:
    shape: Schema = {
        "summary": route.summary,
        "operationId": _identifier(route),
        "parameters": _parameters(route),
        "responses": {str(status): _response(route, status) for status in statuses(route)},
    }
    if route.scope is not None:
        shape["security"] = [{"bearer": []}, {"header": []}]
        shape["x-scope"] = route.scope.name.lower()
    if route.body is not None:
        content: Json = {route.body_media_type: {"schema": route.body}}
        shape["requestBody"] = {"required": not route.body_optional, "content": content}
    return shape


def _identifier(route: Route) -> str:
    words = re.findall(r"[a-z]+", route.path.removeprefix("/v1"))
    return "_".join([route.method.lower(), *words])


def _parameters(route: Route) -> list[Json]:
    named: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    named += [
        {"name": one.name, "in": "query", "schema": one.schema, "description": one.about}
        for one in route.query
    ]
    if route.writes:
        named.append({
            "name": "Idempotency-Key", "in": "header",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
            "description": "The same request with the same key is done once.",
        })  # fmt: skip
    return named


def _response(route: Route, status: int) -> Schema:
    if status in route.answers:
        schema = route.answers[status]
        return {
            "description": "Accepted; the task tells how far it is." if status == 202 else "Done.",
            "content": {route.media_type: {"schema": schema}},
        }
    problem: Json = {"$ref": "#/components/schemas/Problem"}
    return {"description": PROBLEMS[status], "content": {MEDIA_TYPE: {"schema": problem}}}
