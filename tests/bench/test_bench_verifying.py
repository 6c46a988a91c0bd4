"""`python -m bench.verifying` says what it costs to verify index files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import verifying


def test_it_measures_each_way_of_meeting_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verifying.main(["--mib", "60", "--json", str(tmp_path / "kept.json")])
    printed = json.loads(capsys.readouterr().out)
    assert printed == json.loads((tmp_path / "kept.json").read_text())
    found = printed["results"]
    assert found["bytes"] > 55 << 20
    assert {"warm", "cold", "remembered", "codes_of_a_million_cpu_s"} <= found.keys()
