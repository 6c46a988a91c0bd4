"""What a load takes is worked out from measured costs, and the queue is simulated."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench.capacity import (
    Banks,
    Load,
    Node,
    closed,
    embedded_costs,
    main,
    needed,
    opened,
    postgres_costs,
    service_times,
)

LOAD = Load(10**8, 1_000, 3_000, 0.1, 2)


def test_banks_hold_all_units_and_the_second_is_half_as_large_as_the_first() -> None:
    banks = Banks.of(10**7, 3_000)
    assert int(banks.counts.sum()) == 10**7 // 3_000
    assert (banks.counts * banks.sizes).sum() == pytest.approx(10**7)
    assert banks.sizes[1] / banks.sizes[0] == pytest.approx(0.5, rel=0.1)
    assert banks.asked.sum() == pytest.approx(1.0)


def test_more_units_take_more_memory_and_disk_and_more_questions_more_cores() -> None:
    costs, node = embedded_costs(), Node()
    base, larger = needed(LOAD, costs, node), needed(replace(LOAD, units=10**9), costs, node)
    busier = needed(replace(LOAD, recalls_per_s=10_000), costs, node)
    assert larger["memory_gib"] > base["memory_gib"] and larger["disk_gib"] > base["disk_gib"]  # type: ignore[operator]
    assert busier["cores"] == pytest.approx(10 * base["cores"], rel=0.05)  # type: ignore[operator]
    assert "largest bank is asked more than a node can answer" in busier["breaks"]  # type: ignore[operator]
    assert base["breaks"] == []
    dearer = needed(LOAD, postgres_costs(), node)
    assert dearer["cores"] > base["cores"] and "nodes" not in dearer  # type: ignore[operator]


def test_a_queue_behaves_as_theory_says() -> None:
    # One server, times by chance, half busy: a request takes twice its own time on average.
    times = np.random.default_rng(1).exponential(1.0, 200_000)
    waits, refused = opened(times, 0.5, 1, 10**9, 2)
    assert waits.mean() == pytest.approx(2.0, rel=0.05) and refused == 0
    # Twice what it can do, with little room: about half find none.
    assert opened(times, 2.0, 1, 10, 2)[1] == pytest.approx(0.5, abs=0.02)
    # Clients that wait share what there is.
    assert closed(np.ones(1_000), 8, 2)[8:].mean() == pytest.approx(4.0)


def test_times_have_the_tail_they_are_drawn_from() -> None:
    drawn = service_times((5.0, 8.0, 12.0), 100_000, 3)
    assert np.percentile(drawn, (50, 95, 99)) == pytest.approx((5.0, 8.0, 12.0), rel=0.05)


def test_the_command_writes_the_table_and_its_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "capacity.json"
    assert main(["--json", str(kept)]) == 0
    capsys.readouterr()
    found = json.loads(kept.read_text(encoding="utf-8"))["results"]
    assert found["embedded"]["needed"]["10000000"]["10"]["nodes"] >= 2
    # What was measured on a busy machine has a longer tail than a queue alone.
    for load in ("recalls", "overload"):
        assert 0.5 < found["simulation"][load]["p50_ratio"] < 2
