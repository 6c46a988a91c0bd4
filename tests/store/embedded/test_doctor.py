"""`doctor` finds what is wrong with a bank's tables and indexes, and mends what can be mended."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded import doctor
from scrubjay.store.embedded.store import EmbeddedStore

# Long beyond need: a lock that is held fails the test instead of hanging it.
WAIT_S = 60.0


def opened(store: Path, index_files_above: int = 10**9) -> Memory:
    return Memory(
        EngineBackend(
            EmbeddedStore(store, index_files_above=index_files_above), Toolbox("hash", None)
        )
    )


def spoil(store: Path, statement: str) -> None:
    connection = sqlite3.connect(store / "banks" / "00000001" / "bank.db")
    changed = connection.execute(statement).rowcount
    connection.commit()
    connection.close()
    assert changed != 0


@pytest.fixture
def store(tmp_path: Path) -> Path:
    with opened(tmp_path) as memory:
        memory.retain([f"Agnes Vogel saw the grey heron {n} by the pond." for n in range(10)])
        assert memory.doctor() == []
    return tmp_path


DAMAGE = {
    "a vector of nobody": (
        "INSERT INTO vectors SELECT 99, vector, late FROM vectors LIMIT 1",
        "vectors",
    ),
    "links of nobody": (
        "INSERT INTO links SELECT 99, packed, updating FROM links LIMIT 1",
        "links",
    ),
    "a mention by nobody": ("INSERT INTO mentions VALUES (1, 99)", "mentions"),
    "a mention that is not listed": ("DELETE FROM mentions WHERE row = 3", "mentions"),
    "a list without its mention": ("UPDATE units SET entities = NULL WHERE row = 3", "mentions"),
    "a wrong count": ("UPDATE entities SET mentions = 77", "entities"),
    "a link to nobody": ("UPDATE links SET packed = x'63000000010038' WHERE row = 3", "links"),
    "links at one end": ("DELETE FROM links WHERE row = 3", "links"),
    "an entity that is gone": ("DELETE FROM entities WHERE id = 1", "entities"),
    "a word that is gone": ("DELETE FROM terms WHERE term = 'heron'", "texts"),
    "words of another text": (
        "UPDATE units SET postings = (SELECT postings FROM units WHERE row = 5) WHERE row = 8",
        "texts",
    ),
    "too few holders": ("UPDATE terms SET holders = 1 WHERE term = 'heron'", "words"),
    "a word of nobody": ("INSERT INTO terms VALUES (9999, 'xylograph', 1)", "words"),
}


@pytest.mark.parametrize("case", DAMAGE)
def test_what_disagrees_with_the_rows_is_found_and_mended(store: Path, case: str) -> None:
    statement, check = DAMAGE[case]
    spoil(store, statement)
    with opened(store) as memory:
        found = memory.doctor()
        assert check in {finding.check for finding in found}
        assert not any(finding.fixed for finding in found)
        mended = memory.doctor(fix=True)
        assert check in {finding.check for finding in mended}
        assert all(finding.fixed for finding in mended)
        assert memory.doctor() == []
        check_whole(memory)
    with opened(store) as memory:
        assert memory.doctor() == []
        check_whole(memory)
    assert b"xylograph" not in next(store.glob("banks/*/bank.db")).read_bytes()


def check_whole(memory: Memory) -> None:
    """Ten units are found by their words, linked both ways, and forgotten to the last word."""
    assert memory.stats().units == 10
    by_word = memory.recall("heron", limit=20).items
    assert sum("lexical" in item.why.retrievers for item in by_word) == 10
    assert "lexical" in memory.recall("7", limit=1).items[0].why.retrievers
    for unit in memory.list().units:
        for link in memory.links(unit.id):
            assert unit.id in {back.target for back in memory.links(link.target)}


def test_what_cannot_be_mended_is_not_called_mended(store: Path) -> None:
    spoil(store, "DELETE FROM vectors WHERE row = 4")
    with opened(store) as memory:
        (finding,) = memory.doctor(fix=True)
        assert finding.check == "vectors"
        assert not finding.fixed
        memory.reembed("hash")
        assert memory.doctor() == []


def test_lost_or_spoiled_index_files_cost_time_and_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path, index_files_above=5) as memory:
        kept = memory.retain([f"Agnes Vogel saw the grey heron {n}." for n in range(40)])
        memory.forget(kept.ids[:3])
        answer = [item.id for item in memory.recall("grey heron 17").items]
    folder = tmp_path / "banks" / "00000001" / "index"
    names = sorted(path.name for path in folder.iterdir())
    assert names
    for name in names:
        content = (folder / name).read_bytes()
        for spoiled in (b"", b"garbage", content[: len(content) // 2], None):
            if spoiled is None:
                (folder / name).unlink()
            else:
                (folder / name).write_bytes(spoiled)
            with opened(tmp_path) as memory:
                assert [finding.check for finding in memory.doctor()] == ["files"]
                assert [item.id for item in memory.recall("grey heron 17").items] == answer
            (folder / name).write_bytes(content)


def test_indexes_saved_before_later_changes_are_caught_up(tmp_path: Path) -> None:
    with opened(tmp_path, index_files_above=5) as memory:
        kept = memory.retain([f"The grey heron {n} stands." for n in range(30)])
    with opened(tmp_path) as memory:  # saves nothing
        memory.forget(kept.ids[:10])
        memory.update(kept.ids[10], text="The white swan swims.")
        memory.supersede(kept.ids[11], "The black swan swims.", at="2020-01-01T00:00:00+00:00")
    with opened(tmp_path) as memory:
        assert memory.doctor() == []
        assert memory.stats().units == 21
        assert memory.recall("white swan").items[0].id == kept.ids[10]
        assert kept.ids[11] not in {item.id for item in memory.recall("heron 11").items}


def test_indexes_caught_up_on_opening_are_kept_without_a_write(tmp_path: Path) -> None:
    with opened(tmp_path, index_files_above=5) as memory:
        memory.retain([f"The {n}th gull took the bread." for n in range(9)])
    folder = tmp_path / "banks" / "00000001" / "index"
    for file in folder.iterdir():
        file.unlink()
    with opened(tmp_path, index_files_above=5) as memory:
        assert len(memory.recall("bread", limit=9)) == 9
    kept = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
    assert {"columns.npz", "terms.json", "vectors.json", "indexes.json"} <= kept.keys()
    with opened(tmp_path, index_files_above=5) as memory:
        assert len(memory.recall("bread", limit=9)) == 9
    # What is there and true is not written again.
    assert kept == {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}


def work_of(call: Callable[[], object]) -> int:
    """Steps a call takes: functions called, and what arrays and lists hold that numpy is given."""
    steps = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal steps
        if event == "call":
            steps += 1
            if f"{os.sep}numpy{os.sep}" in frame.f_code.co_filename:
                given = frame.f_locals.values()
                steps += sum(g.size for g in given if isinstance(g, np.ndarray))
                steps += sum(len(g) for g in given if isinstance(g, list))

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return steps


@pytest.mark.parametrize("fix", [False, True])
def test_the_work_grows_with_the_units_and_not_faster(tmp_path: Path, fix: bool) -> None:
    work = []
    for size in (250, 1000):
        with opened(tmp_path / str(size)) as memory:
            memory.retain([f"Agnes Vogel saw the grey heron {n} by the pond." for n in range(size)])
            assert memory.stats().links > 2 * size
            work.append(work_of(lambda memory=memory: memory.doctor(fix=fix)))  # type: ignore[misc]
    assert work[1] < 5 * work[0]


def test_writers_go_on_while_it_looks(store: Path) -> None:
    told: list[str] = []
    with opened(store) as memory, ThreadPoolExecutor(1) as elsewhere:

        def tell(frame: FrameType, event: str, _: object) -> None:
            here = frame.f_code.co_name == "examine" and frame.f_code.co_filename == doctor.__file__
            if event == "call" and here:
                sys.setprofile(None)
                kept = elsewhere.submit(memory.retain, "The osprey took a fish meanwhile.")
                told.extend(kept.result(WAIT_S).ids)

        sys.setprofile(tell)
        try:
            assert memory.doctor() == []
        finally:
            sys.setprofile(None)
        assert len(told) == 1
        assert memory.doctor() == []


def test_an_erasure_that_a_reader_keeps_waiting_is_told_of(store: Path) -> None:
    reader = sqlite3.connect(next(store.glob("banks/*/bank.db")), isolation_level=None)
    with opened(store) as memory:
        reader.execute("BEGIN")
        reader.execute("SELECT COUNT(*) FROM units").fetchone()
        memory.forget(memory.list(limit=1).units[0].id)
        assert [finding.check for finding in memory.doctor()] == ["erasure"]
        assert not memory.doctor(fix=True)[0].fixed
        reader.execute("ROLLBACK")
        assert all(finding.fixed for finding in memory.doctor(fix=True))
        assert memory.doctor() == []
    reader.close()
