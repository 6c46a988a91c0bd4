"""Turns drafts into vectors, through the encoder the bank is pinned to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubjay.encoder.base import Encoder
from scrubjay.encoder.checking import check_vectors
from scrubjay.engine.retain.drafts import Draft
from scrubjay.engine.retain.wording import spoken
from scrubjay.types import StoredUnit, Unit


def embed(drafts: Sequence[Draft], encoder: Encoder | None) -> list[Draft]:
    """The drafts with their vectors, of unit length; unchanged without an encoder."""
    if encoder is None or not drafts:
        return list(drafts)
    texts = [embedded_text(draft.unit) for draft in drafts]
    vectors = check_vectors(encoder, texts, encoder.encode_documents(texts))
    return [replace(draft, vector=vector) for draft, vector in zip(drafts, vectors, strict=True)]


def embedded_text(unit: Unit | StoredUnit) -> str:
    """What the encoder reads of a unit: who said it, its predicate, its text.

    The speaker in front was worth several points of recall on conversations, and a predicate is
    the unit's own summary.
    """
    said = spoken(unit)
    return said if unit.predicate is None else f"{unit.predicate}. {said}"
