"""Whatever happens to an index file, nothing crashes, no answer is wrong, and it is told."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from tests.store.embedded.index.file_damage import (
    BANK,
    MENDED,
    OTHER,
    QUESTIONS,
    Dense,
    build,
    examined,
    harms_of,
    index_of,
    opened,
)

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.base import Scope
from scrubjay.store.embedded.directory.saved_files import (
    MARKER,
    REMEMBERED_FROM_BYTES,
    TICK_NS,
    NotAsSaved,
    SavedFiles,
    write_durably,
    write_manifest,
)
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.types.filters import UnitFilter

ROOT = Path(__file__).parents[4]

HERONS = [f"Heron {number} stands in the reeds." for number in range(20)]
STORKS = [f"Stork {number} is on the roof." for number in range(20)]

# Every kind of file there is.
KINDS = {
    "the columns": ("indexes.json", "columns*.npz"),
    "the words": ("terms.json", "terms-*.bin"),
    "the vectors": ("vectors.json", "000-*.rows", "000-*.halves"),
    "the graphs": ("000-*.graph", "000-*.coding"),
    "all types": ("all-*.rows", "all-*.graph", "all-*.coding", "all-*.signs", "all-*.centre"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("damage")
    build(made)
    return made


@pytest.fixture(scope="module")
def whole(folder: Path) -> dict[str, object]:
    """What the store answers while nothing is damaged; the nearest are the nearest."""
    found = examined(folder / "store", fix=False)
    assert (found["found"], found["logged"]) == ([], [])
    _, memory = opened(folder / "store")
    with memory:
        units = memory.bank(BANK).list(UnitFilter(), limit=1000).units
    encoder = Dense()
    exact = []
    for types in (None, "fact"):
        texts = [unit.text for unit in units if types in (None, unit.type)]
        vectors = encoder.encode_documents(texts).astype(np.float16).astype(np.float32)
        for question in encoder.encode_queries(QUESTIONS):
            best = np.argsort(-(vectors @ question), kind="stable")[:10]
            exact.append([texts[place] for place in best])
    assert found["nearest"] == exact
    return found


def files_of(folder: Path, part: str) -> list[str]:
    """Some files of a part, one of every kind and more of those that differ in what they hold."""
    found = [sorted(index_of(folder / "store").glob(kind)) for kind in KINDS[part]]
    assert all(found)
    return [path.name for paths in found for path in {paths[0], paths[-1]}]


def test_every_kind_of_file_is_harmed(folder: Path) -> None:
    harmed = {Path(name).suffix for part in KINDS for name in files_of(folder, part)}
    assert harmed == {path.suffix for path in index_of(folder / "store").iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize("part", KINDS)
def test_a_damaged_file_is_told_of_and_not_used(
    folder: Path, whole: dict[str, object], part: str
) -> None:
    names = files_of(folder, part)
    child = subprocess.run(
        [sys.executable, "-m", "tests.store.embedded.index.file_damage", folder, *names],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = [json.loads(line) for line in child.stdout.splitlines()]
    assert child.returncode == 0, (told[-1:], child.stderr)
    results = {(each["file"], each["harm"]): each for each in told if "seen" in each}
    assert results.keys() == {(name, harm) for name in names for harm in harms_of(name)}
    for (name, harm), result in results.items():
        if result["same"]:  # a graph that is extended keeps its coding, signs their centre
            assert (harm, Path(name).suffix in (".coding", ".centre")) == (EARLIER, True)
            continue
        check_seen(result["seen"], whole, name)
        if harm == MENDED:
            check_mended(result["mended"], result["again"], whole)


def check_seen(seen: dict[str, object], whole: dict[str, object], name: str) -> None:
    assert (seen["nearest"], seen["answers"]) == (whole["nearest"], whole["answers"])
    assert seen["found"] == ["files"]
    (line,) = cast(list[str], seen["logged"])
    assert name in line or "no file of the manifest" in line


def check_mended(
    mended: dict[str, object], again: dict[str, object], whole: dict[str, object]
) -> None:
    assert mended["nearest"] == again["nearest"] == whole["nearest"]
    # By `doctor`, or by the upkeep before it looked.
    assert mended["mended"] in ([True], [])
    assert mended["left"] == []
    assert (again["found"], again["logged"]) == ([], [])


EARLIER = "of an earlier state"

FOLDERS: dict[str, tuple[Callable[[Path, Path], object], bool]] = {
    EARLIER: (lambda folder, index: replaced(index, folder / "older"), True),
    "of another bank": (
        lambda folder, index: replaced(index, index_of(folder / "store", OTHER)),
        True,
    ),
    "empty": (lambda _, index: index.mkdir(), True),
    "gone": (lambda *_: None, False),
    "a file": (lambda _, index: index.write_bytes(b"x"), False),
    "a pipe": (lambda _, index: os.mkfifo(index), False),
}


def replaced(index: Path, other: Path) -> None:
    shutil.copytree(other, index)


@pytest.mark.parametrize("state", FOLDERS)
def test_a_folder_of_another_state_is_not_used(
    folder: Path, whole: dict[str, object], tmp_path: Path, state: str
) -> None:
    root, (change, told) = tmp_path / "store", FOLDERS[state]
    shutil.copytree(folder / "store", root)
    index = index_of(root)
    shutil.rmtree(index)
    change(folder, index)
    seen = examined(root, fix=False)
    assert (seen["nearest"], seen["answers"]) == (whole["nearest"], whole["answers"])
    assert bool(seen["logged"]) is bool(seen["found"]) is told
    examined(root, fix=True)
    again = examined(root, fix=False)
    assert (again["found"], again["logged"]) == ([], [])
    assert again["nearest"] == whole["nearest"]
    assert (index / "vectors.json").is_file()


def test_files_are_not_used_with_a_database_put_back_to_an_earlier_state(
    folder: Path, tmp_path: Path
) -> None:
    wanted = examined(folder / "older-store", fix=False)
    root = tmp_path / "store"
    shutil.copytree(folder / "older-store", root)
    shutil.rmtree(index_of(root))
    shutil.copytree(index_of(folder / "store"), index_of(root))
    seen = examined(root, fix=False)
    assert (seen["nearest"], seen["answers"]) == (wanted["nearest"], wanted["answers"])
    assert seen["logged"]


def test_files_of_the_version_before_checksums_are_made_again(
    folder: Path, whole: dict[str, object], tmp_path: Path
) -> None:
    root = tmp_path / "store"
    shutil.copytree(folder / "store", root)
    connection = sqlite3.connect(index_of(root).parent / "bank.db")
    connection.execute("DELETE FROM meta WHERE key = 'index_stamps'")
    connection.commit()
    connection.close()
    (index_of(root) / "indexes.json").write_text('{"seen_erased": 7}')
    seen = examined(root, fix=False)
    assert (seen["nearest"], seen["found"]) == (whole["nearest"], [])
    assert len(cast(list[str], seen["logged"])) == 1
    _, memory = opened(root)
    with memory:
        assert memory.bank(BANK).recall(QUESTIONS[0]).items
    assert examined(root, fix=False)["logged"] == []


def test_what_was_erased_stays_so_when_the_columns_are_lost(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "store"
    shutil.copytree(folder / "store", root)
    _, memory = opened(root, files_above=10**9)
    with memory:
        bank = memory.bank(BANK)
        gone = [item.id for item in bank.recall(QUESTIONS[0], limit=5)]
        bank.forget(gone)
        wanted = [item.id for item in bank.recall(QUESTIONS[0], limit=5)]
    for path in index_of(root).glob("columns*.npz"):
        path.unlink()
    _, memory = opened(root, files_above=10**9)
    with memory:
        bank = memory.bank(BANK)
        assert [item.id for item in bank.recall(QUESTIONS[0], limit=5)] == wanted
        assert bank.info().units == bank.stats().units
        assert [finding.check for finding in bank.doctor()] == ["files"]


def test_vectors_that_came_with_a_reembedding_are_not_lost_with_its_end(tmp_path: Path) -> None:
    for encoder, texts in ((Dense(), HERONS), (None, STORKS)):
        with Memory(
            EngineBackend(EmbeddedStore(tmp_path, index_files_above=10), Toolbox(encoder, None))
        ) as memory:
            memory.retain(texts)
    store, memory = opened(tmp_path, files_above=10**9)  # ends without saving the indexes
    with memory:
        memory.reembed(Dense())
    store, memory = opened(tmp_path)
    with memory, store.using("default") as bank:
        assert bank is not None
        (vector,) = Dense().encode_queries(STORKS[:1])
        hits = bank.nearest(vector, limit=1, floor=0.9, scope=Scope())
        assert [unit.text for unit in bank.hydrate(hits.rows)] == STORKS[:1]


def test_a_large_file_is_read_whole_once_in_each_state(tmp_path: Path) -> None:
    content = bytearray(REMEMBERED_FROM_BYTES)
    saved = write_durably(tmp_path / "large", lambda path: path.write_bytes(content))
    long_ago = time.time_ns() - 10 * TICK_NS
    os.utime(tmp_path / "large", ns=(long_ago, long_ago))

    def usable() -> bool:
        files = SavedFiles(tmp_path)
        files.expect([saved])
        try:
            files.path("large")
        except NotAsSaved:
            return False
        files.remember()
        return True

    assert usable()
    # It was changed within this tick of the clock, so it is not remembered yet.
    assert not (tmp_path / MARKER).exists()
    content[-1] = 1
    (tmp_path / "large").write_bytes(content)
    os.utime(tmp_path / "large", ns=(long_ago, long_ago))
    assert not usable()


def test_what_is_remembered_of_a_file_is_not_believed_of_another(tmp_path: Path) -> None:
    content = bytearray(REMEMBERED_FROM_BYTES)
    saved = write_durably(tmp_path / "large", lambda path: path.write_bytes(content))
    state = (tmp_path / "large").stat()
    seen = [saved.size, saved.crc, state.st_ino, state.st_mtime_ns, state.st_ctime_ns]
    write_manifest(tmp_path / MARKER, {"files": {"large": seen}})
    files = SavedFiles(tmp_path)
    files.expect([saved])
    assert files.path("large")
    for remembering in (True, False):
        files = SavedFiles(tmp_path, remembering=remembering)
        files.expect([replace(saved, crc=saved.crc ^ 1)])
        with pytest.raises(NotAsSaved):
            files.path("large")
    content[7] = 7
    (tmp_path / "large").write_bytes(content)
    os.utime(tmp_path / "large", ns=(state.st_atime_ns, state.st_mtime_ns))
    files = SavedFiles(tmp_path)
    files.expect([saved])
    with pytest.raises(NotAsSaved):
        files.path("large")


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.store.embedded.index.file_damage import BANK, QUESTIONS, opened

root, name, wait = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])

def watch(event, arguments):
    global name, wait
    if event in ("os.rename", "os.remove") and f"{os.sep}index{os.sep}" in str(arguments[0]):
        if not name or str(arguments[1]).endswith(name):
            if not wait:
                os.kill(os.getpid(), signal.SIGKILL)
            name, wait = "", wait - 1

store, memory = opened(root)
with memory:
    bank = memory.bank(BANK)
    bank.retain([QUESTIONS[0]])
    bank.forget([bank.list(limit=1).units[0].id])
    sys.addaudithook(watch)
"""


@pytest.mark.parametrize("name", ["terms.json", "vectors.json", "indexes.json", ".graph"])
def test_a_save_that_is_cut_off_leaves_files_that_serve(
    folder: Path, tmp_path: Path, name: str
) -> None:
    """Killed just before a file gets its name, and just after."""
    found = []
    for wait in (0, 1):
        root = tmp_path / str(wait)
        shutil.copytree(folder / "store", root)
        child = subprocess.run(
            [sys.executable, "-c", KILLED, root, name, str(wait)], cwd=ROOT, check=False
        )
        assert child.returncode == -signal.SIGKILL
        found.append(examined(root, fix=False))
    before, after = found
    assert before == after
    assert (after["found"], after["logged"]) == ([], [])
    assert cast(list[list[str]], after["nearest"])[0][0] == QUESTIONS[0]
