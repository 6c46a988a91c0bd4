"""What the docs say can be looked up: measured numbers, paths, names, extras, what is printed."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from bench.pages import BLOCKS, PAGES, written
from tests.docs.test_snippets import MODELS, ROOT, blocks_of
from tests.docs.test_snippets import PAGES as ALL_PAGES

import scrubjay
from scrubjay import errors
from scrubjay.engine.plan.optimizer import INLINE_UNITS_MAX

# Where a path in the docs may start from.
PLACES = (ROOT, ROOT / "src", ROOT / "src" / "scrubjay", ROOT / "docs", ROOT / "bench" / "results")
PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.(?:py|sql|md|toml|json|jsonl))?)`")
DOTTED = re.compile(r"`(scrubjay(?:\.\w+)+)")
# Folders of a store or a server, which are not part of the source.
OF_A_STORE = ("banks/", "index/", "server/", "spool/")
# An attribute of a span; loggers have dotted names too.
NOT_PYTHON = {"scrubjay.request_id", "scrubjay.reserve"}
LOGGER = re.compile(r'getLogger\("([\w.]+)"\)')


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_measured_numbers_are_those_of_the_result_files(page: Path) -> None:
    assert text_of(page) == written(text_of(page)), "run `python -m bench.pages`"


def test_every_measured_block_stands_on_some_page() -> None:
    shown = {
        name for page in PAGES for name in re.findall(r"<!-- measured: ([\w-]+)", text_of(page))
    }
    assert shown == set(BLOCKS)


def test_every_path_in_the_docs_is_there() -> None:
    missing = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in ALL_PAGES
        for path in PATH.findall(text_of(page))
        if not path.startswith(OF_A_STORE) and not any((at / path).exists() for at in PLACES)
    ]
    assert not missing


def importable(dotted: str) -> bool:
    """Whether a dotted name leads to a module, or to something in one."""
    parts = dotted.split(".")
    found: object = scrubjay
    for depth, part in enumerate(parts[1:], start=2):
        if not hasattr(found, part):
            try:
                found = importlib.import_module(".".join(parts[:depth]))
            except ModuleNotFoundError:
                return False
        else:
            found = getattr(found, part)
    return True


def test_every_dotted_name_in_the_docs_can_be_imported() -> None:
    sources = (ROOT / "src").rglob("*.py")
    loggers = {name for source in sources for name in LOGGER.findall(text_of(source))}
    names = {
        (page.name, name)
        for page in ALL_PAGES
        for name in DOTTED.findall(text_of(page))
        if name not in NOT_PYTHON | loggers
    }
    assert names
    assert not [(page, name) for page, name in sorted(names) if not importable(name)]


def test_every_error_can_be_imported_from_where_the_page_says() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", text_of(ROOT / "docs" / "errors.md"), re.MULTILINE)
    assert listed
    assert not [name for name in listed if getattr(scrubjay, name) is not getattr(errors, name)]


def test_the_docs_say_where_threads_begin() -> None:
    shown = f"{INLINE_UNITS_MAX:,} units"
    for page in ("README.md", "docs/internals.md", "docs/recall.md"):
        assert re.search(rf"[Uu]p to {shown}", text_of(ROOT / page)), page


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    extras = {
        extra: {re.split(r"[<>=]", requirement)[0] for requirement in required}
        for extra, required in project["optional-dependencies"].items()
    }
    page = text_of(ROOT / "docs" / "dependencies.md").split("## Extras\n", 1)[1]
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \| ", page, re.MULTILINE)
    assert {extra: set(re.findall(r"`([^`]+)`", packages)) for extra, packages in rows} == extras


def test_the_readme_shows_what_the_demo_prints() -> None:
    environment = {**os.environ, "SCRUBJAY_MODELS": str(MODELS)}
    command = [sys.executable, "-m", "scrubjay.surface.cli", "demo"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    printed = " ".join(ran.stdout.split())
    (shown,) = (block for block in blocks_of(ROOT / "README.md") if block.language == "text")
    # The page leaves answers out, but changes nothing in those it shows.
    lines = [" ".join(line.split()) for line in shown.text.splitlines() if line]
    assert not [line for line in lines if line not in printed]
    at_first = [line for line in lines if line.startswith("✓ 1 ")]
    assert at_first
    for answer in at_first:
        found_by = lines[lines.index(answer) + 1]
        assert f"{answer} {found_by}" in printed
