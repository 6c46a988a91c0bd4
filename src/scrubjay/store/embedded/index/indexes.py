"""The derived indexes of one bank in memory: words, vectors and columns, kept beside the rows."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import EncoderPin
from scrubjay.store.embedded.connection.faults import decoded
from scrubjay.store.embedded.directory.saved_files import (
    NotAsSaved,
    SavedFile,
    SavedFiles,
    logger,
    write_manifest,
)
from scrubjay.store.embedded.index import segment_files
from scrubjay.store.embedded.index.columns import ColumnTable
from scrubjay.store.embedded.index.segments import Postings
from scrubjay.store.embedded.index.stamps import trusted_stamps
from scrubjay.store.embedded.index.terms import TermIndex
from scrubjay.store.embedded.index.vectors import partition_files
from scrubjay.store.embedded.index.vectors.vector_index import EXACT_MAX, VectorIndex
from scrubjay.store.embedded.tables.packing import unpack_postings
from scrubjay.store.embedded.tables.saving import Saved
from scrubjay.store.embedded.tables.sql import SQL, json_list

_NOTE = "indexes.json"
_FORMAT = 2
# Two names in turn: until the note names the new file, it is the old one that counts.
_COLUMNS = ("columns.npz", "columns-2.npz")

# A save writes all of a bank's vectors and keeps writers waiting, so in the background it is made
# when the graphs have grown by this factor; a crash costs what was built since.
_SAVED_GROWTH = 1.5

_FOREIGN = (
    "%s: files of an earlier version or of another bank; the indexes are made from the rows again."
)

# Rows read at a time while catching up: bounds the memory of the blobs in flight.
_CATCH_UP_ROWS = 50_000


@dataclass(frozen=True, slots=True)
class _Note:
    """The manifest of the columns, and of which encoder's vectors were saved with them."""

    format: int
    stamp: str
    generation: int
    fingerprint: str | None  # None: the bank had no encoder yet
    files: tuple[SavedFile, ...]


class _Listing(Protocol):
    """A manifest."""

    @property
    def files(self) -> tuple[SavedFile, ...]: ...


class Indexes:
    """Everything a search touches before it reads rows; rebuilt or caught up from the rows.

    `seen_erased` is the last entry of the erased log these indexes have applied.
    """

    _saved_graphs = 0  # vectors that the graphs in the files cover
    damaged = False  # whether files were found that are not what was written

    def __init__(self, pin: EncoderPin | None, *, graphs_above: int = EXACT_MAX) -> None:
        self.pin = pin
        self.graphs_above = graphs_above
        self.terms = TermIndex()
        self.columns = ColumnTable()
        self.vectors = None if pin is None else self._no_vectors(pin)
        self.seen_erased = 0

    def _no_vectors(self, pin: EncoderPin) -> VectorIndex:
        made = VectorIndex(pin.dimension, exact_max=self.graphs_above)
        made.pin = pin
        return made

    def catch_up(self, connection: sqlite3.Connection) -> bool:
        """Apply what the rows have and the indexes do not; whether there was anything."""
        before = self._marks()
        self.drop(self._newly_erased(connection))
        with decoded():
            self._add_columns(connection)
            self._add_words(connection)
            if self.vectors is not None:
                _add_vectors(connection, self.vectors)
        self.columns.close_validity(connection.execute(SQL["ended_units"]).fetchall())
        self.columns.begin_validity(connection.execute(SQL["succeeding_units"]).fetchall())
        self.read_updating(connection)
        return self._marks() != before

    def read_updating(self, connection: sqlite3.Connection) -> None:
        """Take in which units update others, or are updated."""
        found = connection.execute(SQL["updating_rows"], (self.columns.size,))
        self.columns.mark_updating([row for (row,) in found])

    def _marks(self) -> tuple[int, int, int, int]:
        vectors = -1 if self.vectors is None else self.vectors.watermark
        return self.columns.size, self.terms.watermark, vectors, self.seen_erased

    def improve(self) -> bool:
        """One step of background work: grow graphs, merge segments; False when all is done."""
        building = self.vectors is not None and self.vectors.build_step()
        return self.terms.merge_step() or building

    def worth_saving(self) -> bool:
        """Whether losing what was built since the last save would cost more than a save."""
        return not self._covered() or self.outgrew_files()

    def outgrew_files(self) -> bool:
        """Whether the graphs are much larger than those in the files."""
        covered = self._covered()
        return covered > 0 and covered >= _SAVED_GROWTH * self._saved_graphs

    def _covered(self) -> int:
        return 0 if self.vectors is None else self.vectors.covered

    def save(self, directory: Path, *, stamp: str = "") -> None:
        """Write the indexes to files; only the caller's writer may run this.

        Words, columns and vectors have a manifest each, with the stamp of this save and how far it
        goes. A save that is cut off leaves some of them older than others; each is caught up.
        """
        if not directory.is_dir():
            directory.unlink(missing_ok=True)
        directory.mkdir(exist_ok=True)
        fingerprint = None if self.pin is None else self.pin.fingerprint
        self.terms.save(directory, generation=self.seen_erased, stamp=stamp)
        if self.vectors is not None and fingerprint is not None:
            self.vectors.save(
                directory, fingerprint=fingerprint, generation=self.seen_erased, stamp=stamp
            )
        self._save_columns(directory, stamp, fingerprint)
        self.damaged = False
        self._note_saved()

    def _save_columns(self, directory: Path, stamp: str, fingerprint: str | None) -> None:
        current, other = _COLUMNS
        with contextlib.suppress(NotAsSaved):
            if _note_in(SavedFiles(directory)).files[0].name == current:
                current, other = other, current
        saved = self.columns.save(directory / current)
        note = _Note(_FORMAT, stamp, self.seen_erased, fingerprint, (saved,))
        write_manifest(directory / _NOTE, asdict(note))
        with contextlib.suppress(OSError):
            (directory / other).unlink(missing_ok=True)

    def _note_saved(self) -> None:
        self._saved_graphs = self._covered()

    @classmethod
    def load(
        cls,
        directory: Path,
        pin: EncoderPin | None,
        connection: sqlite3.Connection,
        *,
        graphs_above: int = EXACT_MAX,
        read_only: bool = False,
    ) -> Indexes:
        """The indexes saved in a directory, or empty ones; `catch_up` does the rest.

        A file that is not what the bank's last save wrote is not used, and that is logged.
        """
        indexes = cls(pin, graphs_above=graphs_above)
        if not directory.is_dir():
            return indexes
        stamps = trusted_stamps(connection)
        if stamps:
            files = SavedFiles(directory, stamps=stamps)
            indexes._use_files(files)
            indexes._note_saved()
            indexes.damaged = bool(files.problems)
            if not read_only:
                files.remember()
        else:
            logger.warning(_FOREIGN, directory)
            indexes.damaged = True
        return indexes

    def _use_files(self, files: SavedFiles) -> None:
        generations, note = list[int](), None
        try:
            note = _note_in(files)
            self.columns = _columns_in(files, note)
            generations.append(note.generation)
        except NotAsSaved as problem:
            files.report(problem, "the columns are read from the rows again")
        terms = TermIndex.load(files.directory, files=files)
        if terms is not None:
            self.terms = terms
            generations.append(terms.generation)
        vectors = self._vectors_in(files, note)
        if vectors is not None:
            vectors.pin = self.pin
            self.vectors = vectors
            generations.append(vectors.generation)
        # What the oldest of them lacks the others pass over.
        self.seen_erased = min(generations, default=0)

    def _vectors_in(self, files: SavedFiles, note: _Note | None) -> VectorIndex | None:
        pin = self.pin
        if pin is None or (note is not None and note.fingerprint != pin.fingerprint):
            return None
        return VectorIndex.load(
            files.directory,
            dimension=pin.dimension,
            fingerprint=pin.fingerprint,
            exact_max=self.graphs_above,
            files=files,
        )

    @staticmethod
    def file_problems(directory: Path, connection: sqlite3.Connection) -> list[str]:
        """What is wrong with the files that the bank would use, each of them read whole."""
        stamps = trusted_stamps(connection)
        if not stamps or not directory.is_dir():
            return []
        files = SavedFiles(directory, stamps=stamps, remembering=False)
        problems = [*_problems(files, _note_in), *_problems(files, segment_files.read_saved)]
        if _has_vectors(files):
            problems += _problems(files, partition_files.read_saved)
        return problems

    def apply(self, saved: Saved) -> None:
        """Take in a committed batch."""
        # Who finds a new unit finds what it changes.
        self.columns.mark_updating(saved.updating)
        self.columns.add(saved.columns)
        self.terms.add(postings_of(saved.rows, saved.lengths, saved.postings))
        if saved.vectors and self.vectors is not None:
            self.vectors.add(
                np.array([row for row, _, _ in saved.vectors], np.int64),
                np.array([code for _, code, _ in saved.vectors], np.uint8),
                np.stack([vector for _, _, vector in saved.vectors]),
            )

    def drop(self, rows: Sequence[int], postings: Postings | None = None) -> None:
        """Let go of erased rows; with their postings it is cheap, without the words are scanned."""
        gone = np.array(rows, np.int64)
        if not len(gone):
            return
        # Each passes over what it never had: columns that were lost begin anew, words need not.
        self.columns.remove(gone[gone < self.columns.size].tolist())
        if self.vectors is not None:
            self.vectors.remove(gone)
        self.terms.remove(gone, postings)

    def skip_erased_log(self, connection: sqlite3.Connection) -> None:
        """Note that everything in the erased log has been applied."""
        self.seen_erased = int(connection.execute(SQL["last_erased"]).fetchone()[0])

    def use_vectors(self, connection: sqlite3.Connection, pin: EncoderPin) -> None:
        """Switch to another encoder's vectors, which the rows have; searches see all or none."""
        vectors = self._no_vectors(pin)
        _add_vectors(connection, vectors)
        self.pin, self.vectors = pin, vectors

    def _newly_erased(self, connection: sqlite3.Connection) -> list[int]:
        found = connection.execute(SQL["erased_after"], (self.seen_erased,)).fetchall()
        if found:
            self.seen_erased = found[-1][0]
        return [row for _, row in found]

    def _add_columns(self, connection: sqlite3.Connection) -> None:
        cursor = connection.execute(SQL["columns_after"], (self.columns.size - 1,))
        while rows := cursor.fetchmany(_CATCH_UP_ROWS):
            self.columns.add(rows)

    def _add_words(self, connection: sqlite3.Connection) -> None:
        cursor = connection.execute(SQL["postings_after"], (self.terms.watermark,))
        while found := cursor.fetchmany(_CATCH_UP_ROWS):
            rows, lengths, blobs = zip(*found, strict=True)
            self.terms.add(postings_of(rows, lengths, blobs))


def _note_in(files: SavedFiles) -> _Note:
    note = files.manifest(_NOTE, _Note)
    if note.format != _FORMAT or len(note.files) != 1:
        raise NotAsSaved(f"{_NOTE} is of another version")
    files.expect(note.files)
    return note


def _columns_in(files: SavedFiles, note: _Note) -> ColumnTable:
    path = files.path(note.files[0].name)
    columns = ColumnTable.load(path)
    if columns is None:
        raise NotAsSaved(f"{path.name} cannot be read")
    return columns


def _has_vectors(files: SavedFiles) -> bool:
    try:
        return _note_in(files).fingerprint is not None
    except NotAsSaved:
        return True


def _problems(files: SavedFiles, read: Callable[[SavedFiles], _Listing]) -> Iterator[str]:
    """What is wrong with a manifest or the files it lists."""
    try:
        listed = read(files).files
    except NotAsSaved as problem:
        yield str(problem)
        return
    for file in listed:
        try:
            files.path(file.name)
        except NotAsSaved as problem:
            yield str(problem)


def _add_vectors(connection: sqlite3.Connection, vectors: VectorIndex) -> None:
    cursor = connection.execute(SQL["vectors_after"], (vectors.watermark,))
    while found := cursor.fetchmany(_CATCH_UP_ROWS):
        rows, types, blobs = zip(*found, strict=True)
        matrix = vector_matrix(blobs, vectors.dimension)
        vectors.add(np.array(rows, np.int64), np.array(types, np.uint8), matrix)


def vector_matrix(blobs: Sequence[bytes], dimension: int) -> npt.NDArray[np.float16]:
    """Stored vectors as one matrix."""
    return np.frombuffer(b"".join(blobs), np.float16).reshape(len(blobs), dimension)


def postings_of(rows: Sequence[int], lengths: Sequence[int], blobs: Sequence[bytes]) -> Postings:
    """Packed words of some rows, as the word index takes them."""
    offsets, terms, counts = unpack_postings(blobs)
    return Postings(np.array(rows, np.int64), np.array(lengths, np.int32), offsets, terms, counts)


def read_postings(connection: sqlite3.Connection, rows: Sequence[int]) -> Postings:
    """The words of some rows, read before they are erased."""
    found = connection.execute(SQL["postings_of_rows"], (json_list(rows),)).fetchall()
    return postings_of(
        [row for row, _, _ in found], [n for _, n, _ in found], [blob for _, _, blob in found]
    )
