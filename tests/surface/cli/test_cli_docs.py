"""docs: the pages that came with the package; and no help or error that points past them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.surface.cli.command_line import Cli

from scrubjay.surface.cli.shared.manual import find_page, manual_pages

SOURCE = Path(__file__).parents[3] / "src" / "scrubjay"


def test_the_list_names_every_page_with_what_it_says(cli: Cli) -> None:
    listed = cli("docs", "--json").json["pages"]
    assert {"recall", "guides/agent", "tutorial"} <= {page["name"] for page in listed}
    assert all(page["about"] for page in listed)
    assert "guides/agent" in cli("docs").out


def test_a_page_is_shown_as_it_was_written(cli: Cli) -> None:
    assert cli("docs", "recall").out.startswith("# Recall")
    assert cli("docs", "agent").out == cli("docs", "guides/agent").out
    assert cli("docs", "docs/recall.md").out == cli("docs", "recall").out


def test_all_pages_come_in_one(cli: Cli) -> None:
    shown = cli("docs", "--all").out
    assert all(page.text.strip() in shown for page in manual_pages())


def test_an_unknown_page_is_refused_with_those_there_are(cli: Cli) -> None:
    refused = cli("docs", "no-such-page")
    assert refused.code == 3
    assert "recall" in refused.err
    assert cli("docs", "recall", "--all").code == 2


def texts_for_people() -> list[str]:
    """Strings of the source that may be shown: all but those docstrings that only readers see."""
    shown = []
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        is_command = "surface/cli/commands" in path.as_posix()
        hidden = set()
        for node in ast.walk(tree):
            owners = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            if isinstance(node, owners) and ast.get_docstring(node) and not is_command:
                first = node.body[0]
                assert isinstance(first, ast.Expr)
                hidden.add(id(first.value))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                shown += [] if id(node) in hidden else [node.value]
    return shown


def test_nothing_that_is_shown_points_to_a_file_of_the_checkout() -> None:
    texts = texts_for_people()
    assert not [
        text for text in texts if re.search(r"\bdocs/[\w/-]+\.md|\bdocs/integrations", text)
    ]


def test_every_page_that_is_pointed_to_is_there() -> None:
    named = {
        name for text in texts_for_people() for name in re.findall(r"`scrubjay docs (\S+)`", text)
    }
    named -= {"PAGE"}
    assert {"mcp", "http", "postgres"} <= named
    assert all(find_page(name) for name in named)
