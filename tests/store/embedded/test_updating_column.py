"""Which units update others is known without reading their edges, and never says less than those.

Written, linked, judged, replaced, erased, mended, read by another store, opened anew or from files:
`updates_of` gives what the edges themselves say.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.store.shared.links import INCOMING, KIND_CODES, pack_links, says_updates
from scrubjay.store.shared.statements import migrations
from scrubjay.types.graph import LinkKind

OLD, NEW = "Log retention is 14 days in the hot tier.", "Log retention is 30 days in the hot tier."
ELSE = ("Ravi collects stamps.", "The dentist is in Elm Street.", "Agnes plays the tuba.")


def updates(store: EmbeddedStore) -> set[tuple[int, int]]:
    """Who updates whom, as a recall asks for it; it must be what the edges say."""
    with store.using("default") as bank:
        assert bank is not None
        bank.refresh()
        rows = np.arange(1, bank.row_limit())
        asked = bank.updates_of(rows, shown=True)
        told = bank.neighbours(rows).updates()
    found = set(zip(asked.sources.tolist(), asked.targets.tolist(), strict=True))
    assert found == set(zip(told.sources.tolist(), told.targets.tolist(), strict=True))
    return found


def memory_of(store: EmbeddedStore) -> Memory:
    return Memory(EngineBackend(store, Toolbox("hash", None)))


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[EmbeddedStore]:
    store = EmbeddedStore(tmp_path, index_files_above=1)
    with memory_of(store) as memory:
        memory.retain([*ELSE, OLD])
        yield store


def test_a_unit_that_changes_another_and_the_one_it_changes_are_known(
    writing: EmbeddedStore,
) -> None:
    assert updates(writing) == set()
    memory_of(writing).retain(NEW)
    assert updates(writing) == {(4, 5), (5, 4)}


def test_another_store_that_reads_learns_of_it(writing: EmbeddedStore, tmp_path: Path) -> None:
    with memory_of(reading := EmbeddedStore(tmp_path, read_only=True)):
        assert updates(reading) == set()
        memory_of(writing).retain(NEW)
        assert updates(reading) == {(4, 5), (5, 4)}


def test_it_is_known_after_opening_anew_with_and_without_files(tmp_path: Path) -> None:
    for above in (1, 1_000):
        folder = tmp_path / str(above)
        with memory_of(EmbeddedStore(folder, index_files_above=above)) as memory:
            memory.retain([*ELSE, OLD])
            memory.retain(NEW)
        with memory_of(opened := EmbeddedStore(folder, index_files_above=above)):
            assert updates(opened) == {(4, 5), (5, 4)}


def test_what_is_judged_linked_replaced_or_erased_is_known(writing: EmbeddedStore) -> None:
    memory = memory_of(writing)
    first, second, third, old = (unit.id for unit in memory.list().units)
    new = memory.retain(NEW).id
    memory.reject_conflict(old, new)
    assert updates(writing) == set()
    with writing.using("default") as bank:
        assert bank is not None
        bank.link(second, first, LinkKind.UPDATES, 0.9)
    assert updates(writing) == {(1, 2), (2, 1)}
    memory.update(first, text="Ravi collects stamps of ships.")
    assert updates(writing) == {(2, 6), (6, 2)}
    memory.forget(second)
    assert updates(writing) == set()
    assert third and memory.doctor(fix=True) == []


def test_a_bank_of_an_earlier_format_is_told_which_of_its_edges_say_so() -> None:
    kinds = [code | made for code in KIND_CODES.values() for made in (0, INCOMING)]
    packed = [pack_links([(n, kind, 0.5)]) for n, kind in enumerate(kinds, 6)]
    # Rows and weights may have the bytes of those kinds.
    packed += [b"".join(packed), b"".join(packed[:12]), pack_links([(0x07060786, 1, 0.5)]), b""]
    with closing(sqlite3.connect(":memory:")) as connection:
        for number, script in migrations("scrubjay.store.embedded"):
            if number == 9:
                rows = [(row, edges) for row, edges in enumerate(packed, 1)]
                connection.executemany("INSERT INTO links (row, packed) VALUES (?, ?)", rows)
            connection.executescript(script)
        found = dict(connection.execute("SELECT packed, updating FROM links").fetchall())
    assert found == {edges: says_updates(edges) for edges in packed}
    assert sum(found.values()) == 5
