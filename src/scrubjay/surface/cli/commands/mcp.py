"""The mcp command: the store as tools for agents."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.errors import ExtraMissing
from scrubjay.surface.cli.commands.serve import StateOption
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import StoreOptions

if TYPE_CHECKING:
    from scrubjay.memory import Memory
    from scrubjay.surface.mcp.sharing import SharedStore


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(mcp)


def mcp(
    target: StoreOptions,
    bank: Annotated[
        str | None,
        typer.Option("--bank", help="Use only this bank; left out, the agent may choose."),
    ] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Listen for streamable HTTP instead of stdio.")
    ] = False,
    host: Annotated[str, typer.Option("--host", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0 takes a free one.")] = 8421,
    no_auth: Annotated[
        bool, typer.Option("--no-auth", help="Let everyone in, wherever it listens.")
    ] = False,
    no_rerank: Annotated[
        bool, typer.Option("--no-rerank", help="Leave the reranker out of every recall.")
    ] = False,
    state: StateOption = None,
) -> None:
    """Offer the memory to agents over the Model Context Protocol; see `scrubjay docs mcp`."""
    # A client that starts us waits for the first answer, and a tenth of the start went into looking
    # for garbage among modules, which are kept for ever.
    gc.disable()
    from scrubjay.backend import default_directory
    from scrubjay.memory import Memory  # brings numpy; see options.py

    def opened(read_only: bool) -> Memory:
        return Memory.open(
            target.store,
            encoder=None if target.encoder == "none" else target.encoder,
            reranker=None if no_rerank else "auto",
            read_only=read_only,
        )

    try:
        from scrubjay.surface.mcp.opening import LazyMemory

        memory = LazyMemory(opened, _sharing(target.store))
        if not http:
            from scrubjay.surface.mcp.stdio import run_stdio  # only what this needs

            _collect_from_here()
            run_stdio(memory, () if bank is None else (bank,))
            return
        from scrubjay.surface.http.serving import Listening
        from scrubjay.surface.mcp.web import run_http
    except ModuleNotFoundError as error:
        raise ExtraMissing("mcp", error.name or "mcp") from error
    _collect_from_here()
    location = target.store or str(default_directory())
    run_http(memory, bank, Listening(host, port, no_auth), location=location, state=state)


def _sharing(store: str | None) -> SharedStore | None:
    """How this and other servers on this machine use the store; None where it is no directory."""
    from scrubjay.backend import IN_MEMORY, default_directory

    if sys.platform == "win32" or (store is not None and ("://" in store or store == IN_MEMORY)):
        return None
    from scrubjay.surface.mcp.sharing import SharedStore  # with sockets that Windows has not

    directory = default_directory() if store is None else Path(store).expanduser()
    return SharedStore(directory.absolute() / "agents")


def _collect_from_here() -> None:
    """Collect garbage again, but never look at what is loaded by now."""
    gc.freeze()
    gc.enable()
