"""The quality, ablate, fit and compare commands on a small set, from files to files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from bench.evaluation.comparing import compare_questions
from bench.evaluation.datasets import load_set
from bench.evaluation.runner import TOKENS_UNLIMITED, Models, location, told
from bench.evaluation.variants import ablations, deep, find_preset, single_retrievers

from bench import ablate, compare, fit, quality
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.engine.presets import PRESETS, WEIGHTS_FILE
from scrubjay.engine.tuning import weights_of
from scrubjay.errors import BadInput

# Each says one thing in words of its own, so a search by words alone finds it first.
TOLD = (
    "The greenhouse heater broke on Sunday.",
    "Marta sold the blue bicycle to a neighbour.",
    "We planted tomatoes behind the shed.",
    "The piano tuner comes in October.",
    "Our boat lies in the harbour of Enkhuizen.",
)
ASKED = (
    "Who sold the blue bicycle?",
    "When does the piano tuner come?",
    "Where does the boat lie?",
)
GOLD = ("1", "3", "4")
RERANKER = "ms-marco-MiniLM-L-12-v2"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    directory = tmp_path / "small"
    directory.mkdir()
    units = [
        {"bank_id": "b", "unit_id": str(n), "session_id": f"s{n}", "index": n, "text": text,
         "date": f"2025-03-0{n + 1}T10:00:00", "speaker": "Ana", "meta": {}}
        for n, text in enumerate(TOLD)
    ]  # fmt: skip
    queries: list[dict[str, object]] = [
        {"query_id": f"q{n}", "bank_id": "b", "question": text, "category": f"c{n % 2}",
         "question_date": None, "answerable": n < 2, "gold_unit_ids": [GOLD[n]],
         "gold_session_ids": [f"s{GOLD[n]}"], "meta": {}}
        for n, text in enumerate(ASKED)
    ]  # fmt: skip
    for name, rows in (("banks", [{"bank_id": "b"}]), ("units", units), ("queries", queries)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (directory / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return directory


def options(data: Path, *more: str) -> list[str]:
    models = ["--encoder", "hash", "--reranker", "none", "--cache", "none"]
    return ["--data", str(data), *models, *more]


def test_a_result_file_holds_every_metric_per_category_and_over_all(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    assert quality.main(options(data, "--json", str(out))) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    small = result["sets"]["small"]
    assert result["preset"] == "default"
    assert result["encoder"].startswith("hash@")
    assert result["reranker"] is None
    assert result["command"].startswith("scrubjay bench quality --data")
    assert small["categories"]["c0"]["n"] == 1
    assert small["macro"]["recall@10"] == 1.0
    assert small["macro"]["session_recall@10"] == 1.0
    assert small["macro"]["recall@10_interval"] == [1.0, 1.0]
    assert "questions" not in small
    beside = json.loads((tmp_path / "result.questions.json").read_text(encoding="utf-8"))
    small = beside["sets"]["small"]
    assert small["question_metrics"][:3] == ["recall@10", "ndcg@10", "hit@1"]
    assert small["questions"] == {f"q{n}": [1.0, 1.0, 1.0, 1.0, None] for n in range(3)}


def test_questions_without_an_answer_are_reported_apart(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    quality.main(options(data, "--json", str(out)))
    small = json.loads(out.read_text(encoding="utf-8"))["sets"]["small"]
    assert small["macro"]["n"] == 2
    assert small["apart"]["c0"]["n"] == 1


def test_the_questions_file_says_where_each_retriever_saw_the_evidence(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "questions.jsonl"
    quality.main(options(data, "--questions-jsonl", str(out)))
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["query_id"] for row in rows] == ["q0", "q1", "q2"]
    (place,) = rows[0]["gold"]
    assert place["unit_id"] == "1"
    assert place["rank"] == rows[0]["units"].index("1") + 1
    assert place["retrievers"]["lexical"] == 1
    assert rows[0]["relevance"] > 0


def test_a_trace_tells_the_fused_rank_of_the_run_that_answered(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    quality.main(options(data, "--preset", "only_temporal", "--questions-jsonl", str(out)))
    (first, *_) = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert first["gold"][0]["fused_rank"] is first["gold"][0]["rank"] is None
    quality.main(options(data, "--preset", "default", "--questions-jsonl", str(out)))
    dataset, models = load_set(data), Models(HashingEncoder(), None)
    with told(dataset, models, advance=lambda _: None) as held:
        bank, asked = held.memory.bank("b"), dataset.questions[0]
        (unit,) = (item.id for item in bank.recall(asked.text) if item.key == asked.gold[0])
        terms = {"limit": 50, "max_tokens": TOKENS_UNLIMITED, "now": asked.now}
        known = bank.explain(asked.text, unit, **terms).fused_rank  # type: ignore[arg-type]
    (row, *_) = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert row["gold"][0]["fused_rank"] == known


@pytest.fixture
def labelled(data: Path) -> Path:
    """The small set in two banks, one held apart, with stale units and unanswerable questions."""
    units = [json.loads(line) for line in (data / "units.jsonl").read_text().splitlines()]
    queries = [json.loads(line) for line in (data / "queries.jsonl").read_text().splitlines()][:2]
    queries[0]["stale_unit_ids"] = ["0"]
    lost = {"answerable": False, "gold_unit_ids": [], "gold_session_ids": []}
    queries.append({**queries[0], **lost, "query_id": "x0", "meta": {"kind": "near"}})
    for name, rows in (("units", units), ("queries", queries)):
        both = rows + [
            {**row, "bank_id": "c", "query_id": f"c{row.get('query_id')}"} for row in rows
        ]
        lines = "".join(json.dumps(row) + "\n" for row in both)
        (data / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    banks = [{"bank_id": "b", "split": "dev"}, {"bank_id": "c", "split": "held"}]
    (data / "banks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in banks))
    return data


def result_of(data: Path, *more: str) -> dict[str, Any]:
    out = data.parent / "result.json"
    quality.main(options(data, "--json", str(out), *more))
    found: dict[str, Any] = json.loads(
        out.with_suffix(".questions.json").read_text(encoding="utf-8")
    )
    return found


def test_banks_held_apart_are_measured_only_when_asked_for(labelled: Path) -> None:
    assert set(result_of(labelled)["sets"]["small"]["questions"]) == {"q0", "q1"}
    held = result_of(labelled, "--split", "held")["sets"]["small"]
    assert set(held["questions"]) == {"cq0", "cq1"}
    both = result_of(labelled, "--split", "all")["sets"]["small"]
    assert list(both["banks"]) == ["b", "c"]
    assert both["banks"]["c"]["n"] == 2


def test_what_is_held_apart_is_not_read_question_by_question_nor_by_category(
    labelled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert "categories" not in result_of(labelled, "--split", "held")["sets"]["small"]
    assert "c0" not in capsys.readouterr().out
    assert "categories" in result_of(labelled)["sets"]["small"]
    assert "c0" in capsys.readouterr().out
    assert "categories" not in result_of(labelled, "--summaries")["sets"]["small"]
    with pytest.raises(BadInput, match="--split dev"):
        quality.main(
            options(labelled, "--split", "held", "--questions-jsonl", str(tmp_path / "q.jsonl"))
        )


def test_a_result_says_what_is_stale_first_and_how_well_absence_is_told(labelled: Path) -> None:
    small = result_of(labelled, "--split", "all")["sets"]["small"]
    assert small["macro"]["stale@1"] == small["banks"]["b"]["stale@1"] == 0.0
    assert set(small["abstention"]) == {"all", "near"}
    assert small["abstention"]["all"]["unanswerable"] == 2
    assert small["banks"]["b"]["abstention"]["answerable"] == 2
    low, high = small["macro"]["recall@10_interval_of_banks"]
    assert low <= small["macro"]["recall@10"] <= high


def test_a_preset_is_also_asked_as_callers_do(labelled: Path) -> None:
    deep_run, called = result_of(labelled, "--as-called")["runs"]
    assert (deep_run["preset"], called["preset"]) == ("default", "default as called")
    assert set(called["sets"]["small"]["questions"]) == {"q0", "q1"}


def test_a_reranker_that_is_named_reads_and_one_that_read_nothing_is_not_named(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fallback = Path(__file__).parents[2] / ".models"
    monkeypatch.setenv("SCRUBJAY_MODELS", os.environ.get("SCRUBJAY_MODELS") or str(fallback))
    named = result_of(data, "--reranker", RERANKER, "--preset", "default,only_semantic")
    assert {run["preset"]: run["reranker"] for run in named["runs"]} == {
        "default": RERANKER,
        "only_semantic": None,
    }
    assert result_of(data, "--reranker", "auto")["reranker"] is None


def test_two_runs_are_compared_by_any_metric_that_both_have(
    labelled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result_of(labelled, "--preset", "only_lexical,only_temporal")
    path = str(labelled.parent / "result.json")
    chosen = ["--preset-a", "only_temporal", "--preset-b", "only_lexical"]
    capsys.readouterr()
    compare.main([path, path, *chosen, "--metric", "hit@1"])
    assert "small won: q0 0.00 -> 1.00" in capsys.readouterr().out
    compare.main([path, path, *chosen, "--metric", "stale@1"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[1] for row in rows if row[:1] == ["small"]] == ["1"]


def test_every_preset_is_a_run_of_the_file_and_the_default_leads(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    quality.main(options(data, "--all-presets", "--singles", "--json", str(out)))
    result = json.loads(out.read_text(encoding="utf-8"))
    names = [run["preset"] for run in result["runs"]]
    assert names[0] == result["preset"] == "default"
    assert {"hindsight", "recall5", "only_lexical", "only_graph"} <= set(names)


def test_one_retriever_alone_finds_what_it_can_find(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    quality.main(options(data, "--preset", "only_lexical,only_temporal", "--json", str(out)))
    runs = json.loads(out.read_text(encoding="utf-8"))["runs"]
    found = {run["preset"]: run["sets"]["small"]["macro"]["recall@10"] for run in runs}
    assert found == {"only_lexical": 1.0, "only_temporal": 0.0}


def test_the_first_run_is_paired_with_every_other(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    quality.main(options(data, "--preset", "only_lexical,only_temporal", "--json", str(out)))
    paired = json.loads(out.read_text(encoding="utf-8"))["paired"]
    assert paired["only_temporal"]["small"] == {"change": 1.0, "p": pytest.approx(0.25, abs=0.02)}


def test_pictures_are_drawn_per_set(data: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "plots"
    quality.main(options(data, "--all-presets", "--singles", "--plots", str(pictures)))
    assert {path.name for path in pictures.iterdir()} == {
        "recall_small.png",
        "retrievers_small.png",
    }


def test_an_ablation_measures_the_preset_whole_and_without_each_part(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, pictures = tmp_path / "ablation.json", tmp_path / "plots"
    arguments = options(data, "--preset", "dense_fts", "--json", str(out), "--plots", str(pictures))
    assert ablate.main(arguments) == 0
    names = [run["preset"] for run in json.loads(out.read_text(encoding="utf-8"))["runs"]]
    assert names == ["dense_fts", "-semantic", "-lexical", "-stems"]
    assert "-lexical" in capsys.readouterr().out
    assert (pictures / "ablation_small.png").stat().st_size > 0


def test_fitted_weights_are_judged_left_out_and_written_with_where_they_come_from(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "weights.json"
    assert fit.main(options(data, "--write", str(out))) == 0
    assert "set left out" in capsys.readouterr().out
    written = json.loads(out.read_text(encoding="utf-8"))
    # Every question is answered first as it is, so nothing speaks for other weights.
    assert written["weights"] == weights_of(PRESETS["default"])
    assert written["kept"].startswith("as they were")
    assert written["command"].startswith("scrubjay bench fit --data")
    assert written["questions"] == {"small": 2}
    assert written["recall@10, ndcg@10, hit@1"]["in use"] == {"small": [1.0, 1.0, 1.0]}


def test_the_default_counts_evidence_as_the_file_of_weights_says() -> None:
    written = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    assert written["weights"] == weights_of(PRESETS["default"])
    assert {"command", "commit", "questions", "kept"} <= written.keys()


def test_a_part_that_is_not_there_is_not_taken_away() -> None:
    names = {variant.name for variant in ablations(find_preset("hindsight"))}
    assert {"-semantic", "-lexical", "-graph", "-temporal", "-rerank"} <= names
    assert "-rerank" not in {variant.name for variant in ablations(find_preset("default"))}


def test_a_single_retriever_has_no_other() -> None:
    for preset in single_retrievers():
        present = [preset.semantic, preset.lexical, preset.graph, preset.temporal]
        assert sum(part is not None for part in present) == 1
    with pytest.raises(BadInput, match="only_smell"):
        find_preset("only_smell")


def test_a_deep_run_lengthens_every_list() -> None:
    far = deep(find_preset("default"), 700)
    assert far.semantic is not None and far.semantic.at_least == 700
    assert far.lexical is not None and far.lexical.at_least == 700
    assert far.graph is not None and far.graph.nodes_max == 700
    assert far.temporal is not None and far.temporal.depth == 700
    assert far.rerank is None


def test_comparing_lists_what_was_won_and_lost() -> None:
    found = compare_questions("s", {"a": 0.0, "b": 1.0, "c": 0.5}, {"a": 1.0, "b": 0.5, "d": 1.0})
    assert (found.n, found.before, found.after) == (2, 0.5, 0.75)
    assert [change.query_id for change in found.wins] == ["a"]
    assert [change.query_id for change in found.losses] == ["b"]


def test_two_result_files_are_compared_by_their_runs(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "result.json"
    quality.main(options(data, "--preset", "only_lexical,only_temporal", "--json", str(out)))
    capsys.readouterr()
    chosen = ["--preset-a", "only_temporal", "--preset-b", "only_lexical"]
    assert compare.main([str(out), str(out), *chosen]) == 0
    printed = capsys.readouterr().out
    assert "small won: q0 0.00 -> 1.00" in printed
    with pytest.raises(BadInput, match="only_smell"):
        compare.main([str(out), str(out), "--preset", "only_smell"])


def test_a_store_is_named_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert location("embedded") == ":memory:"
    monkeypatch.setenv("SCRUBJAY_POSTGRES_URL", "postgresql://localhost/bench")
    assert location("postgres") == "postgresql://localhost/bench"
    monkeypatch.delenv("SCRUBJAY_POSTGRES_URL")
    with pytest.raises(BadInput, match="SCRUBJAY_POSTGRES_URL"):
        location("postgres")
