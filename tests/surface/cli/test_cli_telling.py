"""retain, update, supersede, forget, approve, reject."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli
from typer.testing import CliRunner

from scrubjay.surface.cli import app

TOLD = "2026-03-02T09:30:00+00:00"


def test_retain_keeps_every_field_it_is_given(hashed: Cli) -> None:
    told = hashed(
        "retain", "Tomas painted the buoy.", "--type", "event", "--predicate", "buoy painted",
        "--context", "harbour", "--occurred", "2026-02-27/2026-02-28", "--told-at", TOLD,
        "--valid-from", TOLD, "--valid-to", "2027-01-01T00:00:00+00:00", "--tag", "quay",
        "--tag", "paint", "--entity", "Pier Committee", "--metadata", '{"coats": 2}',
        "--session", "monday", "--speaker", "Nadia", "--key", "buoy", "--json",
    )  # fmt: skip
    unit = hashed("get", told.json["ids"][0], "--json").json
    assert told.json["new"] == told.json["ids"]
    assert unit["text"] == "Tomas painted the buoy."
    assert (unit["type"], unit["predicate"], unit["context"]) == (
        "event",
        "buoy painted",
        "harbour",
    )
    assert unit["occurred_start"] == "2026-02-27T00:00:00+00:00"
    assert unit["occurred_end"].startswith("2026-02-28T23:59:59")
    assert unit["told_at"] == unit["valid_from"] == TOLD
    assert unit["valid_to"] == "2027-01-01T00:00:00+00:00"
    assert sorted(unit["tags"]) == ["paint", "quay"]
    assert "Pier Committee" in unit["entities"]
    assert unit["metadata"] == {"coats": 2}
    assert (unit["session"], unit["speaker"], unit["key"]) == ("monday", "Nadia", "buoy")


def test_telling_twice_is_reported_as_a_duplicate(hashed: Cli) -> None:
    first = hashed("retain", "The pier is closed.", "--told-at", TOLD, "--json").json
    second = hashed("retain", "The pier is closed.", "--told-at", TOLD, "--json").json
    assert second["duplicates"] == first["ids"]
    assert second["new"] == []


def test_a_dash_reads_one_memory_from_each_line_of_stdin(hashed: Cli) -> None:
    lines = "The crane is blue.\n\n  The winch is red.  \n"
    result = CliRunner().invoke(app, ["retain", "-", "--encoder", "hash", "--json"], input=lines)
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["new"]) == 2
    texts = [unit["text"] for unit in hashed("list", "--json").json["units"]]
    assert texts == ["The crane is blue.", "The winch is red."]


CONVERSATION = [
    {"role": "user", "content": [{"type": "text", "text": "Call me Jo."}], "timestamp": 1772452800},
    {"role": "assistant", "content": "Gladly, Jo."},
]


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(CONVERSATION),
        json.dumps({"model": "some-model", "messages": CONVERSATION}),
        "\n".join(json.dumps(message) for message in CONVERSATION),
    ],
    ids=["a list", "a request", "lines"],
)
def test_a_conversation_is_read_from_a_file(hashed: Cli, tmp_path: Path, written: str) -> None:
    file = tmp_path / "talk.json"
    file.write_text(written, encoding="utf-8")
    hashed("retain", "--messages", str(file), "--session", "intro")
    kept = hashed("list", "--json").json["units"]
    assert [(unit["speaker"], unit["text"]) for unit in kept] == [
        ("user", "Call me Jo."),
        ("assistant", "Gladly, Jo."),
    ]
    assert {unit["session"] for unit in kept} == {"intro"}


def test_a_bad_conversation_is_refused_whole(hashed: Cli, tmp_path: Path) -> None:
    file = tmp_path / "talk.json"

    def refused(*told: str) -> tuple[int, str]:
        ran = hashed("retain", *told)
        return ran.code, ran.err

    file.write_text(json.dumps([*CONVERSATION, {"role": "user"}]), encoding="utf-8")
    code, said = refused("--messages", str(file))
    assert code == 2 and "messages[2] without text" in said
    file.write_text('{"role": "user"\n', encoding="utf-8")
    code, said = refused("--messages", str(file))
    assert code == 2 and "line 1 is not JSON" in said
    assert refused()[0] == refused("Both.", "--messages", str(file))[0] == 2
    code, said = refused("--messages", str(tmp_path / "none"))
    assert code == 3 and "no such file" in said
    assert hashed("list", "--json").code == 3  # there is no store yet


def test_update_changes_what_is_given_and_keeps_the_rest(hashed: Cli, ferry: str) -> None:
    changed = hashed("update", ferry, "--text", "Nadia moved it to June.", "--json").json
    assert changed["id"] == ferry
    assert changed["text"] == "Nadia moved it to June."
    assert (changed["type"], changed["tags"], changed["key"]) == ("event", ["quay"], "launch")
    tagged = hashed("update", ferry, "--tag", "plans", "--json").json
    assert tagged["tags"] == ["plans"]
    assert tagged["text"] == "Nadia moved it to June."


def test_update_clears_what_it_is_told_to(hashed: Cli, ferry: str) -> None:
    cleared = hashed("update", ferry, "--clear", "key", "--clear", "tags", "--json").json
    assert (cleared["key"], cleared["tags"], cleared["type"]) == (None, [], "event")
    for field in ("told-at", "nonesuch", "text", "bank"):
        assert hashed("update", ferry, "--clear", field).code == 2


def test_supersede_takes_no_mistyped_id_for_a_memory(hashed: Cli, ferry: str) -> None:
    typo = f"{ferry[:-1]}{'y' if ferry.endswith('x') else 'x'}"
    refused = hashed("supersede", ferry, typo)
    assert refused.code == 3
    assert "retain it first" in " ".join(refused.err.split())
    assert hashed("list", "--json").json["units"][0]["valid_to"] is None


def test_supersede_closes_the_old_unit_and_names_both(hashed: Cli, ferry: str) -> None:
    at = "2026-04-01T00:00:00+00:00"
    new = hashed("supersede", ferry, "The launch is in June now.", "--at", at, "--json").json
    old = hashed("get", ferry, "--json").json
    assert (new["supersedes"], old["superseded_by"]) == (ferry, new["id"])
    assert old["valid_to"] == at


def test_forget_erases_by_id_and_reports_what_went(hashed: Cli, ferry: str) -> None:
    erased = hashed("forget", ferry, "--compact", "--json").json
    assert (erased["units"], erased["compacted"], erased["ids"]) == (1, True, [ferry])
    assert erased["left_closed"] == []
    assert hashed("get", ferry).code == 3


def test_forget_by_filter_needs_yes(hashed: Cli, ferry: str) -> None:
    hashed("retain", "Tomas prefers tea.")
    refused = hashed("forget", "--tag", "quay")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert hashed("get", ferry).code == 0
    assert hashed("forget", "--tag", "quay", "--yes", "--json").json["ids"] == [ferry]
    assert hashed("stats", "--json").json["units"] == 1


@pytest.mark.parametrize("arguments", [[], ["some-id", "--tag", "quay", "--yes"]])
def test_forget_wants_ids_or_a_filter(hashed: Cli, ferry: str, arguments: list[str]) -> None:
    refused = hashed("forget", *arguments)
    assert refused.code == 2
    assert "ids or a filter" in refused.err
    assert hashed("get", ferry).code == 0


def test_without_json_people_see_the_new_id(hashed: Cli) -> None:
    told = hashed("retain", "The crane is blue.")
    unit = hashed("list", "--json").json["units"][0]["id"]
    assert told.code == 0
    assert unit in told.out


def test_what_waits_is_listed_approved_and_rejected(hashed: Cli) -> None:
    by_the_bot = ("--pending", "--author", "bot", "--origin", "chat", "--json")
    told = [
        hashed("retain", f"The {what} is open.", *by_the_bot).json["ids"][0]
        for what in ("pier", "lock", "dock")
    ]
    found = hashed("pending", "--json").json
    assert ([unit["id"] for unit in found["units"]], found["total"]) == (told, 3)
    page = hashed("pending", "--limit", 1, "--offset", 1)
    assert told[1] in page.out and "bot" in page.out and "chat" in page.out
    assert told[0] not in page.out and "2 more" in page.out

    assert hashed("approve", *told[:2], "--json").json["new"] == told[:2]
    assert hashed("reject", told[2], "--json").json["ids"] == told[2:]
    assert "nothing waits" in hashed("pending").out
    listed = hashed("list", "--author", "bot", "--origin", "chat", "--json").json["units"]
    assert [unit["id"] for unit in listed] == told[:2]
    assert hashed("list", "--author", "nobody", "--json").json["units"] == []
    assert hashed("list", "--origin", "nowhere", "--json").json["units"] == []


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_one_id_that_does_not_wait_leaves_all_as_they_were(
    hashed: Cli, ferry: str, decision: str
) -> None:
    waits = hashed("retain", "The pier is open.", "--pending", "--json").json["ids"][0]
    ran = hashed(decision, waits, ferry)
    assert (ran.code, ran.out) == (3, "") and ferry in ran.err
    assert hashed(decision).code == 2
    assert hashed("pending", "--json").json["total"] == 1


def test_a_replacement_is_seen_in_the_history_and_taken_back(hashed: Cli, ferry: str) -> None:
    new = hashed("supersede", ferry, "The launch is in June now.", "--json").json["id"]
    for unit in (ferry, new):
        units = hashed("history", unit, "--json").json["units"]
        assert [one["id"] for one in units] == [ferry, new]
    shown = hashed("history", ferry).out
    assert shown.index(ferry) < shown.index(new) and "June" in shown

    again = hashed("supersede", ferry, "--undo", "--json").json
    assert (again["id"], again["valid_to"]) == (ferry, None)
    assert hashed("get", new, "--json").code == 0
    assert hashed("supersede", ferry, "--undo").code == 2  # it is not superseded
    for wrong in ([ferry], [ferry, new, "--undo"], [ferry, "--undo", "--at", TOLD]):
        assert hashed("supersede", *wrong).code == 2
