"""Tests against the frameworks themselves; `make integrations` has the environments for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

# By the name of the file: what it needs.
NEEDS = {
    "test_adk.py": "google.adk",
    "test_agent_framework.py": "agent_framework",
    "test_anthropic.py": "anthropic",
    "test_hermes.py": "agent.memory_provider",
    "test_langgraph.py": "langgraph.store",
    "test_llama_index.py": "llama_index.core",
    "test_openai_agents.py": "agents",
    "test_pages.py": "langgraph.store",
    "test_pydantic_ai.py": "pydantic_ai",
}
# `make integrations` names those that must be there: a test that cannot run is then a failure.
REQUIRED = os.environ.get("SCRUBJAY_FRAMEWORKS", "").split()


def is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


MISSING = {file: module for file, module in NEEDS.items() if not is_there(module)}
collect_ignore = [file for file in MISSING if file not in REQUIRED]


def pytest_report_header() -> list[str]:
    left_out = [f"{file} ({module} is not installed)" for file, module in MISSING.items()]
    return [f"left out, see `make integrations`: {', '.join(left_out)}"] if left_out else []


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """A file that is required is collected, and fails where its package is missing."""
    return False if collection_path.name in REQUIRED else None


CALLED: list[str] = []


def refuse_network(event: str, arguments: tuple[object, ...]) -> None:
    """Let nothing out of this machine, and keep where it wanted to go: a framework may try."""
    if event not in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        return
    target = arguments[1] if event != "socket.getaddrinfo" else (arguments[0],)
    host = target[0] if isinstance(target, tuple) else None  # others are names of Unix sockets
    if isinstance(host, str) and host not in ("127.0.0.1", "::1", "localhost"):
        CALLED.append(host)
        raise OSError(f"no test may reach {host}")


if REQUIRED:
    sys.addaudithook(refuse_network)


@pytest.fixture(autouse=True)
def nothing_is_sent() -> Iterator[None]:
    """No framework sends anything, whatever it does by default."""
    yield
    assert CALLED == []
