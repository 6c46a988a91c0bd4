"""Backup and restore, also while others write."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from scrubjay import BadInput, Memory, ScrubjayError


def opened(store: Path | str) -> Memory:
    return Memory.open(store, encoder="hash", reranker=None)


def contents(memory: Memory, folder: Path) -> dict[str, list[str]]:
    """Every bank as its export."""
    lines = {}
    for bank in memory.banks():
        memory.export(folder / "out.jsonl", bank=bank.name)
        lines[bank.name] = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    return lines


def test_a_restored_store_is_the_store(tmp_path: Path) -> None:
    with opened(tmp_path / "store") as memory:
        for name in ("one", "zwei", "三"):
            kept = memory.retain(
                [f"Agnes Vogel saw heron {n} in {name}." for n in range(20)], bank=name
            )
            memory.link(kept.ids[0], kept.ids[1], bank=name)
            memory.supersede(kept.ids[2], "Nobody saw it.", bank=name)
        memory.bank("empty", timezone="Europe/Berlin")
        before = contents(memory, tmp_path)
        memory.backup(tmp_path / "backup")
        memory.retain("Told after the backup.", bank="one")
    Memory.restore(tmp_path / "backup", tmp_path / "restored")
    with opened(tmp_path / "restored") as memory:
        assert contents(memory, tmp_path) == before
        assert memory.bank("empty").settings.timezone == "Europe/Berlin"
        for name in before:
            assert memory.doctor(bank=name) == []
        assert memory.recall("heron 7", bank="zwei").items
        assert memory.retain("Goes on.", bank="one").new


def test_a_memory_in_memory_can_be_backed_up_to_disk(tmp_path: Path) -> None:
    with opened(":memory:") as memory:
        memory.retain("The grey heron stands.")
        memory.backup(tmp_path / "backup")
    with opened(tmp_path / "backup") as memory:
        assert memory.recall("heron").items[0].text == "The grey heron stands."


def test_a_backup_made_while_others_write_is_sound_and_holds_what_was_told_before(
    tmp_path: Path,
) -> None:
    stop = threading.Event()
    failures: list[BaseException] = []
    with opened(tmp_path / "store") as memory:
        before = memory.retain([f"Told before {n}." for n in range(50)], bank="b0").ids

        def write(number: int) -> None:
            try:
                for n in range(10_000):
                    if stop.is_set():
                        return
                    kept = memory.retain([f"Told meanwhile {number} {n} {k}." for k in range(3)],
                                         bank=f"b{number}")  # fmt: skip
                    memory.forget(kept.ids[0], bank=f"b{number}")
            except ScrubjayError as error:
                failures.append(error)

        writers = [threading.Thread(target=write, args=(n,)) for n in range(3)]
        for writer in writers:
            writer.start()
        for n in range(3):
            memory.backup(tmp_path / f"backup{n}")
        stop.set()
        for writer in writers:
            writer.join()
    assert failures == []
    for n in range(3):
        with opened(tmp_path / f"backup{n}") as copy:
            assert {copy.get(unit, bank="b0").id for unit in before} == set(before)
            for bank in copy.banks():
                assert copy.doctor(bank=bank.name) == []
                # Batches are there whole, but for the first of each, which may be forgotten.
                assert bank.units % 3 in (0, 1, 2)


def test_a_backup_or_restore_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with opened(tmp_path / "store") as memory:
        memory.retain("x")
        with pytest.raises(BadInput, match="full"):
            memory.backup(tmp_path / "full")
        memory.backup(tmp_path / "backup")
        with pytest.raises(BadInput, match="backup"):
            memory.backup(tmp_path / "backup")
        with pytest.raises(ScrubjayError, match="mine"):
            memory.backup(tmp_path / "full" / "mine.txt" / "below")
    with pytest.raises(BadInput, match="full"):
        Memory.restore(tmp_path / "backup", tmp_path / "full")
    with pytest.raises(BadInput, match="nowhere"):
        Memory.restore(tmp_path / "nowhere", tmp_path / "new")
    with pytest.raises(ScrubjayError, match="mine"):
        Memory.restore(tmp_path / "backup", tmp_path / "full" / "mine.txt" / "below")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert not (tmp_path / "new").exists()
