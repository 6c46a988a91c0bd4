"""The console command: a local store in the browser."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.errors import ExtraMissing, NotFound, StoreLocked
from scrubjay.surface.cli.commands.serve import StateOption
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOption, StoreOptions

if TYPE_CHECKING:
    from scrubjay.memory import Memory
    from scrubjay.surface.http.watching.watch import Watch

NoOpenOption = Annotated[
    bool, typer.Option("--no-open", help="Print the address; open no browser.")
]
PortOption = Annotated[
    int, typer.Option("--port", show_default="a free one", help="Where to listen.")
]


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(console)


def console(
    target: StoreOptions,
    bank: BankOption = "",
    port: PortOption = 0,
    no_open: NoOpenOption = False,
    create: Annotated[
        bool, typer.Option("--create", help="Make the store if there is none.")
    ] = False,
    state: StateOption = None,
) -> None:
    """Look at a store in the browser: ask, see why, edit, review; until Ctrl-C."""
    watch = new_watch()
    if not create:
        _check_there(target)
    try:
        memory = _opened(target, watch, read_only=False)
    except StoreLocked:
        memory = _opened(target, watch, read_only=True)
        typer.echo("Another process writes this store, so it is shown read-only.", err=True)
    show(memory, watch, bank=bank, port=port, no_open=no_open, state=state)


def _opened(target: StoreOptions, watch: Watch, *, read_only: bool) -> Memory:
    from scrubjay.memory import Memory  # see options.py

    encoder = None if target.encoder == "none" else target.encoder
    return Memory.open(target.store, encoder=encoder, observer=watch, read_only=read_only)


def _check_there(target: StoreOptions) -> None:
    """NotFound where a store is named that is not there: who looks for one means none that is new.

    Without a name it is the user's own, which may be new.
    """
    from scrubjay.memory import Memory  # see options.py

    if target.store is None:
        return
    try:
        Memory.open(target.store, encoder=None, reranker=None, read_only=True).close()
    except NotFound as error:
        raise NotFound(
            error.what, error.value, "Give the path of one, or --create to make it."
        ) from error


def new_watch() -> Watch:
    """What watches a memory for the server's metrics; ExtraMissing without a server."""
    try:
        from scrubjay.surface.http.watching.watch import Watch
    except ImportError as error:
        raise ExtraMissing("server", error.name or "starlette") from error
    return Watch()


def show(
    memory: Memory,
    watch: Watch,
    *,
    bank: str = "",
    port: int = 0,
    no_open: bool = False,
    state: Path | None = None,
) -> None:
    """Serve a memory on the loopback, and open the browser there; closes the memory at the end."""
    import logging
    from urllib.parse import urlencode

    from scrubjay.surface.http.serving import Listening, serve

    def told(address: str) -> None:
        asked = f"#/ask?{urlencode({'bank': bank})}" if bank else ""
        typer.echo(f"The console is at {address}/{asked} (Ctrl-C to stop).")
        if not no_open:
            # Some browsers run in the terminal, and would keep the server from starting.
            threading.Thread(
                target=webbrowser.open, args=(f"{address}/{asked}",), daemon=True
            ).start()

    listening = Listening("127.0.0.1", port)
    serve(memory, listening, state=state, watch=watch, log_level=logging.WARNING, started=told)
