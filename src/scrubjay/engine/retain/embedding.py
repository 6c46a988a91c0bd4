"""Turns units into vectors, through the encoder the bank is pinned to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.encoder.base import Encoder, context_words_of
from scrubjay.encoder.checking import check_vectors
from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.wording import spoken
from scrubjay.store.base import BankReader
from scrubjay.types import StoredUnit, Unit, VectorArray

# Of the turn before, its end is read: there stands what a short turn answers.
_CONTEXT_CHARACTERS = 200

AnyUnit = Unit | StoredUnit


def embed(
    drafts: Sequence[Draft], encoder: Encoder | None, before: AnyUnit | None = None
) -> list[Draft]:
    """The drafts with their vectors; unchanged without an encoder. `before` was told last."""
    if encoder is None or not drafts:
        return list(drafts)
    units = [draft.unit for draft in drafts]
    vectors = vectors_of(units, [before, *units[:-1]], encoder)
    return [draft._replace(vector=vector) for draft, vector in zip(drafts, vectors, strict=True)]


def vectors_of(
    units: Sequence[AnyUnit], before: Sequence[AnyUnit | None], encoder: Encoder
) -> VectorArray:
    """The vector of each unit, `before` being what was told right before each of them.

    A short turn of a conversation says little without the one it answers ("Yes, in May."), and
    half of nothing with it: where the encoder asks for it, the vector is the mean of both
    readings. That mean is not stretched to length 1, so a search scores a unit with the mean of
    two cosines; stretched, a turn would gain by being unlike the one before it.
    """
    alone = [embedded_text(unit) for unit in units]
    words_max = context_words_of(encoder)
    follow = {
        n: told
        for n, (unit, told) in enumerate(zip(units, before, strict=True))
        if told is not None and _answers(unit, told, words_max)
    }
    again = [f"{_ending(told)}\n{alone[n]}" for n, told in follow.items()]
    # One call for both readings: the more texts an encoder is given, the fuller its batches.
    found = _encoded([*alone, *again], encoder)
    vectors = found[: len(units)]
    if follow:
        places = list(follow)
        vectors[places] = (vectors[places] + found[len(units) :]) / 2
    return vectors


def told_last(bank: BankReader, encoder: Encoder | None) -> StoredUnit | None:
    """The unit told last, if the encoder reads what comes next after it."""
    if encoder is None or not context_words_of(encoder):
        return None
    row = bank.row_limit() - 1
    return bank.hydrate_rows(np.array([row], np.int64)).get(row) if row >= 0 else None


def embedded_text(unit: AnyUnit) -> str:
    """What the encoder reads of a unit: who said it, its predicate, its text.

    The speaker in front was worth several points of recall on conversations, and a predicate is
    the unit's own summary.
    """
    said = spoken(unit)
    return said if unit.predicate is None else f"{unit.predicate}. {said}"


def _answers(unit: AnyUnit, told: AnyUnit, words_max: int) -> bool:
    together = unit.session is not None and unit.session == told.session
    return together and len(embedded_text(unit).split()) < words_max


def _ending(unit: AnyUnit) -> str:
    return embedded_text(unit)[-_CONTEXT_CHARACTERS:]


def _encoded(texts: Sequence[str], encoder: Encoder) -> VectorArray:
    return check_vectors(encoder, texts, encoder.encode_documents(texts))
