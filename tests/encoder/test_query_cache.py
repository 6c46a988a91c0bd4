"""A question asked again costs nothing and gives the same vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.encoder.base import Calibration, Encoder, calibration_of
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.encoder.query_cache import CachedQueries
from scrubjay.types.arrays import VectorArray


class CountingEncoder(HashingEncoder):
    """A HashingEncoder that writes down which questions it was asked."""

    calibration = Calibration(0.4)

    def __init__(self) -> None:
        super().__init__(32)
        self.asked: list[str] = []

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        self.asked.extend(texts)
        return super().encode_queries(texts)


def test_only_new_questions_reach_the_encoder_each_once() -> None:
    inner = CountingEncoder()
    cached = CachedQueries(inner)
    first = cached.encode_queries(["where", "when", "where"])
    second = cached.encode_queries(["when", "who"])
    assert inner.asked == ["where", "when", "who"]
    np.testing.assert_array_equal(first[1], second[0])
    np.testing.assert_allclose(
        first, HashingEncoder(32).encode_queries(["where", "when", "where"]), atol=1e-6
    )


def test_the_question_used_longest_ago_is_forgotten_first() -> None:
    inner = CountingEncoder()
    cached = CachedQueries(inner, capacity=2)
    for question in ("a", "b", "a", "c", "a", "b"):
        cached.encode_queries([question])
    assert inner.asked == ["a", "b", "c", "b"]


def test_a_batch_larger_than_the_cache_is_answered_whole() -> None:
    cached = CachedQueries(CountingEncoder(), capacity=2)
    texts = [f"question {n}" for n in range(7)]
    np.testing.assert_allclose(
        cached.encode_queries(texts), HashingEncoder(32).encode_queries(texts), atol=1e-6
    )


def test_a_caller_who_changes_an_answer_changes_nothing_else() -> None:
    cached = CachedQueries(CountingEncoder())
    for _ in range(2):
        answer = cached.encode_queries(["where"])
        assert answer.any()
        answer[:] = 0


def test_documents_and_the_encoders_card_pass_through() -> None:
    inner = CountingEncoder()
    cached = CachedQueries(inner)
    assert isinstance(cached, Encoder)
    assert (cached.name, cached.dimension, cached.fingerprint) == ("hash", 32, inner.fingerprint)
    assert calibration_of(cached) == Calibration(0.4)
    np.testing.assert_array_equal(cached.encode_documents(["x"]), inner.encode_documents(["x"]))
    assert cached.encode_queries([]).shape == (0, 32)
