"""The OpenAPI document as one page of HTML, without scripts and without the network."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape

from scrubjay.codec.kinds import Schema

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
summary { cursor: pointer; padding: .3rem 0 }
pre { background: #8881; padding: .7rem; overflow: auto }
code.m { display: inline-block; width: 4.5rem; font-weight: 700 }
td { padding: .1rem .8rem .1rem 0 }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd } }
"""


def page(document: Schema) -> str:
    """The page."""
    info = _object(document["info"])
    parts = [
        "<!doctype html><meta charset=utf-8><title>scrubjay</title>",
        f"<style>{_STYLE}</style>",
        f"<h1>{escape(str(info['title']))} {escape(str(info['version']))}</h1>",
        f"<p>{escape(str(info['description']))} For programs: <a href=/openapi.json>"
        "openapi.json</a>.</p>",
        *_operations(_object(document["paths"])),
    ]
    return "\n".join(parts)


def _operations(paths: Mapping[str, object]) -> Iterator[str]:
    for path, methods in paths.items():
        for method, operation in _object(methods).items():
            yield _section(method.upper(), path, _object(operation))


def _section(method: str, path: str, operation: Mapping[str, object]) -> str:
    body = operation.get("requestBody")
    scope = operation.get("x-scope")
    lines = [
        f"<details><summary><code class=m>{method}</code><code>{escape(path)}</code> "
        f"{escape(str(operation['summary']))}</summary>",
        f"<p>Needs a key with scope <b>{scope}</b>.</p>" if scope else "<p>Open to everyone.</p>",
        _table(operation),
    ]
    if body is not None:
        lines.append(f"<p>Body</p><pre>{escape(json.dumps(_content(body), indent=2))}</pre>")
    return "\n".join([*lines, "</details>"])


def _table(operation: Mapping[str, object]) -> str:
    rows = [
        (str(one["name"]), f"{one['in']}: {one.get('description', '')}")
        for one in _objects(operation["parameters"])
    ]
    for status, answer in _object(operation["responses"]).items():
        rows.append((status, str(_object(answer)["description"])))
    cells = [f"<tr><td><code>{escape(a)}</code><td>{escape(b)}" for a, b in rows]
    return f"<table>{''.join(cells)}</table>"


def _content(body: object) -> object:
    (media,) = _object(_object(body)["content"]).values()
    return _object(media)["schema"]


def _object(value: object) -> Mapping[str, object]:
    assert isinstance(value, Mapping)
    return value


def _objects(value: object) -> list[Mapping[str, object]]:
    assert isinstance(value, list)
    return [_object(one) for one in value]
