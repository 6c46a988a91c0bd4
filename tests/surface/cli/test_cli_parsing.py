"""parse: what a question says, for one question or a file of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli

NOW = "2026-03-04T10:00:00+01:00"


def test_the_window_comes_in_the_zone_that_was_asked_for(cli: Cli) -> None:
    read = cli(
        "parse", "what broke in June 2025?", "--now", NOW, "--tz", "Asia/Tokyo", "--json"
    ).json
    assert list(read)[:5] == ["window", "kind", "confidence", "entities", "hints"]
    assert read["window"][0] == "2025-06-01T00:00:00+09:00"
    assert read["window"][1].startswith("2025-06-30T23:59:59")
    assert read["window"][1].endswith("+09:00")
    assert 0 < read["confidence"] <= 1


def test_a_question_without_a_time_has_no_window(cli: Cli) -> None:
    read = cli("parse", "who owns the crane?", "--now", NOW, "--json").json
    assert read["window"] is None


def test_an_open_end_is_null(cli: Cli) -> None:
    read = cli("parse", "what happened before March 2025?", "--now", NOW, "--json").json
    assert read["window"][0] is None
    assert read["window"][1].startswith("2025-02-28T23:59:59")


def test_a_time_without_a_zone_is_taken_in_the_zone_given(cli: Cli) -> None:
    local = cli(
        "parse", "what did I do today?", "--now", "2026-03-04T23:30:00", "--tz", "America/Lima",
        "--json",
    )  # fmt: skip
    assert local.json["window"][0] == "2026-03-04T00:00:00-05:00"


@pytest.mark.usefixtures("ferry")
def test_names_and_type_hints_are_told(hashed: Cli) -> None:
    read = hashed("parse", "when did Nadia move the launch?", "--now", NOW, "--json").json
    assert [entity["name"] for entity in read["entities"]] == ["Nadia"]
    assert "event" in read["hints"]


def test_a_file_gives_one_line_for_each_line_in_order(cli: Cli, tmp_path: Path) -> None:
    lines = [
        {"q": "what broke in June 2025?", "now": NOW, "tz": "Europe/Berlin", "id": "x"},
        {"q": "who owns the crane?", "now": NOW, "tz": "UTC"},
        {"q": "what broke in May 2025?"},
    ]
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", encoding="utf-8")
    ran = cli("parse", "--file", file, "--now", NOW, "--tz", "UTC", "--json")
    read = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [one["window"] and one["window"][0] for one in read] == [
        "2025-06-01T00:00:00+02:00",
        None,
        "2025-05-01T00:00:00+00:00",
    ]


def test_a_bad_line_gives_an_error_line_in_its_place(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    good = json.dumps({"q": "what broke in June 2025?", "now": NOW})
    bad = json.dumps({"q": "today?", "now": NOW, "tz": "Moon/Base"})
    file.write_text(f"{good}\nnonsense\n{bad}\n{good}\n", encoding="utf-8")
    ran = cli("parse", "--file", file)
    read = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 2
    assert [list(one) == ["error"] for one in read] == [False, True, True, False]
    assert "Moon/Base" in read[2]["error"]["message"]


def test_parse_works_without_a_store_and_makes_none(cli: Cli, tmp_path: Path) -> None:
    assert cli("parse", "what happened yesterday?", "--now", NOW, "--json").json["window"]
    assert not (tmp_path / "store").exists()


def test_parse_wants_a_question_or_a_file(cli: Cli) -> None:
    assert cli("parse").code == 2


def test_people_see_the_fields(cli: Cli) -> None:
    shown = cli("parse", "what broke in June 2025?", "--now", NOW)
    assert "2025-06-01" in shown.out
