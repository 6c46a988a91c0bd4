"""A bank whose deletion was cut off is there as before, or gone; nothing else is disturbed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.soak.children import AtLine, interrupt, measured
from tests.soak.shortages import file_bytes_max

from scrubjay import Memory, NotFound, StoreError


def opened(store: Path) -> Memory:
    return Memory.open(store, encoder="hash", reranker=None)


def check_whole_or_gone(memory: Memory, name: str) -> None:
    """The bank holds its unit, or there is none; the rest can be listed."""
    if name in {bank.name for bank in memory.banks()}:
        assert [unit.text for unit in memory.list(bank=name).units] == [f"The heron of {name}."]
        memory.delete_bank(name)
    with pytest.raises(NotFound):
        memory.list(bank=name)


def test_a_deletion_interrupted_at_any_line_is_done_or_undone(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.retain("The heron of first.", bank="first")
        lines, _ = measured(lambda: memory.delete_bank("first"))
        for line in range(1, lines + 1):
            name = f"b{line}"
            memory.retain(f"The heron of {name}.", bank=name)
            with pytest.raises(KeyboardInterrupt), AtLine(line, interrupt):
                memory.delete_bank(name)
                raise KeyboardInterrupt  # it took fewer lines this time
            check_whole_or_gone(memory, name)
    opened(tmp_path).close()  # what was left of them goes with the next opening
    assert list((tmp_path / "banks").iterdir()) == []


def test_a_deletion_without_room_is_undone(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.retain("The heron of full.", bank="full")
        with file_bytes_max(1_000), pytest.raises(StoreError):
            memory.delete_bank("full")
        check_whole_or_gone(memory, "full")
    assert list((tmp_path / "banks").iterdir()) == []
