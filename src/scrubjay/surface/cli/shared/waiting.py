"""Opens a store for writing; where another command has it, a little later."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from scrubjay.errors import BadInput, StoreLocked

if TYPE_CHECKING:  # see options.py
    from scrubjay.memory import Memory

WAIT_VARIABLE = "SCRUBJAY_WAIT_SECONDS"
# Commands of a script that run side by side take a second each; a server takes for ever.
_WAIT_SECONDS = 10.0
_SILENT_SECONDS = 1.0
_TRIED_AGAIN_SECONDS = 0.05


def open_waiting(store: str | None, opened: Callable[[], Memory]) -> Memory:
    """What `opened` gives, tried again while a directory is locked; StoreLocked in the end."""
    began, told = time.monotonic(), False
    while True:
        try:
            return opened()
        except StoreLocked as error:
            if store is not None and "://" in store:
                raise  # a database has waited already
            _check_not_kept(agents_home(store), error)
            waited = time.monotonic() - began
            if waited >= (most := _wait_seconds()):
                raise
            if waited >= _SILENT_SECONDS and not told:
                told = True
                typer.echo(f"Waiting up to {most:g} s for another command. {error}", err=True)
        time.sleep(_TRIED_AGAIN_SECONDS)


def agents_home(store: str | None) -> Path:
    """Where those who hold a store for coding agents and MCP clients can be asked."""
    from scrubjay.backend import default_directory

    directory = default_directory() if store is None else Path(store).expanduser()
    return directory.absolute() / "agents"


def _check_not_kept(home: Path, error: StoreLocked) -> None:
    """StoreLocked, with the way out, where it is held for coding agents: that would last."""
    if sys.platform == "win32":  # without Unix sockets
        return
    from scrubjay.integrations.coding.server import ask_status

    found = ask_status(home)
    if found is not None:
        raise StoreLocked(
            f"{home.parent} is held for coding agents by process {found[0]}. `scrubjay agents "
            "stop` with the same --store ends it, or says which client to close; hooks start it "
            "again. The agents' own tools can retain and forget meanwhile."
        ) from error


def _wait_seconds() -> float:
    given = os.environ.get(WAIT_VARIABLE)
    if not given:
        return _WAIT_SECONDS
    try:
        return float(given)
    except ValueError:
        raise BadInput(WAIT_VARIABLE, given, "Give seconds, as 10 or 0.5.") from None
