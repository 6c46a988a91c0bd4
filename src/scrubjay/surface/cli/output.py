"""Prints results: JSON for programs on stdout, tables for people, progress on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scrubjay.surface.cli.views.tables import view_of

if TYPE_CHECKING:
    from scrubjay.types import Json

Tell = Callable[[int, int], None]


def show(result: object, *, as_json: bool) -> None:
    """Print what a Memory returned."""
    from scrubjay.surface.payloads import to_json  # brings numpy; see options.py

    shape = to_json(result)
    emit(shape, view_of(shape), as_json=as_json)


def emit(shape: Json, view: RenderableType, *, as_json: bool) -> None:
    """Print a shape for programs or its view for people."""
    if as_json:
        print_json(shape)
    else:
        draw(view)


def print_json(shape: Json) -> None:
    """One JSON document on one line of stdout."""
    typer.echo(json.dumps(shape, ensure_ascii=False, allow_nan=False))


def draw(*views: RenderableType) -> None:
    """Draw for a person, as wide as the terminal is."""
    # Memories are data: nothing in them is markup, an emoji code or worth colouring by pattern.
    console = Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
    for view in views:
        console.print(view)


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """A bar on stderr, if that is a terminal; call the result with (done, total)."""
    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:  # fmt: skip
        task = bar.add_task(what, total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total or None)

        yield tell
