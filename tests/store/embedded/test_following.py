"""A reader takes up the index files that the writer saves while it reads."""

from __future__ import annotations

from pathlib import Path

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.embedded.store import EmbeddedStore


def test_a_reader_goes_on_with_what_the_writer_built_and_lets_go_of_the_old_files(
    tmp_path: Path,
) -> None:
    writing = EmbeddedStore(tmp_path, index_files_above=10, graphs_above=40)
    texts = [f"The grey heron {n} stood by pond {n % 7}." for n in range(160)]
    with Memory(EngineBackend(writing, Toolbox("hash", None))) as writer:
        kept = writer.retain(texts[:60], type="fact").ids
        _save(writing)
        reading = EmbeddedStore(tmp_path, read_only=True, graphs_above=40)
        with Memory(EngineBackend(reading, Toolbox("hash", None))) as reader:
            assert reader.recall(texts[17]).items[0].id == kept[17]
            kept += writer.retain(texts[60:], type="fact").ids
            writer.forget(kept[17])
            # Found before they are saved, compared one by one.
            assert reader.recall(texts[150]).items[0].id == kept[150]
            before = _mapped(tmp_path)
            _save(writing)
            for number in (3, 99, 150):
                assert reader.recall(texts[number]).items[0].id == kept[number]
            assert kept[17] not in [item.id for item in reader.recall(texts[17]).items]
            assert reader.doctor() == []
            after = _mapped(tmp_path)
            assert after and all(path.exists() for path in after)
            assert before - after, "the files of the first save are not held any more"


def _save(store: EmbeddedStore) -> None:
    with store.using("default") as bank:
        assert bank is not None
        while bank.improve():
            pass
        bank.save_indexes()


def _mapped(store: Path) -> set[Path]:
    """The index files that this process has mapped."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    named = (line.split(maxsplit=5)[-1].removesuffix(" (deleted)") for line in maps)
    return {Path(name) for name in named if name.startswith(str(store)) and "/index/" in name}
