"""The table of edges on the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scrubjay.store.postgres.tables.asking import Ask, BankTransaction
from scrubjay.store.postgres.tables.sql import SQL


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The packed edges of units, inside the caller's transaction."""

    transaction: BankTransaction

    def read(self, rows: Iterable[int]) -> dict[int, bytes]:
        """The packed edges of some units that have any."""
        return read_links(self.transaction.rows, rows)

    def write(self, packed: Mapping[int, bytes]) -> None:
        """Let these be the edges of some units."""
        if packed:
            self.transaction.run(SQL["put_links"], list(packed), list(packed.values()))

    def delete(self, rows: Sequence[int]) -> None:
        """Take the edges of some units out."""
        self.transaction.run(SQL["delete_links"], list(rows))


def read_links(ask: Ask, rows: Iterable[int]) -> dict[int, bytes]:
    """The packed edges of some units that have any."""
    wanted = list(rows)
    return dict(ask(SQL["links_of_rows"], wanted)) if wanted else {}
