"""Hermes Agent finds the plugin that was installed, and its manager drives our provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agent.memory_manager import MemoryManager
from plugins.memory import discover_memory_providers, load_memory_provider
from typer.testing import CliRunner

from scrubjay import Memory
from scrubjay.surface.cli import app


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of Hermes with our plugin, as `scrubjay install hermes` makes it."""
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    monkeypatch.delenv("SCRUBJAY_STORE", raising=False)
    done = CliRunner().invoke(app, ["install", "hermes", "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    return tmp_path


@pytest.fixture
def provider(home: Path) -> Iterator[Any]:
    provider = load_memory_provider("scrubjay")
    assert provider is not None
    provider.initialize("s1", hermes_home=str(home), platform="cli", agent_context="primary")
    yield provider
    provider.shutdown()


def test_hermes_finds_what_was_installed_and_not_what_was_taken_out(home: Path) -> None:
    assert ("scrubjay", True) in [(name, ready) for name, _, ready in discover_memory_providers()]
    done = CliRunner().invoke(app, ["install", "hermes", "--uninstall"], catch_exceptions=False)
    assert done.exit_code == 0
    assert not (home / "plugins" / "scrubjay").exists()
    assert "scrubjay" not in [name for name, *_ in discover_memory_providers()]


def test_the_manager_keeps_turns_and_gets_them_back_in_another_session(provider: Any) -> None:  # noqa: ANN401
    manager = MemoryManager()
    manager.add_provider(provider)
    assert manager.prefetch_all("What is my rabbit called?") == ""
    manager.sync_all("My rabbit is called Clover.", "A fine name.", session_id="s1")
    assert manager.flush_pending(timeout=120)
    manager.on_session_switch("s2", reset=True)
    assert "Clover" in manager.prefetch_all("What is my rabbit called?", session_id="s2")
    assert manager.prefetch_all("Zzyzx qwv?", session_id="s2") == ""
    kept = [(unit.text, unit.speaker, unit.session) for unit in provider.bank.list().units]
    assert kept == [
        ("My rabbit is called Clover.", "user", "s1"), ("A fine name.", "assistant", "s1"),
    ]  # fmt: skip


def test_its_tools_are_routed_by_the_manager(provider: Any) -> None:  # noqa: ANN401
    manager = MemoryManager()
    manager.add_provider(provider)
    told = manager.handle_tool_call("scrubjay_remember", {"text": "The host is called heron."})
    assert json.loads(told) == {"result": "Kept."}
    asked = manager.handle_tool_call("scrubjay_recall", {"question": "What is the host called?"})
    assert "heron" in json.loads(asked)["result"]
    assert "error" in json.loads(manager.handle_tool_call("scrubjay_remember", {"text": " "}))


def test_what_is_compressed_away_is_kept_once(provider: Any) -> None:  # noqa: ANN401
    provider.sync_turn("My rabbit is called Clover.", "A fine name.")
    provider.on_pre_compress(
        [
            {"role": "system", "content": "You are helpful."},
            {"role": "user", "content": "My rabbit is called Clover."},
            {"role": "user", "content": "She likes parsley."},
            {"role": "tool", "content": "exit code 0"},
            {"role": "assistant", "content": None},
        ]
    )
    texts = [unit.text for unit in provider.bank.list().units]
    assert texts == ["My rabbit is called Clover.", "A fine name.", "She likes parsley."]


def test_what_the_built_in_memory_is_told_is_kept_too(provider: Any) -> None:  # noqa: ANN401
    provider.on_memory_write("add", "user", "Prefers short answers.", {"session_id": "s1"})
    provider.on_memory_write("remove", "user", "Prefers short answers.")
    (unit,) = provider.bank.list().units
    assert (unit.text, unit.tags) == ("Prefers short answers.", ("hermes-user",))


def test_a_schedule_keeps_nothing(home: Path, provider: Any) -> None:  # noqa: ANN401
    provider.initialize("s1", hermes_home=str(home), platform="cron", agent_context="cron")
    provider.sync_turn("Check the mail.", "Done.")
    provider.on_memory_write("add", "memory", "x")
    assert "error" in json.loads(provider.handle_tool_call("scrubjay_remember", {"text": "x"}))
    assert provider.prefetch("mail") == ""


def test_users_and_profiles_have_their_own_banks(home: Path, provider: Any) -> None:  # noqa: ANN401
    names = set()
    for profile, user in (("coder", None), ("coder", "1"), ("writer", "1"), (None, None)):
        provider.initialize(
            "s", hermes_home=str(home), platform="cli", agent_identity=profile, user_id=user
        )
        names.add(provider.bank.name)
    assert len(names) == 4


def test_beside_another_process_it_recalls_only(home: Path, provider: Any) -> None:  # noqa: ANN401
    provider.sync_turn("My rabbit is called Clover.", "A fine name.")
    provider.shutdown()
    with Memory.open(home / "scrubjay") as held:
        assert held.banks()
        provider.initialize("s2", hermes_home=str(home), platform="cli")
        provider.sync_turn("Not kept.", "")
        assert "Clover" in provider.prefetch("What is my rabbit called?")
        assert provider.bank.stats().units == 2
