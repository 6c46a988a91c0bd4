"""Fakes for our tests and for yours: exact, fast, and without files or networks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.types.arrays import ScoreArray

__all__ = ["FixedClock", "HashingEncoder", "OverlapReranker"]

_WORDS = re.compile(r"\w+")


class FixedClock:
    """A clock that shows the same time until it is told to move."""

    def __init__(self, now: datetime = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)) -> None:
        """`now` must be aware; it is kept in UTC."""
        if now.tzinfo is None:
            raise ValueError(f"{now!r} has no time zone; give tzinfo=UTC.")
        self.now = now.astimezone(UTC)

    def __call__(self) -> datetime:
        """The time, in UTC."""
        return self.now

    def advance(self, by: timedelta) -> datetime:
        """Move the clock and return the new time."""
        self.now += by
        return self.now


class OverlapReranker:
    """A Reranker that counts words: the logit is 4 when the text has every word of the question,
    -4 when it has none, and in proportion between.
    """

    @property
    def name(self) -> str:
        """`overlap`."""
        return "overlap"

    @property
    def instant(self) -> bool:
        """It counts words."""
        return True

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        """One logit per text, in order; case and punctuation do not count."""
        asked = _words(question)
        shares = [len(asked & _words(text)) / max(len(asked), 1) for text in texts]
        return (np.array(shares, np.float32) - np.float32(0.5)) * np.float32(8)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.lower()))
