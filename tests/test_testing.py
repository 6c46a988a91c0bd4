"""The fakes keep their promises, since so many tests rest on them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from scrubjay.encoder.base import Encoder, Reranker
from scrubjay.testing import FixedClock, HashingEncoder, OverlapReranker


def test_the_hashing_encoder_ranks_by_shared_words() -> None:
    encoder = HashingEncoder()
    told = encoder.encode_documents(["the kettle is in the shed", "our flight was delayed"])
    asked = encoder.encode_queries(["where is the kettle"])[0]
    assert isinstance(encoder, Encoder)
    assert encoder.dimension == 384
    assert told[0] @ asked > 0.4 > told[1] @ asked


def test_the_clock_stands_still_until_it_is_moved() -> None:
    clock = FixedClock(datetime(2026, 1, 31, 23, 0, tzinfo=UTC))
    assert clock() == clock() == datetime(2026, 1, 31, 23, 0, tzinfo=UTC)
    assert clock.advance(timedelta(hours=2)) == datetime(2026, 2, 1, 1, 0, tzinfo=UTC)
    assert clock() == datetime(2026, 2, 1, 1, 0, tzinfo=UTC)


def test_the_clock_shows_utc_whatever_it_was_set_with() -> None:
    clock = FixedClock(datetime(2026, 5, 1, 1, 0, tzinfo=timezone(timedelta(hours=2))))
    assert clock().tzinfo is UTC
    assert clock().hour == 23


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        FixedClock(datetime(2026, 1, 1))


def test_the_overlap_reranker_scores_the_share_of_question_words() -> None:
    reranker = OverlapReranker()
    assert isinstance(reranker, Reranker)
    scores = reranker.score("red boat?", ["The red BOAT sank", "a red hat", "nothing"])
    assert scores.dtype == np.float32
    assert scores.tolist() == [4.0, 0.0, -4.0]
    assert reranker.score("", ["anything"]).tolist() == [-4.0]
    assert reranker.score("red", []).shape == (0,)
