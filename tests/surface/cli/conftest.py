"""What the command line's tests share: a store of their own, no models, a wide terminal."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.surface.cli.command_line import Cli, Ran

from scrubjay.memory import Memory
from scrubjay.surface.cli import run
from scrubjay.types.units import Unit


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own settings reaches a test."""
    monkeypatch.setenv("SCRUBJAY_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("SCRUBJAY_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("SCRUBJAY_ENCODER", "none")
    monkeypatch.setenv("SCRUBJAY_WAIT_SECONDS", "0")  # whoever holds a store is in this process
    monkeypatch.delenv("SCRUBJAY_BANK", raising=False)
    monkeypatch.delenv("SCRUBJAY_BENCH", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs a command and returns its exit code, stdout and stderr."""

    def ran(*arguments: object) -> Ran:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return ran


@pytest.fixture
def hashed(cli: Cli) -> Cli:
    """The same, with the encoder that needs no files."""

    def ran(*arguments: object) -> Ran:
        return cli(*arguments, "--encoder", "hash")

    return ran


@pytest.fixture
def ferry(hashed: Cli) -> str:
    """The id of a first memory."""
    told = hashed(
        "retain", "Nadia moved the ferry launch to May.", "--type", "event", "--tag", "quay",
        "--told-at", "2026-03-02T09:30:00+00:00", "--key", "launch", "--json",
    )  # fmt: skip
    return str(told.json["ids"][0])


@pytest.fixture(scope="session")
def harbour_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small bank that is built once; tests that use it only read."""
    path = tmp_path_factory.mktemp("harbour") / "store"
    units = [
        Unit("Nadia moved the ferry launch to May.", type="event", tags=("quay",), key="launch",
             told_at=datetime(2026, 3, 2, 9, 30, tzinfo=UTC)),
        Unit("Tomas prefers tea over coffee.", type="preference", speaker="Tomas",
             session="kitchen", metadata={"room": "galley"},
             told_at=datetime(2026, 3, 5, 8, 0, tzinfo=UTC)),
        Unit("The crane at the north pier is blue.", type="fact",
             told_at=datetime(2026, 3, 6, 8, 0, tzinfo=UTC)),
        Unit("The lighthouse lamp was replaced.", type="event",
             occurred_start=datetime(2026, 3, 10, tzinfo=UTC),
             occurred_end=datetime(2026, 3, 10, 23, 59, tzinfo=UTC),
             told_at=datetime(2026, 3, 11, 8, 0, tzinfo=UTC)),
    ]  # fmt: skip
    with Memory.open(path, encoder="hash", reranker=None) as memory:
        memory.retain(units)
    return path


@pytest.fixture
def harbour(harbour_store: Path, hashed: Cli, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids in that bank, in the order told; commands find it by the environment."""
    monkeypatch.setenv("SCRUBJAY_STORE", str(harbour_store))
    return [unit["id"] for unit in hashed("list", "--json").json["units"]]
