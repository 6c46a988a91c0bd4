"""Whatever a user can set, call, catch or run is named in the docs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
import typer
from typer.core import TyperGroup

from scrubjay import Bank, RecallOptions, Unit, UnitFilter, errors, limits
from scrubjay.engine.presets import PRESETS
from scrubjay.settings import BankSettings
from scrubjay.surface.cli import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def in_code(text: str) -> set[str]:
    """The words that stand in `code` or at the start of a code span."""
    return set(re.findall(r"`([\w.]+)", text))


def names_of(owner: type) -> list[str]:
    return [field.name for field in fields(owner)]


def commands(group: TyperGroup, path: tuple[str, ...]) -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name))


def all_commands() -> list[str]:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    return sorted(commands(root, ("scrubjay",)))


@pytest.mark.parametrize(
    ("owner", "where"),
    [
        (BankSettings, "operations.md"),
        (RecallOptions, "recall.md"),
        (Unit, "retain.md"),
        (UnitFilter, "retain.md"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_every_field_is_on_its_page(owner: type, where: str) -> None:
    missing = set(names_of(owner)) - in_code(page(where))
    assert not missing


def test_every_error_class_is_on_the_errors_page() -> None:
    classes = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.ScrubjayError)
    }
    listed = set(re.findall(r"^\| `(\w+)` \|", page("errors.md"), re.MULTILINE))
    assert listed == classes


def test_every_preset_is_on_the_presets_page() -> None:
    assert set(PRESETS) <= in_code(page("presets.md"))


def test_every_limit_is_on_the_operations_page_with_its_number() -> None:
    bounds = {name: value for name, value in vars(limits).items() if name.isupper()}
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| ([\d,]+) \|", page("operations.md"), re.MULTILINE))
    assert table == {name: f"{value:,}" for name, value in bounds.items()}


def test_every_setting_is_listed_with_its_default() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", page("operations.md"), re.MULTILINE))
    defaults = {field.name: getattr(BankSettings(), field.name) for field in fields(BankSettings)}
    assert table.keys() >= defaults.keys()
    wrong = [
        name
        for name, value in defaults.items()
        if table[name] != (", ".join(value) or "none" if isinstance(value, tuple) else str(value))
    ]
    assert not wrong


def test_every_recall_option_is_listed_with_its_default() -> None:
    section = page("recall.md").split("## Options\n", 1)[1].split("\n## ", 1)[0]
    table = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE))
    shown = {
        field.name: "`{}`" if field.default_factory is dict else f"`{field.default!r}`"
        for field in fields(RecallOptions)
    }
    assert {name: table.get(name) for name in shown} == shown


def test_every_method_of_a_bank_is_in_the_docs() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    public = [name for name in vars(Bank) if not name.startswith("_")]
    missing = [name for name in public if not re.search(rf"\b{name}\b", text)]
    assert not missing


def test_every_environment_variable_is_on_the_operations_page() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    used = {name for source in sources for name in re.findall(r"\bSCRUBJAY_[A-Z_]+\b", source)}
    assert used
    assert not used - in_code(page("operations.md"))


@pytest.mark.parametrize("command", all_commands())
def test_every_command_is_in_the_docs(command: str) -> None:
    pages = [ROOT / "README.md", *DOCS.glob("*.md")]
    assert any(command in path.read_text(encoding="utf-8") for path in pages)


def test_every_core_dependency_has_its_reasons() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = project.split("\ndependencies = [", 1)[1].split("]", 1)[0]
    names = re.findall(r'"([A-Za-z0-9]+)', listed)
    assert names
    assert not [name for name in names if f"| `{name}` |" not in page("dependencies.md")]
