"""The docs run: every Python block, and every `$ scrubjay` line, page by page.

The blocks of a page run in order, share their names, and stand in an empty directory with an empty
store. No model is there, so recall does without meaning, unless a block says `encoder="hash"` or
names a model, which then must be present. A block under `<!-- not run: reason -->` is left out,
for installation and network commands only.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scrubjay.encoder.catalogue import CATALOGUE
from scrubjay.memory import Memory
from scrubjay.surface.cli import app

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
# What they need is not in this environment; tests/integrations/frameworks runs their blocks.
ELSEWHERE = [
    page for page in PAGES if "<!-- run by: make integrations -->" in page.read_text("utf-8")
]
HERE = [page for page in PAGES if page not in ELSEWHERE]
MODELS = Path(os.environ.get("SCRUBJAY_MODELS") or ROOT / ".models").absolute()
MODEL_NAMES = tuple(model.name for model in CATALOGUE)

REASONS = ("installation", "network")
NOT_RUN = re.compile(r"<!-- not run: (\w+)")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block; `line` is that of its fence."""

    language: str
    text: str
    line: int
    not_run: str | None

    def commands(self) -> list[list[str]]:
        """The arguments of every `$ scrubjay` line, with `\\` at the end of a line joining."""
        joined = self.text.replace("\\\n", " ").splitlines()
        lines = [line.removeprefix("$ ") for line in joined if line.startswith("$ scrubjay")]
        return [shlex.split(line, comments=True)[1:] for line in lines]

    def needs_models(self) -> bool:
        return any(name in self.text for name in MODEL_NAMES)


def blocks_of(page: Path) -> Iterator[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    opened: int | None = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if opened is None:
            opened = number
            continue
        above = NOT_RUN.match(lines[opened - 1]) if opened else None
        text = "\n".join(lines[opened + 1 : number])
        language = lines[opened].removeprefix("```").strip()
        yield Block(language, text, opened + 1, above.group(1) if above else None)
        opened = None
    assert opened is None, f"{page.name}: the block at line {opened} is not closed"


def run_python(block: Block, page: Path, names: dict[str, object]) -> None:
    # Blank lines in front: a traceback then names the line of the page.
    source = "\n" * block.line + block.text
    exec(compile(source, str(page), "exec"), names)


def run_console(block: Block, page: Path) -> None:
    for arguments in block.commands():
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        said = f"{page.name}:{block.line}: scrubjay {shlex.join(arguments)}\n{result.output}"
        assert result.exit_code == 0, said


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCRUBJAY_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("SCRUBJAY_BANK", raising=False)
    return tmp_path


@pytest.mark.parametrize("page", HERE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_run(page: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    try:
        for block in blocks_of(page):
            if block.not_run is not None:
                continue
            home = MODELS if block.needs_models() else place / "no-models"
            monkeypatch.setenv("SCRUBJAY_MODELS", str(home))
            if block.language == "python":
                run_python(block, page, names)
            elif block.language in ("console", "bash"):
                run_console(block, page)
    finally:
        for value in names.values():
            if isinstance(value, Memory):
                value.close()


def test_so_many_snippets_are_run_as_the_pages_say() -> None:
    stated = re.search(r"more than (\d+) of them", (ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert stated is not None
    run = [block for page in PAGES for block in blocks_of(page) if block.not_run is None]
    python = sum(block.language == "python" for block in run)
    commands = sum(len(block.commands()) for block in run if block.language in ("console", "bash"))
    assert python + commands > int(stated.group(1))


def test_only_installation_and_network_commands_are_left_out() -> None:
    findings = [
        f"{page.name}:{block.line}: {block.not_run}"
        for page in PAGES
        for block in blocks_of(page)
        if block.not_run is not None and block.not_run not in REASONS
    ]
    assert not findings, f"run it, or give one of {REASONS} as the reason: {findings}"


def test_a_comment_that_leaves_a_block_out_stands_right_above_it() -> None:
    for page in PAGES:
        marks = sum(map(bool, map(NOT_RUN.match, page.read_text(encoding="utf-8").splitlines())))
        assert marks == sum(block.not_run is not None for block in blocks_of(page)), page.name


def test_the_readme_can_be_tried_at_once() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = min(block.line for block in blocks_of(ROOT / "README.md"))
    assert len(readme) <= 150
    assert first < 15
    python = [block for block in blocks_of(ROOT / "README.md") if block.language == "python"]
    assert len(python[0].text.splitlines()) <= 10


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert not broken
