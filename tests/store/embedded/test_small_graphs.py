"""A store can be told to keep graphs of a few vectors, so that a test meets every kind of file."""

from __future__ import annotations

from pathlib import Path

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore


def test_a_low_threshold_gives_a_small_bank_graphs_and_their_files(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path, index_files_above=10, graphs_above=40)
    with Memory(EngineBackend(store, Toolbox("hash", None))) as memory:
        texts = [f"The grey heron {n} stood by pond {n % 7}." for n in range(120)]
        kept = memory.retain(texts, type="fact")
        memory.retain([f"Ask for heron {n}." for n in range(80)], type="preference")
        with store.using("default") as bank:
            assert bank is not None
            while bank.improve():
                pass
        assert memory.recall(texts[17]).items[0].id == kept.ids[17]
    files = {path.suffix for path in (tmp_path / "banks" / "00000001" / "index").iterdir()}
    assert {".graph", ".halves", ".rows", ".signs", ".json"} <= files
    with Memory(
        EngineBackend(EmbeddedStore(tmp_path, graphs_above=40), Toolbox("hash", None))
    ) as memory:
        assert memory.recall(texts[17]).items[0].id == kept.ids[17]
        assert memory.doctor() == []
