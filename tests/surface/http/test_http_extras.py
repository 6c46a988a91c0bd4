"""A part that is not installed is an error that names the extra."""

from __future__ import annotations

import subprocess
import sys

import pytest

BLOCKED = """
import sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from scrubjay.surface.cli import run
sys.exit(run(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    ("package", "arguments", "extra"),
    [
        ("httpx", ["banks", "list", "--store", "http://127.0.0.1:9"], "client"),
        ("starlette,starlette.types", ["serve", "--store", "none"], "server"),
        ("uvicorn", ["serve", "--store", "none"], "server"),
        ("mcp,mcp.server,mcp.server.stdio", ["mcp", "--store", "none"], "mcp"),
    ],
)
def test_a_missing_extra_is_named(package: str, arguments: list[str], extra: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, package, *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert f"pip install 'scrubjay[{extra}]'" in done.stderr
