"""Reads the best candidates again with the cross-encoder, within its budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.encoder.base import Reranker, is_instant
from scrubjay.encoder.side_calls import SideCalls, TooLate
from scrubjay.engine.shared.stretching import stretched
from scrubjay.errors import EncoderError
from scrubjay.types.arrays import FloatArray
from scrubjay.types.units import StoredUnit

# From this chance on, the cross-encoder's best candidate is taken at its word.
_SURE = 0.05
# Of the turn before, the end; the unit itself must not be cut for it.
_BEFORE_CHARACTERS_MAX = 200
# The best unread candidate gets this share of the worst read one's score.
_BELOW = 0.999


def pairs_within(
    budget_ms: float | None, question: str, texts: Sequence[str], reranker: Reranker
) -> int:
    """How many of the texts, from the first on, can be read in the CPU budget; at least one.

    All of them without a budget, or with a reranker that does not tell what a pair costs.
    """
    costs = getattr(reranker, "costs_ms", None)
    if budget_ms is None or costs is None or not texts:
        return len(texts)
    spent = np.cumsum(costs(question, texts))
    return max(1, int(spent.searchsorted(budget_ms, side="right")))


def score_within(
    deadline_ms: float, question: str, texts: Sequence[str], reranker: Reranker, calls: SideCalls
) -> FloatArray:
    """The same as `score_pairs`, on a thread of `calls` that is not waited for any longer."""
    if is_instant(reranker):
        return score_pairs(question, texts, reranker)
    try:
        return calls.within(deadline_ms / 1e3, lambda: score_pairs(question, texts, reranker))
    except TooLate as late:
        raise EncoderError(f"Reranker {reranker.name!r} {late}") from late


def score_pairs(question: str, texts: Sequence[str], reranker: Reranker) -> FloatArray:
    """The sigmoid of the cross-encoder's score for each text; EncoderError if it has none."""
    try:
        logits = np.asarray(reranker.score(question, texts), np.float64)
    except EncoderError:
        raise
    # A reranker may be anyone's code; without it the fused order still stands.
    except Exception as raised:
        raise EncoderError(
            f"Reranker {reranker.name!r} failed: {type(raised).__name__}: {raised}"
        ) from raised
    if logits.shape != (len(texts),) or not np.isfinite(logits).all():
        raise EncoderError(
            f"Reranker {reranker.name!r} answered {logits.shape} scores for {len(texts)} texts, "
            "or scores that are not numbers."
        )
    sigmoid: FloatArray = np.exp(-np.logaddexp(0.0, -logits))
    return sigmoid


def shown(unit: StoredUnit, before: StoredUnit | None = None) -> str:
    """A unit as the cross-encoder reads it: its date in words and digits, context, text.

    The end of the turn before it may stand in front: what it answers, or speaks of.
    """
    text = unit.text if unit.speaker is None else f"{unit.speaker}: {unit.text}"
    if before is not None:
        text = f"{before.text[-_BEFORE_CHARACTERS_MAX:]} {text}"
    if unit.context is not None:
        text = f"{unit.context}: {text}"
    moment = unit.occurred_start or unit.told_at
    return f"[Date: {moment:%B %d, %Y} ({moment:%Y-%m-%d})] {text}"


def blended(fused: FloatArray, reranked: FloatArray, share: float) -> FloatArray:
    """The cross-encoder's score and the fused one, both spread over [0, 1], mixed by `share`.

    Its logits are spread, not its chances, which crowd at 0 and 1. Where it is sure of nothing,
    the spread would only enlarge its noise: then its share shrinks with its best chance.
    """
    if share >= 1.0:
        return reranked
    sure = min(1.0, float(reranked.max()) / _SURE)
    chances = np.clip(reranked, 1e-9, 1 - 1e-9)
    logits = np.log(chances) - np.log1p(-chances)
    return share * sure * stretched(logits) + (1.0 - share * sure) * stretched(fused)


def above(read: FloatArray, rest: FloatArray) -> FloatArray:
    """Both in one array: what was not read stays below what was, in its own order."""
    if not len(rest) or not len(read):
        return np.concatenate([read, rest])
    return np.concatenate([read, rest / max(float(rest.max()), 1e-12) * (read.min() * _BELOW)])
