"""Compares every table with the units, which are the truth, and repairs what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from scrubjay.settings import VOCABULARY_TERMS
from scrubjay.store.postgres.tables.asking import Ask, BankTransaction
from scrubjay.store.postgres.tables.link_table import LinkTable
from scrubjay.store.postgres.tables.postings import UnitWords, unit_words
from scrubjay.store.postgres.tables.saving import word_writes
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.doctor import (
    MENTIONS_DIFFER,
    miscounted,
    miscounted_bytes,
    of_no_unit,
    stray_links,
    vocabulary_drift,
    without_vector,
)
from scrubjay.store.shared.links import EdgeCheck, without_rows
from scrubjay.types.reports import Finding

_Problem = tuple[str, str]

# Units whose words are read at a time: bounds the memory of a check.
_PAGE_UNITS = 5_000


def examine(ask: Ask, *, with_vectors: bool) -> list[Finding]:
    """Everything that disagrees with the units; an empty list is a clean bill."""
    problems = [*_table_problems(ask, with_vectors), *_word_problems(ask)]
    ((stored,),) = ask(SQL["get_vocabulary"])
    if stored is not None:
        drift = vocabulary_drift(stored, frequent_words(ask))
        problems += [("vocabulary", detail) for detail in drift]
    return [Finding(check, detail, fixed=False) for check, detail in problems]


def repair(transaction: BankTransaction, *, with_vectors: bool) -> list[Finding]:
    """Mend the tables; what is missing for good, such as a vector, stays a finding."""
    # Again, for who found something wrong before did not keep writers out.
    findings = examine(transaction.rows, with_vectors=with_vectors)
    for stray, clear in (
        ("vectors_without_unit", "delete_vectors"),
        ("links_without_unit", "delete_links"),
        ("mentions_without_unit", "delete_mentions_of_rows"),
    ):
        rows = [row for (row,) in transaction.rows(SQL[stray])]
        if rows:
            transaction.run(SQL[clear], rows)
    _mend_links(transaction)
    _mend_mentions(transaction)
    ((counted,),) = transaction.rows(SQL["told_bytes"])
    transaction.run(SQL["set_bytes"], counted)
    if any(finding.check == "words" for finding in findings):
        _rebuild_words(transaction)
    keep_vocabulary(transaction, frequent_words(transaction.rows))
    left = examine(transaction.rows, with_vectors=with_vectors)
    return [replace(finding, fixed=finding not in left) for finding in findings]


def _table_problems(ask: Ask, with_vectors: bool) -> Iterator[_Problem]:
    checks = [
        ("vectors", "vectors_without_unit", of_no_unit),
        ("links", "links_without_unit", of_no_unit),
        ("mentions", "mentions_without_unit", of_no_unit),
    ]
    if with_vectors:
        checks.append(("vectors", "units_without_vector", without_vector))
    for check, statement, said in checks:
        rows = [row for (row,) in ask(SQL[statement])]
        if rows:
            yield check, said(rows)
    for entity, stored, counted in ask(SQL["mention_counts_wrong"]):
        yield "entities", miscounted(entity, stored, counted)
    for detail in stray_links(_strays(ask)):
        yield "links", detail
    if _pairs(ask, "all_mention_pairs") != _pairs(ask, "all_named_pairs"):
        yield "mentions", MENTIONS_DIFFER
    ((stored,),), ((counted,),) = ask(SQL["counted_bytes"]), ask(SQL["told_bytes"])
    for detail in miscounted_bytes(counted if stored is None else stored, counted):
        yield "units", detail


def _word_problems(ask: Ask) -> Iterator[_Problem]:
    ((documents, total_length, counted, summed),) = ask(SQL["document_totals"])
    if (documents, total_length) != (counted, summed):
        yield (
            "words",
            (
                f"the bank counts {documents} units of {total_length} words, "
                f"there are {counted} of {summed}"
            ),
        )
    held: dict[str, int] = {}
    for unit in _all_words(ask):
        for term in unit.counts:
            held[term] = held.get(term, 0) + 1
    stored = dict(ask(SQL["frequencies"]))
    differ = sorted(t for t in held.keys() | stored.keys() if held.get(t) != stored.get(t))
    if differ:
        shown = ", ".join(differ[:5])
        yield "words", f"{len(differ)} word(s) are held by other units than say so: {shown}"


def _all_words(ask: Ask) -> Iterator[UnitWords]:
    after = 0
    while found := ask(SQL["words_after"], after, _PAGE_UNITS):
        for row, length, terms, counts in found:
            yield unit_words(row, length, terms, counts)
        after = found[-1][0]


def _rebuild_words(transaction: BankTransaction) -> None:
    transaction.run(SQL["clear_postings"])
    page: list[UnitWords] = []
    for unit in _all_words(transaction.rows):
        page.append(unit)
        if len(page) == _PAGE_UNITS:
            transaction.run_together(word_writes(page))
            page = []
    if page:
        transaction.run_together(word_writes(page))
    ((_, _, counted, summed),) = transaction.rows(SQL["document_totals"])
    transaction.run(SQL["set_documents"], counted, summed)


def keep_vocabulary(transaction: BankTransaction, words: Sequence[str]) -> None:
    """Take a snapshot of the frequent words, to compare later ones with."""
    transaction.run(SQL["set_vocabulary"], json.dumps(words))
    # Some may have been forgotten since they were counted.
    transaction.run(SQL["drop_vocabulary"], list(words))


def frequent_words(ask: Ask) -> list[str]:
    """The words most units hold."""
    counted = sorted(ask(SQL["frequencies"]), key=lambda found: (-found[1], found[0]))
    return sorted(term for term, _ in counted[:VOCABULARY_TERMS])


def _strays(ask: Ask) -> dict[int, list[int]]:
    """By row, the units that its edges lead to and that are gone."""
    check = EdgeCheck(np.array([row for (row,) in ask(SQL["all_rows"])], np.int64))
    after = 0
    while found := ask(SQL["links_after"], after, _PAGE_UNITS):
        check.read(found)
        after = found[-1][0]
    return {row: sorted(set(gone)) for row, gone in check.strays.items()}


def _mend_links(transaction: BankTransaction) -> None:
    links, strays = LinkTable(transaction), _strays(transaction.rows)
    packed = links.read(strays)
    links.write({row: without_rows(packed[row], np.array(strays[row])) for row in strays})


def _mend_mentions(transaction: BankTransaction) -> None:
    listed = _pairs(transaction.rows, "all_mention_pairs")
    named = _pairs(transaction.rows, "all_named_pairs")
    missing = sorted(named - listed)
    if missing:
        entities, rows = zip(*missing, strict=True)
        transaction.run(SQL["insert_mentions"], list(entities), list(rows))
    by_row: dict[int, list[int]] = {}
    for entity, row in sorted(listed | named):
        by_row.setdefault(row, []).append(entity)
    for row in sorted({row for _, row in listed - named}):
        transaction.run(SQL["set_unit_entities"], row, by_row[row])
    wrong = [entity for entity, _, _ in transaction.rows(SQL["mention_counts_wrong"])]
    if wrong:
        transaction.run(SQL["recount_mentions"], wrong)


def _pairs(ask: Ask, statement: str) -> set[tuple[int, int]]:
    return {(entity, row) for entity, row in ask(SQL[statement])}
