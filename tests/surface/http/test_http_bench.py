"""The load benchmark runs at a tiny size and keeps a result of the shape the docs quote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import server


@pytest.mark.slow
@pytest.mark.parametrize("store", ["embedded", "postgres"])
def test_the_server_is_measured_refuses_what_is_too_much_and_recovers(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "server.json"
    code = server.main(
        ["--units", "300", "--clients", "4", "--seconds", "0.6", "--stores", str(tmp_path),
         "--store", store, "--processes", "1,2", "--json", str(kept)]
    )  # fmt: skip
    capsys.readouterr()
    found = json.loads(kept.read_text(encoding="utf-8"))["results"]
    assert code == 0
    for measured in (found, found["processes"]["2"]):
        for load in ("recalls", "with_10_percent_writes", "overload", "recovered"):
            assert measured[load]["answered"] > 0, load
            assert measured[load]["errors"] == 0, load
        assert measured["recalls"]["server_cpu_ms_per_answer"] > 0
    assert found["with_10_percent_writes"]["statuses"]["201"] > 0
