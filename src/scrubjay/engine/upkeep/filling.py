"""Makes the vectors of units that were kept while the encoder failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from scrubjay.encoder.base import Encoder, calibration_of
from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.embedding import vectors_of
from scrubjay.engine.retain.linking import LinkRules, Rows, semantic_links
from scrubjay.engine.retrieve.neighbours import turns_before
from scrubjay.engine.shared.waiting import Waiting
from scrubjay.engine.transfer.copying import entities_by_row, prepared_again
from scrubjay.language.analyzer import Analyzer
from scrubjay.settings import REEMBED_BATCH_UNITS
from scrubjay.store.base import BankStore, NewLink


def fill_in(bank: BankStore, encoder: Encoder, waiting: Waiting) -> int:
    """Give some of the units that wait their vectors and links, the oldest first; how many.

    Each is saved anew as it is, so that every index and every other process takes it in as it does
    a change. EncoderError if the encoder fails still: they go on waiting.
    """
    first = waiting.first(bank)
    if first is None:
        return 0
    found = bank.without_vector(after_row=first - 1, limit=REEMBED_BATCH_UNITS)
    rows = np.array([row for row, _ in found], np.int64)
    before = turns_before(bank, rows)
    # Outside the bank's lock: an endpoint may take its time.
    units, told = [unit for _, unit in found], [before.get(row) for row, _ in found]
    made = vectors_of(units, told, encoder, late=bank.settings.late)
    with bank.writing():
        kept, there = bank.unit_records(rows), bank.rows_of([unit.id for unit in units])
        still = [
            (row, unit, n)
            for n, (row, unit) in enumerate(found)
            # Changed, erased or re-embedded meanwhile, it has what it needs.
            if there.get(unit.id) == row and kept[row].vector is None
        ]
        if not still or bank.encoder is None or bank.encoder.fingerprint != encoder.fingerprint:
            return 0
        named, analyzer = entities_by_row(bank, rows), Analyzer(bank.settings.analysis)
        again = [
            replace(
                prepared_again(unit, kept[row], named.get(row, ()), analyzer),
                vector=made.vectors[n].astype(np.float16),
                late=made.late[n],
                replaces=unit.id,
            )
            for row, unit, n in still
        ]
        drafts = [
            Draft(one.unit, one.identity, vector=made.vectors[n])
            for one, (_, _, n) in zip(again, still, strict=True)
        ]
        links = _links(bank, encoder, [row for row, _, _ in still], drafts)
        bank.save([replace(one, links=own) for one, own in zip(again, links, strict=True)])
    return len(still)


def _links(
    bank: BankStore, encoder: Encoder, rows: Sequence[int], drafts: Sequence[Draft]
) -> Iterator[tuple[NewLink, ...]]:
    """The semantic links that units get which move from some rows to the next ones."""
    first = bank.next_row()
    moved = Rows(first, {row: first + n for n, row in enumerate(rows)}, frozenset())
    floor = calibration_of(encoder).cosine_at(bank.settings.link_floor)
    rules = LinkRules(bank.settings.links_per_unit_max, floor)
    return map(tuple, semantic_links(bank, drafts, rules, moved))
