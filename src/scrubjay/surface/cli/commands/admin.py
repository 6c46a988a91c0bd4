"""Commands for who runs a PostgreSQL store: admin migrate, status and check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.surface.cli.exits import ExitCode
from scrubjay.surface.cli.grouping import command
from scrubjay.surface.cli.options import JsonOption
from scrubjay.surface.cli.output import emit
from scrubjay.surface.cli.views.tables import table

if TYPE_CHECKING:
    from scrubjay.types import Json

UrlArgument = Annotated[
    str, typer.Argument(metavar="URL", help="The store: postgresql://user@host/database.")
]


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    group = typer.Typer(no_args_is_help=True, help="Look after a PostgreSQL store.")
    for function in (migrate, status, check):
        command(group)(function)
    app.add_typer(group, name="admin")


def migrate(url: UrlArgument, as_json: JsonOption = False) -> None:
    """Bring the database to this version's schema; what is current stays as it is."""
    from scrubjay.memory import Memory  # brings numpy; see options.py

    with Memory.open(url, encoder=None, reranker=None) as memory:
        place = memory.location
    emit({"store": place}, f"{place} has the current schema", as_json=as_json)


def status(url: UrlArgument, as_json: JsonOption = False) -> None:
    """List the banks of a store with their encoders and sizes; changes nothing."""
    from scrubjay.memory import Memory  # brings numpy; see options.py

    with Memory.open(url, encoder=None, reranker=None, read_only=True) as memory:
        banks, place = memory.banks(), memory.location
    shape: Json = {
        "store": place,
        "banks": [{"name": b.name, "encoder": b.encoder, "units": b.units} for b in banks],
    }
    rows = [(bank.name, bank.encoder or "-", str(bank.units)) for bank in banks]
    emit(shape, table(("bank", "encoder", "units"), rows), as_json=as_json)


def check(url: UrlArgument, as_json: JsonOption = False) -> None:
    """Compare every bank's tables with its units; exits with 4 if something is wrong."""
    from scrubjay.memory import Memory  # brings numpy; see options.py
    from scrubjay.surface.cli.views.reports import findings_view
    from scrubjay.surface.payloads import to_json

    with Memory.open(url, encoder=None, reranker=None, read_only=True) as memory:
        found = {bank.name: memory.doctor(bank=bank.name) for bank in memory.banks()}
    healthy = not any(found.values())
    shape: dict[str, Json] = {
        "healthy": healthy,
        "banks": {name: to_json(findings) for name, findings in found.items()},
    }
    emit(shape, findings_view(found), as_json=as_json)
    if not healthy:
        raise typer.Exit(ExitCode.PROBLEMS)
