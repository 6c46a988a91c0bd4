"""The bank's dictionary: which number stands for which word."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from scrubjay.store.embedded.tables.packing import unpack_postings
from scrubjay.store.embedded.tables.sql import SQL
from scrubjay.store.records import StoredWords
from scrubjay.types.arrays import RowArray

# Words remembered between writes; a bank's everyday vocabulary fits many times over.
_CACHED_TERMS_MAX = 200_000

# The rows count the units that hold a word as far as this, once for all. Most words are rare: at
# 10,000 units some four of a new unit's words are counted, of a common one none any more.
MANY_HOLDERS = 8


@dataclass(frozen=True, slots=True)
class Numbered:
    """Words' numbers, and those of the words that many units hold."""

    ids: dict[str, int]
    common: set[int]


class Dictionary:
    """Looks words up and, inside a write, numbers new ones and counts who holds the rare."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._common: set[int] = set()  # need not be counted any more
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

    def assign(self, connection: sqlite3.Connection, holders: Mapping[str, int]) -> Numbered:
        """The numbers of words that so many new units hold each, new words numbered.

        Call `remember` after the commit. A write that erases words needs a dictionary of its own:
        who asks for one meanwhile would bring its number back.
        """
        found = self.find(connection, holders)
        # Sorted, so that the same batch gives the same numbers.
        missing = sorted(holders.keys() - found.keys())
        common = self._count(connection, found, holders)
        if missing:
            last = int(connection.execute(SQL["last_term"]).fetchone()[0])
            fresh = {term: last + 1 + offset for offset, term in enumerate(missing)}
            connection.executemany(
                SQL["insert_term"],
                [(n, term, min(holders[term], MANY_HOLDERS)) for term, n in fresh.items()],
            )
            found.update(fresh)
        return Numbered(found, common)

    def _count(
        self, connection: sqlite3.Connection, ids: Mapping[str, int], holders: Mapping[str, int]
    ) -> set[int]:
        """Count new holders of the words that few have; those that many have now."""
        few: dict[int, list[int]] = {}
        for term, number in ids.items():
            if number not in self._common:
                few.setdefault(holders[term], []).append(number)
        common: set[int] = set()
        for more, numbers in few.items():
            counted = connection.execute(
                SQL["count_holders"], (json.dumps(numbers), more, MANY_HOLDERS)
            )
            common.update(numbers)
            common.difference_update([n for n, held in counted if held < MANY_HOLDERS])
        return common

    def remember(self, numbered: Numbered) -> None:
        """Keep committed numbers for the next write."""
        if len(self._ids) + len(numbered.ids) > _CACHED_TERMS_MAX:
            self.forget_all()
        self._ids.update(numbered.ids)
        self._common |= numbered.common
        self._unknown = set()

    def forget_all(self) -> None:
        """Drop the cache after words were erased."""
        self._ids = {}
        self._common = set()
        self._unknown = set()


def stored_words(connection: sqlite3.Connection, rows: RowArray) -> dict[int, StoredWords]:
    """The words some rows are found by."""
    found = connection.execute(SQL["postings_of_rows"], (json.dumps(rows.tolist()),)).fetchall()
    offsets, numbers, counts = unpack_postings([blob for _, _, blob in found])
    wanted = json.dumps(np.unique(numbers).tolist())
    terms = dict(connection.execute(SQL["terms_of_numbers"], (wanted,)).fetchall())
    # A number without a word is shown as such, and no text has it.
    words = [terms.get(number, f"#{number}") for number in numbers.tolist()]
    ends = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return {
        row: StoredWords(
            dict(zip(words[start:end], counts[start:end].tolist(), strict=True)), length
        )
        for (row, length, _), (start, end) in zip(found, ends, strict=True)
    }
