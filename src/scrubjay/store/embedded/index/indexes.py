"""The derived indexes of one bank in memory: words, vectors and columns, kept beside the rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import EncoderPin
from scrubjay.store.embedded.entity_table import json_list
from scrubjay.store.embedded.index.columns import ColumnTable
from scrubjay.store.embedded.index.segments import Postings
from scrubjay.store.embedded.index.terms import TermIndex
from scrubjay.store.embedded.index.vectors.vector_index import EXACT_MAX, VectorIndex
from scrubjay.store.embedded.packing import unpack_postings
from scrubjay.store.embedded.saving import Saved
from scrubjay.store.statements import statements

SQL = statements("scrubjay.store.embedded", "queries.sql")

_NOTE = "indexes.json"
_COLUMNS = "columns.npz"

# A save writes all of a bank's vectors and keeps writers waiting, so in the background it is made
# when the graphs have grown by this factor; a crash costs what was built since.
_SAVED_GROWTH = 1.5

# Rows read at a time while catching up: bounds the memory of the blobs in flight.
_CATCH_UP_ROWS = 50_000


class Indexes:
    """Everything a search touches before it reads rows; rebuilt or caught up from the rows.

    `seen_erased` is the last entry of the erased log these indexes have applied.
    """

    _saved_graphs = 0  # vectors that the graphs in the files cover

    def __init__(self, pin: EncoderPin | None, *, graphs_above: int = EXACT_MAX) -> None:
        self.pin = pin
        self.graphs_above = graphs_above
        self.terms = TermIndex()
        self.columns = ColumnTable()
        self.vectors = None if pin is None else self._no_vectors(pin)
        self.seen_erased = 0

    def _no_vectors(self, pin: EncoderPin) -> VectorIndex:
        return VectorIndex(pin.dimension, exact_max=self.graphs_above)

    def catch_up(self, connection: sqlite3.Connection) -> bool:
        """Apply what the rows have and the indexes do not; whether there was anything."""
        before = self._marks()
        self.drop(self._newly_erased(connection))
        self._add_columns(connection)
        self._add_words(connection)
        if self.vectors is not None:
            _add_vectors(connection, self.vectors)
        self.columns.close_validity(connection.execute(SQL["ended_units"]).fetchall())
        self.columns.begin_validity(connection.execute(SQL["succeeding_units"]).fetchall())
        return self._marks() != before

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

    def save(self, directory: Path) -> None:
        """Write the indexes to files; only the caller's writer may run this."""
        directory.mkdir(exist_ok=True)
        note = directory / _NOTE
        # Without the note the rest is ignored, so a save cut off halfway costs a rebuild.
        note.unlink(missing_ok=True)
        self.terms.save(directory)
        self.columns.save(directory / _COLUMNS)
        if self.vectors is not None and self.pin is not None:
            self.vectors.save(
                directory, fingerprint=self.pin.fingerprint, generation=self.seen_erased
            )
        partial = note.with_suffix(".partial")
        partial.write_text(json.dumps({"seen_erased": self.seen_erased}), encoding="utf-8")
        partial.replace(note)
        self._note_saved()

    def _note_saved(self) -> None:
        self._saved_graphs = self._covered()

    @classmethod
    def load(
        cls, directory: Path, pin: EncoderPin | None, *, graphs_above: int = EXACT_MAX
    ) -> Indexes:
        """The indexes saved in a directory, or empty ones; `catch_up` does the rest."""
        indexes = cls(pin, graphs_above=graphs_above)
        try:
            note = json.loads((directory / _NOTE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return indexes
        terms, columns = TermIndex.load(directory), ColumnTable.load(directory / _COLUMNS)
        vectors = None
        if pin is not None:
            vectors = VectorIndex.load(
                directory,
                dimension=pin.dimension,
                fingerprint=pin.fingerprint,
                exact_max=graphs_above,
            )
        agree = vectors is None or vectors.generation == note["seen_erased"]
        if terms is None or (pin is not None and vectors is None) or not agree:
            return indexes
        # Columns alone are soon read again; the rest need not be rebuilt for them.
        indexes.columns = columns or indexes.columns
        indexes.terms, indexes.vectors = terms, vectors
        indexes.seen_erased = note["seen_erased"]
        indexes._note_saved()
        return indexes

    def apply(self, saved: Saved) -> None:
        """Take in a committed batch."""
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
        gone = np.array([row for row in rows if row < self.columns.size], np.int64)
        self.columns.remove(gone.tolist())
        if not len(gone):
            return
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
