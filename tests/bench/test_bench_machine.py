import json
from pathlib import Path

import pytest
from bench.machine import Result, cpu_of, report, rounded, summary


def test_a_result_is_kept_with_its_command_commit_and_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "deep" / "out.json"
    report(Result("probe", ["--units", "3"], {"units": 3}, {"rate": 2.5}), target)
    kept = json.loads(target.read_text(encoding="utf-8"))
    assert kept["command"] == "python -m bench.probe --units 3"
    assert kept["results"] == {"rate": 2.5}
    assert kept["commit"]
    assert kept["machine"]["cores"] >= 1
    assert kept["machine"]["reference_work_cpu_ms"] > 0
    assert json.loads(capsys.readouterr().out) == kept
    assert [path.name for path in target.parent.iterdir()] == ["out.json"]


def test_a_summary_orders_its_percentiles() -> None:
    found = summary([float(n) for n in range(1, 101)])
    assert found["n"] == 100
    assert found["p50"] == pytest.approx(50.5)
    assert found["p95"] == pytest.approx(95.05)
    assert found["mean"] == pytest.approx(50.5)


def test_rounding_keeps_four_digits() -> None:
    assert (rounded(1234567.0), rounded(0.000123456)) == (1235000.0, 0.0001235)


def test_cpu_is_returned_beside_the_answer() -> None:
    answer, seconds = cpu_of(lambda: sum(range(1000)))
    assert answer == 499500
    assert seconds >= 0
