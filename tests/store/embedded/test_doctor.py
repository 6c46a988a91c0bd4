"""`doctor` finds what is wrong with a bank's tables and indexes, and mends what can be mended."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scrubjay import Memory
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore


def opened(store: Path, index_files_above: int = 10**9) -> Memory:
    return Memory(EmbeddedStore(store, index_files_above=index_files_above), Toolbox("hash", None))


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
    "a vector of nobody": ("INSERT INTO vectors SELECT 99, vector FROM vectors LIMIT 1", "vectors"),
    "links of nobody": ("INSERT INTO links SELECT 99, packed FROM links LIMIT 1", "links"),
    "a mention by nobody": ("INSERT INTO mentions VALUES (1, 99)", "mentions"),
    "a mention that is not listed": ("DELETE FROM mentions WHERE row = 3", "mentions"),
    "a list without its mention": ("UPDATE units SET entities = NULL WHERE row = 3", "mentions"),
    "a wrong count": ("UPDATE entities SET mentions = 77", "entities"),
    "a link to nobody": ("UPDATE links SET packed = x'63000000010038' WHERE row = 3", "links"),
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
        assert memory.stats().units == 10
        assert memory.recall("grey heron 7").items


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
