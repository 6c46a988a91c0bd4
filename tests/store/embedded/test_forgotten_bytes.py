"""After forgetting and compacting, no byte of what was forgotten is in any file of the store."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from scrubjay import Memory, Relation, Unit, UnitFilter
from scrubjay.backend import EngineBackend
from scrubjay.engine.retain.embedding import embedded_text
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.testing import HashingEncoder

# Words that occur nowhere else, in every part of a unit that can hold one.
SECRETS = (
    "xylograph", "Quillfeather", "zanzamere", "Ostrobogulous", "blatherskite", "wamblecropt",
    "snollygoster", "taradiddle", "gardyloo", "fudgelled", "kerfuffling", "quockerwodger",
)  # fmt: skip


def tell_secret(memory: Memory, bank: str = "default", n: int = 0, *, pending: bool = False) -> str:
    """One unit with a secret in each of its parts; its id."""
    return memory.retain(
        f"The xylograph of {n} was stolen from Ebenezer Quillfeather in zanzamere.",
        predicate="ostrobogulous theft",
        context=f"blatherskite report {n}",
        tags=["wamblecropt"],
        metadata={"snollygoster": {"taradiddle": ["gardyloo"]}},
        speaker="Fudgelled Jones",
        key=f"kerfuffling-{n}",
        entities=["Quockerwodger Guild"],
        relations=[Relation("Quockerwodger Guild", "fudgelled-by", "Ebenezer Quillfeather")],
        told_at=datetime(2025, 5, 5, tzinfo=UTC),
        pending=pending,
        bank=bank,
    ).id


def traces(folder: Path) -> dict[str, list[str]]:
    """Which secrets are in which files, in any case and in the encodings a file may use."""
    found: dict[str, list[str]] = {}
    for file in folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes().lower()
            for secret in SECRETS:
                word = secret.lower()
                if word.encode() in content or word.encode("utf-16-le") in content:
                    found.setdefault(secret, []).append(file.name)
    return found


def fill(memory: Memory, bank: str = "default") -> None:
    memory.retain(
        [f"The grey heron {n} stood by the pond with Agnes Vogel." for n in range(50)], bank=bank
    )


def test_a_unit_forgotten_by_id_leaves_no_byte(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        fill(memory)
        unit = tell_secret(memory)
        memory.recall("Where is the xylograph of Quillfeather?")
        assert set(traces(tmp_path)) == {*SECRETS}
        report = memory.forget(unit, compact=True)
        assert report.compacted
        # While the store is still open, its log and all.
        assert traces(tmp_path) == {}
        assert memory.doctor() == []
        assert unit.encode() not in (tmp_path / "banks" / "00000001" / "bank.db").read_bytes()
    assert traces(tmp_path) == {}


def test_the_vectors_of_a_forgotten_units_tokens_leave_no_byte(tmp_path: Path) -> None:
    text = "The xylograph was stolen from zanzamere."
    _, (codes,) = HashingEncoder().encode_documents_late([text], [len(text)])
    # Each word has its own; none of these is said by another unit.
    theirs = [codes[n].tobytes() for n in (1, 3, 5)]

    def files_with_one() -> list[str]:
        files = [file for file in tmp_path.rglob("*") if file.is_file()]
        return [f.name for f in files if any(one in f.read_bytes() for one in theirs)]

    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        memory.bank("default", late=True)
        fill(memory)
        unit = memory.retain(text).id
        assert files_with_one()
        report = memory.forget(unit)
        assert report.pending is None
        # Without compacting: the row is overwritten, the log is empty.
        assert files_with_one() == []
        assert memory.doctor() == []


def test_units_forgotten_by_filter_leave_no_byte(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        fill(memory)
        for n in range(30):
            tell_secret(memory, n=n)
        assert memory.forget(UnitFilter(tags=("wamblecropt",))).units == 30
        memory.compact()
        assert traces(tmp_path) == {}


@pytest.mark.parametrize(
    "erase",
    [
        lambda memory, unit: memory.reject(unit),
        lambda memory, unit: memory.forget(unit),
        lambda memory, _: memory.forget(UnitFilter(tags=("wamblecropt",))),
        lambda memory, unit: (memory.approve(unit), memory.forget(unit)),
    ],
    ids=["rejected", "forgotten by id", "forgotten by filter", "forgotten when approved"],
)
def test_a_pending_unit_that_is_erased_leaves_no_byte(
    tmp_path: Path, erase: Callable[[Memory, str], object]
) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        fill(memory)
        unit = tell_secret(memory, pending=True)
        assert set(traces(tmp_path)) == {*SECRETS}
        erase(memory, unit)
        memory.compact()
        assert traces(tmp_path) == {}
        assert not _holds(tmp_path, unit.encode())
        assert memory.doctor() == []
    assert traces(tmp_path) == {}


def test_what_an_update_replaced_leaves_no_byte(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        fill(memory)
        unit = memory.retain("The xylograph is in zanzamere with Ebenezer Quillfeather.").id
        memory.update(unit, text="It is elsewhere.")
        memory.compact()
        assert traces(tmp_path) == {}


def test_words_that_only_units_updated_together_shared_leave_no_byte(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        fill(memory)
        memory.retain([Unit("xylograph one", key="a"), Unit("xylograph two", key="b")])
        memory.retain([Unit("plain one", key="a"), Unit("plain two", key="b")])
        memory.compact()
        assert traces(tmp_path) == {}


def test_a_note_of_the_vocabulary_holds_no_word(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        fill(memory)
        unit = tell_secret(memory)
        assert memory.doctor(fix=True) == []
        memory.forget(unit, compact=True)
        assert traces(tmp_path) == {}


def test_a_deleted_bank_leaves_no_byte(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        tell_secret(memory, bank="gardyloo")
        fill(memory, bank="other")
        memory.delete_bank("gardyloo")
        assert traces(tmp_path) == {}
        assert memory.stats(bank="other").units == 50


def test_another_bank_keeps_the_same_words(tmp_path: Path) -> None:
    with Memory.open(tmp_path, encoder="hash", reranker=None) as memory:
        one, two = tell_secret(memory, bank="one"), tell_secret(memory, bank="two")
        memory.forget(one, bank="one", compact=True)
        assert memory.recall("xylograph", bank="two").items[0].id == two
        assert set(traces(tmp_path / "banks" / "00000001")) == set()


@pytest.mark.parametrize("compact_first", [True, False])
def test_the_index_files_of_a_large_bank_hold_nothing_forgotten(
    tmp_path: Path, compact_first: bool
) -> None:
    def opened() -> Memory:
        return Memory(
            EngineBackend(EmbeddedStore(tmp_path, index_files_above=20), Toolbox("hash", None))
        )

    with opened() as memory:
        fill(memory)
        unit = tell_secret(memory)
    files = list((tmp_path / "banks").rglob("index/*"))
    assert files
    with opened() as memory:
        vector = _vector_bytes(memory, unit)
        assert any(vector in file.read_bytes() for file in files)
        memory.forget(unit)
        if compact_first:
            memory.compact()
            assert traces(tmp_path) == {}
            assert not _holds(tmp_path, vector)
    with opened() as memory:
        memory.compact()
        assert memory.doctor() == []
        assert memory.stats().units == 50
        assert not _holds(tmp_path, vector)
    assert not _holds(tmp_path, vector)
    assert traces(tmp_path) == {}


def _vector_bytes(memory: Memory, unit: str) -> bytes:
    text = embedded_text(memory.get(unit))
    vector: bytes = HashingEncoder().encode_documents([text])[0].astype(np.float16).tobytes()
    return vector


def _holds(folder: Path, content: bytes) -> bool:
    return any(content in file.read_bytes() for file in folder.rglob("*") if file.is_file())
