"""Builds the store of one size through the store's own save; stopped at any time, it goes on."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bench import machine
from bench.corpus.clustered import BLOCK_UNITS, NOW, VERSION, Corpus
from bench.machine import rounded
from bench.scale.encoder import PIN
from bench.scale.writing import UnitWriter
from scrubjay.defaults import DEFAULT_BANK
from scrubjay.settings import BankSettings
from scrubjay.store.embedded.bank import EmbeddedBank
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.types.values import Json

STORE = "store"
NOTE = "build.json"

# Graphs grow in the background, as in every store. After so many units the rows wait for them: that
# bounds the memory a build takes and what a kill costs.
CHECKPOINT_UNITS = 5_000_000


@dataclass(frozen=True, slots=True)
class Built:
    """A store and what it took to build it, over all starts."""

    corpus_version: int
    seed: int
    units: int
    rows_wall_s: float = 0.0
    rows_cpu_s: float = 0.0
    indexes_wall_s: float = 0.0
    indexes_cpu_s: float = 0.0
    starts: int = 0
    finished: bool = False

    def numbers(self) -> dict[str, Json]:
        """The costs, and the units built per second of time and of CPU, indexes and all."""
        wall_s = self.rows_wall_s + self.indexes_wall_s
        cpu_s = self.rows_cpu_s + self.indexes_cpu_s
        return {
            "units": self.units,
            "starts": self.starts,
            "rows_wall_s": rounded(self.rows_wall_s),
            "rows_cpu_s": rounded(self.rows_cpu_s),
            "indexes_wall_s": rounded(self.indexes_wall_s),
            "indexes_cpu_s": rounded(self.indexes_cpu_s),
            "units_per_s": rounded(self.units / max(wall_s, 1e-9)),
            "units_per_cpu_s": rounded(self.units / max(cpu_s, 1e-9)),
        }


def built(corpus: Corpus, folder: Path) -> tuple[Path, Built]:
    """The store of a corpus in `folder`, built or built to the end if it is not."""
    note = _read_note(folder)
    wanted = Built(VERSION, corpus.seed, corpus.units)
    if note is None or (note.corpus_version, note.seed, note.units) != (
        wanted.corpus_version,
        wanted.seed,
        wanted.units,
    ):
        shutil.rmtree(folder, ignore_errors=True)
        note = wanted
    if not note.finished:
        folder.mkdir(parents=True, exist_ok=True)
        note = _build(corpus, folder, replace(note, starts=note.starts + 1))
    return folder / STORE, note


def _build(corpus: Corpus, folder: Path, note: Built) -> Built:
    progress = machine.Progress(f"{corpus.units:,} units", corpus.units)
    with open_bank(folder / STORE) as bank:
        bank.pin_encoder(PIN)
        writer = UnitWriter(bank)
        start = (bank.next_row() - 1) // BLOCK_UNITS
        writer.skip(corpus, start)
        kept = start * BLOCK_UNITS
        for number in range(start, corpus.blocks):
            began = time.perf_counter(), time.process_time()
            block = corpus.block(number)
            writer.write(list(block.units()))
            done = block.first + block.count
            progress(done)
            note = replace(
                note,
                rows_wall_s=note.rows_wall_s + time.perf_counter() - began[0],
                rows_cpu_s=note.rows_cpu_s + time.process_time() - began[1],
            )
            if done - kept >= CHECKPOINT_UNITS and done < corpus.units:
                note, kept = _finish_indexes(bank, note, done, always=False), done
            _write_note(folder, note)
        note = _finish_indexes(bank, note, corpus.units, always=True)
    note = replace(note, finished=True)
    _write_note(folder, note)
    return note


@contextmanager
def open_bank(path: Path) -> Iterator[EmbeddedBank]:
    """The default bank of a store, for writing."""
    store = EmbeddedStore(path, clock=lambda: NOW)
    try:
        store.create_bank(DEFAULT_BANK, BankSettings())
        with store.using(DEFAULT_BANK) as bank:
            assert bank is not None, "it was just made"
            yield bank
    finally:
        store.close()


def _finish_indexes(bank: EmbeddedBank, note: Built, units: int, *, always: bool) -> Built:
    """Do all that the store would do in the background, then keep the indexes in files."""
    began = time.perf_counter(), time.process_time()
    progress, steps = machine.Progress(f"indexes of {units:,} units, steps", 1 << 62), 0
    while bank.improve():
        steps += 1
        progress(steps)
    bank.save_indexes(always=always)
    return replace(
        note,
        indexes_wall_s=note.indexes_wall_s + time.perf_counter() - began[0],
        indexes_cpu_s=note.indexes_cpu_s + time.process_time() - began[1],
    )


def _read_note(folder: Path) -> Built | None:
    try:
        return Built(**json.loads((folder / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _write_note(folder: Path, note: Built) -> None:
    partial = folder / f"{NOTE}.partial"
    partial.write_text(json.dumps(asdict(note), indent=1), encoding="utf-8")
    partial.replace(folder / NOTE)
