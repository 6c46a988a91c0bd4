"""Gives a bank the vectors of another encoder, resumably, with one atomic switch at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scrubjay.defaults import Progress, no_progress
from scrubjay.encoder.base import Encoder
from scrubjay.engine.retain.embedding import vectors_of
from scrubjay.engine.retrieve.neighbours import turns_before
from scrubjay.settings import REEMBED_BATCH_UNITS
from scrubjay.store.base import BankStore, EncoderPin


def reembed(bank: BankStore, encoder: Encoder, progress: Progress = no_progress) -> int:
    """Embed every unit with `encoder`; searches use the old vectors until the switch.

    Interrupted, run it again with the same encoder: finished units are not embedded again.
    Returns how many were embedded this time.
    """
    pin = EncoderPin(encoder.fingerprint, encoder.dimension)
    bank.begin_reembed(pin)
    work = _Work(bank, encoder, pin)
    while work.embed_some():
        progress(min(work.done, bank.unit_count()), bank.unit_count())
    with bank.writing():
        # Units told while we worked; writers wait for this last, short stretch.
        while work.embed_some():
            pass
        bank.finish_reembed(pin)
    progress(bank.unit_count(), bank.unit_count())
    return work.done


@dataclass(slots=True)
class _Work:
    bank: BankStore
    encoder: Encoder
    pin: EncoderPin
    done: int = 0
    # Told and changed units get higher rows, so nothing behind this one is left to do.
    reached: int = 0

    def embed_some(self) -> bool:
        """One batch; False when no unit is left."""
        missing = self.bank.without_vector(after_row=self.reached, limit=REEMBED_BATCH_UNITS)
        if not missing:
            return False
        rows = np.array([row for row, _ in missing], np.int64)
        before = turns_before(self.bank, rows)
        units = [unit for _, unit in missing]
        told = [before.get(row) for row, _ in missing]
        made = vectors_of(units, told, self.encoder, late=self.bank.settings.late)
        self.bank.save_reembedded(self.pin, rows, made.vectors.astype(np.float16), made.late)
        self.done += len(missing)
        self.reached = int(rows[-1])
        return True
