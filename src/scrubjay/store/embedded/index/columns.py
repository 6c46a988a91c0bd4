"""Facts about every unit as arrays indexed by row, for filters and boosts without reading rows."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.embedded.index.time_order import TimeOrder
from scrubjay.store.times import to_micros
from scrubjay.types import MaskArray, RowArray, Window

ABSENT = 255
_TIMES = 5
# Below this, comparing every row is quicker than keeping them sorted.
_SORTED_FROM_ROWS = 100_000
_FAR = int(np.iinfo(np.int64).max)

# What the `columns_after` statement returns: the row, its type, five times, session and tokens.
ColumnRow = tuple[int, int, int, int | None, int | None, int | None, int | None, int | None, int]


class ColumnTable:
    """Growable arrays; readers may look while the one writer appends."""

    def __init__(self) -> None:
        self._size = 0
        self._types = np.full(64, ABSENT, np.uint8)
        self._times = np.full((5, 64), NO_TIME, np.int64)
        self._sessions = np.full(64, -1, np.int32)
        self._tokens = np.zeros(64, np.int32)
        self._any_validity = False
        self._order: TimeOrder | None = None

    @property
    def size(self) -> int:
        """One more than the highest row ever added."""
        return self._size

    def add(self, rows: Sequence[ColumnRow]) -> None:
        """Append units, rows increasing."""
        if not rows:
            return
        self._grow(rows[-1][0] + 1)
        index = [row[0] for row in rows]
        for column in range(_TIMES):
            moments = (row[2 + column] for row in rows)
            self._times[column, index] = [NO_TIME if at is None else at for at in moments]
        self._sessions[index] = [-1 if row[7] is None else row[7] for row in rows]
        self._tokens[index] = [row[8] for row in rows]
        self._any_validity |= any(row[6] is not None for row in rows)
        # Types last: a row counts as present only when its type is set.
        self._types[index] = [row[1] for row in rows]
        self._size = max(self._size, rows[-1][0] + 1)

    def remove(self, rows: Iterable[int]) -> None:
        """Forget units."""
        self._types[list(rows)] = ABSENT

    def close_validity(self, ended: Sequence[tuple[int, int]]) -> None:
        """Record when units (row, moment) stop being true."""
        if ended:
            self._any_validity = True
            self._times[4, [row for row, _ in ended]] = [moment for _, moment in ended]

    def save(self, path: Path) -> None:
        """Write the table to a file; a crash leaves the old file or the new one."""
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
            np.savez(
                file,
                types=self._types[: self._size],
                times=self._times[:, : self._size],
                sessions=self._sessions[: self._size],
                tokens=self._tokens[: self._size],
            )
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)

    @classmethod
    def load(cls, path: Path) -> ColumnTable | None:
        """The table written to a file, None if it cannot be read."""
        try:
            # Opened here, because numpy leaves a file that it cannot read open.
            with path.open("rb") as file, np.load(file) as stored:
                table = cls()
                table._types, table._times = stored["types"], stored["times"]
                table._sessions, table._tokens = stored["sessions"], stored["tokens"]
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        table._size = len(table._types)
        return table

    def _grow(self, size: int) -> None:
        capacity = len(self._types)
        if size <= capacity:
            return
        more = max(size, capacity * 2) - capacity
        self._times = np.hstack([self._times, np.full((5, more), NO_TIME, np.int64)])
        self._sessions = np.append(self._sessions, np.full(more, -1, np.int32))
        self._tokens = np.append(self._tokens, np.zeros(more, np.int32))
        self._types = np.append(self._types, np.full(more, ABSENT, np.uint8))

    def present(self) -> MaskArray:
        """Which rows hold a unit."""
        present: MaskArray = self._types[: self._size] != ABSENT
        return present

    def types_of(self, rows: RowArray) -> npt.NDArray[np.uint8]:
        """The type code of each row."""
        return self._types[rows]

    def with_types(self, codes: Sequence[int]) -> MaskArray:
        """Rows whose type is one of `codes`."""
        wanted = np.zeros(256, np.bool_)
        wanted[list(codes)] = True
        return wanted[self._types[: self._size]]

    def in_session(self, session: int) -> MaskArray:
        """Rows told in a session."""
        told: MaskArray = self._sessions[: self._size] == session
        return told

    def valid_at(self, moment: datetime) -> MaskArray:
        """Rows true at a moment: begun (if they say when) and not ended."""
        at, size = to_micros(moment), self._size
        begun = self._times[3, :size] <= at  # NO_TIME is before everything
        ends = self._times[4, :size]
        valid: MaskArray = begun & ((ends == NO_TIME) | (ends > at))
        return valid

    def not_ended_by(self, moment: datetime) -> MaskArray:
        """Rows that have not stopped being true, whenever they begin."""
        ends = self._times[4, : self._size]
        open_ended: MaskArray = (ends == NO_TIME) | (ends > to_micros(moment))
        return open_ended

    @property
    def any_validity(self) -> bool:
        """Whether any unit has an end of validity; most banks skip the filter."""
        return self._any_validity

    def told_by(self, moment: datetime) -> MaskArray:
        """Rows told at or before a moment."""
        told: MaskArray = self._times[0, : self._size] <= to_micros(moment)
        return told

    def in_window(self, window: Window) -> MaskArray:
        """Rows that happened, or were told, inside the closed window."""
        size = self._size
        low = NO_TIME + 1 if window.start is None else to_micros(window.start)
        high = _FAR if window.end is None else to_micros(window.end)
        if size < _SORTED_FROM_ROWS or window.start is None or window.end is None:
            return self._touching(slice(0, size), low, high)
        order = self._time_order()
        near = order.candidates(low, high)
        if near is None:
            return self._touching(slice(0, size), low, high)
        inside = np.zeros(size, np.bool_)
        inside[near] = self._touching(near, low, high)
        inside[order.size :] = self._touching(slice(order.size, size), low, high)
        return inside

    def _time_order(self) -> TimeOrder:
        order = self._order
        if order is None or self._size - order.size > self._size // 8:
            order = TimeOrder.of(*(self._times[column, : self._size] for column in range(3)))
            self._order = order
        return order

    def _touching(self, rows: RowArray | slice, low: int, high: int) -> MaskArray:
        told, start, end = (self._times[column, rows] for column in range(3))
        # An event without an end is a moment; NO_TIME starts fail the second test.
        overlaps = (start <= high) & (np.maximum(start, end) >= low)
        inside: MaskArray = overlaps | ((told >= low) & (told <= high))
        return inside

    def take(self, rows: RowArray) -> Columns:
        """The facts of some rows."""
        return Columns(
            rows=rows,
            types=self._types[rows],
            told_at=self._times[0, rows],
            occurred_start=self._times[1, rows],
            occurred_end=self._times[2, rows],
            sessions=self._sessions[rows],
            tokens=self._tokens[rows],
        )

    def newest(self, allowed: MaskArray | None, limit: int) -> RowArray:
        """The rows told last, newest first, ties by row descending."""
        present = self.present()
        if allowed is not None:
            present = present[: len(allowed)] & allowed[: len(present)]
        rows = np.flatnonzero(present)
        told = self._times[0, rows]
        if len(rows) > limit:
            # Keep every row as new as the limit-th newest, so that ties are cut by row.
            newest = told >= np.partition(told, len(told) - limit)[len(told) - limit]
            rows, told = rows[newest], told[newest]
        order = np.lexsort((-rows, -told))[:limit]
        return rows[order]
