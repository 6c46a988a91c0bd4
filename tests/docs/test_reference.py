"""The references made from the code leave nothing public out, and the site has every page."""

from __future__ import annotations

import inspect
import re

import pytest
import typer
import yaml
from tests.docs.test_docs_complete import all_commands
from tools import pages, reference
from typer.core import TyperGroup

import scrubjay
import scrubjay.testing
from scrubjay.surface.cli import app
from scrubjay.surface.cli.shared.manual import manual_pages, whole_manual
from scrubjay.surface.http.routes.table import ROUTES

PYTHON = reference.python_reference()
COMMANDS = reference.command_reference()
HTTP = reference.http_reference()


def sections(page: str, level: str) -> dict[str, str]:
    """What stands under each heading of one level, by the heading."""
    parts = re.split(rf"^{level} (.+)$", page, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("name", scrubjay.__all__)
def test_every_public_name_is_in_the_python_reference_with_its_docstring(name: str) -> None:
    said = inspect.getdoc(getattr(scrubjay, name))
    assert said
    assert said.splitlines()[0] in sections(PYTHON, "##")[name]


def test_every_method_of_a_bank_has_a_section_with_its_promise() -> None:
    public = [name for name in dir(scrubjay.Bank) if not name.startswith("_")]
    found = sections(PYTHON, "###")
    silent = [
        name
        for name in public
        if callable(getattr(scrubjay.Bank, name))
        and (inspect.getdoc(getattr(scrubjay.Bank, name)) or "?") not in found[f"Bank.{name}"]
    ]
    assert not silent


def test_the_fakes_are_in_the_python_reference() -> None:
    assert {f"scrubjay.testing.{name}" for name in scrubjay.testing.__all__} <= set(
        sections(PYTHON, "##")
    )


@pytest.mark.parametrize("command", all_commands())
def test_every_option_of_a_command_is_in_the_command_reference(command: str) -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    found = dict(reference.commands(root))[command]
    options = {option for one in found.params for option in one.opts if option.startswith("--")}
    assert options - {"--help"} <= set(re.findall(r"--[\w-]+", sections(COMMANDS, "##")[command]))


def test_every_route_is_in_the_http_reference() -> None:
    wanted = {f"{route.method} {route.path}": route.summary for route in ROUTES}
    found = sections(HTTP, "###")
    assert not [name for name, summary in wanted.items() if summary not in found.get(name, "")]


def test_every_shape_that_the_http_reference_links_to_is_there() -> None:
    linked = set(re.findall(r"\]\(#([\w-]+)\)", HTTP))
    assert linked
    assert linked <= {name.lower() for name in sections(HTTP, "###")}


def in_navigation() -> list[str]:
    def leaves(node: object) -> list[str]:
        if isinstance(node, str):
            return [node]
        inner = node.values() if isinstance(node, dict) else node
        assert not isinstance(inner, int | float | None)
        return [leaf for one in inner for leaf in leaves(one)]  # type: ignore[attr-defined]

    return leaves(yaml.safe_load((pages.ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])


def test_every_page_is_in_the_sites_navigation_once() -> None:
    made = {"reference/python.md", "reference/commands.md", "reference/http.md"}
    made |= {f"project/{name.lower()}.md" for name in pages.OF_THE_PROJECT}
    shown = in_navigation()
    assert sorted(shown) == sorted({f"{page.name}.md" for page in manual_pages(pages.DOCS)} | made)


def test_every_page_says_what_it_is_for_in_a_sentence() -> None:
    assert not [page.name for page in manual_pages(pages.DOCS) if not page.title or not page.about]


def test_links_out_of_the_docs_lead_to_the_source_on_the_site() -> None:
    text = "[a](../src/scrubjay/bank.py) [b](../SECURITY.md#reporting) [c](recall.md) [d](#here)"
    source = pages.source_address()
    assert pages.on_the_site(text, "docs/errors.md") == (
        f"[a]({source}/src/scrubjay/bank.py) [b](project/security.md#reporting) "
        "[c](recall.md) [d](#here)"
    )


def test_one_file_holds_every_page_for_agents() -> None:
    whole = whole_manual(pages.DOCS)
    index = pages.llms_index()
    for page in manual_pages(pages.DOCS):
        assert f"[{page.title}]({page.name}.md)" in index
        assert (pages.DOCS / f"{page.name}.md").read_text(encoding="utf-8").strip() in whole
