"""Takes units out of every table of a bank's file."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set

import numpy as np

from scrubjay.store.embedded.tables.dictionary import MANY_HOLDERS
from scrubjay.store.embedded.tables.link_table import LinkTable
from scrubjay.store.embedded.tables.packing import unpack_entities, unpack_postings
from scrubjay.store.embedded.tables.sql import SQL, json_list
from scrubjay.store.shared import erasing
from scrubjay.types import UnitId

# Rows read at a time when all must be asked whether they hold a word.
_SCANNED_ROWS = 10_000


class Eraser(erasing.Eraser):
    """Removes rows and everything that only they held up.

    `document_frequency` says, of words that many units hold, how many do as memory knows it.
    """

    def __init__(
        self, connection: sqlite3.Connection, document_frequency: Callable[[int], int]
    ) -> None:
        super().__init__(LinkTable(connection))
        self._connection = connection
        self._document_frequency = document_frequency

    def _sessions_of(self, rows: Sequence[int]) -> list[int]:
        found = self._connection.execute(SQL["sessions_of_rows"], (json_list(rows),))
        return [number for (number,) in found]

    def _bridge(self, ids: Sequence[UnitId]) -> set[str]:
        run, before = self._connection.execute, set[str]()
        for (unit,) in run(SQL["in_lineage"], (json_list(ids),)).fetchall():
            before.update(old for (old,) in run(SQL["bridge_superseded"], (unit,)).fetchall())
            run(SQL["bridge_superseding"], (unit,))
        return before

    def _without_successor(self, ids: Iterable[str]) -> list[UnitId]:
        found = self._connection.execute(SQL["without_successor"], (json_list(ids),))
        return [UnitId(unit) for (unit,) in found]

    def _lineage(self, row: int) -> tuple[str | None, str | None, int]:
        found: tuple[str | None, str | None, int]
        found = self._connection.execute(SQL["lineage"], (row,)).fetchone()
        return found

    def _drop_rows(self, rows: Sequence[int]) -> int:
        values = [(row,) for row in rows]
        vectors = self._connection.executemany(SQL["delete_vector"], values).rowcount
        for name in ("delete_next_vector", "delete_tags", "delete_unit", "log_erased"):
            self._connection.executemany(SQL[name], values)
        return vectors

    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        found = self._connection.execute(SQL["entities_of_rows"], (json_list(rows),)).fetchall()
        named = [(entity, row) for row, blob in found for entity in unpack_entities(blob)]
        counted = Counter(entity for entity, _ in named)
        self._connection.executemany(SQL["delete_mention"], named)
        less = [(-count, entity) for entity, count in counted.items()]
        self._connection.executemany(SQL["count_mentions"], less)
        return counted

    def _unrelate(self, rows: Sequence[int]) -> list[erasing.Ends]:
        values = (json_list(rows),)
        return self._connection.execute(SQL["delete_relations_of_rows"], values).fetchall()

    def _unrelate_entity(self, entity: int) -> list[erasing.Ends]:
        return self._connection.execute(SQL["delete_relations_of_entity"], (entity,)).fetchall()

    def _move_relations(self, row: int, new_row: int) -> None:
        self._connection.execute(SQL["move_relation_rows"], (new_row, row))

    def _unmentioned(self, alias: str | None) -> list[int]:
        found = self._connection.execute(SQL["unmentioned_by_alias"], (alias,)).fetchall()
        return [entity for (entity,) in found]

    def _drop_words(self, rows: Sequence[int]) -> int:
        if not rows:
            return 0
        run = self._connection.execute
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

    def _drop_orphans(self, entities: set[int], *, explicit: bool) -> int:
        values = (json_list(entities), explicit)
        orphans = self._connection.execute(SQL["orphan_entities"], values).fetchall()
        for name in ("delete_aliases", "delete_entity"):
            self._connection.executemany(SQL[name], orphans)
        return len(orphans)

    def _drop_sessions(self, sessions: Sequence[int], name: str | None) -> int:
        gone = (json_list(sessions), name)
        return self._connection.execute(SQL["delete_empty_sessions"], gone).rowcount
