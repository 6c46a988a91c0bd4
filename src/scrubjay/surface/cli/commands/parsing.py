"""The parse command: what a question says, for one question or a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.surface.cli.shared.exits import ExitCode, UsageProblem
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import BankOptions
from scrubjay.surface.cli.shared.output import STDIN, emit, print_json
from scrubjay.surface.cli.views.tables import view_of

if TYPE_CHECKING:
    from scrubjay.memory import Memory
    from scrubjay.types.values import Json


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(parse)


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and when a question is asked."""

    now: Annotated[
        str | None, typer.Option("--now", help="The time of asking: ISO; without a zone, in --tz.")
    ] = None
    tz: Annotated[
        str | None,
        typer.Option("--tz", metavar="ZONE", show_default="the bank's", help="As Europe/Berlin."),
    ] = None
    session: Annotated[
        str | None, typer.Option("--session", help="The conversation it is asked in.")
    ] = None


def parse(
    scene: Scene,
    target: BankOptions,
    question: Annotated[
        str | None, typer.Argument(metavar="[QUESTION]", help="In your own words.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help='Many questions: lines of {"q", "now", "tz"}; one line of JSON out for each.',
        ),
    ] = None,
) -> None:
    """Show what a question says: the time it asks about, whom it names, the types it hints at."""
    if (question is None) == (file is None):
        raise UsageProblem("Give a question, or --file.")
    with target.reading_if_there() as memory:
        if question is not None:
            shape = _read(memory, target.bank, question, scene)
            emit(shape, view_of(shape), as_json=target.as_json)
        elif file is not None and not all(_print_each(memory, target.bank, file, scene)):
            raise typer.Exit(ExitCode.USAGE)


def _print_each(memory: Memory, bank: str, file: Path, scene: Scene) -> list[bool]:
    """Print a line for each line of the file, an error's too; which of them were read."""
    from scrubjay.surface.payloads import error_to_json  # see options.py

    read: list[bool] = []
    for line in _lines(file):
        try:
            question, own = _asked(line, scene)
            shape = _read(memory, bank, question, own)
            read.append(True)
        except ScrubjayError as error:
            shape = error_to_json(type(error).__name__, str(error))
            read.append(False)
        print_json(shape)
    return read


def _lines(file: Path) -> Iterator[str]:
    try:
        source = Path(STDIN) if file == Path("-") else file
        with source.open(encoding="utf-8", errors="replace") as lines:
            yield from (line for line in lines if line.strip())
    except OSError as error:
        raise BadInput(f"cannot read ({error.strerror})", str(file), "Check the path.") from error


def _asked(line: str, scene: Scene) -> tuple[str, Scene]:
    try:
        given = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        given = None
    if not isinstance(given, dict) or not isinstance(given.get("q"), str):
        raise BadInput("line", line.strip(), 'Give {"q": "...", "now": "...", "tz": "..."}.')
    now, tz = given.get("now", scene.now), given.get("tz", scene.tz)
    return given["q"], Scene(now and str(now), tz and str(tz), scene.session)


def _read(memory: Memory, bank: str, question: str, scene: Scene) -> dict[str, Json]:
    from scrubjay.settings import zone_of  # see options.py
    from scrubjay.surface.payloads import parsed_to_json

    zone = memory.bank(bank).settings.zone if scene.tz is None else zone_of(scene.tz)
    now = None if scene.now is None else _moment(scene.now, zone)
    parsed = memory.parse(question, bank=bank, now=now, session=scene.session, timezone=scene.tz)
    plan = memory.plan(question, bank=bank, now=now, session=scene.session)
    return parsed_to_json(parsed, plan, zone)


def _moment(text: str, zone: ZoneInfo) -> datetime:
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(
            "now", text, "Give an ISO time, such as 2026-03-02T09:30:00, or a day."
        ) from None
    return given if given.tzinfo is not None else given.replace(tzinfo=zone)
