"""`scrubjay bench scale` at tiny sizes, through the command, with every number it promises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench.corpus.clustered import Corpus
from bench.scale.nearness import exact_nearest, recall_at
from bench.scale.process import disk_mib, drop_from_cache, memory_mib
from bench.scale.skipping import (
    ENTITY,
    IDENTIFIER,
    MIXED,
    TIME,
    Compared,
    by_class,
    class_of,
)

from bench import scale
from scrubjay.engine.presets import DEFAULT
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock
from scrubjay.types.values import Json


def results(tmp_path: Path, *arguments: str) -> Mapping[str, Json]:
    out = tmp_path / "result.json"
    stores = str(tmp_path / "stores")
    assert scale.main([*arguments, "--stores", stores, "--json", str(out)]) == 0
    kept = json.loads(out.read_text(encoding="utf-8"))
    assert kept["benchmark"] == "scale"
    found: Mapping[str, Json] = kept["results"]
    return found


def at(value: Json, *path: str) -> Json:
    for name in path:
        assert isinstance(value, Mapping), path
        value = value[name]
    return value


@pytest.mark.slow
def test_a_size_reports_every_measurement_the_docs_quote(tmp_path: Path) -> None:
    arguments = ["--units", "240", "--questions", "18", "--ingest-units", "20"]
    plots = tmp_path / "plots"
    found = results(tmp_path, *arguments, "--plots", str(plots))
    size = at(found, "sizes", "240")
    assert at(size, "build", "units") == 240
    assert at(size, "open_warm", "units") == at(size, "open_cold", "units") == 240
    for stage in (
        "parse",
        "semantic",
        "lexical",
        "graph",
        "temporal",
        "fan_out",
        "fuse",
        "hydrate",
    ):
        for clock in ("cpu_ms", "wall_ms"):
            summary = at(size, "recalls", "stages", stage, clock)
            assert isinstance(summary, Mapping)
            assert {"n", "p50", "p95", "p99"} <= set(summary)
    assert at(size, "recalls", "recall", "cpu_ms", "n") == 18
    assert at(size, "recalls", "degraded") == 0
    # A bank this small is scanned, so nothing is missed.
    assert at(size, "nearest", "recall@10") == at(size, "nearest", "recall@100") == 1.0
    callers = at(size, "callers")
    assert isinstance(callers, Mapping)
    assert list(callers) == ["1", "2", "4", "8"]
    assert at(size, "ingest", "units") == 20
    assert at(size, "ingest", "retain_wall_ms", "n") == 2
    assert {path.name for path in plots.iterdir()} == {
        "scale-latency.png", "scale-stages.png", "scale-callers.png",
    }  # fmt: skip
    (store,) = (tmp_path / "stores").iterdir()
    assert sorted(path.name for path in store.glob("ingest*")) == []


@pytest.mark.slow
def test_growth_compares_the_largest_size_with_the_smallest(tmp_path: Path) -> None:
    found = results(tmp_path, "--units", "60,240", "--questions", "6", "--only", "recalls")
    assert at(found, "growth", "units") == 4
    costs = [at(found, "sizes", n, "recalls", "recall", "cpu_ms", "p50") for n in ("60", "240")]
    small, large = (cost for cost in costs if isinstance(cost, float))
    assert at(found, "growth", "recall_cpu_p50") == pytest.approx(large / small, rel=0.01)


@pytest.mark.slow
def test_many_banks_stay_within_the_limit_of_open_ones(tmp_path: Path) -> None:
    found = results(tmp_path, "--banks", "80", "--bank-units", "200", "--visits", "40")
    banks = at(found, "banks")
    assert at(banks, "build", "banks_built") == at(banks, "banks") == 80
    seen, most = at(banks, "open_banks_seen"), at(banks, "open_banks_max")
    assert isinstance(seen, int)
    assert isinstance(most, int)
    assert 0 < seen <= most
    cold, warm = at(banks, "cold", "n"), at(banks, "warm", "n")
    assert isinstance(cold, int)
    assert isinstance(warm, int)
    assert cold + warm == 40
    assert cold > 0


def test_recall_of_neighbours_counts_what_was_found_in_time() -> None:
    exact = np.array([[1, 2, 3, 4], [5, 6, 7, 8]])
    found = [np.array([1, 9, 3, 2]), np.array([8, 7, 6, 5])]
    assert recall_at(found, exact, 4) == pytest.approx((0.75 + 1.0) / 2)
    assert recall_at(found, exact, 2) == pytest.approx((0.5 + 0.0) / 2)


def test_exact_neighbours_are_those_of_a_plain_comparison() -> None:
    corpus = Corpus(2_300)
    vectors = np.concatenate([corpus.block(n).vectors for n in range(corpus.blocks)])
    asked = vectors[[3, 2_222]]
    nearest = exact_nearest(corpus, asked, 5)
    expected = np.argsort(-(asked @ vectors.T), axis=1)[:, :5] + 1
    assert nearest.tolist() == expected.tolist()
    assert nearest[:, 0].tolist() == [4, 2_223]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("TKT-4711", IDENTIFIER),
        ("what happened last week", TIME),
        ("what happened to Ingrid Solberg last week", MIXED),
        ("Ingrid Solberg", ENTITY),
        ("which boat did Ingrid Solberg sell", MIXED),
    ],
)
def test_a_question_is_classed_by_what_the_optimizer_makes_of_it(question: str, kind: str) -> None:
    everything = replace(DEFAULT, optimizer=False)
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock()) as memory:
        memory.retain("Ingrid Solberg closed TKT-4711 after the storm.")
        plans = [memory.plan(question, preset=preset) for preset in (DEFAULT, everything)]
        assert class_of(memory.parse(question), *plans) == kind


def test_classes_report_cost_and_recall_with_and_without() -> None:
    found = by_class(
        [
            Compared(IDENTIFIER, 1.0, 3.0, 1.0, 0.5),
            Compared(IDENTIFIER, 1.0, 3.0, 0.0, 0.5),
            Compared(MIXED, 2.0, 2.0),
        ]
    )
    assert at(found, IDENTIFIER, "questions") == 2
    assert at(found, IDENTIFIER, "p99_with_over_without") == pytest.approx(1 / 3, rel=1e-3)
    assert at(found, IDENTIFIER, "recall@10_with") == 0.5
    mixed = at(found, MIXED)
    assert isinstance(mixed, Mapping)
    assert "recall@10_with" not in mixed


def test_labelled_questions_are_asked_with_and_without(tmp_path: Path) -> None:
    data = tmp_path / "boats"
    data.mkdir()
    rows: dict[str, list[dict[str, Json]]] = {
        "banks": [{"bank_id": "b", "meta": {}}],
        "units": [
            {"bank_id": "b", "unit_id": f"u{n}", "index": n, "date": "2025-03-01T10:00:00",
             "text": text, "session_id": "s", "speaker": "user", "meta": {}}
            for n, text in enumerate(("Order AB-1234 holds two oars.", "The lake froze over."))
        ],
        "queries": [
            {"query_id": "q", "bank_id": "b", "question": "AB-1234", "category": "c",
             "gold_unit_ids": ["u0"], "answerable": True},
        ],
    }  # fmt: skip
    for name, lines in rows.items():
        text = "\n".join(json.dumps(line) for line in lines)
        (data / f"{name}.jsonl").write_text(text, encoding="utf-8")
    cache = str(tmp_path / "cache")
    found = results(tmp_path, "--optimizer", str(data), "--encoder", "hash", "--cache", cache)
    assert at(found, "optimizer", IDENTIFIER, "questions") == 1
    assert at(found, "optimizer", IDENTIFIER, "recall@10_with") == 1.0
    assert at(found, "optimizer", IDENTIFIER, "recall@10_without") == 1.0
    # Words find an identifier, so nobody makes a vector of the question.
    assert at(found, "optimizer", IDENTIFIER, "encoded_with") == 0
    made = at(found, "optimizer", IDENTIFIER, "fresh_cpu_ms_without", "p50")
    known = at(found, "optimizer", IDENTIFIER, "cpu_ms_without", "p50")
    assert isinstance(made, float) and isinstance(known, float) and made > known


def test_disk_is_counted_by_what_files_hold(tmp_path: Path) -> None:
    (tmp_path / "bank.db").write_bytes(bytes(3 << 20))
    (tmp_path / "bank.db-wal").write_bytes(bytes(1 << 20))
    (tmp_path / "a.graph").write_bytes(bytes(2 << 20))
    assert disk_mib(tmp_path) == {"all": 6.0, "by_kind": {"graph": 2.0, "rows": 4.0}}
    assert drop_from_cache(tmp_path) in (True, False)
    assert (tmp_path / "a.graph").stat().st_size == 2 << 20


def test_resident_memory_grows_with_what_is_held() -> None:
    before = memory_mib()
    held = np.ones(40 << 20, np.uint8)
    after = memory_mib()
    assert after.get("own_mib", 1.0) > before.get("own_mib", 0.0)
    assert held[-1] == 1
