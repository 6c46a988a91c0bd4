"""Every address, tool and option of the servers is named in the docs."""

from __future__ import annotations

import re
from pathlib import Path

from scrubjay.surface.http.routes.openapi import PROBLEMS
from scrubjay.surface.http.routes.table import ROUTES
from scrubjay.surface.mcp.tools import TOOLS

DOCS = Path(__file__).parents[3] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_every_route_is_listed_with_its_scope() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \| `(\S+)` \| (\w+) \|", page("http.md"), re.MULTILINE))
    table = {
        (one.method, one.path, "none" if one.scope is None else one.scope.name.lower())
        for one in ROUTES
    }
    assert listed == table


def test_every_status_of_a_problem_is_explained() -> None:
    section = page("http.md").split("## Errors", 1)[1].split("## Keys", 1)[0]
    missing = [status for status in PROBLEMS if str(status) not in section]
    assert not missing


def test_every_tool_is_listed() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", page("mcp.md"), re.MULTILINE))
    assert listed == {tool.name for tool in TOOLS}
