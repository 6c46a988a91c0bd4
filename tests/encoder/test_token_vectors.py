"""Token vectors: made in the same reading, coded in bytes, compared by their best matches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from training.references import REFERENCES

from scrubjay.encoder import CachedQueries, open_encoder
from scrubjay.encoder.late import TOKEN_NUMBERS, LateEncoder, as_late, best_matches, coded
from scrubjay.encoder.token_head import silent_tokens
from scrubjay.testing import HashingEncoder
from scrubjay.types.arrays import VectorArray


@pytest.fixture(scope="module")
def own() -> LateEncoder:
    found = as_late(open_encoder("scrubjay-small", models_directory=Path("/nonexistent")))
    assert found is not None
    return found


def unit(rows: int, seed: int = 1) -> VectorArray:
    vectors = np.random.default_rng(seed).normal(size=(rows, TOKEN_NUMBERS)).astype(np.float32)
    lengths: VectorArray = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


def test_a_score_is_the_weighed_sum_of_each_tokens_best_cosine() -> None:
    question, texts = unit(4) * np.float32(0.25), [unit(n, n) for n in (3, 9)]
    wanted = [(question @ text.T).max(axis=1).sum() for text in texts]
    assert best_matches(question, [coded(text) for text in texts]) == pytest.approx(
        wanted, abs=0.01
    )


def test_a_text_without_tokens_scores_nothing_wherever_it_stands() -> None:
    question, none = unit(3), np.empty((0, TOKEN_NUMBERS), np.int8)
    text = coded(unit(5, 2))
    alone = best_matches(question, [text])[0]
    assert best_matches(question, [none, text, none]).tolist() == [0, alone, 0]
    assert best_matches(question, [none]).tolist() == [0]


def test_bytes_keep_the_direction_of_a_vector() -> None:
    vectors = unit(200)
    codes = coded(vectors).astype(np.float32)
    cosines = np.einsum("ij,ij->i", vectors, codes) / np.linalg.norm(codes, axis=1)
    assert cosines.min() > 0.9999


def test_the_same_reading_gives_the_same_vectors_and_those_of_the_tokens(own: LateEncoder) -> None:
    texts = [*REFERENCES, *reversed(REFERENCES)]
    vectors, tokens = own.encode_documents_late(texts, [len(text) for text in texts])
    assert vectors.tobytes() == own.encode_documents(texts).tobytes()
    assert [each.tobytes() for each in tokens] == [each.tobytes() for each in tokens[::-1]]
    alone = [own.encode_documents_late([text], [len(text)])[1][0] for text in texts[:5]]
    assert [each.tobytes() for each in alone] == [each.tobytes() for each in tokens[:5]]
    asked, words = own.encode_queries_late(REFERENCES)
    assert asked.tobytes() == own.encode_queries(REFERENCES).tobytes()
    # Weights sum to 1, and each row is a vector of length 1 times its weight.
    sums = [float(np.linalg.norm(each, axis=1).sum()) for each in words]
    assert sums == pytest.approx([1.0] * len(words), abs=1e-5)


def test_only_the_last_part_of_a_text_is_kept_and_no_punctuation(own: LateEncoder) -> None:
    text, before = "Bo: In May!", "Ada: When do you move?\n"
    _, (whole, end, none) = own.encode_documents_late(
        [text, before + text, text], [len(text), len(text), 0]
    )
    assert whole.shape == end.shape == (3, TOKEN_NUMBERS)  # bo, in, may
    assert none.shape == (0, TOKEN_NUMBERS)
    assert whole.tobytes() != end.tobytes()


def test_what_says_it_in_other_words_matches_better_than_what_does_not(own: LateEncoder) -> None:
    told = ["The ferry to the island leaves at seven.", "Nadia painted the fence at seven."]
    _, tokens = own.encode_documents_late(told, [len(text) for text in told])
    _, (question,) = own.encode_queries_late(["When does the boat go?"])
    first, second = best_matches(question, tokens)
    assert first > second + 0.05


def test_punctuation_is_silent_and_other_scripts_are_not() -> None:
    words = ["a", "##b", "7", "!", "##,", "猫", "é"]
    silent = silent_tokens({word: place for place, word in enumerate(words)})
    assert silent.tolist() == [False, False, False, True, True, False, True]


def test_an_encoder_without_a_head_is_none_of_those(models: Path) -> None:
    assert as_late(open_encoder("e5-small-v2", models_directory=models)) is None
    assert as_late(CachedQueries(open_encoder("e5-small-v2", models_directory=models))) is None
    assert as_late(None) is None


def test_remembered_questions_keep_their_tokens_and_forgotten_ones_are_read_again() -> None:
    inner = HashingEncoder()
    cached = CachedQueries(inner, capacity=2)
    for text in ("one heron", "two herons", "three herons", "one heron"):
        vectors, (tokens,) = cached.encode_queries_late([text])
        wanted_vectors, (wanted,) = inner.encode_queries_late([text])
        assert tokens.tobytes() == wanted.tobytes()
        np.testing.assert_allclose(vectors, wanted_vectors, atol=1e-6)
