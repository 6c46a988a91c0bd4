"""Vectors that would poison a bank are refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from scrubjay.encoder.checking import check_vectors
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.errors import EncoderError
from scrubjay.types.arrays import VectorArray

ENCODER = HashingEncoder(8)
TEXTS = ("one", "two")


def good() -> VectorArray:
    return ENCODER.encode_documents(TEXTS)


def test_good_vectors_come_back_as_they_are() -> None:
    np.testing.assert_allclose(check_vectors(ENCODER, TEXTS, good()), good(), atol=1e-6)


def test_small_errors_of_length_are_mended() -> None:
    checked = check_vectors(ENCODER, TEXTS, good() * np.float32(1.01))
    np.testing.assert_allclose(np.linalg.norm(checked, axis=1), 1, atol=1e-6)


def test_other_number_types_become_float32() -> None:
    half = good().astype(np.float16)
    checked = check_vectors(ENCODER, TEXTS, half.astype(np.float64))
    assert checked.dtype == np.float32
    assert checked.flags.c_contiguous


def test_the_wrong_shape_names_the_encoder_and_both_shapes() -> None:
    for wrong in (good()[:1], good()[:, :7], good()[0]):
        with pytest.raises(EncoderError) as caught:
            check_vectors(ENCODER, TEXTS, wrong)
        assert "'hash'" in str(caught.value)
        assert "(2, 8)" in str(caught.value)
        assert str(wrong.shape) in str(caught.value)


def test_numbers_that_are_not_finite_are_refused_with_the_text_at_fault() -> None:
    for poison in (np.nan, np.inf):
        vectors = good()
        vectors[1, 3] = poison
        with pytest.raises(EncoderError, match="NaN or infinity for text 1"):
            check_vectors(ENCODER, TEXTS, vectors)


def test_vectors_that_are_not_normalised_are_refused() -> None:
    vectors = good()
    vectors[1] *= 3
    with pytest.raises(EncoderError, match="length 1, given 3 for text 1"):
        check_vectors(ENCODER, TEXTS, vectors)
    with pytest.raises(EncoderError, match="given 0 for text 0"):
        check_vectors(ENCODER, TEXTS, np.zeros((2, 8), np.float32))


def test_no_texts_and_no_rows_are_fine() -> None:
    assert check_vectors(ENCODER, [], ENCODER.encode_documents([])).shape == (0, 8)
