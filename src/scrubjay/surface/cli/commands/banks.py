"""Commands about banks: banks list, create, delete."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.surface.cli.shared.exits import UsageProblem
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import StoreOptions
from scrubjay.surface.cli.shared.output import emit, show
from scrubjay.surface.cli.shared.values import assignments

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The bank's name.")]


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    banks = typer.Typer(no_args_is_help=True, help="The isolated memory spaces of a store.")
    command(banks, "list")(list_banks)
    command(banks)(create)
    command(banks)(delete)
    app.add_typer(banks, name="banks")


def list_banks(target: StoreOptions) -> None:
    """List the banks of a store."""
    with target.reading() as memory:
        found = memory.banks()
    show(found, as_json=target.as_json)


def create(
    name: NameArgument,
    target: StoreOptions,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting, as timezone=UTC; repeat."),
    ] = None,
) -> None:
    """Make a bank, or change the settings of one."""
    with target.writing() as memory:
        made = memory.bank(name, **assignments(settings or ())).info()
    show(made, as_json=target.as_json)


def delete(
    name: NameArgument,
    target: StoreOptions,
    yes: Annotated[bool, typer.Option("--yes", help="Yes, all of it.")] = False,
) -> None:
    """Erase a bank and its files."""
    if not yes:
        raise UsageProblem(f"Deleting bank {name!r} erases all it remembers; add --yes.")
    with target.writing() as memory:
        memory.delete_bank(name)
    emit({"deleted": name}, f"bank {name} deleted", as_json=target.as_json)
