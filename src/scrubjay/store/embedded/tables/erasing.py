"""Takes units out of every table of a bank's file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence, Set

import numpy as np

from scrubjay.store.embedded.tables.dictionary import MANY_HOLDERS
from scrubjay.store.embedded.tables.link_table import LinkTable
from scrubjay.store.embedded.tables.packing import unpack_entities, unpack_postings
from scrubjay.store.embedded.tables.sql import SQL, Statements, json_list
from scrubjay.store.shared import erasing

# Rows read at a time when all must be asked whether they hold a word.
_SCANNED_ROWS = 10_000


class Eraser(erasing.Eraser):
    """Removes rows and everything that only they held up; files and readers learn of it by a log.

    `document_frequency` says, of words that many units hold, how many do as memory knows it.
    """

    DROPPING = (*erasing.Eraser.DROPPING, "log_erased")

    def __init__(
        self, connection: sqlite3.Connection, document_frequency: Callable[[int], int]
    ) -> None:
        super().__init__(Statements(connection), LinkTable(connection))
        self._connection = connection
        self._document_frequency = document_frequency

    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        found = self._connection.execute(SQL["entities_of_rows"], (json_list(rows),)).fetchall()
        named = [(entity, row) for row, blob in found for entity in unpack_entities(blob)]
        counted = Counter(entity for entity, _ in named)
        self._connection.executemany(SQL["delete_mention"], named)
        less = [(-count, entity) for entity, count in counted.items()]
        self._connection.executemany(SQL["count_mentions"], less)
        return counted

    def _drop_words(self, rows: Sequence[int]) -> int:
        if not rows:
            return 0
        run = self._connection.execute
        run(SQL["uncount_bytes"], (json_list(rows),))
        found = run(SQL["postings_of_rows"], (json_list(rows),)).fetchall()
        _, terms, _ = unpack_postings([blob for _, _, blob in found])
        numbers, counts = (each.tolist() for each in np.unique(terms, return_counts=True))
        fewer = dict(zip(numbers, counts, strict=True))
        doomed, doubtful, left = list[int](), set[int](), dict[int, list[int]]()
        for term, holders in run(SQL["holders_of_terms"], (json_list(numbers),)):
            if holders < MANY_HOLDERS:
                if holders <= fewer[term]:
                    doomed.append(term)
                else:
                    left.setdefault(fewer[term], []).append(term)
            elif self._document_frequency(term) <= fewer[term]:
                doubtful.add(term)
        for less, group in left.items():
            run(SQL["count_holders"], (json_list(group), -less, MANY_HOLDERS)).fetchall()
        # A word only these units used would otherwise stay readable in the dictionary.
        if doubtful:
            doomed += self._unheld(doubtful, set(rows))
        self._connection.executemany(SQL["delete_term"], [(term,) for term in doomed])
        return len(terms)

    def _unheld(self, terms: set[int], rows: Set[int]) -> set[int]:
        """Which words no other unit holds, as all the rows say; memory is not asked for that."""
        left = set(terms)
        cursor = self._connection.execute(SQL["postings_after"], (-1,))
        while left and (found := cursor.fetchmany(_SCANNED_ROWS)):
            _, held, _ = unpack_postings([blob for row, _, blob in found if row not in rows])
            left -= set(held[np.isin(held, np.array([*left], np.uint32))].tolist())
        return left
