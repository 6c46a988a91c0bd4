"""Opening a Memory: where it lives, what it leaves, and that it closes."""

from __future__ import annotations

import gc
from pathlib import Path

import platformdirs
import pytest

from scrubjay import BadInput, Bank, Memory, StoreClosed, Unit
from scrubjay.backend import default_directory


def test_the_environment_names_the_default_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_STORE", str(tmp_path / "mine"))
    with Memory.open(encoder="hash", reranker=None) as memory:
        memory.retain("Here.")
        assert memory.location == str(tmp_path / "mine")
    assert (tmp_path / "mine" / "registry.db").is_file()
    with Memory.open(encoder="hash", reranker=None) as memory:
        assert memory.stats().units == 1


def test_without_it_the_store_is_in_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRUBJAY_STORE", raising=False)

    assert default_directory() == Path(platformdirs.user_data_dir("scrubjay")) / "store"


def test_a_home_directory_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with Memory.open("~/notes", encoder="hash", reranker=None) as memory:
        assert memory.location == str(tmp_path / "notes")


def test_a_path_may_be_a_path_object_and_missing_parents_are_made(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b" / "c"
    with Memory.open(deep, encoder="hash", reranker=None) as memory:
        memory.retain("Deep.")
    assert deep.is_dir()


def test_an_empty_path_is_refused() -> None:
    with pytest.raises(BadInput, match="path"):
        Memory.open("", encoder="hash")


def test_a_memory_in_memory_leaves_nothing_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        unit = memory.retain(["The grey heron stands."] * 3, bank="b").id
        memory.recall("heron", bank="b")
        memory.forget(unit, bank="b", compact=True)
        assert memory.location == ":memory:"
        assert memory.stats(bank="b").disk_bytes == 0
        assert list(tmp_path.iterdir()) == []
    assert list(tmp_path.iterdir()) == []


def test_memories_in_memory_do_not_see_each_other() -> None:
    with (
        Memory.open(":memory:", encoder="hash", reranker=None) as one,
        Memory.open(":memory:", encoder="hash", reranker=None) as two,
    ):
        one.retain("Only in one.")
        assert two.stats().units == 0
        two.retain("Only in two.")
        assert [unit.text for unit in one.list().units] == ["Only in one."]


def test_closing_frees_the_files_and_can_be_done_twice(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path, encoder="hash", reranker=None)
    for n in range(5):
        memory.retain("Here.", bank=f"b{n}")
    memory.close()
    memory.close()
    gc.collect()
    here = Path("/proc/self/fd")
    if here.is_dir():
        held = [fd.readlink() for fd in here.iterdir() if fd.is_symlink()]
        assert not [path for path in held if path.is_relative_to(tmp_path)]
    assert not list(tmp_path.rglob("*-wal"))
    with pytest.raises(StoreClosed, match="open"):
        memory.retain("Late.")


def test_what_was_told_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        bank = memory.bank("b", timezone="Europe/Berlin")
        told = [
            Unit("Agnes Vogel called.", tags=("x",), session="s"),
            Unit("Bertil called back because Agnes Vogel called."),
        ]
        ids = bank.retain(told).ids
        units = bank.list().units
        links = [bank.links(unit) for unit in ids]
        answer = [item.id for item in bank.recall("who called?").items]
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        bank = memory.bank("b")
        assert bank.list().units == units
        assert [bank.links(unit) for unit in ids] == links
        assert [item.id for item in bank.recall("who called?").items] == answer
        assert bank.settings.timezone == "Europe/Berlin"
        assert memory.retain(told, bank="b").duplicates == ids


def test_a_memory_offers_what_its_banks_offer() -> None:
    own = {"settings", "name"}
    offered = {name for name in vars(Bank) if not name.startswith("_")}

    assert offered - own <= set(dir(Memory))
