"""Texts that share words are close, always and everywhere in the same way."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from scrubjay.encoder import hashing
from scrubjay.encoder.base import Encoder
from scrubjay.encoder.hashing import HashingEncoder, word_vectors


def test_closeness_is_about_the_share_of_common_words() -> None:
    first, half, none = HashingEncoder(4096).encode_documents(
        ["red boat harbour storm", "red boat mountain train", "quiet library evening lamp"]
    )
    assert float(first @ half) == pytest.approx(0.5, abs=0.06)
    assert float(first @ none) == pytest.approx(0.0, abs=0.06)


def test_case_punctuation_and_order_do_not_count() -> None:
    first, second = HashingEncoder().encode_documents(["Storm: the BOAT!", "the boat... storm"])
    np.testing.assert_allclose(first, second, atol=1e-6)


def test_vectors_have_unit_length_even_without_words() -> None:
    texts = ["", "?!", "one", "\ud83d", "日本語 の テキスト", "word " * 20_000]
    vectors = HashingEncoder().encode_documents(texts)
    assert vectors.shape == (6, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_words_that_cancel_out_still_give_a_unit_vector() -> None:
    one = HashingEncoder(1)
    words = [f"w{n}" for n in range(20)]
    plus = next(word for word in words if word_vectors([word], 1)[0, 0] > 0)
    minus = next(word for word in words if word_vectors([word], 1)[0, 0] < 0)
    assert abs(one.encode_documents([f"{plus} {minus}"])[0, 0]) == 1.0


def test_the_vectors_are_the_same_on_every_machine() -> None:
    assert word_vectors(["jay"], 12).tolist() == [[-1, -1, 1, 1, -1, 1, -1, 1, -1, 1, -1, 1]]
    assert set(np.unique(word_vectors(["jay"], 384))) == {-1.0, 1.0}


def test_a_full_cache_changes_nothing() -> None:
    small = HashingEncoder(16)
    before = small.encode_documents(["alpha beta"])
    crowd = [f"word{n} other{n}" for n in range(hashing.CACHED_WORDS_MAX)]
    many = small.encode_documents(crowd)
    np.testing.assert_array_equal(small.encode_documents(["alpha beta"]), before)
    np.testing.assert_array_equal(HashingEncoder(16).encode_documents(crowd[-5:]), many[-5:])


def test_many_threads_get_the_vectors_one_thread_gets() -> None:
    texts = [f"thread {n} reads page {n * 7 % 13}" for n in range(200)]
    expected = HashingEncoder(32).encode_documents(texts)
    shared = HashingEncoder(32)
    found: list[bool] = []

    def encode() -> None:
        found.append(bool(np.array_equal(shared.encode_queries(texts), expected)))

    threads = [threading.Thread(target=encode) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


def test_it_is_an_encoder_with_its_dimension_in_the_fingerprint() -> None:
    encoder = HashingEncoder(64)
    assert isinstance(encoder, Encoder)
    assert (encoder.name, encoder.dimension) == ("hash", 64)
    assert encoder.fingerprint == "hash@1/f32/64"
    assert encoder.encode_queries([]).shape == (0, 64)
