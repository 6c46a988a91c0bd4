"""Each bank knows who it is: the list of banks can be lost, and no folder changes hands."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay import Memory, NotFound, StoreDamaged

REGISTRY = "registry.db"
FIRST = "banks/00000001"
SECOND = "banks/00000002"


def opened(store: Path, *, read_only: bool = False) -> Memory:
    return Memory.open(store, encoder="hash", reranker=None, read_only=read_only)


def texts(memory: Memory, bank: str) -> list[str]:
    return [unit.text for unit in memory.list(bank=bank).units]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two banks, closed."""
    with opened(tmp_path / "store") as memory:
        memory.retain("Alice wrote in her diary.", bank="alice")
        memory.retain("Bob mended the boat.", bank="bob")
    return tmp_path / "store"


def make_old(store: Path) -> None:
    """As stores were before the banks knew their names."""
    for file in (store / "banks").glob("*/bank.db"):
        with sqlite3.connect(file) as connection:
            connection.execute("DELETE FROM meta WHERE key = 'identity'")
        connection.close()


def _missing(file: Path) -> None:
    file.unlink()


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _no_database(file: Path) -> None:
    file.write_bytes(b"this was never a database" * 1000)


def _cut_short(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: 4096 + 100])


def _holes(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:100].ljust(file.stat().st_size, b"\0"))


def _empty_beside_its_log(file: Path) -> None:
    file.with_name(f"{file.name}-wal").write_bytes(file.read_bytes()[:4128])
    file.write_bytes(b"")


def _without_tables(file: Path) -> None:
    file.unlink()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()


DAMAGES = [_missing, _empty, _no_database, _cut_short, _holes, _empty_beside_its_log,
           _without_tables]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_lost_list_of_banks_is_made_anew_from_the_banks(
    store: Path, damage: Callable[[Path], None]
) -> None:
    damage(store / REGISTRY)
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["alice", "bob"]
        assert memory.retain("Mallory looks around.", bank="mallory").new
        assert texts(memory, "mallory") == ["Mallory looks around."]
        assert texts(memory, "alice") == ["Alice wrote in her diary."]
        assert texts(memory, "bob") == ["Bob mended the boat."]
    with opened(store, read_only=True) as memory:
        assert [bank.name for bank in memory.banks()] == ["alice", "bob", "mallory"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_reader_leaves_a_lost_list_alone_and_says_who_mends_it(
    store: Path, damage: Callable[[Path], None]
) -> None:
    damage(store / REGISTRY)
    before = (store / REGISTRY).read_bytes() if (store / REGISTRY).exists() else None
    with pytest.raises(StoreDamaged, match=r"registry\.db.*for writing"):
        opened(store, read_only=True)
    assert ((store / REGISTRY).read_bytes() if (store / REGISTRY).exists() else None) == before


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("read_only", [False, True])
def test_a_known_bank_without_its_file_is_damaged_not_empty(
    store: Path, damage: Callable[[Path], None], read_only: bool
) -> None:
    damage(store / FIRST / "bank.db")
    with opened(store, read_only=read_only) as memory:
        for _ in range(2):
            with pytest.raises(StoreDamaged, match=r"00000001.*restore"):
                memory.recall("diary", bank="alice")
        if not read_only:
            with pytest.raises(StoreDamaged, match=r"00000001.*restore"):
                memory.retain("A second diary.", bank="alice")
        assert texts(memory, "bob") == ["Bob mended the boat."]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_known_bank_without_its_folder_is_damaged_until_it_is_deleted(
    store: Path, read_only: bool
) -> None:
    shutil.rmtree(store / FIRST)
    with opened(store, read_only=read_only) as memory:
        with pytest.raises(StoreDamaged, match=r"00000001.*delete"):
            memory.list(bank="alice")
        assert not (store / FIRST).exists()
    with opened(store) as memory:
        memory.delete_bank("alice")
        memory.retain("Alice begins again.", bank="alice")
        assert texts(memory, "alice") == ["Alice begins again."]


@pytest.mark.parametrize("read_only", [False, True])
def test_banks_whose_folders_are_all_gone_are_damaged(store: Path, read_only: bool) -> None:
    shutil.rmtree(store / "banks")
    with opened(store, read_only=read_only) as memory:
        for name in ("alice", "bob"):
            with pytest.raises(StoreDamaged, match="missing or empty"):
                memory.recall("diary", bank=name)


def test_a_lost_list_is_made_anew_from_banks_whose_last_words_are_in_their_logs(
    store: Path,
) -> None:
    script = (
        "import os, sys; from scrubjay import Memory;"
        "memory = Memory.open(sys.argv[1], encoder='hash', reranker=None);"
        "memory.retain('Alice wrote one line more.', bank='alice');"
        "memory.retain('Carol planted a pear tree.', bank='carol');"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", script, str(store)], check=False)
    assert (store / FIRST / "bank.db-wal").stat().st_size
    for path in store.glob(f"{REGISTRY}*"):
        path.unlink()
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["alice", "bob", "carol"]
        assert len(texts(memory, "alice")) == 2
        assert texts(memory, "carol") == ["Carol planted a pear tree."]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_says_it_is_another_bank_is_not_opened(store: Path, read_only: bool) -> None:
    shutil.copyfile(store / FIRST / "bank.db", store / SECOND / "bank.db")
    with opened(store, read_only=read_only) as memory:
        with pytest.raises(StoreDamaged, match=r"00000002.*'alice'.*'bob'"):
            memory.recall("boat", bank="bob")
        assert texts(memory, "alice") == ["Alice wrote in her diary."]


def test_a_list_that_gives_a_folder_to_another_name_is_not_believed(store: Path) -> None:
    with sqlite3.connect(store / REGISTRY) as connection:
        connection.execute("UPDATE banks SET name = 'mallory' WHERE name = 'alice'")
    connection.close()
    with opened(store) as memory, pytest.raises(StoreDamaged, match=r"'alice'.*'mallory'"):
        memory.recall("diary", bank="mallory")
    (store / REGISTRY).unlink()
    with opened(store) as memory:
        assert texts(memory, "alice") == ["Alice wrote in her diary."]
        assert [bank.name for bank in memory.banks()] == ["alice", "bob"]


def test_a_list_whose_parts_disagree_is_made_anew(store: Path) -> None:
    content = (store / REGISTRY).read_bytes()
    # The name stands in the table and in its index; one of the two changes.
    at = content.index(b"alice")
    (store / REGISTRY).write_bytes(content[:at] + b"alicf" + content[at + 5 :])
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["alice", "bob"]
        assert texts(memory, "alice") == ["Alice wrote in her diary."]


def test_a_list_older_than_the_banks_takes_in_those_it_lacks(store: Path) -> None:
    older = (store / REGISTRY).read_bytes()
    with opened(store) as memory:
        memory.retain("Carol planted a pear tree.", bank="carol")
    (store / REGISTRY).write_bytes(older)
    with opened(store) as memory:
        assert texts(memory, "carol") == ["Carol planted a pear tree."]
        memory.retain("Dave is new.", bank="dave")
        assert texts(memory, "dave") == ["Dave is new."]


def test_the_number_of_a_folder_is_never_given_again(store: Path) -> None:
    (store / REGISTRY).unlink()
    (store / "banks" / "00000009.kept-by-hand").mkdir()
    with opened(store) as memory:
        memory.retain("Mallory looks around.", bank="mallory")
    assert (store / "banks" / "00000010" / "bank.db").is_file()


def test_two_folders_of_one_name_are_in_doubt(store: Path) -> None:
    with sqlite3.connect(store / SECOND / "bank.db") as connection:
        connection.execute("UPDATE meta SET value = '00000002 alice' WHERE key = 'identity'")
    connection.close()
    (store / REGISTRY).unlink()
    for _ in range(2):
        with pytest.raises(StoreDamaged, match=r"'alice'.*00000001.*00000002"):
            opened(store)
    assert not (store / REGISTRY).exists()


def test_a_copied_folder_is_in_doubt(store: Path) -> None:
    shutil.copytree(store / FIRST, store / "banks" / "00000007")
    with pytest.raises(StoreDamaged, match=r"00000007.*'alice', number 1.*[Mm]ove"):
        opened(store)


@pytest.mark.parametrize("damage", [_missing, _empty, _no_database, _without_tables])
def test_with_the_list_gone_a_bank_that_cannot_say_its_name_is_in_doubt(
    store: Path, damage: Callable[[Path], None]
) -> None:
    (store / REGISTRY).unlink()
    damage(store / FIRST / "bank.db")
    with pytest.raises(StoreDamaged, match="00000001"):
        opened(store)
    shutil.move(store / FIRST, store / "aside")
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["bob"]


def test_banks_of_an_older_version_take_their_names_from_the_list(store: Path) -> None:
    make_old(store)
    with opened(store, read_only=True) as memory:
        assert texts(memory, "alice") == ["Alice wrote in her diary."]
    with opened(store) as memory:
        assert texts(memory, "alice") == ["Alice wrote in her diary."]
        memory.list(bank="bob")
    (store / REGISTRY).unlink()
    with opened(store) as memory:
        assert texts(memory, "alice") == ["Alice wrote in her diary."]


def test_banks_of_an_older_version_without_their_list_are_in_doubt(store: Path) -> None:
    make_old(store)
    listed = (store / REGISTRY).read_bytes()
    (store / REGISTRY).unlink()
    with pytest.raises(StoreDamaged, match=r"00000001.*does not say which bank.*backup"):
        opened(store)
    (store / REGISTRY).write_bytes(listed)
    with opened(store) as memory:
        assert texts(memory, "alice") == ["Alice wrote in her diary."]


def test_a_bank_that_was_being_made_is_made_whole_or_not_at_all(store: Path) -> None:
    making = store / "banks" / "00000003.new"
    shutil.copytree(store / FIRST, making)
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["alice", "bob"]
        assert not making.exists()


def test_a_deleted_bank_stays_deleted_when_the_list_is_lost(store: Path) -> None:
    folder = store / FIRST
    folder.rename(folder.with_suffix(".deleted"))
    (store / REGISTRY).unlink()
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["bob"]
        with pytest.raises(NotFound):
            memory.list(bank="alice")
    assert [path.name for path in (store / "banks").iterdir()] == ["00000002"]


def test_what_is_not_a_banks_folder_is_let_be(store: Path) -> None:
    (store / "banks" / "notes.deleted").mkdir()
    (store / "banks" / "readme.txt").write_text("mine", encoding="utf-8")
    with opened(store) as memory:
        assert [bank.name for bank in memory.banks()] == ["alice", "bob"]
    assert (store / "banks" / "notes.deleted").is_dir()


def test_a_backup_holds_banks_that_know_their_names(store: Path, tmp_path: Path) -> None:
    with opened(store) as memory:
        memory.backup(tmp_path / "backup")
    (tmp_path / "backup" / REGISTRY).unlink()
    with opened(tmp_path / "backup") as memory:
        assert texts(memory, "alice") == ["Alice wrote in her diary."]


def test_a_copy_that_was_cut_off_does_not_pass_for_a_store(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    shutil.copytree(store / "banks", copy / "banks.partial")
    with pytest.raises(StoreDamaged, match=r"copy.*cut off"):
        opened(copy)
    assert sorted(path.name for path in copy.iterdir()) == ["banks.partial"]


def test_reading_changes_no_file(store: Path) -> None:
    def state() -> dict[Path, tuple[int, bytes]]:
        files = [path for path in store.rglob("*") if path.name in ("registry.db", "bank.db")]
        return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}

    with opened(store) as memory:
        memory.retain("Told to nobody in particular.")
    before = state()
    with opened(store) as memory:
        for _ in range(5):
            memory.recall("Who was told?")
            memory.list()
            memory.stats()
        logs = list(store.rglob("*.db-wal"))
        assert [log.stat().st_size for log in logs] == [0] * len(logs)
    assert state() == before


def test_telling_a_bank_that_is_there_leaves_the_list_alone(store: Path) -> None:
    before = (store / REGISTRY).read_bytes()
    with opened(store) as memory:
        for n in range(5):
            memory.retain(f"Alice wrote on page {n}.", bank="alice")
            memory.recall("page", bank="alice")
        log = store / f"{REGISTRY}-wal"
        assert not log.exists() or log.stat().st_size == 0
    assert (store / REGISTRY).read_bytes() == before


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("identity", "alice"),
        ("settings", "{"),
        ("settings", "[]"),
        ("settings", '{"types": 5}'),
        ("encoder", "{"),
        ("encoder", "{}"),
        ("created_at", "long ago"),
    ],
)
def test_what_a_bank_notes_about_itself_is_damaged_when_it_cannot_be_read(
    store: Path, key: str, value: str
) -> None:
    with sqlite3.connect(store / FIRST / "bank.db") as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
    connection.close()
    with opened(store) as memory, pytest.raises(StoreDamaged, match="restore"):
        memory.banks()


def test_bytes_that_are_no_text_are_damage_and_are_not_shown(store: Path) -> None:
    with sqlite3.connect(store / FIRST / "bank.db") as connection:
        connection.execute("UPDATE units SET text = CAST(x'446961727920ff' AS TEXT)")
    connection.close()
    with opened(store) as memory, pytest.raises(StoreDamaged, match="restore") as caught:
        memory.list(bank="alice")
    assert "Diary" not in str(caught.value)


def test_a_list_whose_schema_is_spoiled_is_made_anew(store: Path) -> None:
    content = (store / REGISTRY).read_bytes()
    for spoiled in (b"nam\xf5", b"nbme"):
        (store / REGISTRY).write_bytes(content.replace(b"name TEXT", spoiled + b" TEXT"))
        with opened(store) as memory:
            assert texts(memory, "alice") == ["Alice wrote in her diary."]
