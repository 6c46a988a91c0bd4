"""Compares a few units of a bank with what finds them, now and then, beside all other work.

What a search weighs by is counted as units come and go, so that it cannot grow old. What can part
from the units is what was derived from them: the words they are found by (a later version may read
a text otherwise), the index of those words, the vectors, and the graph that finds vectors.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sized
from datetime import datetime

import numpy as np

from scrubjay.engine.upkeep.doctoring import words_in
from scrubjay.language.analyzer import Analyzer
from scrubjay.settings import DRIFT_SAMPLE_UNITS
from scrubjay.store.base import BankStore, Scope, WordQuery
from scrubjay.store.records import StoredWords
from scrubjay.types.arrays import RowArray
from scrubjay.types.reports import Finding, Look
from scrubjay.types.units import StoredUnit

logger = logging.getLogger("scrubjay.upkeep")

# A unit's own vector is as good as the same in the index, which may keep it in fewer bits.
_SAME = 0.95
# Among so many a search for a unit's own vector must find it, unless they are all as near.
_NEAREST = 10
_AS_NEAR = 1e-3
# A graph is not exact: so much of the sample it may miss.
_MISSED_SHARE_MAX = 1 / 8


class Drifted(Exception):
    """Some units are not found by what they say; the trace of a check ends with it."""

    def __init__(self, found: list[Finding]) -> None:
        self.found = found
        super().__init__("; ".join(f"{one.check}: {one.detail}" for one in found))


def check(bank: BankStore, now: datetime) -> None:
    """Look at a few units, and keep what was seen; what is wrong is also logged, and Drifted."""
    found = look(bank)
    if found:
        # Somebody may have changed what was looked at; so seldom, writers can wait for a few.
        with bank.writing():
            found = look(bank)
    bank.keep_look(Look(now, tuple(found)))
    if found:
        drifted = Drifted(found)
        logger.warning(
            "Bank %r has units that are not found by what they say (%s). "
            "Run `scrubjay doctor --fix` on it.", bank.name, drifted
        )  # fmt: skip
        raise drifted


def look(bank: BankStore) -> list[Finding]:
    """What is wrong with the few units looked at, others each time the bank has grown."""
    rows = _sample(bank)
    units = bank.hydrate_rows(rows)
    rows = np.array(sorted(units), np.int64)
    wrong = [*_words(bank, units, bank.words_of(rows)), *_vectors(bank, rows)]
    return [Finding(check, detail, fixed=False) for check, detail in wrong]


def _sample(bank: BankStore) -> RowArray:
    """Rows of all ages, the newest among them; some may be gone."""
    rows = np.linspace(bank.row_limit() - 1, 0, DRIFT_SAMPLE_UNITS)
    return np.unique(rows.clip(min=0).astype(np.int64))


def _words(
    bank: BankStore, units: dict[int, StoredUnit], stored: dict[int, StoredWords]
) -> Iterator[tuple[str, str]]:
    analyzer = Analyzer(bank.settings.analysis)
    other = [row for row, words in stored.items() if words != words_in(units[row], analyzer)]
    if other:
        yield "texts", _of(other, units, "are found by other words than their texts have")
    lost = []
    for row, words in stored.items():
        held = bank.holders([*words.counts])
        # The rarest, whose list is the shortest.
        rarest = min(words.counts, key=lambda term: held.get(term, 0), default=None)
        if rarest is not None and not bank.word_score(WordQuery((rarest,)), row) > 0:
            lost.append(row)
    if lost:
        yield "words", _of(lost, units, "are not in the word index")


def _vectors(bank: BankStore, rows: RowArray) -> Iterator[tuple[str, str]]:
    if bank.encoder is None or not len(rows):
        return
    kept = {row: record.vector for row, record in bank.unit_records(rows).items()}
    without = [row for row, vector in kept.items() if vector is None]
    if without:
        yield "vectors", _of(without, kept, "have no vector")
    differ, missed = list[int](), list[int]()
    for row, half in kept.items():
        vector = None if half is None else half.astype(np.float32)
        if vector is None or not vector.any():  # what says nothing is like nothing, itself too
            continue
        # The mean of two readings is shorter than 1, and so is its cosine with itself.
        whole = float(vector @ vector)
        own = float(bank.similarity(vector, np.array([row]))[0])
        near = bank.nearest(vector, limit=_NEAREST, floor=0.0, scope=Scope())
        if own < _SAME * whole:
            differ.append(row)
        elif row not in near.rows and (
            len(near.rows) < _NEAREST or near.scores[-1] < own - _AS_NEAR
        ):
            missed.append(row)
    if differ:
        yield "vectors", _of(differ, kept, "have another vector in the index")
    if len(missed) > _MISSED_SHARE_MAX * len(kept):
        yield "nearest", _of(missed, kept, "are not found by their own vectors")


def _of(rows: list[int], among: Sized, what: str) -> str:
    return f"{len(rows)} of {len(among)} unit(s) looked at {what}"
