"""demo: the story, the questions, and the report."""

from __future__ import annotations

import json
from pathlib import Path

from tests.surface.cli.command_line import Cli

from scrubjay.encoder.catalogue import ENCODERS
from scrubjay.surface.demo import PRESETS, read_script


def test_the_demo_runs_without_a_model_and_names_the_command(cli: Cli) -> None:
    ran = cli("demo")
    assert ran.code == 0
    assert ENCODERS[0].remedy in ran.out
    assert "without a model there is no search by meaning" in " ".join(ran.out.split())
    assert all(question.question in ran.out for question in read_script().questions)
    assert "Found by words (#1)" in ran.out


def test_the_report_says_what_was_expected_and_who_found_it(hashed: Cli) -> None:
    report = json.loads(hashed("demo", "--json").out)
    badge = next(one for one in report["questions"] if one["needs"] == "lexical")
    assert report["told"] > 40
    assert badge["verdict"] == "first"
    assert badge["items"][0]["key"] == badge["expects"][0]
    assert badge["items"][0]["expected"] is True
    assert "words (#1)" in badge["items"][0]["found_by"]
    assert all(len(one["items"]) <= 3 for one in report["questions"])
    assert report["store"] is None


def test_the_exit_code_says_whether_everything_expected_was_found(hashed: Cli) -> None:
    ran = hashed("demo", "--json")
    report = json.loads(ran.out)
    missing = [key for one in report["questions"] for key in one["missing"]]
    assert report["complete"] is (not missing)
    assert ran.code == (1 if missing else 0)


def test_presets_stand_side_by_side(hashed: Cli) -> None:
    shown = hashed("demo", "--presets").out
    assert all(preset in shown for preset in PRESETS)
    report = json.loads(hashed("demo", "--presets", "--json").out)
    assert list(report["presets"]) == list(PRESETS)
    assert all(
        len(answers) == len(read_script().questions) for answers in report["presets"].values()
    )


def test_a_store_that_is_named_stays(hashed: Cli, tmp_path: Path) -> None:
    store = tmp_path / "kept"
    ran = hashed("demo", "--store", store)
    assert str(store) in ran.out
    assert hashed("stats", "--store", store, "--bank", "demo", "--json").json["units"] > 40


def test_the_demo_does_not_write_to_everybodys_store(hashed: Cli, tmp_path: Path) -> None:
    hashed("demo")
    assert not (tmp_path / "store").exists()
