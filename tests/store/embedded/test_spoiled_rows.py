"""Values in a row that nobody wrote are damage, said as such, and never a raw exception."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from scrubjay import Memory, Recall, StoreDamaged


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


@pytest.mark.parametrize(
    "change",
    [
        "text = replace(text, 'the', 'thf')",
        "tags = replace(tags, 'seen', 'sefn')",
        "metadata = replace(metadata, 'hand', 'hbnd')",
        "speaker = 'Bertil'",
        "context = 'in sprint'",
        "predicate = NULL",
        "told_at = told_at + 1",
        "occurred_start = occurred_start + 256",
        "key = 'k3'",
    ],
)
def test_doctor_says_which_rows_are_not_what_was_told(tmp_path: Path, change: str) -> None:
    with opened(tmp_path) as memory:
        memory.retain("Agnes came.")
        memory.retain(
            "On 2023-05-03 Agnes saw the grey heron.",
            tags=["seen"],
            metadata={"by": "hand"},
            speaker="Doris",
            context="in spring",
            predicate="saw",
            key="k2",
        )
        memory.update(memory.retain("She went.").id, text="Agnes went.", tags=["gone"])
        assert memory.doctor() == []
    with sqlite3.connect(tmp_path / "banks" / "00000001" / "bank.db") as connection:
        assert connection.execute(f"UPDATE units SET {change} WHERE row = 2").rowcount == 1
    connection.close()
    with opened(tmp_path) as memory:
        found = {finding.check: finding for finding in memory.doctor(fix=True)}
        assert found["units"].detail == "1 unit(s) are not what was told: 2"
        assert not found["units"].fixed


def test_token_vectors_that_are_not_what_was_written_count_as_none_and_are_mended(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as memory:
        memory.bank("default", late=True)
        memory.retain([f"Agnes Vogel saw the grey heron {n}." for n in range(9)])
        whole = memory.recall("grey heron 1")
    with sqlite3.connect(tmp_path / "banks" / "00000001" / "bank.db") as connection:
        ((late,),) = connection.execute("SELECT late FROM vectors WHERE row = 2").fetchall()
        spoiled = late[:40] + bytes([late[40] ^ 1]) + late[41:]
        connection.execute("UPDATE vectors SET late = ? WHERE row = 2", (spoiled,))
    connection.close()
    with opened(tmp_path) as memory:
        assert len(memory.recall("grey heron 1").items) == len(whole.items)
        (found,) = memory.doctor(fix=True)
        assert (found.check, found.fixed) == ("late", True)
        assert found.detail == "1 unit(s) without whole token vectors: 2"
        mended = memory.recall("grey heron 1")
        assert _late(mended) == _late(whole)


def _late(answer: Recall) -> dict[str, float | None]:
    return {item.id: item.why.signs.get("late") for item in answer.items}
