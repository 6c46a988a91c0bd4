"""Payloads, plans, explanations, errors and rankings stay what they were, unless that is meant."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROUNDING = 2e-4


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("goldens")
    subprocess.run([sys.executable, "-m", "tests.goldens", str(folder)], check=True)
    return folder


def differences(kept: object, found: object, where: str = "") -> Iterator[str]:
    """Where two recordings differ; numbers may by what another processor's rounding may do."""
    if isinstance(kept, dict) and isinstance(found, dict) and list(kept) == list(found):
        for key in kept:
            yield from differences(kept[key], found[key], f"{where}.{key}")
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for at, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from differences(one, other, f"{where}[{at}]")
    elif isinstance(kept, float) and isinstance(found, float):
        if abs(kept - found) > ROUNDING:
            yield f"{where}: {kept} -> {found}"
    elif kept != found:
        yield f"{where}: {kept!r} -> {found!r}"


@pytest.mark.parametrize("name", ["http", "commands", "rankings"])
def test_every_answer_is_the_recorded_one(recorded: Path, name: str) -> None:
    kept, found = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for folder in (HERE, recorded)
    )
    # Where a change is meant: `python -m tests.goldens` records anew, and the diff is read.
    assert list(differences(kept, found)) == []
