"""A store that an earlier scrubjay wrote opens, knows what it was told, and goes on.

`data/format_1` is such a store, as statements; it has no encoder, and its clock stood at 2026-03-02
and, for the last change, three days later.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from scrubjay import (
    Cause,
    Memory,
    Relation,
    RelationClass,
    StoreReadOnly,
    Unit,
    UnitFilter,
)

DATA = Path(__file__).with_name("data") / "format_1"
TOLD = datetime(2026, 1, 10, 9, tzinfo=UTC)
CLOSED = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "banks" / "00000001"
    folder.mkdir(parents=True)
    for name, target in (
        ("registry.sql", tmp_path / "registry.db"),
        ("bank.sql", folder / "bank.db"),
    ):
        with closing(sqlite3.connect(target)) as connection:
            connection.executescript((DATA / name).read_text(encoding="utf-8"))
    return tmp_path


def test_an_end_told_before_is_taken_to_be_told_with_its_successor(store: Path) -> None:
    with Memory.open(store, encoder=None, reranker=None) as memory:
        rents = {unit.text: unit for unit in memory.list().units if "rent" in unit.text}
        old, new = rents["The rent is 900."], rents["The rent is 950."]
        assert (old.valid_to, old.closed_at) == (TOLD + timedelta(days=20), CLOSED)
        assert (new.told_at, new.closed_at) == (CLOSED, None)
        before = memory.recall("rent?", known_at=CLOSED - timedelta(days=1))
        after = memory.recall("rent?", known_at=CLOSED)
        assert [item.text for item in before] == ["The rent is 900."]
        assert [item.text for item in after] == ["The rent is 950."]
        # An end told with its unit stays so.
        (agnes,) = memory.list(UnitFilter(key="agnes")).units
        assert (agnes.valid_to, agnes.closed_at) == (TOLD + timedelta(days=300), None)
        assert memory.doctor() == []


def test_reading_only_says_that_it_must_be_opened_for_writing_once(store: Path) -> None:
    with (
        Memory.open(store, encoder=None, reranker=None, read_only=True) as memory,
        pytest.raises(StoreReadOnly, match="Open the store once for writing"),
    ):
        memory.list()
    with Memory.open(store, encoder=None, reranker=None) as memory:
        assert memory.stats().units == 7
    with Memory.open(store, encoder=None, reranker=None, read_only=True) as memory:
        assert len(memory.list().units) == 7


def test_what_was_told_to_an_earlier_scrubjay_is_recognised(store: Path) -> None:
    told = [
        Unit("The mill pond froze."),
        Unit(
            "Agnes runs the mill.", type="fact", predicate="runs", context="work", told_at=TOLD,
            occurred_start=TOLD, occurred_end=TOLD, valid_from=TOLD,
            valid_to=TOLD + timedelta(days=300), entities=("Agnes",),
            relations=(
                Relation("Agnes", "runs", "the mill", RelationClass.STRUCTURAL, 0.9, TOLD, None),
            ),
            tags=("mill", "work"), metadata={"a": "é", "b": [1, 2.5, None]}, session="s1",
            speaker="Bertil", key="agnes",
        ),
        Unit("The weir broke because of the frost.", causes=(Cause("agnes", weight=0.5),)),
        Unit("Sentence after sentence. " * 120),
        Unit("The rent is 900.", told_at=TOLD),
    ]  # fmt: skip
    with Memory.open(store, encoder=None, reranker=None) as memory:
        kept = memory.retain(told)
        assert (kept.new, kept.updated) == ((), ())
        assert memory.stats().units == 7
