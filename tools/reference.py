"""The references of the docs, made from what they describe: docstrings, commands, OpenAPI.

Nothing here is committed: the site is built with what these functions return, so it cannot differ
from the code. `tests/docs/test_reference.py` holds that no public name is missing.
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

import scrubjay
import scrubjay.testing

# Methods that a class has beside those with a docstring of ours, such as those of exceptions.
_SPECIAL = ("__len__", "__iter__", "__getitem__")


def python_reference() -> str:
    """Every public name, with its docstring, its fields and its methods."""
    lines = [
        "# Python reference",
        "",
        "What `from scrubjay import ...` gives, from the docstrings. `Memory` has the methods of",
        "`Bank` with `bank=`; the asynchronous classes have the same methods, awaitable. The rest",
        "may change without notice, except `scrubjay.testing`, the fakes for your tests.",
        "",
    ]
    for name in scrubjay.__all__:
        lines += _described(f"scrubjay.{name}", name, getattr(scrubjay, name), methods=True)
    for name in sorted(scrubjay.testing.__all__):
        dotted = f"scrubjay.testing.{name}"
        lines += _described(dotted, dotted, getattr(scrubjay.testing, name), methods=False)
    return "\n".join(lines) + "\n"


def _described(dotted: str, title: str, thing: object, *, methods: bool) -> list[str]:
    lines = [f"## {title}", ""]
    if inspect.isclass(thing):
        lines += [f"`class {dotted}`", "", *_text_of(thing)]
        lines += _fields_of(thing)
        for name, method in _methods_of(thing) if methods else ():
            lines += [f"### {title}.{name}", "", *_signature(name, method), *_text_of(method)]
    else:
        lines += [*_signature(title, thing), *_text_of(thing)]
    return lines


def _text_of(thing: object) -> list[str]:
    written = inspect.getdoc(thing) or ""
    # A dataclass without words of its own has its signature as its docstring.
    name = getattr(thing, "__name__", "")
    return [] if not written or written.startswith(f"{name}(") else [written, ""]


def _fields_of(thing: type) -> list[str]:
    if issubclass(thing, enum.Enum):
        return [", ".join(f"`{member.value}`" for member in thing) + ".", ""]
    if not dataclasses.is_dataclass(thing):
        return []
    rows = ["| field | type | default |", "|---|---|---|"]
    for field in dataclasses.fields(thing):
        if not field.name.startswith("_"):
            kind = _cell(str(field.type))
            rows.append(f"| `{field.name}` | `{kind}` | {_default_of(field)} |")
    return [*rows, ""] if len(rows) > 2 else []


def _default_of(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return f"`{_cell(repr(field.default))}`"
    return "" if field.default_factory is dataclasses.MISSING else "empty"


def _methods_of(thing: type) -> Iterator[tuple[str, object]]:
    for name, value in inspect.getmembers(thing):
        own = getattr(value, "__module__", "") or ""
        if isinstance(value, property):
            own, value = (value.fget.__module__ if value.fget else ""), value.fget
        shown = not name.startswith("_") or (name in _SPECIAL and inspect.isfunction(value))
        if shown and callable(value) and own.startswith("scrubjay"):
            said = inspect.getdoc(value) or ""
            # Derived methods say the same in another form.
            if said and not said.startswith("See "):
                yield name, value


def _signature(name: str, function: object) -> list[str]:
    assert callable(function)
    try:
        parameters = inspect.signature(function)
    except ValueError:
        return []
    shown = re.sub(r"(?:scrubjay\.|builtins\.|typing\.)(?:\w+\.)*", "", str(parameters))
    # Annotations are text here, which `inspect` shows in quotes.
    shown = re.sub(r"((?:: |-> ))'([^']*)'", r"\1\2", shown)
    return ["```text", f"{name}{shown}", "```", ""]


def commands(group: TyperGroup, path: str = "scrubjay") -> Iterator[tuple[str, TyperCommand]]:
    """Every command of the command line with its whole name, in the order of the help."""
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, f"{path} {name}")
        elif isinstance(command, TyperCommand):
            yield f"{path} {name}", command


def command_reference() -> str:
    """Every command with its arguments and options, as its own help has them."""
    from scrubjay.surface.cli import app

    lines = [
        "# Command reference",
        "",
        "Every command with its options, from the command line itself. What they are for, with",
        "examples, exit codes and JSON, is on [the command line](../cli.md).",
        "",
    ]
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    for name, command in commands(root):
        lines += [f"## {name}", "", inspect.cleandoc(command.help or ""), ""]
        rows = [_option_row(parameter) for parameter in command.params]
        rows = [row for row in rows if row]
        if rows:
            lines += ["| option | meaning | default |", "|---|---|---|", *rows, ""]
    return "\n".join(lines) + "\n"


def _option_row(parameter: object) -> str:
    names = getattr(parameter, "opts", [])
    if "--help" in names or getattr(parameter, "hidden", False):
        return ""
    if isinstance(parameter, TyperArgument):
        shown = str(parameter.metavar or parameter.name).strip("[]")
    else:
        shown = ", ".join(names)
    default = getattr(parameter, "default", None)
    told = "" if default in (None, False, [], ()) or callable(default) else f"`{default}`"
    variable = getattr(parameter, "envvar", None)
    means = _cell(str(getattr(parameter, "help", "") or ""))
    return f"| `{shown}` | {means}{f' (`{variable}`)' if variable else ''} | {told} |"


def http_reference() -> str:
    """Every route with what it takes and gives, as OpenAPI has it."""
    from scrubjay.surface.http.routes.openapi import document
    from scrubjay.surface.http.routes.table import ROUTES

    described: Mapping[str, Any] = document(ROUTES)
    lines = [
        "# HTTP reference",
        "",
        "Every route, from the OpenAPI document that a server has at `/openapi.json`. Keys, limits",
        "and errors are on [the server's page](../http.md).",
        "",
    ]
    for subject in described["tags"]:
        lines += [f"## {subject['name']}", "", subject["description"], ""]
        for path, methods in described["paths"].items():
            for method, operation in methods.items():
                if subject["name"] in operation["tags"]:
                    lines += _route(method.upper(), path, operation)
    lines += ["## Shapes", ""]
    for name, shape in described["components"]["schemas"].items():
        lines += [f"### {name}", "", *_shape(shape)]
    return "\n".join(lines) + "\n"


def _route(method: str, path: str, operation: Mapping[str, Any]) -> list[str]:
    lines = [f"### {method} {path}", "", operation["summary"], ""]
    scope = operation.get("x-scope")
    lines += [f"Scope: `{scope}`." if scope else "No key is needed.", ""]
    rows = [
        f"| `{one['name']}` | {one['in']} | {_type_of(one.get('schema', {'type': 'JSON'}))} |"
        for one in operation["parameters"]
    ]
    if rows:
        lines += ["| parameter | in | type |", "|---|---|---|", *rows, ""]
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        lines += [f"Body: {_type_of(content['schema'])}, `{media}`.", ""]
    answers = []
    for status, answer in operation["responses"].items():
        kinds = [
            _type_of(content.get("schema", {})) for content in answer.get("content", {}).values()
        ]
        answers.append(f"`{status}`{f' {kinds[0]}' if kinds and status.startswith('2') else ''}")
    return [*lines, f"Answers: {', '.join(answers)}.", ""]


def _shape(shape: Mapping[str, Any]) -> list[str]:
    lines = [str(shape["description"]), ""] if "description" in shape else []
    needed = shape.get("required", ())
    rows = [
        f"| `{name}` | {_type_of(inner)} | {'yes' if name in needed else ''} |"
        for name, inner in shape.get("properties", {}).items()
    ]
    if rows:
        return [*lines, "| field | type | required |", "|---|---|---|", *rows, ""]
    return [*lines, _type_of(shape) + ".", ""]


def _type_of(shape: Mapping[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in shape:
        name = str(shape["$ref"]).rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    for many in ("anyOf", "oneOf", "allOf"):
        if many in shape:
            return " or ".join(dict.fromkeys(_type_of(inner) for inner in shape[many]))
    if "enum" in shape:
        return ", ".join(f"`{value}`" for value in shape["enum"])
    if "const" in shape:
        return f"`{shape['const']}`"
    kind = shape.get("type", "anything")
    kind = " or ".join(kind) if isinstance(kind, Sequence) and not isinstance(kind, str) else kind
    inner = shape.get("items")
    return f"{kind} of {_type_of(inner)}" if isinstance(inner, Mapping) and inner else str(kind)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
