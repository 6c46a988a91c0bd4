"""The store's directory: who may open it, when, and what happens when it cannot be written."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay import (
    BadInput,
    Memory,
    NotFound,
    ScrubjayError,
    StoreDamaged,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
)
from scrubjay.store.embedded.connection.database import Database, Location

# A process that opens the store for writing, says so, and waits to be told to end.
HOLDER = """
import sys
from scrubjay import Memory
with Memory.open(sys.argv[1], encoder="hash", reranker=None) as memory:
    memory.retain("Told by the holder.")
    print("open", flush=True)
    for line in sys.stdin:
        print(memory.retain(line.strip()).id, flush=True)
"""


@contextmanager
def holder(store: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the store; a line on its input is a thing to retain."""
    command = [sys.executable, "-c", HOLDER, str(store)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == "open\n"
        yield process
        process.stdin.close()


def tell(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None and process.stdin is not None
    process.stdin.write(f"{text}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def opened(store: Path, *, read_only: bool = False) -> Memory:
    return Memory.open(store, encoder="hash", reranker=None, read_only=read_only)


def found_by_word(memory: Memory, word: str) -> list[str]:
    items = memory.recall(word, bank="b").items
    return [item.id for item in items if "lexical" in item.why.retrievers]


def test_a_second_writer_is_told_who_holds_the_store(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(StoreLocked, match=rf"process {process.pid} .*read_only=True"):
            opened(tmp_path)
        assert process.poll() is None
    with opened(tmp_path) as memory:
        assert memory.stats().units == 1


def test_a_second_writer_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(StoreLocked, match=str(os.getpid())):
        opened(tmp_path)


def test_the_lock_of_a_killed_process_does_not_outlive_it(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        process.kill()
        process.wait()
    with opened(tmp_path) as memory:
        assert memory.stats().units == 1


def test_readers_work_beside_a_writer_and_see_what_it_commits(tmp_path: Path) -> None:
    with holder(tmp_path) as process, opened(tmp_path, read_only=True) as memory:
        assert memory.stats().units == 1
        unit = tell(process, "The grey heron 4711 stood by the pond with Agnes Vogel.")
        assert memory.recall("4711").items[0].id == unit
        assert "semantic" in memory.recall("grey heron stood by pond").items[0].why.retrievers
        assert memory.entities(containing="agnes")
        for n in range(30):
            assert tell(process, f"Note number {n}.") == memory.recall(f"number {n}").items[0].id
        assert memory.doctor() == []


def test_a_reader_follows_updates_forgetting_settings_and_a_new_encoder(tmp_path: Path) -> None:
    with opened(tmp_path) as writer, opened(tmp_path, read_only=True) as reader:
        bank = writer.bank("b")
        assert reader.recall("anything", bank="b").items == ()
        unit = bank.retain("The grey heron stands.").id
        assert reader.recall("grey heron", bank="b").items[0].id == unit
        bank.update(unit, text="The white swan swims.")
        assert found_by_word(reader, "heron") == []
        assert "semantic" in reader.recall("white swan swims", bank="b").items[0].why.retrievers
        writer.bank("b", timezone="Europe/Berlin")
        reader.stats(bank="b")
        assert reader.bank("b").settings.timezone == "Europe/Berlin"
        bank.supersede(unit, "The black swan swims.", at="2020-01-01T00:00:00+00:00")
        assert unit not in found_by_word(reader, "swan")
        assert len(found_by_word(reader, "swan")) == 1
        bank.forget(unit, compact=True)
        assert reader.stats(bank="b").units == 1
        assert reader.doctor(bank="b") == []
        writer.delete_bank("b")
        with pytest.raises(NotFound):
            reader.stats(bank="b")
        writer.retain("A new life.", bank="b")
        assert [u.text for u in reader.list(bank="b").units] == ["A new life."]


def test_a_reader_opened_before_the_first_vector_takes_the_encoder_over(tmp_path: Path) -> None:
    with opened(tmp_path) as writer:
        writer.bank("b")
        with opened(tmp_path, read_only=True) as reader:
            assert reader.stats(bank="b").encoder is None
            writer.retain("The grey heron stands.", bank="b")
            (item,) = reader.recall("the grey heron stands", bank="b").items
            assert "semantic" in item.why.retrievers
            assert reader.stats(bank="b").encoder == "hash@1/f32/384"


def test_a_reader_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        unit = memory.retain("Agnes Vogel stands.").id
        entity = memory.entities()[0].id
    with opened(tmp_path, read_only=True) as memory:
        for call in (
            lambda: memory.retain("x"),
            lambda: memory.retain("x", bank="new"),
            lambda: memory.update(unit, text="x"),
            lambda: memory.supersede(unit, "x"),
            lambda: memory.forget(unit),
            lambda: memory.compact(),
            lambda: memory.link(unit, unit[::-1]),
            lambda: memory.relate("a", "b", "c"),
            lambda: memory.alias_entity(entity, "x"),
            lambda: memory.start_session("x"),
            lambda: memory.bank("default", recent_days=3),
            lambda: memory.delete_bank("default"),
            lambda: memory.doctor(fix=True),
            lambda: memory.reembed("hash"),
        ):
            with pytest.raises((StoreReadOnly, NotFound)):
                call()
        assert memory.get(unit).text == "Agnes Vogel stands."
        assert [bank.name for bank in memory.banks()] == ["default"]


def test_reading_a_store_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        opened(tmp_path / "nowhere", read_only=True)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("below", ["file", "file/store", "file/a/b"])
def test_a_store_cannot_be_in_a_file(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(BadInput, match="file"):
        opened(tmp_path / below)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


# Permissions do not bind root, so this gives them up before it opens anything.
READ_ONLY = """
import os, sys
from scrubjay import Memory, ScrubjayError
Memory.open(":memory:", encoder="hash", reranker=None).close()  # imports what others may not read
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    Memory.open(sys.argv[1], encoder="hash", reranker=None)
except ScrubjayError as error:
    print(type(error).__name__, error)
try:
    Memory.open(sys.argv[1] + "/new", encoder="hash", reranker=None)
except ScrubjayError as error:
    print(type(error).__name__, error)
with Memory.open(sys.argv[1], encoder="hash", reranker=None, read_only=True) as memory:
    print(memory.recall("grey heron").items[0].text)
"""


def test_a_read_only_directory_can_be_read_and_says_why_it_cannot_be_written() -> None:
    # Not tmp_path: another user may not pass through it.
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        with opened(store) as memory:
            memory.retain("The grey heron stands.")
        before = _files(store)
        everything = [store, *store.rglob("*")]
        for path in everything:
            path.chmod(0o555 if path.is_dir() else 0o444)
        command = [sys.executable, "-c", READ_ONLY, str(store)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for path in everything:
            path.chmod(0o755 if path.is_dir() else 0o644)
        assert done.stderr == ""
        refused, refused_new, found = done.stdout.splitlines()
        for line in (refused, refused_new):
            assert line.startswith("StoreReadOnly") and str(store) in line
            assert "Permission denied" in line and "read_only=True" in line
        assert found == "The grey heron stands."
        assert _files(store) == before


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.retain("x", bank="b")
    for name in ("banks/00000001/bank.db", "registry.db"):
        connection = sqlite3.connect(tmp_path / name)
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.execute("PRAGMA user_version=99")
        connection.close()
        before = (tmp_path / name).read_bytes()
        for read_only in (False, True):
            with pytest.raises(StoreTooNew, match=r"format 99.*Upgrade scrubjay"):
                _use(tmp_path, read_only=read_only)
        assert (tmp_path / name).read_bytes() == before
        connection = sqlite3.connect(tmp_path / name)
        connection.execute(f"PRAGMA user_version={version}")
        connection.close()
    with opened(tmp_path) as memory:
        assert memory.stats(bank="b").units == 1


def _use(store: Path, *, read_only: bool = False) -> None:
    with opened(store, read_only=read_only) as memory:
        memory.list(bank="b")


@pytest.mark.parametrize("damage", ["garbage", "cut short", "holes"])
def test_a_damaged_file_is_named_and_not_made_worse(tmp_path: Path, damage: str) -> None:
    name = "banks/00000001/bank.db"
    with opened(tmp_path) as memory:
        memory.retain([f"The grey heron {n} stands by the pond." for n in range(200)], bank="b")
        memory.retain("other", bank="other")
    file = tmp_path / name
    content = file.read_bytes()
    spoiled = {
        "garbage": b"this was never a database" * 1000,
        "cut short": content[: 4096 + 100],
        "holes": content[:100] + bytes(len(content) - 100),
    }[damage]
    file.write_bytes(spoiled)

    with pytest.raises(StoreDamaged, match=rf"{name}.*restore"):
        _use(tmp_path)
    assert file.read_bytes()[:100] == spoiled[:100]
    with opened(tmp_path) as memory:
        assert memory.stats(bank="other").units == 1
    file.write_bytes(content)
    with opened(tmp_path) as memory:
        assert memory.stats(bank="b").units == 200


def fill_up(database: Database) -> None:
    """Let a database file grow no further than it is, as a full disk would."""
    with database.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    with database.transaction() as connection:
        connection.execute(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_is_said_to_be_full_and_changes_nothing(tmp_path: Path) -> None:
    with Database(Location(tmp_path / "x.db"), [(1, "CREATE TABLE t (v BLOB);")]) as database:
        with database.transaction() as connection:
            connection.execute("INSERT INTO t VALUES (x'00')")
        fill_up(database)
        for _ in range(3):
            with pytest.raises(StoreFull, match=r"x\.db.*Free some"), database.transaction() as c:
                c.execute("INSERT INTO t VALUES (zeroblob(100000))")
        with database.transaction() as connection:
            connection.execute("INSERT INTO t VALUES (x'01')")
        with database.reading() as connection:
            assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (2,)


# A limit on the size of files stops the writes of root, too; a disk cannot be filled without one.
FULL = """
import resource, signal, sys
from scrubjay import Memory, ScrubjayError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Memory.open(sys.argv[1], encoder="hash", reranker=None) as memory:
    kept = memory.retain("Told while there was room.").ids
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
    try:
        for n in range(10_000):
            batch = [f"The grey heron {n} {k} stands still." for k in range(20)]
            kept += memory.retain(batch).ids
    except ScrubjayError as error:
        print(type(error).__name__, error)
    try:
        kept += memory.retain(["more " * 300] * 2).new  # refused, or kept where little is enough
        memory.bank("new")
    except ScrubjayError as error:
        print(type(error).__name__, error)
    assert memory.stats().units == len(kept)
    assert memory.recall("grey heron").items
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert memory.retain("Told when there was room again.").new
    assert memory.doctor() == []
print(len(kept))
"""


def test_a_store_on_a_full_disk_keeps_what_it_acknowledged_and_recovers(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stderr == ""
    first, *_, kept = done.stdout.splitlines()
    assert "bank.db" in first and "its space" in first
    with opened(tmp_path) as memory:
        assert memory.stats().units == int(kept) + 1 > 100
        assert memory.doctor() == []


def test_every_error_of_the_store_is_one_of_ours(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.retain("x")
        holders = json.loads((tmp_path / "writer.json").read_text(encoding="utf-8"))
        assert holders["pid"] == os.getpid()
    assert not (tmp_path / "writer.json").exists()
    for call in (memory.stats, lambda: memory.retain("y"), memory.banks, memory.compact):
        with pytest.raises(ScrubjayError, match="closed"):
            call()
    memory.close()
