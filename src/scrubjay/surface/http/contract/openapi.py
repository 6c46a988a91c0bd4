"""The OpenAPI 3.1 document, made from the table of endpoints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

from scrubjay.surface.http.contract.answer_schemas import PROBLEM
from scrubjay.surface.http.contract.schemas import Schema
from scrubjay.surface.http.endpoint import Endpoint
from scrubjay.surface.http.problems import MEDIA_TYPE
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


def statuses(endpoint: Endpoint) -> list[int]:
    """Every status an endpoint may answer with."""
    problems = set(_ANYONE if endpoint.scope is None else _KEYED)
    if endpoint.body is not None:
        problems |= set(_WITH_BODY)
    if endpoint.writes:
        problems |= {410, 507}
    return sorted({*endpoint.answers, *problems})


def document(endpoints: Sequence[Endpoint]) -> Schema:
    """The description of these endpoints."""
    paths: dict[str, dict[str, Json]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
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


def _operation(endpoint: Endpoint) -> Schema:
    shape: Schema = {
        "summary": endpoint.summary,
        "operationId": _identifier(endpoint),
        "parameters": _parameters(endpoint),
        "responses": {str(status): _response(endpoint, status) for status in statuses(endpoint)},
    }
    if endpoint.scope is not None:
        shape["security"] = [{"bearer": []}, {"header": []}]
        shape["x-scope"] = endpoint.scope.name.lower()
    if endpoint.body is not None:
        content: Json = {endpoint.body_media_type: {"schema": endpoint.body}}
        shape["requestBody"] = {"required": not endpoint.body_optional, "content": content}
    return shape


def _identifier(endpoint: Endpoint) -> str:
    words = re.findall(r"[a-z]+", endpoint.path.removeprefix("/v1"))
    return "_".join([endpoint.method.lower(), *words])


def _parameters(endpoint: Endpoint) -> list[Json]:
    named: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    named += [
        {"name": one.name, "in": "query", "schema": one.schema, "description": one.about}
        for one in endpoint.query
    ]
    if endpoint.writes:
        named.append({
            "name": "Idempotency-Key", "in": "header",
            "schema": {"type": "string", "minLength": 1, "maxLength": 255},
            "description": "The same request with the same key is done once.",
        })  # fmt: skip
    return named


def _response(endpoint: Endpoint, status: int) -> Schema:
    if status in endpoint.answers:
        schema = endpoint.answers[status]
        return {
            "description": "Accepted; the task tells how far it is." if status == 202 else "Done.",
            "content": {endpoint.media_type: {"schema": schema}},
        }
    problem: Json = {"$ref": "#/components/schemas/Problem"}
    return {"description": PROBLEMS[status], "content": {MEDIA_TYPE: {"schema": problem}}}
