"""Compares a bank with its own texts, and its tables and indexes with its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from scrubjay.encoder.base import Encoder
from scrubjay.encoder.late import as_late
from scrubjay.engine.retain.wording import words_of
from scrubjay.engine.transfer.copying import batches, entities_by_row, prepared_again
from scrubjay.engine.upkeep.late_index import lacking_late, make_late
from scrubjay.errors import StoreDamaged
from scrubjay.language.analyzer import Analyzer
from scrubjay.store.base import BankStore, NewLink
from scrubjay.store.records import StoredWords
from scrubjay.types.arrays import RowArray
from scrubjay.types.graph import LinkKind
from scrubjay.types.reports import Finding
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import UnitId

# A store counts a word in a unit as far as this.
_COUNT_MAX = 255


def examine(bank: BankStore, encoder: Encoder | None, *, fix: bool) -> list[Finding]:
    """What is wrong with a bank, an empty list when nothing is; repaired if asked.

    Beside writers: each unit that is found by other words than it has is saved anew by itself.
    Token vectors that are missing or damaged are made anew by `encoder`, the bank's own.
    """
    found = _examine_words(bank, fix=fix)
    late = as_late(encoder)
    if not bank.settings.late or late is None:
        return found
    lacking = lacking_late(bank, late)
    if not lacking:
        return found
    if fix:
        make_late(bank, late, lacking)
    mended = fix and not lacking_late(bank, late)
    detail = f"{len(lacking)} unit(s) without whole token vectors: {_shown(lacking)}"
    return [*found, Finding("late", detail, fixed=mended)]


def _shown(rows: Sequence[int]) -> str:
    return ", ".join(map(str, rows[:5])) + (", ..." if len(rows) > 5 else "")


def _examine_words(bank: BankStore, *, fix: bool) -> list[Finding]:
    # The tables first: what is saved anew is taken out of their counts and put into them.
    found = bank.doctor(fix=fix)
    analyzer, last = Analyzer(bank.settings.analysis), bank.row_limit()
    try:
        wrong = [unit.id for row, unit in _other_words(bank, analyzer) if row < last]
    except StoreDamaged as error:  # what the tables could not mend; the texts stay unread
        return [*found, Finding("texts", str(error), fixed=False)]
    if not wrong:
        return found
    if fix:
        for unit in wrong:
            _save_anew(bank, unit, analyzer)
        left = {(finding.check, finding.detail) for finding in bank.doctor(fix=True)}
        found = [
            # What was told cannot be had back from a spoiled row, only kept as it is now.
            f
            if f.check == "units"
            else replace(f, fixed=f.fixed or (f.check, f.detail) not in left)
            for f in found
        ]
    mended = fix and not any(_is_wrong(bank, unit, analyzer) for unit in wrong)
    detail = f"{len(wrong)} unit(s) are found by other words than their texts have"
    return [*found, Finding("texts", f"{detail}: {', '.join(wrong[:5])}", fixed=mended)]


def _other_words(bank: BankStore, analyzer: Analyzer) -> Iterator[tuple[int, StoredUnit]]:
    for batch in batches(bank):
        stored = bank.words_of(np.array([row for row, _ in batch], np.int64))
        for row, unit in batch:
            # A unit that went meanwhile has no words to compare.
            if row in stored and stored[row] != words_in(unit, analyzer):
                yield row, unit


def words_in(unit: StoredUnit, analyzer: Analyzer) -> StoredWords:
    """The words that a unit is to be found by."""
    words = words_of(unit, analyzer)
    counts = {term: min(count, _COUNT_MAX) for term, count in words.terms.items()}
    return StoredWords(counts, words.length)


def _is_wrong(bank: BankStore, unit: UnitId, analyzer: Analyzer) -> bool:
    rows = _rows(bank, unit)
    stored, found = bank.words_of(rows), bank.hydrate_rows(rows)
    return any(words != words_in(found[row], analyzer) for row, words in stored.items())


def _save_anew(bank: BankStore, unit: UnitId, analyzer: Analyzer) -> None:
    """Store a unit again as it is, with the words of its text."""
    with bank.writing():
        rows = _rows(bank, unit)
        kept, named = bank.unit_records(rows), entities_by_row(bank, rows)
        for row, found in bank.hydrate_rows(rows).items():
            again = prepared_again(found, kept[row], named.get(row, ()), analyzer)
            # An update carries the other kinds of edges along by itself.
            near = tuple(
                NewLink(other, kind, weight, leads_here=False)
                for other, kind, weight, _ in kept[row].links
                if kind is LinkKind.SEMANTIC
            )
            bank.save([replace(again, links=near, replaces=unit)])


def _rows(bank: BankStore, unit: UnitId) -> RowArray:
    return np.array([*bank.rows_of([unit]).values()], np.int64)
