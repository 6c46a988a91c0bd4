"""get, list, stats: what is in a bank."""

from __future__ import annotations

import pytest
from tests.surface.cli.command_line import Cli


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [0, 1, 2, 3]),
        (["--type", "event", "--type", "fact"], [0, 2, 3]),
        (["--tag", "quay"], [0]),
        (["--metadata", '{"room": "galley"}'], [1]),
        (["--session", "kitchen"], [1]),
        (["--speaker", "Tomas"], [1]),
        (["--key", "launch"], [0]),
        (["--entity", "Nadia"], [0]),
        (["--told-from", "2026-03-06"], [2, 3]),
        (["--told-to", "2026-03-05"], [0, 1]),
        (["--told-to", "2026-03-05T07:59:00+00:00"], [0]),
        (["--occurred-from", "2026-03-10", "--occurred-to", "2026-03-10"], [3]),
    ],
)
def test_list_shows_the_units_that_pass_the_filter(
    hashed: Cli, harbour: list[str], options: list[str], expected: list[int]
) -> None:
    page = hashed("list", *options, "--json").json
    assert [unit["id"] for unit in page["units"]] == [harbour[n] for n in expected]


def test_a_cursor_goes_on_where_the_page_ended(hashed: Cli, harbour: list[str]) -> None:
    first = hashed("list", "--limit", 2, "--json").json
    rest = hashed("list", "--limit", 2, "--cursor", first["cursor"], "--json").json
    seen = [unit["id"] for unit in first["units"] + rest["units"]]
    assert seen == harbour
    assert rest["cursor"] is None


def test_the_terminal_list_has_ids_days_and_texts(hashed: Cli, harbour: list[str]) -> None:
    shown = hashed("list", "--limit", 2)
    assert harbour[0] in shown.out
    assert "Nadia moved the ferry launch to May." in shown.out
    assert "2026-03-05" in shown.out
    assert "--cursor" in shown.out


def test_an_empty_bank_lists_nothing(hashed: Cli) -> None:
    hashed("banks", "create", "quiet")
    shown = hashed("list", "--bank", "quiet")
    assert (shown.code, shown.out.strip()) == (0, "nothing")


def test_get_shows_fields_and_leaves_out_the_empty_ones(hashed: Cli, harbour: list[str]) -> None:
    shown = hashed("get", harbour[0])
    assert "launch" in shown.out
    assert "told_at" in shown.out
    assert "speaker" not in shown.out


def test_stats_counts_a_bank(hashed: Cli, harbour: list[str]) -> None:
    counted = hashed("stats", "--json").json
    assert counted["units"] == len(harbour)
    assert counted["by_type"] == {"event": 2, "preference": 1, "fact": 1}
    assert "hash@1" in hashed("stats").out


def test_the_bank_can_come_from_the_environment(
    hashed: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed("retain", "The crane is blue.", "--bank", "work")
    monkeypatch.setenv("SCRUBJAY_BANK", "work")
    assert hashed("stats", "--json").json["bank"] == "work"


def test_control_characters_of_a_memory_never_reach_the_terminal(hashed: Cli) -> None:
    evil = "red \x1b[31malert\x1b[0m \x07 and [bold]markup[/bold] :smile:"
    hashed("retain", evil)
    shown = hashed("list").out
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "[bold]markup[/bold] :smile:" in shown
    assert hashed("list", "--json").json["units"][0]["text"] == evil
