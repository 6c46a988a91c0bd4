"""The demo command: tell a story, ask it questions, show who found what."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.surface.cli.commands.console import NoOpenOption, PortOption, new_watch, show
from scrubjay.surface.cli.shared.exits import ExitCode
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.options import EncoderOption, JsonOption
from scrubjay.surface.cli.shared.output import emit, progress


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(demo)


def demo(
    presets: Annotated[
        bool, typer.Option("--presets", help="Compare the first three of all six presets.")
    ] = False,
    # Without the variable that names everybody's store: a demo does not write there by chance.
    store: Annotated[
        str | None,
        typer.Option(
            "--store", metavar="PATH", show_default="a temporary one", help="Tell the story here."
        ),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the temporary store.")] = False,
    console: Annotated[
        bool, typer.Option("--console", help="Tell the story, and ask in the browser.")
    ] = False,
    port: PortOption = 0,
    no_open: NoOpenOption = False,
    encoder: EncoderOption = "auto",
    as_json: JsonOption = False,
) -> None:
    """Tell a story, ask it questions, show which searches found what; exits with 1 on a miss."""
    from scrubjay.memory import Memory  # see options.py
    from scrubjay.surface import demo as story
    from scrubjay.surface.cli.views import demos

    script = story.read_script()
    with tempfile.TemporaryDirectory(prefix="scrubjay-demo-") as temporary:
        place = store or (tempfile.mkdtemp(prefix="scrubjay-demo-") if keep else temporary)
        chosen = None if encoder == "none" else encoder
        if console:
            watch = new_watch()
            memory = Memory.open(place, encoder=chosen, clock=lambda: script.now, observer=watch)
            with progress("telling the story") as tell:
                story.tell_story(memory, tell)
            show(memory, watch, bank=story.BANK, port=port, no_open=no_open)
            return
        with (
            Memory.open(place, encoder=chosen, clock=lambda: script.now) as memory,
            progress("telling the story") as tell,
        ):
            told = story.tell_story(memory, tell)
            names = story.PRESETS if presets else ("default",)
            answers = {name: story.ask(memory, script, name) for name in names}
    kept = Path(place) if store or keep else None
    report = demos.Report(told, script.now, answers, kept)
    view = demos.presets_view(report) if presets else demos.demo_view(report)
    emit(demos.report_to_json(report), view, as_json=as_json)
    if report.failed:
        raise typer.Exit(ExitCode.FAILED)
