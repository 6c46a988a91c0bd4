"""Commands that look things up: get, history, list, pending, stats."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions, FilterOptions
from scrubjay.surface.cli.shared.output import emit, show


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    command(app)(get)
    command(app)(history)
    command(app, "list")(list_units)
    command(app)(pending)
    command(app)(stats)


def get(
    unit_id: Annotated[str, typer.Argument(metavar="ID", help="The unit.")], target: BankOptions
) -> None:
    """Show one unit, every field."""
    with target.reading() as memory:
        unit = memory.get(unit_id, bank=target.bank)
    show(unit, as_json=target.as_json)


def history(
    unit_id: Annotated[str, typer.Argument(metavar="ID", help="The unit.")], target: BankOptions
) -> None:
    """Show a unit among what it replaced and what replaced it, oldest first."""
    from scrubjay.codec.compiled import encode  # brings numpy; see options.py
    from scrubjay.surface.cli.views.reports import lineage_view

    with target.reading() as memory:
        units = memory.history(unit_id, bank=target.bank)
    emit({"units": encode(units)}, lineage_view(units), as_json=target.as_json)


def list_units(
    where: FilterOptions,
    target: BankOptions,
    limit: Annotated[int, typer.Option("--limit", help="Units on this page, at most 1000.")] = 100,
    cursor: Annotated[
        str | None, typer.Option("--cursor", help="Where the page before this one ended.")
    ] = None,
    order: Annotated[
        str,
        typer.Option(
            "--order", help="oldest, newest, told, occurred; -told, -occurred: latest first."
        ),
    ] = "oldest",
) -> None:
    """List units that pass a filter, by default in the order they were stored."""
    from scrubjay.codec.compiled import encode  # brings numpy; see options.py
    from scrubjay.surface.cli.views.reports import page_view

    with target.reading() as memory:
        page = memory.list(where.given(), bank=target.bank, limit=limit, cursor=cursor, order=order)
    emit(encode(page), page_view(page), as_json=target.as_json)


def pending(
    target: BankOptions,
    limit: Annotated[int, typer.Option("--limit", help="Units on this page, at most 1000.")] = 100,
    offset: Annotated[int, typer.Option("--offset", help="Leave out so many first.")] = 0,
) -> None:
    """List units that wait to be approved, oldest first."""
    from scrubjay.codec.compiled import encode  # brings numpy; see options.py
    from scrubjay.surface.cli.views.reports import pending_view

    with target.reading() as memory:
        found = memory.pending(bank=target.bank, limit=limit, offset=offset)
    emit(encode(found), pending_view(found), as_json=target.as_json)


def stats(target: BankOptions) -> None:
    """Show a bank's counts and sizes."""
    with target.reading() as memory:
        counted = memory.stats(bank=target.bank)
    show(counted, as_json=target.as_json)
