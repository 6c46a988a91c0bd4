"""Few banks are kept open at once, and nobody notices."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.settings import BankSettings
from scrubjay.store.embedded.store import EmbeddedStore


@contextmanager
def narrow(folder: Path, open_banks_max: int = 2) -> Iterator[Memory]:
    store = EmbeddedStore(folder, open_banks_max=open_banks_max)
    with Memory(EngineBackend(store, Toolbox("hash", None))) as memory:
        yield memory


def test_banks_that_were_closed_to_make_room_open_again(tmp_path: Path) -> None:
    with narrow(tmp_path) as memory:
        for turn in range(3):
            for n in range(6):
                memory.retain(f"Turn {turn} in bank {n}.", bank=f"b{n}")
        for n in range(6):
            found = [item.text for item in memory.recall(f"bank {n}", bank=f"b{n}").items]
            assert sorted(found) == [f"Turn {turn} in bank {n}." for turn in range(3)]
            assert memory.doctor(bank=f"b{n}") == []


def test_no_more_files_stay_open_than_banks_may(tmp_path: Path) -> None:
    with narrow(tmp_path) as memory:
        for n in range(10):
            memory.retain("Here.", bank=f"b{n}")
        # SQLite keeps a log beside every open database and removes it on closing the last one.
        assert len(list((tmp_path / "banks").rglob("*-wal"))) <= 2


def test_a_bank_in_use_is_not_closed_under_its_user(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, open_banks_max=1)
    for n in range(4):
        store.create_bank(f"b{n}", BankSettings())
    with store.using("b0") as first:
        assert first is not None
        for n in range(1, 4):
            with store.using(f"b{n}") as other:
                assert other is not None and other.unit_count() == 0
        assert first.info().name == "b0"
        with store.using("b0") as again:
            assert again is first
    store.close()


def test_many_threads_share_few_open_banks(tmp_path: Path) -> None:
    with narrow(tmp_path, open_banks_max=3) as memory:

        def work(seed: int) -> list[tuple[str, str]]:
            chance = random.Random(seed)
            told: list[tuple[str, str]] = []
            for n in range(25):
                bank = f"b{chance.randrange(12)}"
                told.append((bank, memory.retain(f"Thread {seed} note {n}.", bank=bank).id))
                if n % 5 == 0:
                    memory.recall("note", bank=bank)
            return told

        with ThreadPoolExecutor(8) as pool:
            told = [pair for pairs in pool.map(work, range(8)) for pair in pairs]
        assert sum(bank.units for bank in memory.banks()) == len(told) == 200
        for bank, unit in told[::10]:
            assert memory.get(unit, bank=bank).id == unit


def test_a_deletion_that_was_cut_off_is_finished_when_the_store_opens(tmp_path: Path) -> None:
    with narrow(tmp_path) as memory:
        memory.retain("Doomed.", bank="doomed")
        memory.retain("Stays.", bank="stays")
    folder = tmp_path / "banks" / "00000001"
    folder.rename(folder.with_suffix(".deleted"))
    with narrow(tmp_path) as memory:
        assert [bank.name for bank in memory.banks()] == ["stays"]
        assert [path.name for path in (tmp_path / "banks").iterdir()] == ["00000002"]
        memory.retain("A new life.", bank="doomed")
        assert memory.stats(bank="doomed").units == 1


def test_a_creation_that_was_cut_off_is_finished_when_the_store_opens(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    store.create_bank("b", BankSettings(timezone="Europe/Berlin"))
    store.close()
    # The entry in the list is the last step.
    with sqlite3.connect(tmp_path / "registry.db") as connection:
        connection.execute("DELETE FROM banks")
    connection.close()
    with Memory.open(tmp_path, encoder="hash", reranker=None, read_only=True) as memory:
        assert memory.banks() == []
    with narrow(tmp_path) as memory:
        assert [bank.name for bank in memory.banks()] == ["b"]
        assert memory.bank("b").settings.timezone == "Europe/Berlin"
        assert memory.retain("Here.", bank="b").new
