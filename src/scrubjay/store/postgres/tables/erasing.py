"""Takes units out of every table on the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scrubjay.store.postgres.tables.asking import BankTransaction, Statements
from scrubjay.store.postgres.tables.link_table import LinkTable
from scrubjay.store.postgres.tables.postings import BLOCK_ROWS, without_rows
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared import erasing


class Eraser(erasing.Eraser):
    """Removes rows and everything that only they held up."""

    def __init__(self, transaction: BankTransaction) -> None:
        super().__init__(Statements(transaction), LinkTable(transaction))
        self._transaction = transaction

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

    def _drop_words(self, rows: Sequence[int]) -> int:
        transaction = self._transaction
        found = transaction.rows(SQL["words_of_rows"], list(rows))
        terms = sorted({term for _, _, words, *_ in found for term in words})
        blocks = sorted({row // BLOCK_ROWS for row in rows})
        gone = np.array(rows, np.int64)
        held = transaction.rows(SQL["postings_of_blocks"], terms, blocks)
        if held:
            names, numbers, packed = zip(*sorted(tuple(row) for row in held), strict=True)
            left = [without_rows(n, old, gone) for n, old in zip(numbers, packed, strict=True)]
            transaction.run(SQL["set_postings"], list(names), list(numbers), left)
            transaction.run(SQL["drop_empty_postings"], list(names), list(numbers))
            transaction.run(SQL["drop_vocabulary"], terms)
        length, told = (sum(each[place] for each in found) for place in (1, 4))
        transaction.run(SQL["count_documents"], 0, -len(found), -length, -told)
        return sum(len(words) for _, _, words, *_ in found)
