"""Commands about conversations: sessions log, start, end."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions
from scrubjay.surface.cli.shared.output import show
from scrubjay.surface.cli.shared.values import moment_or_none

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The conversation's name.")]
AtOption = Annotated[str | None, typer.Option("--at", help="When: ISO time with its zone; now.")]


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    sessions = typer.Typer(no_args_is_help=True, help="The log of conversations.")
    for function in (log, start, end):
        command(sessions)(function)
    app.add_typer(sessions, name="sessions")


def log(target: BankOptions) -> None:
    """List conversations, oldest first."""
    with target.reading() as memory:
        found = memory.sessions(bank=target.bank)
    show(found, as_json=target.as_json)


def start(name: NameArgument, target: BankOptions, at: AtOption = None) -> None:
    """Log that a conversation began."""
    with target.writing() as memory:
        started = memory.start_session(name, at=moment_or_none("--at", at), bank=target.bank)
    show(started, as_json=target.as_json)


def end(name: NameArgument, target: BankOptions, at: AtOption = None) -> None:
    """Log that a conversation ended."""
    with target.writing() as memory:
        ended = memory.end_session(name, at=moment_or_none("--at", at), bank=target.bank)
    show(ended, as_json=target.as_json)
