"""import, export, reembed, backup, restore, doctor."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli

from scrubjay.encoder.catalogue import ENCODERS


def test_what_is_exported_can_be_imported(hashed: Cli, ferry: str, tmp_path: Path) -> None:
    file = tmp_path / "bank.jsonl"
    written = hashed("export", file, "--json").json
    assert written == {"lines": len(file.read_text("utf-8").splitlines()), "file": str(file)}
    taken = hashed("import", file, "--bank", "copy", "--json").json
    assert (taken["new"], taken["problems"]) == (1, [])
    assert hashed("get", ferry, "--bank", "copy", "--json").json["key"] == "launch"
    again = hashed("import", file, "--bank", "copy")
    assert "duplicates" in again.out


def test_a_bad_line_keeps_the_file_out_unless_told_to_go_on(hashed: Cli, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text('{"text": "The crane is blue."}\n{"txet": "oops"}\n', encoding="utf-8")
    refused = hashed("import", file)
    assert refused.code == 2
    assert "line 2" in refused.err
    assert hashed("stats", "--json").json["units"] == 0
    kept = hashed("import", file, "--keep-going", "--json").json
    assert kept["new"] == 1
    assert kept["problems"][0]["line"] == 2
    assert "txet" in kept["problems"][0]["reason"]


def test_a_file_of_another_program_is_tried_then_brought_along(hashed: Cli, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    entity = {"type": "entity", "name": "Nadia", "entityType": "person", "observations": ["Sails."]}
    file.write_text(json.dumps(entity) + "\n", encoding="utf-8")
    tried = hashed("import", file, "--dry-run", "--json").json
    assert (tried["kind"], tried["units"], "new" in tried) == ("mcp-memory", 1, False)
    assert "no store" in hashed("stats").err  # not even that was made
    assert hashed("import", file, "--from", "mcp-memory", "--json").json["new"] == 1
    assert hashed("import", file, "--json").json["duplicates"] == 1
    assert hashed("recall", "Nadia", "--json").json["items"][0]["text"] == "Nadia: Sails."
    refused = hashed("import", file, "--from", "notion")
    assert refused.code == 2
    assert "There are scrubjay, claude-code" in refused.err


def test_columns_are_mapped_on_the_command_line(hashed: Cli, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("body,colour\nThe crane is tall.,red\n", encoding="utf-8")
    assert "--map text=COLUMN" in hashed("import", file).err
    assert hashed("import", file, "--map", "text=body", "--json").json["new"] == 1
    assert "FIELD=COLUMN" in hashed("import", file, "--map", "body").err


@pytest.mark.usefixtures("ferry")
def test_a_bank_becomes_notes_and_notes_a_bank(hashed: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    assert hashed("export", folder, "--to", "markdown", "--json").json["notes"] == 1
    taken = hashed("import", folder, "--bank", "copy", "--json").json
    assert (taken["kind"], taken["new"]) == ("markdown", 1)
    assert "use jsonl or markdown" in hashed("export", folder, "--to", "html").err


@pytest.mark.usefixtures("ferry")
def test_progress_stays_away_when_nobody_watches(hashed: Cli, tmp_path: Path) -> None:
    ran = hashed("export", tmp_path / "bank.jsonl", "--json")
    assert ran.err == ""


def test_reembed_gives_a_bank_without_vectors_the_encoder_asked_for(cli: Cli) -> None:
    cli("retain", "The crane is blue.", "--encoder", "none")
    assert cli("stats", "--json").json["encoder"] is None
    done = cli("reembed", "--encoder", "hash", "--json").json
    assert (done["units"], done["encoder"].split("@")[0]) == (1, "hash")
    stats = cli("stats", "--encoder", "hash", "--json").json
    assert (stats["vectors"], stats["encoder"]) == (1, done["encoder"])


def test_reembed_without_a_model_names_the_command_that_mends_it(cli: Cli) -> None:
    cli("retain", "The crane is blue.", "--encoder", "none")
    refused = cli("reembed")
    assert refused.code == 1
    assert ENCODERS[0].remedy in refused.err


def test_a_backup_restores_to_a_new_store_and_neither_overwrites(
    cli: Cli, hashed: Cli, ferry: str, tmp_path: Path
) -> None:
    copy, new = tmp_path / "backup", tmp_path / "restored"
    assert hashed("backup", copy, "--json").json == {"backup": str(copy)}
    assert hashed("backup", copy).code == 2
    assert cli("restore", copy, "--store", new, "--json").json == {"store": str(new)}
    assert hashed("get", ferry, "--store", new, "--json").json["key"] == "launch"
    assert cli("restore", copy, "--store", new).code == 2
    assert cli("restore", tmp_path / "nowhere", "--store", tmp_path / "x").code == 2


@pytest.mark.usefixtures("ferry")
def test_doctor_finds_mends_and_exits_with_four_until_then(hashed: Cli, tmp_path: Path) -> None:
    assert hashed("doctor", "--json").json == {"healthy": True, "banks": {"default": []}}
    (database,) = (tmp_path / "store" / "banks").glob("*/bank.db")
    with sqlite3.connect(database) as connection:
        connection.execute("INSERT INTO mentions SELECT row + 1000, entity FROM mentions")
    connection.close()
    sick = hashed("doctor", "--json")
    assert sick.code == 4
    assert json.loads(sick.out)["healthy"] is False
    assert "not fixed" in hashed("doctor", "--all").out
    mended = hashed("doctor", "--fix", "--json").json
    assert mended["healthy"] is True
    assert all(finding["fixed"] for finding in mended["banks"]["default"])
    assert "all is well" in hashed("doctor").out


def test_a_stream_of_another_kind_is_told_to_be_named(hashed: Cli, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("note,by\nThe bell rang.,Jo\n", encoding="utf-8")
    with path.open(encoding="utf-8") as stream:
        descriptor = os.dup(0)
        try:
            os.dup2(stream.fileno(), 0)
            refused = hashed("import", "-")
        finally:
            os.dup2(descriptor, 0)
            os.close(descriptor)
    assert refused.code == 2
    assert "--from KIND" in refused.err
    assert "csv" in refused.err


def test_a_second_installation_says_that_nothing_changes(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "plugin" in cli("install", "claude-code").out
    assert cli("install", "claude-code").out == "Nothing to change: it is as it should be.\n"
    cli("install", "claude-code", "--uninstall")
    assert "Nothing to change" in cli("install", "claude-code", "--uninstall").out
