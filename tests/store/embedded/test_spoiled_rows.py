"""Values in a row that nobody wrote are damage, said as such, and never a raw exception."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scrubjay import Memory, StoreDamaged


def opened(store: Path) -> Memory:
    return Memory.open(store, encoder="hash", reranker=None)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE units SET tags = '[\"a' WHERE row = 2",
        "UPDATE units SET metadata = '{' WHERE row = 2",
        "UPDATE units SET entities = x'ffffff7f' WHERE row = 2",
        "UPDATE units SET entities = x'01020304050607' WHERE row = 2",
        "UPDATE units SET type = 99 WHERE row = 2",
        "UPDATE units SET told_at = 9000000000000000000 WHERE row = 2",
        "UPDATE units SET created_at = 'x' WHERE row = 2",
        "UPDATE links SET packed = x'00' WHERE row = 2",
        "UPDATE links SET packed = x'ffffff7f0000c0' WHERE row = 2",
        "UPDATE vectors SET vector = x'00' WHERE row = 2",
    ],
)
def test_a_row_that_cannot_be_what_was_written_is_damage(tmp_path: Path, statement: str) -> None:
    with opened(tmp_path) as memory:
        kept = memory.retain(
            [f"Agnes Vogel saw the grey heron {n}." for n in range(9)],
            tags=["seen"],
            metadata={"by": "hand"},
        )
    with sqlite3.connect(tmp_path / "banks" / "00000001" / "bank.db") as connection:
        assert connection.execute(statement).rowcount == 1
    connection.close()
    with opened(tmp_path) as memory, pytest.raises(StoreDamaged, match="restore"):
        memory.get(kept.ids[1])
        memory.list()
        memory.links(kept.ids[1])
