"""The table of edges in a bank's file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.store.embedded.tables.sql import SQL, json_list
from scrubjay.store.shared.links import says_updates


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The packed edges of units, inside the caller's transaction."""

    connection: sqlite3.Connection
    # The rows that were given edges which say what updates what, for the columns in memory.
    updating: set[int] = field(default_factory=set)

    def read(self, rows: Iterable[int]) -> dict[int, bytes]:
        """The packed edges of some units that have any."""
        return dict(self.connection.execute(SQL["links_of_rows"], (json_list(rows),)).fetchall())

    def write(self, packed: Mapping[int, bytes]) -> None:
        """Let these be the edges of some units."""
        updating = {row for row, edges in packed.items() if says_updates(edges)}
        values = ((row, edges, row in updating) for row, edges in packed.items())
        self.connection.executemany(SQL["put_links"], values)
        self.updating.update(updating)

    def delete(self, rows: Sequence[int]) -> None:
        """Take the edges of some units out."""
        self.connection.execute(SQL["delete_links"], (json_list(rows),))
