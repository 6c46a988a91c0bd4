"""The shapes of what an operation takes and gives, as its function declares them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from inspect import Parameter, signature
from types import ModuleType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from scrubjay.codec.compiled import checker
from scrubjay.marks import Flat
from scrubjay.operations.operation import Operation, P, T
from scrubjay.types.values import Json

AnyOperation = Operation[..., Any]


@dataclasses.dataclass(frozen=True, slots=True)
class Done:
    """It is done."""

    done: bool = True


@dataclasses.dataclass(frozen=True, slots=True)
class TaskReply:
    """Long work: `waiting`, `running`, `done` or `failed`."""

    id: str
    kind: str
    bank: str
    state: str
    done: int
    total: int
    result: Mapping[str, Json] | None
    problem: Mapping[str, Json] | None
    created_at: str


def operations_of(module: ModuleType) -> list[AnyOperation]:
    """The operations that a module declares, in their order."""
    return [one for one in vars(module).values() if isinstance(one, Operation)]


@cache
def hints_of(operation: AnyOperation) -> dict[str, Any]:
    """The types of its arguments beside the engine, and of what it returns."""
    # Whoever needs an Extractor imports it; nothing that is sent has that type.
    hints = get_type_hints(operation.function, localns={"Extractor": object}, include_extras=True)
    names = [*list(signature(operation.function).parameters)[1:], "return"]
    return {name: hints[name] for name in names}


@cache
def _checks_of(operation: AnyOperation) -> list[tuple[int, Callable[[object], object]]]:
    hints = enumerate(hints_of(operation).items())
    return [
        (place, checker(hint, name))
        for place, (name, hint) in hints
        if name != "return" and (hint is bool or _is_bounded(hint))
    ]


def _is_bounded(hint: object) -> bool:
    return get_origin(hint) is Annotated and not _is_flat(hint)


def _is_flat(hint: object) -> bool:
    return any(isinstance(mark, Flat) for mark in get_args(hint)[1:])


def check_arguments(operation: Operation[P, T], args: tuple[object, ...]) -> None:
    """BadInput for the first argument that breaks a bound which the operation declares."""
    for place, check in _checks_of(operation):
        if place < len(args):
            check(args[place])


@cache
def taken_by(operation: AnyOperation) -> type[Any] | None:
    """What is sent beside what the path names; None where that is nothing."""
    path, hints = operation.address.path, hints_of(operation)
    parts = [
        (name, hints[name], _field(one))
        for name, one in signature(operation.function).parameters.items()
        if name in hints and f"{{{name}}}" not in path
    ]
    kind = "Query" if operation.address.method == "GET" else "Body"
    if not parts:
        return None
    shape = _shape(f"{_title(operation.name)}{kind}", parts, operation)
    if some := operation.address.some_of:
        shape.json_schema = {"anyOf": [_with_some(name) for name in some]}
    return shape


def _with_some(name: str) -> dict[str, Any]:
    return {"required": [name], "properties": {name: {"type": "array", "minItems": 1}}}


def needs_any(shape: type[Any] | None) -> bool:
    """Whether something of a shape has to be said."""
    kept = () if shape is None else dataclasses.fields(shape)
    return any(one.default is dataclasses.MISSING is one.default_factory for one in kept)


@cache
def given_by(operation: AnyOperation) -> type[Any]:
    """What is answered: what it returns, under its name if it has one."""
    hint, name = hints_of(operation)["return"], operation.address.answer
    if hint is type(None):
        return Done
    if name is None:
        assert isinstance(hint, type)
        return hint
    return _shape(f"{_title(operation.name)}Reply", [(name, hint, dataclasses.field())], operation)


def answered(operation: AnyOperation, value: object) -> object:
    """What an operation returned, in the shape that is answered."""
    shape = given_by(operation)
    if operation.address.answer is None:
        return shape() if value is None else value
    return shape(value)


def _field(parameter: Parameter) -> Any:  # noqa: ANN401
    if parameter.default is Parameter.empty:
        return dataclasses.field(kw_only=True)
    return dataclasses.field(default=parameter.default, kw_only=True)


def _shape(name: str, parts: list[tuple[str, Any, Any]], operation: AnyOperation) -> type[Any]:
    shape = dataclasses.make_dataclass(name, parts, frozen=True, slots=True)
    shape.__doc__ = operation.address.summary
    return shape


def _title(name: str) -> str:
    return "".join(word.title() for word in name.split("_"))
