"""The soak run in short: a few of its tries over every group, the same on every machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SEED = "1"


def soak(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.soak", "--seed", SEED, *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_no_attack_loses_revives_crashes_or_deceives(tmp_path: Path) -> None:
    run = soak("--short", "--json", str(tmp_path / "soak.json"))
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / "soak.json").exists()


@pytest.mark.slow
def test_a_single_try_can_be_repeated() -> None:
    run = soak("--only", "damage:writer.json:7")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "damage: writer.json      1" in run.stdout
