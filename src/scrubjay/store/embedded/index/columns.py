"""Facts about every unit as arrays indexed by row, for filters and boosts without reading rows."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.embedded.directory.saved_files import SavedFile, write_durably
from scrubjay.store.embedded.index.time_order import TimeOrder, ascending
from scrubjay.types.arrays import MaskArray, RowArray

ABSENT = 255
_TIMES = 6
_NOBODY = -2  # the code of a speaker that no unit has
# Below this, comparing every row is quicker than keeping them sorted.
_SORTED_FROM_ROWS = 100_000
# Comparing a byte per row for each type is quicker than looking each row's type up, up to here.
_COMPARED_TYPES_MAX = 4

# What `columns_after` returns: the row, its type, six times, session, tokens and speaker.
ColumnRow = tuple[
    int, int, int, int | None, int | None, int | None, int | None, int | None, int | None, int,
    str | None,
]  # fmt: skip

Rows = RowArray | slice


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a scope asks of the columns, times in microseconds; None asks nothing.

    `types` holds type codes. `valid_at` keeps what had begun and not ended, `not_ended_by` only
    drops what has ended, `told_by` keeps what was told by then and knows of no end told later,
    and `window` (closed) keeps what happened or was told inside it.
    """

    types: tuple[int, ...] | None = None
    session: int | None = None
    valid_at: int | None = None
    not_ended_by: int | None = None
    told_by: int | None = None
    window: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """What only a listing asks: who said it, and closed windows of when it was told, or happened.

    What says no time when it happened counts by when it was told.
    """

    speaker: str | None = None
    told: tuple[int, int] | None = None
    occurred: tuple[int, int] | None = None


class ColumnTable:
    """Growable arrays; readers may look while the one writer appends."""

    def __init__(self) -> None:
        self._size = 0
        self._types = np.full(64, ABSENT, np.uint8)
        self._times = np.full((_TIMES, 64), NO_TIME, np.int64)
        self._sessions = np.full(64, -1, np.int32)
        self._tokens = np.zeros(64, np.int32)
        self._speakers = np.full(64, -1, np.int32)
        self._updating = np.zeros(64, np.bool_)
        self._speaker_names: list[str] = []
        self._speaker_codes: dict[str, int] = {}
        self._ending = np.empty(0, np.int64)  # the few rows whose validity has an end, ascending
        self._order: TimeOrder | None = None
        self._changes = 0  # counted when each is done
        self._last_window: tuple[tuple[int, int, int], RowArray | None] = (0, 0, 0), None
        self._last_wanted: tuple[tuple[Wanted, int], RowArray | None] = (Wanted(), -1), None

    @property
    def size(self) -> int:
        """One more than the highest row ever added."""
        return self._size

    def add(self, rows: Sequence[ColumnRow]) -> None:
        """Append units, rows increasing."""
        if not rows:
            return
        self._grow(rows[-1][0] + 1)
        numbers, types, *times, sessions, tokens, speakers = zip(*rows, strict=True)
        index = np.array(numbers, np.int64)
        for column, moments in enumerate(times):
            self._times[column, index] = [NO_TIME if at is None else at for at in moments]
        self._sessions[index] = [-1 if session is None else session for session in sessions]
        self._tokens[index] = tokens
        self._speakers[index] = [-1 if name is None else self._code(name) for name in speakers]
        # Types last: a row counts as present only when its type is set.
        self._types[index] = types
        self._ends_at(index[self._times[4, index] != NO_TIME])
        self._size = max(self._size, rows[-1][0] + 1)
        self._changes += 1

    def _code(self, speaker: str) -> int:
        code = self._speaker_codes.get(speaker)
        if code is None:
            code = self._speaker_codes[speaker] = len(self._speaker_names)
            self._speaker_names.append(speaker)
        return code

    def remove(self, rows: Iterable[int]) -> None:
        """Forget units."""
        gone = list(rows)
        self._types[gone] = ABSENT
        # What is gone was told next to nobody; an index that is made anew knows no session of it.
        self._sessions[gone] = -1
        self._changes += 1

    def begin_validity(self, begun: Sequence[tuple[int, int | None]]) -> None:
        """Record when units (row, moment) begin to be true."""
        if begun:
            rows, moments = zip(*begun, strict=True)
            self._times[3, list(rows)] = [NO_TIME if at is None else at for at in moments]
            self._changes += 1

    def close_validity(self, ended: Sequence[tuple[int, int, int | None]]) -> None:
        """Record when units (row, moment, when it was told) stop being true."""
        if ended:
            rows, moments, told = zip(*ended, strict=True)
            self._times[5, list(rows)] = [NO_TIME if at is None else at for at in told]
            self._times[4, list(rows)] = moments
            self._ends_at(np.array(rows, np.int64))
            self._changes += 1

    def mark_updating(self, rows: Collection[int]) -> None:
        """Note that units update others, or others update them."""
        if rows:
            self._grow(max(rows) + 1)
            self._updating[list(rows)] = True

    def updating(self, rows: RowArray) -> RowArray:
        """Those of some rows that may update others, or be updated; the others surely do not."""
        return rows[self._updating.take(rows)]

    def _ends_at(self, rows: RowArray) -> None:
        if len(rows):
            self._ending = np.union1d(self._ending, rows)

    def save(self, path: Path) -> SavedFile:
        """Write the table to a file; a crash leaves the old file or the new one."""
        return write_durably(path, self._write)

    def _write(self, path: Path) -> None:
        with path.open("wb") as file:
            np.savez(
                file,
                types=self._types[: self._size],
                times=self._times[:, : self._size],
                sessions=self._sessions[: self._size],
                tokens=self._tokens[: self._size],
                speakers=self._speakers[: self._size],
                speaker_names=np.frombuffer(json.dumps(self._speaker_names).encode(), np.uint8),
            )

    @classmethod
    def load(cls, path: Path) -> ColumnTable | None:
        """The table written to a file, None if it cannot be read."""
        table = cls()
        try:
            # Opened here, because numpy leaves a file that it cannot read open.
            with path.open("rb") as file, np.load(file) as stored:
                table._types, table._times = stored["types"], stored["times"]
                table._sessions, table._tokens = stored["sessions"], stored["tokens"]
                table._speakers = stored["speakers"]
                table._speaker_names = json.loads(stored["speaker_names"].tobytes())
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        if len(table._times) != _TIMES:
            return None  # an older scrubjay's
        table._speaker_codes = {name: code for code, name in enumerate(table._speaker_names)}
        table._ending = np.flatnonzero(table._times[4] != NO_TIME)
        table._size = len(table._types)
        table._updating = np.zeros(table._size, np.bool_)  # read from the rows again
        return table

    def _grow(self, size: int) -> None:
        capacity = len(self._types)
        if size <= capacity:
            return
        more = max(size, capacity * 2) - capacity
        self._times = np.hstack([self._times, np.full((_TIMES, more), NO_TIME, np.int64)])
        self._sessions = np.append(self._sessions, np.full(more, -1, np.int32))
        self._tokens = np.append(self._tokens, np.zeros(more, np.int32))
        self._speakers = np.append(self._speakers, np.full(more, -1, np.int32))
        self._updating = np.append(self._updating, np.zeros(more, np.bool_))
        self._types = np.append(self._types, np.full(more, ABSENT, np.uint8))

    def present(self, rows: Rows | None = None) -> MaskArray:
        """Which rows, of some or of all, hold a unit."""
        present: MaskArray = self._types[slice(0, self._size) if rows is None else rows] != ABSENT
        return present

    def mask(self, wanted: Wanted) -> MaskArray | None:
        """By row, which are wanted; None when all are."""
        size = self._size
        masks = self._tests(wanted, slice(0, size))
        if wanted.window is not None:
            masks.append(self._in_window(*wanted.window, size))
        return None if not masks else _all_of(masks)

    def passing(self, rows: RowArray, wanted: Wanted) -> MaskArray:
        """Which of some rows are wanted, in their order; rows never added are not."""
        inside = rows < self._size
        if not inside.all():
            inside[inside] = self.passing(rows[inside], wanted)
            return inside
        masks = self._tests(wanted, rows)
        if wanted.window is not None:
            masks.append(self._touching(rows, *wanted.window))
        return _all_of(masks) if masks else inside

    def rows_in(self, wanted: Wanted) -> RowArray | None:
        """The wanted rows that hold a unit, ascending, if time narrows them down to a few.

        The last answer is kept: a question that names a time asks for it in each of its searches.
        """
        if wanted.window is None:
            return None
        asked = wanted, self._changes
        known, rows = self._last_wanted
        if asked != known:
            rows = self._near(*wanted.window)
            if rows is not None:
                # What was near in time stays so; the rest is asked of the few that are.
                rows = rows[self.passing(rows, replace(wanted, window=None)) & self.present(rows)]
            self._last_wanted = asked, rows
        return rows

    def _near(self, low: int, high: int) -> RowArray | None:
        """The rows inside a window, if sorting finds them; the last answer is kept.

        Searches of one question that differ in what else they want have their window in common.
        """
        size, order = self._size, self._time_order()
        if order is None:
            return None
        asked, rows = self._last_window
        if asked != (low, high, size):
            found = order.candidates(low, high)
            rows = None
            if found is not None:
                sure, maybe = found[0], np.concatenate((found[1], np.arange(order.size, size)))
                maybe = maybe[self._touching(maybe, low, high)]
                rows = ascending(np.concatenate((sure, maybe)))
            self._last_window = (low, high, size), rows
        return rows

    def _tests(self, wanted: Wanted, rows: Rows) -> list[MaskArray]:
        """What each part of what is wanted, the window aside, says of some rows."""
        masks: list[MaskArray] = []
        if wanted.types is not None:
            masks.append(_any_of(self._types[rows], wanted.types))
        if wanted.session is not None:
            masks.append(self._sessions[rows] == wanted.session)
        if wanted.valid_at is not None:
            masks.append(self._times[3, rows] <= wanted.valid_at)  # NO_TIME is before everything
            masks.extend(self._not_ended(wanted.valid_at, rows, wanted.told_by))
        if wanted.not_ended_by is not None:
            masks.extend(self._not_ended(wanted.not_ended_by, rows, wanted.told_by))
        if wanted.told_by is not None:
            masks.append(self._times[0, rows] <= wanted.told_by)
        return masks

    def _not_ended(self, moment: int, rows: Rows, told_by: int | None) -> list[MaskArray]:
        # Most banks have no ends, or few: those are looked at, not every row.
        if not len(self._ending):
            return []
        if not isinstance(rows, slice):
            ends = self._times[4].take(rows)
            lasting: MaskArray = (ends == NO_TIME) | (ends > moment)
            if told_by is not None:
                lasting |= self._times[5].take(rows) > told_by
            return [lasting]
        ended = self._ending[self._times[4].take(self._ending) <= moment]
        if told_by is not None:
            ended = ended[self._times[5].take(ended) <= told_by]
        if not len(ended):
            return []
        standing = np.ones(rows.stop, np.bool_)
        standing[ended[ended < rows.stop]] = False
        return [standing]

    def _in_window(self, low: int, high: int, size: int) -> MaskArray:
        near = self._near(low, high)
        if near is None:
            return self._touching(slice(0, size), low, high)
        inside = np.zeros(size, np.bool_)
        inside[near[: near.searchsorted(size)]] = True
        return inside

    def _time_order(self) -> TimeOrder | None:
        """The rows by time, sorted again when an eighth of them is new; None for a small bank."""
        order, size = self._order, self._size
        if size < _SORTED_FROM_ROWS:
            return None
        if order is None or size - order.size > size // 8:
            order = TimeOrder.of(*(self._times[column, :size] for column in range(3)))
            self._order = order
        return order

    def warm_up(self) -> None:
        """Sort by time what a large bank would sort when the first question names a time."""
        self._time_order()

    def _touching(self, rows: Rows, low: int, high: int) -> MaskArray:
        if isinstance(rows, slice):
            told, start, end = self._times[:3, rows]
        else:
            told, start, end = (self._times[column].take(rows) for column in range(3))
        # An event without an end is a moment; NO_TIME starts fail the second test.
        overlaps = (start <= high) & (np.maximum(start, end) >= low)
        inside: MaskArray = overlaps | ((told >= low) & (told <= high))
        return inside

    def take(self, rows: RowArray) -> Columns:
        """The facts of some rows."""
        return Columns(
            rows=rows,
            types=self._types.take(rows),
            told_at=self._times[0].take(rows),
            occurred_start=self._times[1].take(rows),
            occurred_end=self._times[2].take(rows),
            valid_from=self._times[3].take(rows),
            valid_to=self._times[4].take(rows),
            sessions=self._sessions.take(rows),
            tokens=self._tokens.take(rows),
        )

    def listed(self, rows: RowArray, wanted: Wanted, listed: Listed) -> RowArray:
        """Those of some rows, which hold a unit, that a listing is about."""
        masks = self._tests(wanted, rows)
        told, start, end = (self._times[column].take(rows) for column in range(3))
        if listed.speaker is not None:
            code = self._speaker_codes.get(listed.speaker, _NOBODY)
            masks.append(self._speakers.take(rows) == code)
        if listed.told is not None:
            masks.append((told >= listed.told[0]) & (told <= listed.told[1]))
        if listed.occurred is not None:
            begun = np.where(start == NO_TIME, told, start)
            ended = np.where(end == NO_TIME, begun, end)
            masks.append((ended >= listed.occurred[0]) & (begun <= listed.occurred[1]))
        return rows[_all_of(masks)] if masks else rows

    def keys(self, rows: RowArray, by: str) -> RowArray:
        """What some rows are put in order by."""
        if by == "row":
            return rows
        told: RowArray = self._times[0].take(rows)
        start: RowArray = self._times[1].take(rows)
        return told if by == "told" else np.where(start == NO_TIME, told, start)

    def speakers(self, rows: RowArray) -> tuple[npt.NDArray[np.int32], Sequence[str]]:
        """Who said each row, as a place in the list of names; -1 where that is not known."""
        return self._speakers.take(rows), self._speaker_names

    def newest(self, wanted: Wanted, limit: int) -> RowArray:
        """The wanted rows told last, newest first, ties by row descending."""
        rows = self.rows_in(wanted)
        if rows is None:
            rows = self._newest_by_order(wanted, limit)
        if rows is None:
            mask, present = self.mask(wanted), self.present()
            rows = np.flatnonzero(present if mask is None else present[: len(mask)] & mask)
        return self.newest_of(rows, limit)

    def newest_of(self, rows: RowArray, limit: int) -> RowArray:
        """Of distinct rows, those told last, newest first, ties by row descending."""
        told = self._times[0].take(rows)
        if len(rows) > limit > 0:
            # Rows that ascend were mostly told in their order: few are as new as the last.
            late = np.flatnonzero(told >= told[-limit:].min())
            rows, told = rows.take(late), told.take(late)
            # Keep every row as new as the limit-th newest, so that ties are cut by row.
            newest = told >= np.partition(told, len(told) - limit)[len(told) - limit]
            rows, told = rows[newest], told[newest]
        order = np.lexsort((-rows, -told))[:limit]
        return rows[order]

    def _newest_by_order(self, wanted: Wanted, limit: int) -> RowArray | None:
        """The newest sorted rows that pass, and all rows not sorted yet; None when few pass."""
        order = self._time_order()
        if order is None:
            return None
        later = np.arange(order.size, self._size)
        seen = limit
        while seen <= order.size // 8:
            rows = np.concatenate((order.told_rows[-seen:], later))
            rows = rows[self.passing(rows, wanted) & self.present(rows)]
            if len(rows) >= limit + len(later):
                return rows
            seen *= 4
        return None


def _all_of(masks: Sequence[MaskArray]) -> MaskArray:
    """Where all say yes; a writer may have grown the table between one mask and the next."""
    size = min(len(mask) for mask in masks)
    allowed = masks[0][:size]
    for mask in masks[1:]:
        allowed = allowed & mask[:size]
    return allowed


def _any_of(types: npt.NDArray[np.uint8], codes: Sequence[int]) -> MaskArray:
    if 0 < len(codes) <= _COMPARED_TYPES_MAX:
        mask: MaskArray = types == codes[0]
        for code in codes[1:]:
            mask |= types == code
        return mask
    table = np.zeros(256, np.bool_)
    table[list(codes)] = True
    return table[types]
