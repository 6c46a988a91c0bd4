"""The serve command: the store over HTTP."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.errors import BadInput, ExtraMissing
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import StoreOptions

StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="DIRECTORY",
        show_default="server/ in the store",
        help="Where the server keeps keys, tasks and its audit log.",
    ),
]


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(serve)


def serve(
    target: StoreOptions,
    host: Annotated[str, typer.Option("--host", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="0 takes a free one.")] = 8420,
    no_auth: Annotated[
        bool, typer.Option("--no-auth", help="Let everyone in, wherever it listens.")
    ] = False,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option("--cors-origin", help="A site whose pages may ask; repeat for more."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            show_default="cores; 8 for a database",
            help="Requests worked on at once.",
        ),
    ] = None,
    waiting: Annotated[
        int, typer.Option("--waiting", help="Requests that may wait; more are refused with 503.")
    ] = 128,
    log_level: Annotated[
        str, typer.Option("--log-level", help="debug, info, warning or error.")
    ] = "info",
    no_rerank: Annotated[
        bool, typer.Option("--no-rerank", help="Leave the reranker out of every recall.")
    ] = False,
    state: StateOption = None,
) -> None:
    """Serve the store over HTTP until it is stopped; see `scrubjay docs http`."""
    level = logging.getLevelNamesMapping().get(log_level.upper())
    if level is None:
        raise BadInput("log level", log_level, "Use debug, info, warning or error.")
    try:
        from scrubjay.memory import Memory  # brings numpy; see options.py
        from scrubjay.surface.http.serving import Listening
        from scrubjay.surface.http.serving import serve as run
        from scrubjay.surface.http.shared.server_settings import ServerSettings
        from scrubjay.surface.http.watching.watch import Watch
    except ImportError as error:
        raise ExtraMissing("server", error.name or "starlette") from error
    if workers is not None and not 1 <= workers <= 256:
        raise BadInput("workers", workers, "Give a number from 1 to 256.")
    settings = ServerSettings(workers, max(0, waiting), cors_origins=tuple(cors_origin or ()))
    watch = Watch()
    memory = Memory.open(
        target.store,
        encoder=None if target.encoder == "none" else target.encoder,
        reranker=None if no_rerank else "auto",
        observer=watch,
    )
    listening = Listening(host, port, no_auth)
    run(memory, listening, state=state, settings=settings, watch=watch, log_level=level)
