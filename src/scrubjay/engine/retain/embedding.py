"""Turns units into vectors, through the encoder the bank is pinned to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scrubjay.encoder.base import Encoder, context_words_of
from scrubjay.encoder.checking import check_vectors
from scrubjay.encoder.late import as_late
from scrubjay.engine.retain.drafts import Draft, filling
from scrubjay.engine.retain.wording import spoken
from scrubjay.engine.shared.late_vectors import packed
from scrubjay.errors import EncoderError
from scrubjay.settings import BankSettings
from scrubjay.store.base import BankReader
from scrubjay.types.arrays import VectorArray
from scrubjay.types.units import StoredUnit, Unit

# Of the turn before, its end is read: there stands what a short turn answers.
_CONTEXT_CHARACTERS = 200

AnyUnit = Unit | StoredUnit

_with_vectors = filling("vector", "late")


class Embedded(NamedTuple):
    """The vector of each of some units, and those of its tokens where they are wanted."""

    vectors: VectorArray
    late: list[bytes | None]


def embed(
    drafts: Sequence[Draft],
    encoder: Encoder | None,
    before: AnyUnit | None = None,
    *,
    settings: BankSettings,
) -> list[Draft]:
    """The drafts with their vectors; unchanged without an encoder. `before` was told last.

    Where the bank would rather wait for vectors than lose units, drafts say why they have none.
    """
    if encoder is None or not drafts:
        return list(drafts)
    units = [draft.unit for draft in drafts]
    try:
        made = vectors_of(units, [before, *units[:-1]], encoder, late=settings.late)
    except EncoderError as error:
        if not settings.embed_later:
            raise
        return unembedded(drafts, str(error))
    return [
        _with_vectors(draft, vector, own)
        for draft, vector, own in zip(drafts, made.vectors, made.late, strict=True)
    ]


def unembedded(drafts: Sequence[Draft], reason: str) -> list[Draft]:
    """The drafts, each saying why its vector is to be made later."""
    return [draft._replace(unembedded=reason) for draft in drafts]


def vectors_of(
    units: Sequence[AnyUnit],
    before: Sequence[AnyUnit | None],
    encoder: Encoder,
    *,
    late: bool = False,
) -> Embedded:
    """The vector of each unit, `before` being what was told right before each of them.

    A short turn of a conversation says little without the one it answers ("Yes, in May."), and
    half of nothing with it: where the encoder asks for it, the vector is the mean of both
    readings. That mean is not stretched to length 1, so a search scores a unit with the mean of
    two cosines; stretched, a turn would gain by being unlike the one before it. Vectors of its
    tokens are those of the reading that knows more.
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
    own = [0 if n in follow else len(text) for n, text in enumerate(alone)]
    own += [len(alone[n]) for n in follow]
    found, tokens = _encoded([*alone, *again], own if late else None, encoder)
    vectors = found[: len(units)]
    for n, second in zip(follow, range(len(units), len(found)), strict=True):
        vectors[n] = (vectors[n] + found[second]) / 2
        tokens[n] = tokens[second]
    return Embedded(vectors, tokens[: len(units)])


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


def _encoded(
    texts: Sequence[str], own: Sequence[int] | None, encoder: Encoder
) -> tuple[VectorArray, list[bytes | None]]:
    """The vectors of texts, and if `own` is given those of the tokens of their own last part."""
    late = None if own is None else as_late(encoder)
    if late is None or late.head is None or own is None:
        return check_vectors(encoder, texts, encoder.encode_documents(texts)), [None] * len(texts)
    vectors, codes = late.encode_documents_late(texts, own)
    return check_vectors(encoder, texts, vectors), [packed(each, late.head) for each in codes]
