"""Closing a store lets the next writer in, also when it was cut off."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.soak.children import AtLine, interrupt, measured

from scrubjay import Memory, StoreLocked
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore


def opened(store: Path) -> Memory:
    return Memory(EngineBackend(EmbeddedStore(store, index_files_above=1), Toolbox("hash", None)))


def test_a_store_whose_closing_was_interrupted_at_any_line_can_be_opened_again(
    tmp_path: Path,
) -> None:
    memory = opened(tmp_path)
    memory.retain(["The heron stands.", "The gull flies."])
    lines, _ = measured(memory.close)
    struck = range(1, lines, max(1, lines // 24))
    for line in struck:
        memory = opened(tmp_path)
        memory.retain(f"The heron stands {line}.")
        with pytest.raises(KeyboardInterrupt), AtLine(line, interrupt):
            memory.close()
            raise KeyboardInterrupt  # closing took fewer lines this time
        memory.close()
    with opened(tmp_path) as memory:
        assert memory.stats().units == 2 + len(struck)
    with opened(tmp_path) as memory:
        assert memory.doctor() == []


@pytest.mark.parametrize("note", ["", "null", "[]", "3", '{"pid": 5}', "\x00"])
def test_a_second_writer_is_refused_whatever_the_note_of_the_first_says(
    tmp_path: Path, note: str
) -> None:
    with opened(tmp_path):
        (tmp_path / "writer.json").write_text(note, encoding="utf-8")
        with pytest.raises(StoreLocked, match="another process"):
            opened(tmp_path)
