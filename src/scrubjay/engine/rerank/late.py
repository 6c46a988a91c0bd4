"""Compares the question's tokens with those of the first candidates, where a bank keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from scrubjay.encoder.late import best_matches
from scrubjay.encoder.query_cache import CachedQueries
from scrubjay.engine.shared.late_vectors import unpacked
from scrubjay.preset import SignSwitches
from scrubjay.store.base import BankReader
from scrubjay.types.arrays import FloatArray, RowArray, VectorArray
from scrubjay.types.outcomes import Degraded

# So many candidates are compared: what is behind them would have to gain more than it can.
LATE_CANDIDATES = 100


def lacking_head(bank: BankReader, encoder: CachedQueries | None) -> Iterator[Degraded]:
    """That a bank wants what its encoder cannot make."""
    if bank.settings.late and encoder is not None and encoder.head is None:
        remedy = "reembed with one that has, such as scrubjay-small, or set late=False"
        yield Degraded("late", f"the encoder {encoder.name} has no token vectors; {remedy}")


def late_sign(
    switches: SignSwitches | None,
    bank: BankReader,
    question: Callable[[], tuple[str, VectorArray] | None],
    rows: RowArray,
) -> FloatArray | None:
    """What is added for each of the first candidates; None where nothing can be compared.

    That is what it matches better than the worst of them, so that none behind them falls back.
    A unit without token vectors gets what the others have in the mean: while a bank's are being
    made, those that wait are neither favoured nor the worse for it. `question` gives the vectors of
    its tokens and names their head.
    """
    if switches is None or not switches.late or not bank.settings.late:
        return None
    asked = question()
    if asked is None:
        return None
    head, vectors = asked
    kept = {
        row: codes
        for row, payload in bank.late_of(rows).items()
        if (codes := unpacked(payload, head)) is not None
    }
    if not kept:
        return None
    places = [place for place, row in enumerate(rows.tolist()) if row in kept]
    found = best_matches(vectors, [kept[int(rows[place])] for place in places])
    matches = np.full(len(rows), float(found.mean()))
    matches[places] = found
    return switches.late * (matches - float(found.min()))
