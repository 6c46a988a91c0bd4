"""entities, relations, relate, link, sessions, banks."""

from __future__ import annotations

import pytest
from tests.surface.cli.command_line import Cli


def numbers(hashed: Cli) -> dict[str, int]:
    return {entity["name"]: entity["id"] for entity in hashed("entities", "list", "--json").json}


def test_entities_are_listed_aliased_merged_and_split(hashed: Cli, ferry: str) -> None:
    second = hashed(
        "retain", "Nadia Brandt waters the plants.", "--entity", "Nadia Brandt", "--json"
    )
    hashed("retain", "Oskar Lind mends nets.", "--entity", "Oskar Lind")
    known = numbers(hashed)
    oskar = known["Oskar Lind"]

    aliased = hashed("entities", "alias", oskar, "Ossi", "--json").json
    assert "ossi" in aliased["aliases"]
    assert hashed("entities", "list", "--containing", "oskar", "--json").json[0]["id"] == oskar

    other = known["Nadia Brandt"]
    merged = hashed("entities", "merge", oskar, other, "--json").json
    assert merged["id"] == oskar
    assert other not in numbers(hashed).values()

    unit = second.json["ids"][0]
    assert unit != ferry
    split = hashed("entities", "split", oskar, "Nadia Brandt", unit, "--json").json
    assert (split["name"], split["mentions"]) == ("Nadia Brandt", 1)
    assert "Oskar Lind" in hashed("entities", "list").out


def test_relations_are_told_and_listed(hashed: Cli) -> None:
    told = hashed(
        "relate", "Ines", "reports-to", "Sarah", "--class", "structural", "--confidence", 0.9,
        "--valid-from", "2026-01-01T00:00:00+00:00", "--json",
    )  # fmt: skip
    assert list(told.json) == ["id"]
    (relation,) = hashed("relations", "--json").json
    assert (relation["subject"], relation["relation"], relation["object"]) == (
        "Ines",
        "reports-to",
        "Sarah",
    )
    assert (relation["relation_class"], relation["confidence"]) == ("structural", 0.9)
    assert relation["valid_from"] == "2026-01-01T00:00:00+00:00"
    assert "reports-to" in hashed("relations").out


def test_a_relation_of_no_known_class_is_refused(hashed: Cli) -> None:
    assert hashed("relate", "Ines", "reports-to", "Sarah", "--class", "magic").code == 2
    assert hashed("relate", "Ines", "reports-to", "Sarah", "--confidence", 7).code == 2


def test_a_link_joins_two_units(hashed: Cli, ferry: str) -> None:
    late = hashed("retain", "The pier was finished late.", "--json").json["ids"][0]
    links = hashed("link", late, ferry, "--kind", "causes", "--weight", 0.8, "--json").json
    wanted = {"source": late, "target": ferry, "kind": "causes", "weight": 0.8}
    assert any(link.items() >= wanted.items() or _near(link, wanted) for link in links)
    assert "causes" in hashed("link", late, ferry).out


def _near(link: dict[str, object], wanted: dict[str, object]) -> bool:
    """Weights are stored in few bits."""
    same = all(link[name] == wanted[name] for name in ("source", "target", "kind"))
    return same and link["weight"] == pytest.approx(wanted["weight"], abs=0.01)


def test_sessions_start_end_and_show_in_the_log(hashed: Cli) -> None:
    at = "2026-03-02T09:00:00+00:00"
    started = hashed("sessions", "start", "standup", "--at", at, "--json").json
    ended = hashed("sessions", "end", "standup", "--at", "2026-03-02T09:15:00+00:00", "--json").json
    assert (started["started_at"], started["ended_at"]) == (at, None)
    assert ended["ended_at"] == "2026-03-02T09:15:00+00:00"
    (logged,) = hashed("sessions", "log", "--json").json
    assert logged == ended
    assert "standup" in hashed("sessions", "log").out


def test_banks_are_created_listed_and_deleted(hashed: Cli) -> None:
    made = hashed("banks", "create", "work", "--set", "timezone=Europe/Berlin", "--json").json
    assert made["name"] == "work"
    hashed("banks", "create", "home")
    names = [bank["name"] for bank in hashed("banks", "list", "--json").json]
    assert names == ["home", "work"]
    assert hashed("banks", "delete", "work").code == 2
    assert hashed("banks", "delete", "work", "--yes", "--json").json == {"deleted": "work"}
    assert [bank["name"] for bank in hashed("banks", "list", "--json").json] == ["home"]
    assert "home" in hashed("banks", "list").out


def test_a_setting_of_a_bank_is_used(hashed: Cli) -> None:
    hashed("banks", "create", "work", "--set", "timezone=Asia/Tokyo", "--set", "recent_days=3")
    read = hashed(
        "parse", "what broke in June 2025?", "--bank", "work", "--now",
        "2026-03-04T10:00:00+00:00", "--json",
    )  # fmt: skip
    assert read.json["window"][0] == "2025-06-01T00:00:00+09:00"


@pytest.mark.parametrize("setting", ["timezone=Moon/Base", "timezone", "colour=red"])
def test_a_setting_that_cannot_be_is_refused(hashed: Cli, setting: str) -> None:
    refused = hashed("banks", "create", "work", "--set", setting)
    assert refused.code == 2
    assert hashed("banks", "list", "--json").json == []
