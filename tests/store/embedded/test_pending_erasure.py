"""Beside a reader an erasure says what it left, and is finished as soon as the reader is gone."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore

SECRET = b"xylograph"

READER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1] + "?mode=ro", uri=True, isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT COUNT(*) FROM units").fetchone()
print("reading", flush=True)
sys.stdin.readline()
connection.execute("ROLLBACK")
"""

ERASER = """
import os, sys
from scrubjay import Memory
memory = Memory.open(sys.argv[1], encoder="hash", reranker=None)
assert memory.forget(sys.argv[2]).pending
os._exit(0)
"""

# Far more than the pause between two tries.
WAIT_S = 60.0


def opened(store: Path, index_files_above: int = 10**9) -> Memory:
    return Memory(
        EngineBackend(
            EmbeddedStore(store, index_files_above=index_files_above), Toolbox("hash", None)
        )
    )


@contextmanager
def reader(store: Path) -> Iterator[None]:
    """Another process that looks at the bank as it is now, until the block ends."""
    (bank,) = (store / "banks").glob("*/bank.db")
    command = [sys.executable, "-c", READER, bank.as_uri()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"reading"
        yield
        process.communicate(b"\n")


def tell(memory: Memory) -> str:
    memory.retain([f"The grey heron {n} stood by the pond." for n in range(20)])
    return memory.retain("The xylograph was stolen.").id


def holding(store: Path) -> list[str]:
    """The files that hold the secret."""
    files = [file for file in (store / "banks").rglob("*") if file.is_file()]
    return sorted(file.name for file in files if SECRET in file.read_bytes())


def test_what_a_reader_keeps_in_the_log_is_reported_and_goes_with_the_next_write(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as memory:
        unit = tell(memory)
        with reader(tmp_path):
            report = memory.forget(unit)
            assert report.units == 1
            assert report.pending is not None and "reader" in report.pending
            assert "bank.db-wal" in holding(tmp_path)
        memory.retain("The white swan swims.")
        assert holding(tmp_path) == []
        assert memory.forget(memory.retain("The black swan dives.").id).pending is None


def test_it_goes_without_another_call(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        unit = tell(memory)
        with reader(tmp_path):
            assert memory.forget(unit).pending
        give_up = time.monotonic() + WAIT_S
        while holding(tmp_path) and time.monotonic() < give_up:
            time.sleep(0.01)  # nothing tells of it
        assert holding(tmp_path) == []


@pytest.mark.parametrize("forgetting", [True, False], ids=["forget", "compact"])
def test_compacting_beside_a_reader_leaves_only_the_log(tmp_path: Path, forgetting: bool) -> None:
    with opened(tmp_path, index_files_above=5) as memory:
        unit = tell(memory)
    with opened(tmp_path, index_files_above=5) as memory:
        (index,) = (tmp_path / "banks").glob("*/index")
        with reader(tmp_path):
            if forgetting:
                report = memory.forget(unit, compact=True)
                assert report.pending and not report.compacted
            else:
                memory.forget(unit)
                assert memory.compact()
            # Vectors of what was erased are in these files.
            assert not index.exists()
            assert len(memory.recall("grey heron", limit=50)) == 20
        assert memory.compact() is None
        assert holding(tmp_path) == []
        assert memory.doctor() == []


def test_what_is_pending_when_the_store_is_closed_goes_when_it_is_opened(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        unit = tell(memory)
    with reader(tmp_path):
        with opened(tmp_path) as memory:
            assert memory.forget(unit).pending
        assert holding(tmp_path) != []
        with opened(tmp_path) as memory:
            memory.stats()
            assert holding(tmp_path) != []
    with opened(tmp_path) as memory:
        memory.stats()
        assert holding(tmp_path) == []


def test_what_is_pending_when_the_process_dies_goes_when_the_store_is_opened(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as memory:
        unit = tell(memory)
    with reader(tmp_path):
        subprocess.run([sys.executable, "-c", ERASER, str(tmp_path), unit], check=True)
    assert holding(tmp_path) != []
    with opened(tmp_path) as memory:
        memory.stats()
        assert holding(tmp_path) == []
