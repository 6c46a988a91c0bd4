"""The root of the command line: its help, its version, and where every error ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from scrubjay.errors import ScrubjayError
from scrubjay.surface.cli.shared.exits import MEANINGS, ExitCode, complain, exit_code_of
from scrubjay.surface.cli.shared.wording import in_options

app = typer.Typer(
    name="scrubjay",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    # Help in boxes takes rich and its Markdown, which is more than all the rest of `--help`.
    rich_markup_mode=None,
    context_settings={"max_content_width": 120},
    epilog=(
        "The docs came along: `scrubjay docs`. "
        f"Exit codes: {'; '.join(f'{code:d} {said}' for code, said in MEANINGS.items())}."
    ),
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # with it comes the whole of `email`

        typer.echo(f"scrubjay {version('scrubjay')}")
        raise typer.Exit


@app.callback()
def root(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Memory for AI agents: four searches, one ranked answer."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; errors are a line on stderr."""
    options = list(arguments)
    as_json = "--json" in (options[: options.index("--")] if "--" in options else options)
    try:
        code = int(app(options, prog_name="scrubjay", standalone_mode=False) or ExitCode.OK)
        if sys.stdout is not None:
            sys.stdout.flush()  # while a reader that is gone can still be told from a failure
        return code
    except ScrubjayError as error:
        complain(type(error).__name__, in_options(error, options), as_json=as_json)
        return exit_code_of(error)
    except typer.TyperException as error:
        message = error.format_message()
        # Without a command its message is the help, which is no complaint.
        if type(error).__name__ == "NoArgsIsHelpError":
            typer.echo(message)
        else:
            complain("Usage", message, as_json=as_json)
        return ExitCode.USAGE
    except BrokenPipeError:
        # Whoever read our output has what it wanted. The end of Python would flush it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return ExitCode.FAILED
    except OSError as error:
        complain("OSError", str(error), as_json=as_json)
        return ExitCode.FAILED


def main() -> None:
    """Run the command in sys.argv and leave with its exit code."""
    sys.exit(run(sys.argv[1:]))
