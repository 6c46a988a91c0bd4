"""Commands for who runs a PostgreSQL store: admin migrate, status, check and distribute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.surface.cli.shared.exits import ExitCode
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import JsonOption
from scrubjay.surface.cli.shared.output import emit
from scrubjay.surface.cli.views.tables import plain, table

# `administration` brings numpy; see options.py.
if TYPE_CHECKING:
    from scrubjay.types.values import Json

UrlArgument = Annotated[
    str, typer.Argument(metavar="URL", help="The store: postgresql://user@host/database.")
]


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    group = typer.Typer(no_args_is_help=True, help="Look after a PostgreSQL store.")
    for function in (migrate, status, check, distribute):
        command(group)(function)
    app.add_typer(group, name="admin")


def migrate(url: UrlArgument, as_json: JsonOption = False) -> None:
    """Bring the database to this version's schema; what is current stays as it is."""
    from scrubjay import administration

    applied = administration.migrate(url)
    place = administration.status(url).location
    changes = ", ".join(map(str, applied)) or "none"
    emit(
        {"store": place, "applied": list(applied)},
        f"{place} has the current schema; changes made: {changes}",
        as_json=as_json,
    )


def status(url: UrlArgument, as_json: JsonOption = False) -> None:
    """Show the schema and the banks with their encoders and sizes; changes nothing."""
    from rich.console import Group

    from scrubjay import administration

    found = administration.status(url)
    shape: Json = {
        "store": found.location,
        "schema": found.schema,
        "newest": found.newest,
        "distributed": found.distributed,
        "banks": [{"name": b.name, "encoder": b.encoder, "units": b.units} for b in found.banks],
    }
    rows = [(bank.name, bank.encoder or "-", str(bank.units)) for bank in found.banks]
    spread = "distributed by bank" if found.distributed else "on one machine"
    said = f"{found.location}: schema {found.schema} of {found.newest}, {spread}"
    emit(
        shape, Group(plain(said, "bold"), table(("bank", "encoder", "units"), rows)),
        as_json=as_json,
    )  # fmt: skip


def check(url: UrlArgument, as_json: JsonOption = False) -> None:
    """Check the isolation of banks, and every bank's tables; exits with 4 if one is wrong."""
    from scrubjay import administration
    from scrubjay.codec.compiled import encode
    from scrubjay.surface.cli.views.reports import findings_view

    found = administration.check(url)
    healthy = not found.isolation and not any(found.banks.values())
    shape: dict[str, Json] = {
        "healthy": healthy,
        "isolation": encode([*found.isolation]),
        "walls": encode([*found.isolation]),  # its name until the next release
        "banks": {name: encode([*findings]) for name, findings in found.banks.items()},
    }
    emit(shape, findings_view({"(all banks)": found.isolation, **found.banks}), as_json=as_json)
    if not healthy:
        raise typer.Exit(ExitCode.PROBLEMS)


def distribute(
    url: UrlArgument,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the statements and change nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Spread the database over its Citus cluster, by bank; repeated, do what is lacking."""
    from scrubjay import administration

    statements = administration.distribute(url, dry_run=dry_run)
    if dry_run and not as_json:
        # For psql as much as for people: no line is broken.
        typer.echo("".join(f"{statement};\n" for statement in statements), nl=False)
        return
    shape: Json = {"changed": bool(statements) and not dry_run, "statements": [*statements]}
    emit(shape, f"{len(statements)} statements were run", as_json=as_json)
