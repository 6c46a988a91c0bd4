"""Each speed benchmark runs at a tiny size and keeps a result of the shape the docs quote."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from bench.corpus import generated

from bench import fanout, ingest, language, machine, pair, recall
from scrubjay.engine import write_path
from scrubjay.memory import Memory
from scrubjay.types.values import Json

Command = Callable[[list[str]], int]

LANGUAGE_ROWS: dict[str, list[dict[str, Json]]] = {
    "dates": [
        {"q": "What did I cook yesterday?", "now": "2025-05-14T10:00:00+00:00", "tz": "UTC",
         "cat": "rel", "grain": "day", "accept": [["2025-05-13", "2025-05-13"]]},
        {"q": "What did I cook yesterday?", "now": "2025-05-14T10:00:00+00:00", "tz": "UTC",
         "cat": "rel", "grain": "day", "accept": [["2025-05-12", "2025-05-12"]]},
        {"q": "Which knife is the sharpest?", "now": "2025-05-14T10:00:00+00:00", "tz": "UTC",
         "cat": "neg", "grain": "day", "accept": None},
    ],
    "dates_phrases": [
        {"text": "on 3 May 2021", "ref": "2025-05-14T10:00:00", "kind": "point",
         "start": "2021-05-03T00:00:00", "end": "2021-05-04T00:00:00"},
    ],
    "dates_negatives": [{"text": "a very sharp knife", "ref": "2025-05-14T10:00:00"}],
    "entities": [
        {"text": "We met Ingrid Solberg at the lake.", "kind": "obs",
         "entities": ["Ingrid Solberg"]},
        {"text": "Does Ingrid Solberg swim?", "kind": "question", "entities": ["Ingrid Solberg"]},
    ],
    "resolution": [
        {"mention": "ingrid solberg", "canonical": "Ingrid Solberg", "same": True},
        {"mention": "Unit 7", "canonical": "Unit 8", "same": False},
    ],
    "types": [{"text": "I prefer green tea to coffee.", "type": "preference"}],
    "causes": [
        {"sentence": "The boat sank because the hull was cracked.", "correct": True,
         "cause": "the hull was cracked", "effect": "The boat sank"},
    ],
    "lexical_multilingual": [
        {"doc": "The ferry leaves at dawn", "query": "when does the ferry leave", "lang": "en"},
        {"doc": "Der Kahn liegt am Ufer", "query": "wo liegt der Kahn", "lang": "de"},
    ],
}  # fmt: skip


class Found:
    """The results a benchmark kept, read by path."""

    def __init__(self, main: Command, tmp_path: Path, *arguments: str) -> None:
        out = tmp_path / "result.json"
        main([*arguments, "--json", str(out)])
        kept: dict[str, Json] = json.loads(out.read_text(encoding="utf-8"))
        assert {"benchmark", "command", "commit", "machine", "parameters", "results"} == set(kept)
        self._results = kept["results"]

    def at(self, *path: str) -> Json:
        value = self._results
        for name in path:
            assert isinstance(value, Mapping), path
            value = value[name]
        return value

    def number(self, *path: str) -> float:
        value = self.at(*path)
        assert isinstance(value, int | float), path
        return value

    def names(self, *path: str) -> list[str]:
        value = self.at(*path)
        assert isinstance(value, Mapping), path
        return list(value)


@pytest.fixture
def stores(tmp_path: Path) -> str:
    return str(tmp_path / "stores")


def test_ingest_reports_rates_stages_and_bytes(tmp_path: Path) -> None:
    found = Found(ingest.main, tmp_path, "--units", "120", "--batch", "40", "--singles", "10")
    for way, told in (("in_batches", 120), ("singly", 10)):
        assert found.at(way, "units") == told
        stages = found.names(way, "stage_shares")
        shares = [found.number(way, "stage_shares", stage) for stage in stages]
        assert all(0 <= share <= 1 for share in shares)
        assert sum(shares) == pytest.approx(1, abs=0.2)
    assert found.at("bank", "units") == 130
    assert found.at("bank", "vectors") == 130
    # Half-precision vectors of 384 numbers alone are 768 bytes.
    assert 768 < found.number("bytes_per_unit") < 20_000


def test_the_stage_clock_leaves_the_write_path_as_it_was() -> None:
    clock, before = ingest.StageClock(), vars(write_path)["classify"]
    with clock.watching(), Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("Ingrid Solberg bought a boat.")
        assert vars(write_path)["classify"] is not before
    assert vars(write_path)["classify"] is before
    assert set(clock.seconds) <= {stage for _, _, stage in ingest._STAGES}
    assert clock.seconds["save"] > 0


def test_recall_reports_the_cost_of_every_stage(tmp_path: Path, stores: str) -> None:
    found = Found(recall.main, tmp_path, "--units", "60", "--questions", "8", "--stores", stores)
    assert found.at("60", "cpu_ms", "n") == 8
    assert set(found.names("60", "cpu_ms_by_kind")) == set(generated.QUESTION_KINDS)
    assert set(found.names("60", "stages")) == {*recall.STAGES, "rest"}
    assert found.at("60", "degraded") == 0
    assert found.number("60", "items_mean") > 0


@pytest.mark.parametrize("what", pair.KINDS)
def test_two_trees_do_each_step_in_turn_and_are_compared(
    what: str, tmp_path: Path, stores: str
) -> None:
    other = ("--before", str(machine.ROOT), "--before-commit", "abc1234", "--what", what)
    small = ("--units", "200", "--questions", "2", "--rounds", "2", "--stores", stores)
    found = Found(pair.main, tmp_path, *other, *small)
    for kind in pair.KINDS[what]:
        assert found.at("200", kind, "now", "n") == 2
        old, new = (found.number("200", kind, tree, "mean") for tree in ("before", "now"))
        assert found.number("200", kind, "ratio") == pytest.approx(new / old, rel=0.01)


def test_a_bank_is_built_once_and_kept(tmp_path: Path, stores: str) -> None:
    arguments = ("--units", "60", "--questions", "4", "--stores", stores)
    Found(recall.main, tmp_path, *arguments)
    (kept,) = Path(stores).iterdir()
    made = kept.stat().st_ino
    Found(recall.main, tmp_path, *arguments)
    assert [path.stat().st_ino for path in Path(stores).iterdir()] == [made]


def test_the_benchmark_preset_gives_every_retriever_the_same_depth() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        memory.retain("Ingrid Solberg bought a boat yesterday.")
        options = recall.options_with(recall.preset_with(77), 500)
        answer = memory.bank().recall("What did Ingrid Solberg buy yesterday?", options)
    assert {step.depth for step in answer.plan.retrievers if step.run} == {77}
    assert answer.reranked == 0


def test_fanout_compares_the_modes_and_judges_the_plan(tmp_path: Path, stores: str) -> None:
    found = Found(
        fanout.main, tmp_path,
        "--units", "60", "--questions", "6", "--rounds", "2", "--stores", stores,
    )  # fmt: skip
    for mode in fanout.MODES:
        assert found.at(mode, "wall_ms", "n") == 12
        slowest = found.number(mode, "slowest_branch_ms", "p50")
        assert slowest <= found.number(mode, "branch_sum_ms", "p50")
    assert found.at("chosen") == "inline"
    ratio = found.number("auto_over_better")
    assert found.at("plan_is_right") is (ratio <= fanout.SLOWER_MAX)


def test_language_scores_labelled_rows_and_times_every_part(tmp_path: Path) -> None:
    for name, rows in LANGUAGE_ROWS.items():
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = Found(
        language.main, tmp_path,
        "--data", str(tmp_path), "--entities", "30", "--questions", "8",
    )  # fmt: skip
    assert found.at("accuracy", "dates", "by_category", "rel") == {"n": 2, "right": 0.5}
    assert found.at("accuracy", "dates", "false_alarms") == 0
    assert found.at("accuracy", "dates_phrases", "all") == {"n": 1, "right": 1.0}
    assert found.at("accuracy", "dates_negatives", "false_alarms") == 0
    assert found.at("accuracy", "entities", "as_told", "all", "f1") == 1.0
    assert found.at("accuracy", "entities", "as_asked", "question", "f1") == 1.0
    assert found.at("accuracy", "resolution", "true_merges", "right") == 1.0
    assert found.at("accuracy", "resolution", "false_merges", "right") == 0.0
    assert found.at("accuracy", "types", "all", "right") == 1.0
    assert found.at("accuracy", "causes") == {"n": 1, "found": 1, "precision": 1.0, "recall": 1.0}
    assert found.at("accuracy", "lexical", "hit_at_1", "right") == 1.0
    assert found.at("cpu_us_per_text", "find_mentions", "n") == 6
    assert found.at("parse", "entities") == 30
    assert found.at("parse", "cpu_ms_full_name", "n") == 2
