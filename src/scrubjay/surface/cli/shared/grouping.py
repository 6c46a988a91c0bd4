"""Lets several commands share a group of options by naming one dataclass."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import get_type_hints

import typer

Command = Callable[..., None]


class _Flat:
    """A command as Typer sees it: every field of a dataclass parameter is an option of its own."""

    def __init__(self, command: Command) -> None:
        self.__name__ = command.__name__
        self.__doc__ = command.__doc__
        self._command = command
        self._groups: dict[str, type] = {}
        parameters: list[inspect.Parameter] = []
        hints = get_type_hints(command, include_extras=True)
        for parameter in inspect.signature(command).parameters.values():
            hint = hints[parameter.name]
            if isinstance(hint, type) and is_dataclass(hint):
                self._groups[parameter.name] = hint
                parameters += _options(hint)
            else:
                kind = inspect.Parameter.KEYWORD_ONLY
                parameters.append(parameter.replace(annotation=hint, kind=kind))
        self.__signature__ = inspect.Signature(parameters)
        self.__annotations__ = {one.name: one.annotation for one in parameters}

    def __call__(self, **given: object) -> None:
        for name, group in self._groups.items():
            own = {field.name: given.pop(field.name) for field in fields(group)}
            given[name] = group(**own)
        self._command(**given)


@cache  # most commands share a group, and reading its annotations is most of what `--help` takes
def _options(group: type) -> tuple[inspect.Parameter, ...]:
    hints = get_type_hints(group, include_extras=True)
    return tuple(
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=hints[field.name],
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
        )
        for field in fields(group)
    )


def command(app: typer.Typer, name: str | None = None) -> Callable[[Command], Command]:
    """Register a command on `app`; parameters typed with a dataclass become its fields."""

    def register(function: Command) -> Command:
        # Its first sentence, whole: what Typer takes of a longer text by itself ends in dots.
        first = re.split(r"(?<=\.)\s", (function.__doc__ or "").strip(), maxsplit=1)[0]
        app.command(name, short_help=first)(_Flat(function))
        return function

    return register
