"""What is imported before anything is asked for: held by modules, since times differ by machine."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {
    "asyncio", "email", "httpx", "huggingface_hub", "numkong", "numpy", "onnxruntime", "rich",
    "sqlite3", "ssl", "starlette", "Stemmer", "tokenizers", "typer", "usearch",
    "scrubjay.answers", "scrubjay.backend", "scrubjay.codec", "scrubjay.encoder", "scrubjay.engine",
    "scrubjay.language", "scrubjay.store", "scrubjay.types",
}  # fmt: skip


def imported_by(program: str) -> set[str]:
    shown = f"{program}\nimport json, sys\nsys.stderr.write(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(json.loads(ran.stderr))


@pytest.mark.parametrize("name", ["Memory", "Bank", "AsyncMemory", "ScrubjayError", "bank_for"])
def test_a_name_of_the_facade_brings_nothing_heavy(name: str) -> None:
    # The asynchronous classes bring asyncio, of course.
    allowed = {"asyncio", "ssl"} if name.startswith("Async") else set()
    found = imported_by(f"from scrubjay import {name}")
    assert "scrubjay.errors" in found
    assert not found & (HEAVY - allowed)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["recall", "--help"]])
def test_help_brings_what_parses_options_and_nothing_else(arguments: list[str]) -> None:
    found = imported_by(f"from scrubjay.surface.cli import run\nassert run({arguments!r}) == 0")
    assert "typer" in found
    # The package's metadata come with `email`: the version, and pydantic's plugins, by which Typer
    # shows a command's options where pydantic is.
    allowed = {"typer"} if arguments == ["--help"] else {"typer", "email"}
    assert not found & (HEAVY - allowed)


def test_what_is_imported_later_is_there_when_it_is_used() -> None:
    program = (
        "from scrubjay import Memory\n"
        "with Memory.open(':memory:', encoder='hash') as memory:\n"
        "    memory.retain('The lamp is lit.')\n"
        "    assert memory.recall('lamp')[0].text == 'The lamp is lit.'"
    )
    assert "numpy" in imported_by(program)
