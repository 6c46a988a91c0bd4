"""Prints results: JSON for programs on stdout, tables for people, progress on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from scrubjay.surface.cli.views.tables import view_of

# `--help` and `--json` draw nothing, so what draws is imported in bodies.
if TYPE_CHECKING:
    from rich.console import RenderableType

    from scrubjay.types.values import Json

Tell = Callable[[int, int], None]

# What `-` stands for, by the names under which the engine knows them on every system.
STDIN = "/dev/stdin"
STDOUT = "/dev/stdout"

_PIPED_COLUMNS = 100_000


def is_stdout(path: str) -> bool:
    """Whether what is written there comes out of this process's stdout."""
    return path in (STDOUT, "/dev/fd/1", "/proc/self/fd/1")


def show(result: object, *, as_json: bool) -> None:
    """Print what a Memory returned."""
    from scrubjay.codec.compiled import encode  # brings numpy; see options.py

    shape = encode(result)
    emit(shape, view_of(shape), as_json=as_json)


def emit(shape: Json, view: RenderableType, *, as_json: bool, aside: bool = False) -> None:
    """Print a shape for programs or its view for people; on stderr if stdout holds data."""
    if as_json:
        print_json(shape, aside=aside)
    else:
        draw(view, aside=aside)


def print_json(shape: Json, *, aside: bool = False) -> None:
    """One JSON document on one line of stdout."""
    typer.echo(json.dumps(shape, ensure_ascii=False, allow_nan=False), err=aside)


def draw(*views: RenderableType, aside: bool = False) -> None:
    """Draw for a person, as wide as the terminal is, or as the text where it is piped."""
    from rich.console import Console

    # Memories are data: nothing in them is markup, an emoji code or worth colouring by pattern.
    file = sys.stderr if aside else sys.stdout
    # A pipe has no width; 80 columns, which rich would take, cut what `grep` looks for.
    width = None if file.isatty() or os.environ.get("COLUMNS") else _PIPED_COLUMNS
    console = Console(file=file, width=width, markup=False, emoji=False, highlight=False)
    for view in views:
        console.print(view)


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """A bar on stderr, if that is a terminal; call the result with (done, total)."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

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
