"""Takes units out of every table on the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from scrubjay.store.postgres.tables.asking import BankTransaction
from scrubjay.store.postgres.tables.entity_table import drop_orphans
from scrubjay.store.postgres.tables.link_table import LinkTable
from scrubjay.store.postgres.tables.postings import BLOCK_ROWS, without_rows
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared import erasing
from scrubjay.types import UnitId


class Eraser(erasing.Eraser):
    """Removes rows and everything that only they held up."""

    def __init__(self, transaction: BankTransaction) -> None:
        super().__init__(LinkTable(transaction))
        self._transaction = transaction

    def _sessions_of(self, rows: Sequence[int]) -> list[int]:
        return [number for (number,) in self._transaction.rows(SQL["sessions_of_rows"], list(rows))]

    def _bridge(self, ids: Sequence[UnitId]) -> set[str]:
        transaction, before = self._transaction, set[str]()
        for (unit,) in transaction.rows(SQL["in_lineage"], list(ids)):
            before.update(old for (old,) in transaction.rows(SQL["bridge_superseded"], unit))
            transaction.run(SQL["bridge_superseding"], unit)
        return before

    def _without_successor(self, ids: Iterable[str]) -> list[UnitId]:
        wanted = sorted(ids)
        found = self._transaction.rows(SQL["without_successor"], wanted) if wanted else []
        return [UnitId(unit) for (unit,) in found]

    def _lineage(self, row: int) -> tuple[str | None, str | None, int]:
        ((supersedes, superseded_by, created_at),) = self._transaction.rows(SQL["lineage"], row)
        return supersedes, superseded_by, created_at

    def _drop_rows(self, rows: Sequence[int]) -> int:
        wanted = list(rows)
        vectors = self._transaction.run(SQL["delete_vectors"], wanted)
        for name in ("delete_next_vectors", "delete_tags", "delete_units"):
            self._transaction.run(SQL[name], wanted)
        return vectors

    def _unmention(self, rows: Sequence[int]) -> Counter[int]:
        named = self._transaction.rows(SQL["entities_of_rows"], list(rows))
        pairs = [(entity, row) for row, entities in named for entity in entities]
        counted = Counter(entity for entity, _ in pairs)
        if pairs:
            entities, mentioning = zip(*pairs, strict=True)
            self._transaction.run(SQL["delete_mentions"], list(entities), list(mentioning))
            less = [-count for count in counted.values()]
            self._transaction.run(SQL["count_mentions"], list(counted), less)
        return counted

    def _unrelate(self, rows: Sequence[int]) -> list[erasing.Ends]:
        return self._transaction.rows(SQL["delete_relations_of_rows"], list(rows))

    def _unrelate_entity(self, entity: int) -> list[erasing.Ends]:
        return self._transaction.rows(SQL["delete_relations_of_entity"], entity)

    def _move_relations(self, row: int, new_row: int) -> None:
        self._transaction.run(SQL["move_relation_rows"], new_row, row)

    def _unmentioned(self, alias: str | None) -> list[int]:
        return [number for (number,) in self._transaction.rows(SQL["unmentioned_by_alias"], alias)]

    def _drop_orphans(self, entities: set[int], *, explicit: bool) -> int:
        return drop_orphans(self._transaction, entities, explicit=explicit)

    def _drop_sessions(self, sessions: Sequence[int], name: str | None) -> int:
        return self._transaction.run(SQL["delete_empty_sessions"], list(sessions), name)

    def _drop_words(self, rows: Sequence[int]) -> int:
        transaction = self._transaction
        found = transaction.rows(SQL["words_of_rows"], list(rows))
        terms = sorted({term for _, _, words, _ in found for term in words})
        blocks = sorted({row // BLOCK_ROWS for row in rows})
        gone = np.array(rows, np.int64)
        held = transaction.rows(SQL["postings_of_blocks"], terms, blocks)
        if held:
            names, numbers, packed = zip(*sorted(tuple(row) for row in held), strict=True)
            left = [without_rows(n, old, gone) for n, old in zip(numbers, packed, strict=True)]
            transaction.run(SQL["set_postings"], list(names), list(numbers), left)
            transaction.run(SQL["drop_empty_postings"], list(names), list(numbers))
            transaction.run(SQL["drop_vocabulary"], terms)
        length = sum(length for _, length, _, _ in found)
        transaction.run(SQL["count_documents"], 0, -len(found), -length)
        return sum(len(words) for _, _, words, _ in found)
