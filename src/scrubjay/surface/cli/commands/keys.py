"""Commands about API keys: keys create, list, revoke."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.errors import BadInput, NotFound
from scrubjay.surface.cli.commands.serve import StateOption
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import JsonOption, StoreOption
from scrubjay.surface.cli.shared.output import emit, print_json
from scrubjay.surface.cli.views.tables import table

# The server's state comes with the memory and numpy, so it is imported in bodies; see options.py.
if TYPE_CHECKING:
    from scrubjay.surface.http.state.keys import Key, Keys


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    keys = typer.Typer(no_args_is_help=True, help="Who may use a server.")
    command(keys)(create)
    command(keys, "list")(list_keys)
    command(keys)(revoke)
    app.add_typer(keys, name="keys")


def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Who will use it.")],
    grant: Annotated[
        list[str],
        typer.Option(
            "--grant",
            metavar="BANK:SCOPE",
            help="read, write or admin; * is every bank, and '*:metrics' only watches; repeat.",
        ),
    ],
    rate: Annotated[float, typer.Option("--rate", help="Requests per second.")] = 100.0,
    store: StoreOption = None,
    state: StateOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a key; it is shown this once, and only its hash is kept."""
    from scrubjay.surface.http.state.keys import read_grants

    with _keys(_directory(store, state)) as keys:
        key, secret = keys.create(name, read_grants(grant), rate)
    if as_json:
        print_json({**key.to_json(), "key": secret})
        return
    typer.echo(secret)  # a line of its own, whole, so that KEY=$(...) works
    typer.echo(f"Key {key.id} ({key.name}) is shown this once. Send it as "
               "'Authorization: Bearer KEY'.", err=True)  # fmt: skip


def list_keys(
    store: StoreOption = None, state: StateOption = None, as_json: JsonOption = False
) -> None:
    """List keys, the revoked ones too; their secrets are not kept."""
    directory = _directory(store, state)
    found = []
    if (directory / "server.db").is_file():  # to look must not make one
        with _keys(directory) as keys:
            found = keys.all()
    if not found and not as_json:
        typer.echo(f"There are no keys in {directory}. Make one with `scrubjay keys create NAME "
                   "--grant BANK:SCOPE`.", err=True)  # fmt: skip
        return
    rows = [
        (key.id, key.name, _grants(key), f"{key.rate:g}/s", key.created_at, key.revoked_at or "")
        for key in found
    ]
    view = table(("id", "name", "grants", "rate", "created", "revoked"), rows)
    emit([key.to_json() for key in found], view, as_json=as_json)


def _grants(key: Key) -> str:
    return " ".join(f"{bank}:{scope.name.lower()}" for bank, scope in key.grants.items())


def revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="From `keys list`.")],
    store: StoreOption = None,
    state: StateOption = None,
    as_json: JsonOption = False,
) -> None:
    """Close a key at once and for good, also at a server that is running."""
    directory = _directory(store, state)
    if not (directory / "server.db").is_file():
        raise NotFound("no keys in", str(directory), "Give the server's --store, or its --state.")
    with _keys(directory) as keys:
        key = keys.revoke(key_id)
    emit(key.to_json(), f"key {key.id} ({key.name}) revoked", as_json=as_json)


def _directory(store: str | None, state: Path | None) -> Path:
    from scrubjay.backend import default_directory
    from scrubjay.surface.http.state.database import state_directory

    location = str(default_directory()) if store is None else store
    directory = state_directory(location, state)
    if directory is None:
        raise BadInput("store", location, "A store in memory has no keys: give a directory.")
    return directory


@contextmanager
def _keys(directory: Path) -> Iterator[Keys]:
    from scrubjay.surface.http.state.database import ServerDatabase
    from scrubjay.surface.http.state.keys import Keys

    database = ServerDatabase(directory)
    try:
        yield Keys(database)
    finally:
        database.close()
