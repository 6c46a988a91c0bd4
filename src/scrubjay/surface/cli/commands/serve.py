"""The serve command: the store over HTTP."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class ServeOptions(StoreOptions):
    """Which store, for whom, and how much of the machine."""

    host: Annotated[str, typer.Option("--host", help="Where to listen.")] = "127.0.0.1"
    port: Annotated[int, typer.Option("--port", help="0 takes a free one.")] = 8420
    no_auth: Annotated[
        bool, typer.Option("--no-auth", help="Let everyone in, wherever it listens.")
    ] = False
    cors_origin: Annotated[
        list[str] | None,
        typer.Option("--cors-origin", help="A site whose pages may ask; repeat for more."),
    ] = None
    processes: Annotated[
        int,
        typer.Option(
            "--processes",
            help="Processes that answer; above 1 they read beside the one that writes.",
        ),
    ] = 1
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            show_default="cores; 8 for a database",
            help="Requests worked on at once.",
        ),
    ] = None
    waiting: Annotated[
        int, typer.Option("--waiting", help="Requests that may wait; more are refused with 503.")
    ] = 128
    log_level: Annotated[
        str, typer.Option("--log-level", help="debug, info, warning or error.")
    ] = "info"
    no_rerank: Annotated[
        bool, typer.Option("--no-rerank", help="Leave the reranker out of every recall.")
    ] = False
    state: StateOption = None

    def again(self) -> Iterator[str]:
        """The options that say the same, but for the store."""
        yield from ("--host", self.host, "--port", str(self.port), "--encoder", self.encoder)
        yield from ("--processes", str(self.processes), "--waiting", str(self.waiting))
        yield from ("--log-level", self.log_level)
        for origin in self.cors_origin or ():
            yield from ("--cors-origin", origin)
        for name, value in (("--workers", self.workers), ("--state", self.state)):
            if value is not None:
                yield from (name, str(value))
        for name, chosen in (("--no-auth", self.no_auth), ("--no-rerank", self.no_rerank)):
            if chosen:
                yield name


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(serve)


def serve(given: ServeOptions) -> None:
    """Serve the store over HTTP until it is stopped; see `scrubjay docs http`."""
    level = logging.getLevelNamesMapping().get(given.log_level.upper())
    if level is None:
        raise BadInput("log level", given.log_level, "Use debug, info, warning or error.")
    try:
        from scrubjay.memory import Memory  # brings numpy; see options.py
        from scrubjay.surface.http.readers.messages import Opening
        from scrubjay.surface.http.serving import Listening, bind
        from scrubjay.surface.http.serving import serve as run
        from scrubjay.surface.http.shared.server_settings import ServerSettings
        from scrubjay.surface.http.supervising import inherited_socket, supervise
        from scrubjay.surface.http.watching.watch import Watch
    except ImportError as error:
        raise ExtraMissing("server", error.name or "starlette") from error
    _check(given)
    listening = Listening(given.host, given.port, given.no_auth, inherited_socket())
    if given.processes > 1 and listening.inherited is None:
        with bind(listening) as bound:
            raise typer.Exit(supervise(bound, ["serve", *given.again()], given.store))
    origins = tuple(given.cors_origin or ())
    settings = ServerSettings(given.workers, max(0, given.waiting), cors_origins=origins)
    encoder = None if given.encoder == "none" else given.encoder
    reranker = None if given.no_rerank else "auto"
    watch = Watch()
    memory = Memory.open(given.store, encoder=encoder, reranker=reranker, observer=watch)
    if given.processes > 1:
        # A database's place is shown without its password.
        place = given.store if given.store and "://" in given.store else memory.location
        opening = Opening(place, encoder, reranker, settings.request_seconds, level)
        listening = replace(listening, readers=(opening, given.processes))
    run(memory, listening, state=given.state, settings=settings, watch=watch, log_level=level)


def _check(given: ServeOptions) -> None:
    from scrubjay.surface.http.shared.server_settings import PROCESSES_MAX

    workers, processes = given.workers, given.processes
    if workers is not None and not 1 <= workers <= 256:
        raise BadInput("workers", workers, "Give a number from 1 to 256.")
    if not 1 <= processes <= PROCESSES_MAX:
        raise BadInput("processes", processes, f"Give a number from 1 to {PROCESSES_MAX}.")
    if processes > 1 and (given.store == ":memory:" or sys.platform == "win32"):
        remedy = "Several processes need a store in files or in a database, and not Windows."
        raise BadInput("processes", processes, remedy)
