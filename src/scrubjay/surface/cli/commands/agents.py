"""Commands about coding agents: install, agents serve, agents status, agents stop."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.errors import BadInput, StoreError
from scrubjay.private_files import make_private
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import JsonOption, StoreOption, StoreOptions
from scrubjay.surface.cli.shared.output import emit
from scrubjay.surface.cli.shared.waiting import agents_home
from scrubjay.surface.cli.views.tables import table

# The engine is imported in bodies; see options.py.
if TYPE_CHECKING:
    from rich.table import Table

    from scrubjay.integrations.coding.installing import Change
    from scrubjay.types.values import Json

# An agent is left alone over lunch, and comes back to a memory that answers at once.
_IDLE_MINUTES = 60.0


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    command(app)(install)
    agents = typer.Typer(no_args_is_help=True, help="The local server of coding agents.")
    command(agents)(serve)
    command(agents)(status)
    command(agents)(stop)
    app.add_typer(agents, name="agents")


def install(
    client: Annotated[
        str, typer.Argument(metavar="CLIENT", help="claude-code, codex, cursor or hermes.")
    ],
    project: Annotated[
        bool, typer.Option("--project/--user", help="For this directory, or for all of yours.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
    ] = False,
    uninstall: Annotated[
        bool, typer.Option("--uninstall", help="Take out what was installed.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give an agent this memory, in its own configuration; see `scrubjay docs coding-agents`."""
    from scrubjay.integrations.coding.hook import START
    from scrubjay.integrations.coding.installing import Hooks, changes, write

    home = _home(store)
    root = Path.cwd() if project else Path.home()
    planned = changes(client, root, Hooks(home, _mcp_is_there()), remove=uninstall)
    if not dry_run:
        if not uninstall:
            make_private(home)
            home.chmod(0o700)
            start = "\n".join(_server_command(home.parent))
            (home / START).write_text(f"{start}\n", encoding="utf-8")
        write(planned)
    _show(planned, dry_run=dry_run, as_json=as_json)


def serve(
    target: StoreOptions,
    idle_minutes: Annotated[
        float, typer.Option("--idle-minutes", help="End after so long without a hook.")
    ] = _IDLE_MINUTES,
) -> None:
    """Answer the hooks of coding agents until nobody asks; hooks start it by themselves."""
    from scrubjay.integrations.coding.server import AgentServer, AlreadyRunning

    place = _home(target.store)
    make_private(place)
    if _mcp_is_there():
        from scrubjay.surface.mcp.sharing import local_server

        server = local_server(place, target.writing)
    else:
        server = AgentServer(place, target.writing)
    try:
        with server:
            server.serve(idle_minutes * 60)
    except AlreadyRunning:
        return  # of two that were started at once, one is enough


def status(
    wait: Annotated[
        bool, typer.Option("--wait", help="Answer when all is kept that was handed over.")
    ] = False,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Whether the server runs, and which bank this directory uses."""
    from scrubjay.integrations.coding.places import USER_BANK, bank_of
    from scrubjay.integrations.coding.server import ask_status

    home, bank = _home(store), bank_of(Path.cwd())
    process, waiting = ask_status(home, settled=wait) or (None, 0)
    shape: dict[str, Json] = {
        "running": process is not None, "process": process, "waiting": waiting,
        "bank": bank, "user_bank": USER_BANK, "home": str(home),
    }  # fmt: skip
    emit(shape, table(["what", "value"], [[k, str(v)] for k, v in shape.items()]), as_json=as_json)


def stop(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """End the server, so that other commands can write; the next hook starts it again."""
    from scrubjay.integrations.coding.server import ask_end

    home = _home(store)
    ended = ask_end(home)
    view = "None was running." if ended is None else f"Process {ended} has let go of {home.parent}."
    emit({"process": ended}, view, as_json=as_json)


def _home(store: str | None) -> Path:
    if sys.platform == "win32":
        raise StoreError("Hooks need Unix sockets, which Python has not on Windows. Use MCP there.")
    if store is not None and "://" in store:
        raise BadInput("store", store, "Hooks need a store in a directory of this machine.")
    return agents_home(store)


def _server_command(store: Path) -> list[str]:
    start = [sys.executable, "-m", "scrubjay.surface.cli", "agents", "serve"]
    return [*start, "--store", str(store)]


def _mcp_is_there() -> bool:
    return find_spec("mcp") is not None and find_spec("starlette") is not None


def _show(planned: list[Change], *, dry_run: bool, as_json: bool) -> None:
    """Every file, and what happens to it."""
    rows = [
        (
            "remove" if change.after is None else "write" if change.before is None else "change",
            str(change.path),
        )
        for change in planned
    ]
    shape: dict[str, Json] = {
        "done": not dry_run,
        "changes": [{"what": what, "path": path} for what, path in rows],
    }
    view: Table | str = "Nothing to change: it is as it should be."
    if rows:
        view = table(["what", "file"], [[*row] for row in rows])
    emit(shape, view, as_json=as_json)
