"""What other users of the machine can read of a store, its copies and a server's own files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli
from tests.surface.http.http_server import running


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """The one most systems give: everybody may read what is made without a word about it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_store_and_its_copies_are_for_their_owner_alone(
    cli: Cli, hashed: Cli, ferry: str, tmp_path: Path
) -> None:
    assert ferry and mode(tmp_path / "store") == 0o700
    assert hashed("backup", tmp_path / "copies" / "one").code == 0
    restored = tmp_path / "restored"
    assert cli("restore", tmp_path / "copies" / "one", "--store", restored).code == 0
    assert hashed("export", tmp_path / "notes", "--to", "markdown").code == 0
    assert hashed("export", tmp_path / "out.jsonl").code == 0
    for folder in ("copies", "copies/one", "restored", "notes"):
        assert mode(tmp_path / folder) == 0o700, folder
    assert mode(tmp_path / "out.jsonl") == 0o600


def test_a_directory_that_was_there_stays_as_it_was_made(hashed: Cli, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o750)
    assert hashed("retain", "The gate code is 4711.", "--store", shared).code == 0
    assert mode(shared) == 0o750


@pytest.mark.parametrize(
    "first", [("keys", "create", "mine", "--grant", "*:read"), ("install", "cursor", "--project")]
)
def test_a_store_that_another_command_makes_first_is_private_too(
    cli: Cli, first: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli(*first, "--store", tmp_path / "new" / "store").code == 0
    made = [tmp_path / "new", *(tmp_path / "new").rglob("*")]
    assert {mode(each) for each in made if each.is_dir()} == {0o700}


def test_a_servers_own_files_are_for_their_owner_alone(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "audit.jsonl").touch(mode=0o644)
    with running(tmp_path) as server:
        server.json("POST", "/v1/banks/default/memories", {"text": "The gate code is 4711."})
        told = [each for each in state.iterdir() if each.name.startswith(("server.db", "audit"))]
        assert {each.name for each in told} >= {"server.db", "server.db-wal", "audit.jsonl"}
        assert {mode(each) for each in told} == {0o600}
