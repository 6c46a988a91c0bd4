"""A word leaves the dictionary when no row holds it, whatever memory believes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from scrubjay import Memory, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.store.embedded.tables.dictionary import MANY_HOLDERS
from scrubjay.store.embedded.tables.erasing import Eraser
from scrubjay.types.values import UnitId


def opened(store: Path, clock: Callable[[], datetime] | None = None) -> Memory:
    return Memory(EngineBackend(EmbeddedStore(store, clock=clock), Toolbox("hash", None)))


def database(store: Path) -> Path:
    return next((store / "banks").glob("*/bank.db"))


def holders(store: Path) -> dict[str, int]:
    connection = sqlite3.connect(database(store))
    try:
        return dict(connection.execute("SELECT term, holders FROM terms").fetchall())
    finally:
        connection.close()


def test_the_rows_count_the_holders_of_a_rare_word(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        one = memory.retain("osprey one").id
        memory.retain(["osprey two", "osprey three", "kite four"])
        assert (holders(tmp_path)["osprey"], holders(tmp_path)["kite"]) == (3, 1)
        memory.update(one, text="osprey first")
        assert holders(tmp_path)["osprey"] == 3
        memory.forget(one)
        assert holders(tmp_path)["osprey"] == 2
        told = memory.retain([f"osprey again {n}" for n in range(MANY_HOLDERS)])
        assert holders(tmp_path)["osprey"] == MANY_HOLDERS
        memory.forget(told.ids)
        assert holders(tmp_path)["osprey"] == MANY_HOLDERS
        memory.forget([unit.id for unit in memory.list().units])
        assert holders(tmp_path) == {}


def test_a_change_that_was_undone_counts_nothing(tmp_path: Path) -> None:
    refuses = [False]

    def clock() -> datetime:
        if refuses[0]:
            raise OSError("no clock")
        return datetime.now(UTC)

    with opened(tmp_path, clock) as memory:
        memory.retain([f"osprey {n}" for n in range(MANY_HOLDERS - 1)])
        refuses[0] = True
        for n in range(3):
            try:
                memory.retain(f"osprey once more {n}")
            except OSError:
                continue
        refuses[0] = False
        assert holders(tmp_path)["osprey"] == MANY_HOLDERS - 1
        memory.retain("osprey last")
        assert holders(tmp_path)["osprey"] == MANY_HOLDERS


def test_a_word_that_memory_counts_too_low_stays_with_those_who_hold_it(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        common = memory.retain([f"osprey number{n}" for n in range(MANY_HOLDERS + 2)])
        rare = memory.retain(["kite one", "kite two"])
    connection = sqlite3.connect(database(tmp_path), isolation_level=None)
    for unit in (common.ids[0], rare.ids[0]):
        (row,) = connection.execute("SELECT row FROM units WHERE id = ?", (unit,)).fetchone()
        # Memory that has lost count believes that nobody holds any word.
        Eraser(connection, lambda _: 0).erase({UnitId(unit): row})
    connection.close()
    with opened(tmp_path) as memory:
        assert len(memory.recall("osprey", limit=50)) >= MANY_HOLDERS + 1
        assert [item.id for item in memory.recall("kite", limit=1).items] == [rare.ids[1]]
        assert "number0" not in holders(tmp_path)
        assert memory.doctor() == []


def test_a_word_asked_for_while_it_is_erased_and_told_again_is_found(tmp_path: Path) -> None:
    asking: list[Memory] = []

    def clock() -> datetime:
        # Called between the old row's erasure and the new one's words.
        if asking:
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(asking[0].recall, "osprey").result()
        return datetime.now(UTC)

    with opened(tmp_path, clock) as memory:
        memory.retain("The kite circles.")
        memory.retain(Unit("The osprey dives.", key="bird"))
        asking.append(memory)
        memory.retain(Unit("The osprey rests.", key="bird"))
        asking.clear()
    with opened(tmp_path) as memory:
        assert memory.recall("osprey", limit=1).items[0].text == "The osprey rests."
        assert "lexical" in memory.recall("osprey", limit=1).items[0].why.retrievers
