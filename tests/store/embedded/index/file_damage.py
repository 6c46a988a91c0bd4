"""Damages the index files of a small bank and says what a process makes of them.

Run by the tests as a child, because a damaged file that is trusted ends the process:
`python -m tests.store.embedded.index.file_damage FOLDER NAME...` prints JSON for each harm.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scrubjay import Memory
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.base import Scope
from scrubjay.store.embedded.directory.saved_files import read_manifest, write_manifest
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.types.arrays import VectorArray

DIMENSION = 24
QUESTIONS = tuple(f"What was seen by pond {number}?" for number in range(4))
BANK, OTHER = "heron", "swan"
FOLDERS = {BANK: "00000001", OTHER: "00000002"}


class Dense:
    """Vectors around one centre, so that their graphs have a coding."""

    name = "dense"
    dimension = DIMENSION
    fingerprint = "dense@1"

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        return np.stack([self._vector(text) for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return self.encode_documents(texts)

    def _vector(self, text: str) -> VectorArray:
        vector = 1.0 + np.random.default_rng(zlib.crc32(text.encode())).standard_normal(DIMENSION)
        return (vector / np.linalg.norm(vector)).astype(np.float32)


def opened(root: Path, *, files_above: int = 10) -> tuple[EmbeddedStore, Memory]:
    store = EmbeddedStore(root, index_files_above=files_above, graphs_above=40)
    return store, Memory(EngineBackend(store, Toolbox(Dense(), None)))


def index_of(root: Path, bank: str = BANK) -> Path:
    return root / "banks" / FOLDERS[bank] / "index"


def build(folder: Path) -> None:
    """A store with two banks of like shape, and beside it an earlier state of the first."""
    root = folder / "store"
    for name in (BANK, OTHER):
        store, memory = opened(root)
        with memory:
            _fill(store, memory, name)
    shutil.copytree(index_of(root), folder / "older")
    shutil.copytree(root, folder / "older-store")
    store, memory = opened(root)
    with memory:
        bank = memory.bank(BANK)
        for kind in ("fact", "event"):
            bank.retain([f"The {number}th {kind} came up." for number in range(30)], type=kind)
        bank.forget([item.id for item in bank.list(limit=7).units])
        _grow(store, BANK)


def _fill(store: EmbeddedStore, memory: Memory, name: str) -> None:
    bank = memory.bank(name)
    bank.retain([f"The {name} {number} stood by the pond." for number in range(70)], type="fact")
    bank.retain([f"Ask for {name} {number}." for number in range(60)], type="preference")
    _grow(store, name)


def _grow(store: EmbeddedStore, name: str) -> None:
    with store.using(name) as bank:
        assert bank is not None
        while bank.improve():
            pass


@dataclass(frozen=True)
class Place:
    """A file to be harmed, and what may be put in its place."""

    folder: Path
    path: Path

    def of(self, index: Path) -> bytes:
        """The file that plays the same part in another folder."""
        stem, _, rest = self.path.name.partition("-")
        pattern = f"{stem}*{self.path.suffix}" if rest else self.path.name
        return sorted(index.glob(pattern))[-1].read_bytes()


def _flipped(content: bytes, seed: int) -> bytes:
    spoiled = bytearray(content)
    for place in np.random.default_rng(seed).integers(0, len(content) * 8, 8).tolist():
        spoiled[place // 8] ^= 1 << place % 8
    return bytes(spoiled)


def _changed(change: Callable[[bytes], bytes]) -> Callable[[Place], None]:
    return lambda place: _put(place.path, change(place.path.read_bytes()))


def _put(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


def _directory(place: Place) -> None:
    place.path.unlink()
    place.path.mkdir()
    (place.path / "something").write_bytes(b"x")


def _pipe(place: Place) -> None:
    place.path.unlink()
    os.mkfifo(place.path)


def _retold(change: Callable[[dict[str, object]], object]) -> Callable[[Place], None]:
    """The manifest with something else in it, and the checksum of that."""

    def harm(place: Place) -> None:
        told = read_manifest(place.path)
        other = change(told)
        place.path.unlink()
        write_manifest(place.path, other if isinstance(other, dict) else {"files": other})

    return harm


HARMS: dict[str, Callable[[Place], None]] = {
    "8 bits flipped": _changed(lambda content: _flipped(content, 1)),
    "8 other bits flipped": _changed(lambda content: _flipped(content, 2)),
    "a zeroed tail": _changed(
        lambda content: content[: len(content) // 2].ljust(len(content), b"\0")
    ),
    "cut off": _changed(lambda content: content[: len(content) // 2]),
    "longer": _changed(lambda content: content + b"\0"),
    "empty": _changed(lambda _: b""),
    "garbage": _changed(lambda content: np.random.default_rng(3).bytes(len(content))),
    "gone": lambda place: place.path.unlink(),
    "of an earlier state": lambda place: _put(place.path, place.of(place.folder / "older")),
    "of another bank": lambda place: _put(
        place.path, place.of(index_of(place.folder / "store", OTHER))
    ),
    "a directory": _directory,
    "a pipe": _pipe,
}

# The harm after which a store is also mended, and opened once more.
MENDED = "8 bits flipped"

SHAPES: dict[str, Callable[[Place], None]] = {
    **{
        f"the JSON {text[:20]}": _changed(lambda _, text=text: text.encode())  # type: ignore[misc]
        for text in ("[]", "null", "7", "NaN", '"text"', "{}", "[" * 100_000, '{"checksum": 1}')
    },
    "files that are null": _retold(lambda told: {**told, "files": None}),
    "files that are numbers": _retold(lambda told: {**told, "files": [1, 2]}),
    "a format of text": _retold(lambda told: {**told, "format": "2"}),
    "a generation without bounds": _retold(lambda told: {**told, "generation": 10**30}),
    "a generation that is no number": _retold(lambda told: {**told, "generation": float("nan")}),
    "a stamp that is a list": _retold(lambda told: {**told, "stamp": ["a"]}),
    "too little": _retold(lambda told: {"stamp": told["stamp"]}),
    "too much": _retold(lambda told: {**told, "more": 1}),
    "a file elsewhere": _retold(
        lambda told: {**told, "files": [{"name": "../bank.db", "size": 1, "crc": 1}]}
    ),
}


def harms_of(name: str) -> dict[str, Callable[[Place], None]]:
    return {**HARMS, **SHAPES} if name.endswith(".json") else HARMS


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def examined(root: Path, *, fix: bool) -> dict[str, object]:
    """What a process finds, answers and logs on opening a store."""
    kept = _Kept()
    logging.getLogger("scrubjay.embedded").addHandler(kept)
    # Below the threshold nothing is saved: the damage stays for `doctor` to see.
    store, memory = opened(root, files_above=10 if fix else 10**9)
    with memory:
        bank = memory.bank(BANK)
        answers = [item.text for question in QUESTIONS for item in bank.recall(question, limit=5)]
        nearest = [
            _nearest(store, vector, types)
            for types in (None, ("fact",))
            for vector in Dense().encode_queries(QUESTIONS)
        ]
        found = [finding.check for finding in bank.doctor()]
        mended = [finding.fixed for finding in bank.doctor(fix=True)] if fix else []
        left = [finding.detail for finding in bank.doctor()] if fix else []
    logging.getLogger("scrubjay.embedded").removeHandler(kept)
    return {
        "answers": answers,
        "nearest": nearest,
        "found": found,
        "mended": mended,
        "left": left,
        "logged": kept.lines,
    }


def _nearest(store: EmbeddedStore, vector: VectorArray, types: tuple[str, ...] | None) -> list[str]:
    with store.using(BANK) as bank:
        assert bank is not None
        hits = bank.nearest(vector, limit=10, floor=-1.0, scope=Scope(types=types))
        return [unit.text for unit in bank.hydrate(hits.rows)]


def is_same(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def main(folder: Path, names: Sequence[str]) -> None:
    for name in names:
        for harm, apply in harms_of(name).items():
            case: dict[str, object] = {"file": name, "harm": harm}
            sys.stdout.write(f"{json.dumps(case)}\n")
            sys.stdout.flush()
            root = folder / f"harmed-{name}"
            shutil.copytree(folder / "store", root)
            before = (index_of(root) / name).read_bytes()
            apply(Place(folder, index_of(root) / name))
            case["same"] = is_same(index_of(root) / name, before)
            case["seen"] = examined(root, fix=False)
            if harm == MENDED:
                case |= {"mended": examined(root, fix=True), "again": examined(root, fix=False)}
            sys.stdout.write(f"{json.dumps(case)}\n")
            sys.stdout.flush()
            shutil.rmtree(root)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
