"""The public names and the version are the same in the code, the docs and the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import scrubjay

ROOT = Path(__file__).parents[1]


def documented_names() -> list[str]:
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    section = page.split("## Public names\n", 1)[1].split("\n## ", 1)[0]
    cells = [line.split("|")[2] for line in section.splitlines() if line.startswith("| ")]
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


def test_the_public_names_are_the_documented_ones() -> None:
    assert sorted(documented_names()) == sorted(scrubjay.__all__)


def test_each_public_name_is_listed_once_and_exists() -> None:
    assert len(set(scrubjay.__all__)) == len(scrubjay.__all__)
    missing = [name for name in scrubjay.__all__ if not hasattr(scrubjay, name)]
    assert not missing


def test_type_checkers_are_told_of_the_same_names() -> None:
    source = Path(scrubjay.__file__).read_text(encoding="utf-8")
    assert sorted(re.findall(r"(\w+) as \1\b", source)) == scrubjay.__all__


def test_every_public_name_says_what_it_is_for() -> None:
    silent = [name for name in scrubjay.__all__ if not getattr(scrubjay, name).__doc__]
    assert not silent


def test_the_version_stands_in_one_place_and_is_the_newest_in_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" in project["dynamic"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## \[?(\d+\.\d+\.\d+)", changelog, re.MULTILINE)[0]
    assert scrubjay.__version__ == newest
