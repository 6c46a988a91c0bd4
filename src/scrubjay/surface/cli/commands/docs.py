"""The docs command: the pages that came with the package, in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from scrubjay.surface.cli.shared.exits import UsageProblem
from scrubjay.surface.cli.shared.grouping import command
from scrubjay.surface.cli.shared.manual import find_page, manual_pages, whole_manual
from scrubjay.surface.cli.shared.options import JsonOption


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    command(app)(docs)


def docs(
    page: Annotated[
        str | None, typer.Argument(metavar="[PAGE]", help="Which; none: a list of them.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every page in one, for an agent to read.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read the documentation of this version; alone, list its pages."""
    from scrubjay.surface.cli.shared.output import draw, print_json
    from scrubjay.surface.cli.views.tables import table

    if everything and page is not None:
        raise UsageProblem("Give a page or --all, one of the two.")
    if page is None and not everything:
        pages = manual_pages()
        if as_json:
            print_json(
                {
                    "pages": [
                        {"name": one.name, "title": one.title, "about": one.about} for one in pages
                    ]
                }
            )
            return
        draw(table(("page", "what it says"), [(one.name, one.about) for one in pages]))
        draw("`scrubjay docs PAGE` shows one.")
        return
    text = whole_manual() if page is None else find_page(page).text
    if as_json:
        print_json({"text": text})
    elif sys.stdout.isatty():
        from rich.markdown import Markdown

        draw(Markdown(text))
    else:
        typer.echo(text, nl=False)
