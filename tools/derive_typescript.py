"""Derives the TypeScript client from the server's own description.

    python -m tools.derive_typescript

writes `packages/scrubjay-typescript/src/api.ts`: a type for every shape, and a class with a method
for every route. It is source, so that it can be read and compiled; a test holds that it is up to
date. What sends a request is `http.ts` beside it, which is written by hand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrubjay.surface.http.handling.route import Route
from scrubjay.surface.http.routes.openapi import document
from scrubjay.surface.http.routes.table import ROUTES

COMMAND = "python -m tools.derive_typescript"
TARGET = Path(__file__).parents[1] / "packages" / "scrubjay-typescript" / "src" / "api.ts"
# What a browser signs in with, which a client's key makes needless; and pages for people.
_LEFT_OUT = {"/v1/login", "/v1/logout", "/docs", "/openapi.json"}
_HEAD = f"""\
// The routes of a scrubjay server. Made by `{COMMAND}`; do not edit.

import {{ Connection, type CallOptions }} from "./http.js";

export {{ ScrubjayError, type CallOptions, type ConnectionOptions, type Problem }} from "./http.js";

export type Json = null | boolean | number | string | Json[] | {{ [name: string]: Json }};
"""
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean",
          "null": "null"}  # fmt: skip
_WIDTH = 96


def derived() -> str:
    """The source of `api.ts`."""
    described: Any = document(ROUTES)
    shapes = described["components"]["schemas"]
    parts = [_HEAD]
    # The hand-written half has it, with what a client adds.
    parts += [_declared(name, shape) for name, shape in shapes.items() if name != "Problem"]
    parts.append(_client(described["paths"]))
    return "\n".join(parts)


def _declared(name: str, shape: dict[str, Any]) -> str:
    about = _comment(shape.get("description", ""), "")
    if "properties" not in shape:
        return f"{about}export type {name} = {_type(shape)};\n"
    fields = "".join(_fields(shape))
    return f"{about}export interface {name} {{\n{fields}}}\n"


def _fields(shape: dict[str, Any]) -> Iterator[str]:
    required = shape.get("required", ())
    for name, part in shape["properties"].items():
        yield _comment(part.get("description", ""), "  ")
        yield f"  {_key(name)}{'' if name in required else '?'}: {_type(part)};\n"
    if isinstance(shape.get("additionalProperties"), dict):
        yield "  [name: string]: unknown;\n"


def _type(shape: Any) -> str:  # noqa: ANN401
    if not isinstance(shape, dict) or not shape:
        return "Json"
    if shape.get("type") in ("array", "object"):
        return _list(shape) if shape["type"] == "array" else _object(shape)
    if "$ref" in shape:
        return str(shape["$ref"]).rpartition("/")[2]
    if "enum" in shape:
        return _union(json.dumps(one) for one in shape["enum"])
    for way in ("anyOf", "oneOf"):
        if way in shape:
            return _union(_type(one) for one in shape[way])
    kind = shape.get("type")
    if isinstance(kind, list):
        return _union(_type({**shape, "type": one}) for one in kind)
    return _PLAIN.get(str(kind), "Json")


def _list(shape: dict[str, Any]) -> str:
    if "prefixItems" in shape:
        return f"[{', '.join(_type(one) for one in shape['prefixItems'])}]"
    inner = _type(shape.get("items", {}))
    return f"{inner}[]" if re.fullmatch(r"\w+", inner) else f"Array<{inner}>"


def _object(shape: dict[str, Any]) -> str:
    if "properties" not in shape:
        return f"{{ [name: string]: {_type(shape.get('additionalProperties'))} }}"
    fields = " ".join(line.strip() for line in _fields(shape))
    return f"{{ {re.sub(r'/[*][*].*?[*]/ ?', '', fields)} }}"


def _union(kinds: Iterator[str]) -> str:
    return " | ".join(dict.fromkeys(kinds))


def _client(paths: dict[str, dict[str, Any]]) -> str:
    methods = "\n".join(
        _method(route, paths[route.path][route.method.lower()])
        for route in ROUTES
        if route.path not in _LEFT_OUT
    )
    about = _comment("A scrubjay server: every route as a method. Nothing is sent before one is "
                     "called.", "")  # fmt: skip
    return f"{about}export class Scrubjay extends Connection {{\n{methods}}}\n"


def _method(route: Route, operation: dict[str, Any]) -> str:
    taken = [f"{name}: string{' | number' if name == 'entity' else ''}"
             for name in re.findall(r"{(\w+)}", route.path)]  # fmt: skip
    sent = []
    if "requestBody" in operation:
        ((media, body),) = operation["requestBody"]["content"].items()
        kind = _type(body["schema"]) if media == "application/json" else "BodyInit"
        optional = not operation["requestBody"]["required"]
        taken.append(f"body: {kind}{' = {}' if optional else ''}")
        sent += ["body", *(() if media == "application/json" else [f"media: {json.dumps(media)}"])]
    query = [one for one in operation["parameters"] if one["in"] == "query"]
    if query:
        fields = " ".join(f"{_key(one['name'])}?: {_type(_schema(one))};" for one in query)
        taken.append(f"query: {{ {fields} }} = {{}}")
        sent.append("query")
    taken.append("options: CallOptions = {}")
    path = re.sub(r"{(\w+)}", r"${encodeURIComponent(\1)}", route.path)
    where = f"`{path}`" if "${" in path else json.dumps(path)
    given = f"{{ {', '.join([*sent, '...options'])} }}" if sent else "options"
    way, answer = _answer(route, operation)
    about = _comment(operation["summary"], "  ")
    head = f"  {_camel(route.kind)}({', '.join(taken)}): Promise<{answer}> {{"
    if len(head) > _WIDTH:
        arguments = "".join(f"    {one},\n" for one in taken)
        head = f"  {_camel(route.kind)}(\n{arguments}  ): Promise<{answer}> {{"
    call = f"    return this.{way}({json.dumps(route.method)}, {where}, {given});\n"
    return f"{about}{head}\n{call}  }}\n"


def _answer(route: Route, operation: dict[str, Any]) -> tuple[str, str]:
    """How an answer is read, and as what; what may be long is left to the caller to read."""
    if route.media_type == "text/plain":
        return "text", "string"
    if route.media_type != "application/json":
        return "stream", "Response"
    done = operation["responses"][str(next(iter(route.answers)))]
    return "json", _type(done["content"]["application/json"]["schema"])


def _schema(parameter: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = (
        parameter.get("schema") or next(iter(parameter["content"].values()))["schema"]
    )
    return found


def _comment(text: str, indent: str) -> str:
    if not text:
        return ""
    words = " ".join(text.replace("*/", "* /").split())
    if len(words) + len(indent) + 8 <= _WIDTH:
        return f"{indent}/** {words} */\n"
    lines, line = [], ""
    for word in words.split(" "):
        if len(indent) + 3 + len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    body = "".join(f"{indent} * {one}\n" for one in [*lines, line])
    return f"{indent}/**\n{body}{indent} */\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


if __name__ == "__main__":
    TARGET.write_text(derived(), encoding="utf-8")
