"""Help, version, and the page that documents every command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from tests.surface.cli.command_line import Cli
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.testing import CliRunner

from scrubjay.surface.cli import app
from scrubjay.surface.cli.shared.exits import MEANINGS

PAGE = (Path(__file__).parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
EVERYWHERE = {"--store", "--bank", "--encoder", "--json", "--help"}


def leaves(command: object, name: str) -> Iterator[tuple[str, list[str], list[str], str]]:
    """Every command: its name, options, arguments and help."""
    if isinstance(command, TyperGroup):
        for child in command.commands.values():
            yield from leaves(child, f"{name} {child.name}")
        return
    assert isinstance(command, TyperCommand)
    options = [opt for one in command.params if isinstance(one, TyperOption) for opt in one.opts]
    arguments = [str(one.metavar) for one in command.params if isinstance(one, TyperArgument)]
    yield name, options, arguments, str(command.help)


COMMANDS = list(leaves(typer.main.get_command(app), "scrubjay"))
NAMES = [name for name, *_ in COMMANDS]


def test_every_command_of_the_contract_is_there() -> None:
    assert {name.split()[1] for name in NAMES} == {
        "retain", "get", "list", "update", "supersede", "forget", "recall", "explain", "parse",
        "history", "pending", "approve", "reject", "feedback", "tune",
        "import", "export", "banks", "entities", "relations", "relate", "link", "conflicts",
        "sessions", "stats", "models", "reembed", "copy", "backup", "restore", "doctor", "demo",
        "bench", "docs", "serve", "console", "mcp", "keys", "admin", "agents", "install",
    }  # fmt: skip


@pytest.mark.parametrize(("name", "options", "arguments", "about"), COMMANDS, ids=NAMES)
def test_help_says_what_a_command_does_and_names_its_options(
    name: str, options: list[str], arguments: list[str], about: str
) -> None:
    shown = CliRunner().invoke(app, [*name.split()[1:], "--help"])
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", shown.stdout).split())
    assert shown.exit_code == 0
    assert " ".join(about.split()) in words
    assert all(option in words for option in [*options, *arguments])


@pytest.mark.parametrize(("name", "options", "arguments", "about"), COMMANDS, ids=NAMES)
def test_the_page_documents_every_command_option_and_argument(
    name: str, options: list[str], arguments: list[str], about: str
) -> None:
    assert about
    heading = " ".join([name, *arguments])
    sections = {part.partition("\n")[0]: part for part in PAGE.split("\n### ")}
    assert f"`{heading}`" in sections, f"docs/cli.md has no section `{heading}`"
    missing = [
        option
        for option in options
        if option not in EVERYWHERE and f"`{option}" not in sections[f"`{heading}`"]
    ]
    assert missing == []


def test_the_page_documents_nothing_that_is_not_there() -> None:
    documented = re.findall(r"^### `(.+)`$", PAGE, re.MULTILINE)
    assert documented == list(dict.fromkeys(documented))
    assert {" ".join([name, *arguments]) for name, _, arguments, _ in COMMANDS} == set(documented)
    known = {option for _, options, _, _ in COMMANDS for option in options}
    known |= {"--version", "--help", "--install-completion", "--show-completion"}
    assert set(re.findall(r"--[a-z][a-z-]+", PAGE)) <= known


def test_exit_codes_are_in_the_help_and_on_the_page(cli: Cli) -> None:
    shown = " ".join(cli("--help").out.split())
    for code, meaning in MEANINGS.items():
        assert f"{code:d} {meaning}" in shown
        assert re.search(rf"^\| {code:d} \|", PAGE, re.MULTILINE)


def test_the_version_is_the_packages_own(cli: Cli) -> None:
    ran = cli("--version")
    assert ran.code == 0
    assert re.fullmatch(r"scrubjay \d+\.\d+\.\d+\S*\n", ran.out)


def test_without_a_command_the_help_is_shown(cli: Cli) -> None:
    ran = cli()
    assert ran.code == 2
    assert "recall" in ran.out
    assert ran.err == ""


def test_the_list_of_commands_cuts_no_sentence() -> None:
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "80"}).output
    assert "..." not in shown.partition("Commands:")[2]
    assert "Replace a unit by another; the old one stays, with its validity closed." in " ".join(
        shown.split()
    )
