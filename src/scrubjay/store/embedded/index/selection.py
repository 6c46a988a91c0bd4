"""A scope as the rows it lets through: all, a few that are listed, or a mask over all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scrubjay.settings import BankSettings
from scrubjay.store.base import Scope
from scrubjay.store.embedded.index.columns import ColumnTable, Wanted
from scrubjay.store.embedded.tables.sql import SQL
from scrubjay.store.shared.ranked_rows import distinct
from scrubjay.store.shared.times import maybe_micros, window_bounds
from scrubjay.store.shared.unit_rows import json_object
from scrubjay.types.arrays import MaskArray, RowArray

_NO_SESSION = -2  # the number of a session the bank does not know


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows a search may return: `rows` (ascending), or where `mask` says so, or all."""

    rows: RowArray | None = None
    mask: MaskArray | None = None

    def among(self, rows: RowArray) -> Selection:
        """Those of the selection that are also in `rows`, which ascend."""
        if self.rows is not None:
            return Selection(np.intersect1d(self.rows, rows, assume_unique=True))
        if self.mask is not None:
            rows = rows[: np.searchsorted(rows, len(self.mask))]
            rows = rows[self.mask[rows]]
        return Selection(rows)

    def without(self, rows: RowArray, size: int) -> Selection:
        """The selection less `rows`, which ascend; the bank has `size` rows."""
        if self.rows is not None:
            return Selection(np.setdiff1d(self.rows, rows, assume_unique=True))
        mask = np.ones(size, np.bool_) if self.mask is None else self.mask.copy()
        mask[rows[: np.searchsorted(rows, len(mask))]] = False
        return Selection(mask=mask)


def reads_rows(scope: Scope) -> bool:
    """Whether a scope asks for what the columns do not know."""
    return bool(scope.session is not None or scope.tags or scope.metadata)


def session_number(connection: sqlite3.Connection, name: str | None) -> int | None:
    """The number the columns keep for a session; None for none."""
    if name is None:
        return None
    found = connection.execute(SQL["find_session"], (name,)).fetchone()
    return _NO_SESSION if found is None else int(found[0])


def wanted_of(scope: Scope, settings: BankSettings, session: int | None = None) -> Wanted:
    """What a scope, its session numbered, asks of the columns; tags and metadata aside."""
    types = None
    if scope.types is not None:
        types = tuple([settings.type_code(name) for name in scope.types])
    return Wanted(
        types=types,
        session=session,
        valid_at=maybe_micros(scope.as_of),
        not_ended_by=maybe_micros(scope.not_ended_by) if scope.as_of is None else None,
        told_by=maybe_micros(scope.known_at),
        window=None if scope.window is None else window_bounds(scope.window),
    )


def carrying(connection: sqlite3.Connection, scope: Scope) -> RowArray | None:
    """The rows with all the tags and the metadata of a scope, ascending; None if it has none."""
    lists = [connection.execute(SQL["tagged_rows"], (tag,)).fetchall() for tag in scope.tags]
    if scope.metadata:
        wanted = json_object(scope.metadata)
        lists.append(connection.execute(SQL["rows_with_metadata"], (wanted,)).fetchall())
    if not lists:
        return None
    rows = [distinct(np.array(found, np.int64).reshape(-1)) for found in lists]
    common = rows[0]
    for other in rows[1:]:
        common = np.intersect1d(common, other, assume_unique=True)
    return common


def selection_of(
    columns: ColumnTable,
    wanted: Wanted,
    carriers: RowArray | None,
    except_rows: Sequence[int] = (),
) -> Selection:
    """The rows that pass; as a list where tags, metadata or time leave few."""
    if except_rows:
        chosen = selection_of(columns, wanted, carriers)
        return chosen.without(np.array(except_rows, np.int64), columns.size)
    if carriers is not None:
        rows = carriers[columns.passing(carriers, wanted)]
        return Selection(rows[columns.present(rows)])
    rows_in_time = columns.rows_in(wanted)
    return Selection(rows_in_time, None if rows_in_time is not None else columns.mask(wanted))
