"""The bank's dictionary: which number stands for which word."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from scrubjay.store.statements import statements

SQL = statements("scrubjay.store.embedded", "queries.sql")

# Words remembered between writes; a bank's everyday vocabulary fits many times over.
_CACHED_TERMS_MAX = 200_000


class Dictionary:
    """Looks words up and, inside a write, numbers new ones."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._unknown: set[str] = set()  # asked for, and not in the bank

    def find(self, connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
        """The numbers of the words the bank knows."""
        wanted = set(terms)
        found = {term: self._ids[term] for term in wanted if term in self._ids}
        missing = wanted - found.keys()
        if missing:
            rows = connection.execute(SQL["find_terms"], (json.dumps(list(missing)),))
            found.update(rows.fetchall())
        return found

    def look_up(self, connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
        """The same for a question, whose words are kept for the next one; outside of writes only.

        `forget_all` comes after the commit that erased words, `remember` after one that brought
        new ones. Whoever read before it keeps what they know where those two let go of it.
        """
        kept, unknown = self._ids, self._unknown
        wanted = set(terms) - unknown
        found = self.find(connection, wanted)
        if len(kept) + len(unknown) + len(wanted) <= _CACHED_TERMS_MAX:
            kept.update(found)
            unknown.update(wanted - found.keys())
        return found

    def assign(self, connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
        """The numbers of all the words, new ones numbered; call `remember` after the commit."""
        wanted = set(terms)
        found = self.find(connection, wanted)
        # Sorted, so that the same batch gives the same numbers.
        missing = sorted(wanted - found.keys())
        if missing:
            last = int(connection.execute(SQL["last_term"]).fetchone()[0])
            fresh = {term: last + 1 + offset for offset, term in enumerate(missing)}
            connection.executemany(SQL["insert_term"], [(n, term) for term, n in fresh.items()])
            found.update(fresh)
        return found

    def remember(self, ids: dict[str, int]) -> None:
        """Keep committed numbers for the next write."""
        if len(self._ids) + len(ids) > _CACHED_TERMS_MAX:
            self._ids = {}
        self._ids.update(ids)
        self._unknown = set()

    def forget_all(self) -> None:
        """Drop the cache after words were erased."""
        self._ids = {}
        self._unknown = set()
