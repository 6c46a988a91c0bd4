"""What is said where an optional part is not installed."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from scrubjay import ExtraMissing

ROOT = Path(__file__).parents[2]


def test_every_extra_that_an_error_names_can_be_installed() -> None:
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = {extra for text in sources for extra in re.findall(r'ExtraMissing\(\s*"(.+?)"', text)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "langgraph" in named
    assert named <= set(project["project"]["optional-dependencies"])


def test_without_hermes_agent_no_extra_is_named_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "agent", None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, "scrubjay.integrations.hermes", raising=False)
    with pytest.raises(ExtraMissing, match="Install scrubjay into its environment") as raised:
        import_module("scrubjay.integrations.hermes")
    assert raised.value.extra is None
    assert "pip install" not in str(raised.value)
