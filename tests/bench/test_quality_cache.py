"""What a model said is remembered on disk, exactly, and asked for once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from bench.evaluation.embedding_cache import BATCH, CachedEncoder, CachedReranker

from scrubjay.encoder import Calibration, open_encoder
from scrubjay.testing import HashingEncoder, OverlapReranker
from scrubjay.types.arrays import ScoreArray, VectorArray


class CountingEncoder(HashingEncoder):
    """A hashing encoder that tells questions from documents and counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(dimension=16)
        self.asked: list[list[str]] = []
        self.calibration = Calibration(0.4)

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        self.asked.append(list(texts))
        return super().encode_documents(texts)

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        return self.encode_documents([f"query {text}" for text in texts])


class CountingReranker(OverlapReranker):
    """An overlap reranker that counts the pairs it is asked about."""

    def __init__(self) -> None:
        self.pairs = 0

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        self.pairs += len(texts)
        return super().score(question, texts)


def test_a_text_is_encoded_once_and_read_back_bit_for_bit(tmp_path: Path) -> None:
    inner = CountingEncoder()
    texts = ["one cup", "two cups", "one cup"]
    first = CachedEncoder(inner, tmp_path).encode_documents(texts)
    second = CachedEncoder(inner, tmp_path).encode_documents(["two cups", "three cups"])
    assert inner.asked == [["one cup", "two cups"], ["three cups"]]
    assert np.array_equal(first, HashingEncoder(16).encode_documents(texts))
    assert np.array_equal(second[0], first[1])


def test_a_question_is_not_answered_with_a_documents_vector(tmp_path: Path) -> None:
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    document = cached.encode_documents(["cup"])
    assert not np.array_equal(document, cached.encode_queries(["cup"]))


def test_a_question_to_the_fast_encoder_is_not_answered_by_the_whole_one(tmp_path: Path) -> None:
    whole, fast = (open_encoder(name) for name in ("scrubjay-small", "fast"))
    CachedEncoder(whole, tmp_path).encode_queries(["one cup"])
    cached = CachedEncoder(fast, tmp_path).encode_queries(["one cup"])
    assert np.array_equal(cached, fast.encode_queries(["one cup"]))


def test_the_wrapper_passes_for_the_encoder_inside(tmp_path: Path) -> None:
    inner = CountingEncoder()
    cached = CachedEncoder(inner, tmp_path)
    assert (cached.name, cached.dimension) == (inner.name, inner.dimension)
    assert (cached.fingerprint, cached.calibration) == (inner.fingerprint, inner.calibration)
    assert cached.encode_documents([]).shape == (0, 16)


def test_many_texts_are_encoded_in_batches_and_keep_their_order(tmp_path: Path) -> None:
    inner = CountingEncoder()
    texts = [f"word{n}" for n in range(BATCH + 10)]
    vectors = CachedEncoder(inner, tmp_path).encode_documents(texts)
    assert [len(batch) for batch in inner.asked] == [BATCH, 10]
    assert np.array_equal(vectors[-1], HashingEncoder(16).encode_documents(texts[-1:])[0])


def test_a_pair_is_scored_once_for_its_question_and_text(tmp_path: Path) -> None:
    inner = CountingReranker()
    first = CachedReranker(inner, tmp_path).score("red cup", ["a red cup", "a blue cup"])
    again = CachedReranker(inner, tmp_path).score("red cup", ["a blue cup", "a red cup"])
    assert inner.pairs == 2
    assert np.array_equal(first, again[::-1])
    CachedReranker(inner, tmp_path).score("blue cup", ["a red cup"])
    assert inner.pairs == 3


def test_every_run_reads_as_many_pairs_as_the_preset_says(tmp_path: Path) -> None:
    assert not hasattr(CachedReranker(OverlapReranker(), tmp_path), "costs_ms")
