"""Commands about API keys: keys create, list, revoke."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.surface.cli.commands.serve import StateOption
from scrubjay.surface.cli.grouping import command
from scrubjay.surface.cli.options import JsonOption, StoreOption
from scrubjay.surface.cli.output import emit
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
            "--grant", metavar="BANK:SCOPE", help="read, write or admin; * is any bank; repeat."
        ),
    ],
    rate: Annotated[float, typer.Option("--rate", help="Requests per second.")] = 100.0,
    store: StoreOption = None,
    state: StateOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a key; it is shown this once, and only its hash is kept."""
    from scrubjay.surface.http.state.keys import read_grant

    grants = dict(read_grant(text) for text in grant)
    with _keys(store, state) as keys:
        key, secret = keys.create(name, grants, rate)
    emit({**key.to_json(), "key": secret}, secret, as_json=as_json)


def list_keys(
    store: StoreOption = None, state: StateOption = None, as_json: JsonOption = False
) -> None:
    """List keys, the revoked ones too; their secrets are not kept."""
    with _keys(store, state) as keys:
        found = keys.all()
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
    with _keys(store, state) as keys:
        key = keys.revoke(key_id)
    emit(key.to_json(), f"key {key.id} ({key.name}) revoked", as_json=as_json)


@contextmanager
def _keys(store: str | None, state: Path | None) -> Iterator[Keys]:
    from scrubjay.memory import default_directory
    from scrubjay.surface.http.state.database import ServerDatabase, state_directory
    from scrubjay.surface.http.state.keys import Keys

    location = str(default_directory()) if store is None else store
    database = ServerDatabase(state_directory(location, state))
    try:
        yield Keys(database)
    finally:
        database.close()
