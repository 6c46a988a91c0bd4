"""The bill of materials lists what scrubjay is installed with, each with version and licence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tools.sbom import bill

ROOT = Path(__file__).parents[2]


def test_every_core_dependency_and_what_it_needs_is_listed() -> None:
    made = bill()
    components = made["components"]
    assert isinstance(components, list)
    names = {component["name"] for component in components}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core = {re.split(r"[<>=\[]", one)[0].lower() for one in project["dependencies"]}
    assert core | {"scrubjay-model", "huggingface-hub", "starlette"} <= names
    assert not names & {"pytest", "ruff", "scrubjay"}
    assert all(component["version"] and component["purl"] for component in components)
