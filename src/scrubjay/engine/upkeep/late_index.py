"""Finds the units of a bank that lack token vectors, and makes them beside those that have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.encoder.late import LateEncoder
from scrubjay.engine.retain.embedding import vectors_of
from scrubjay.engine.retrieve.neighbours import turns_before
from scrubjay.engine.shared.late_vectors import unpacked
from scrubjay.engine.transfer.copying import batches
from scrubjay.settings import REEMBED_BATCH_UNITS
from scrubjay.store.base import BankStore


def lacking_late(bank: BankStore, encoder: LateEncoder) -> list[int]:
    """The rows that have no whole token vectors of the encoder's head, ascending."""
    assert encoder.head is not None, "who has no head is not asked for token vectors"
    lacking: list[int] = []
    for batch in batches(bank):
        rows = [row for row, _ in batch]
        kept = bank.late_of(np.array(rows, np.int64))
        lacking += [
            row for row in rows if row not in kept or unpacked(kept[row], encoder.head) is None
        ]
    return lacking


def make_late(bank: BankStore, encoder: LateEncoder, rows: Sequence[int]) -> None:
    """Give some rows their token vectors; others read and write meanwhile."""
    for start in range(0, len(rows), REEMBED_BATCH_UNITS):
        some = np.array(rows[start : start + REEMBED_BATCH_UNITS], np.int64)
        units, before = bank.hydrate_rows(some), turns_before(bank, some)
        made = vectors_of([*units.values()], [before.get(r) for r in units], encoder, late=True)
        given = [(row, late) for row, late in zip(units, made.late, strict=True) if late]
        bank.put_late(np.array([r for r, _ in given], np.int64), [late for _, late in given])
