"""Refusing vectors that cannot be stored or searched with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scrubjay.encoder.base import Encoder
from scrubjay.errors import EncoderError
from scrubjay.types.arrays import VectorArray

# float16 vectors are off by about 1e-3; more than this is an encoder that does not normalise.
LENGTH_TOLERANCE = 0.02


def check_vectors(encoder: Encoder, texts: Sequence[str], vectors: VectorArray) -> VectorArray:
    """`vectors` as a float32 matrix of exact unit rows, one per text.

    EncoderError names the encoder, what was expected and what was given when the shape differs,
    a number is not finite, or a row's length is not 1 within 2 %.
    """
    expected = (len(texts), encoder.dimension)
    try:
        given = np.ascontiguousarray(vectors, np.float32)
    except (TypeError, ValueError) as error:
        raise _wrong(encoder, f"numbers of shape {expected}", "no matrix of numbers") from error
    if given.shape != expected:
        raise _wrong(encoder, f"shape {expected}", f"shape {given.shape}")
    if not np.isfinite(given).all():
        row = int(np.flatnonzero(~np.isfinite(given).all(axis=1))[0])
        raise _wrong(encoder, "finite numbers", f"NaN or infinity for text {row}")
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    off = np.abs(lengths[:, 0] - 1) > LENGTH_TOLERANCE
    if off.any():
        row = int(np.flatnonzero(off)[0])
        raise _wrong(encoder, "vectors of length 1", f"{lengths[row, 0]:.4g} for text {row}")
    unit: VectorArray = given / lengths
    return unit


def _wrong(encoder: Encoder, expected: str, given: str) -> EncoderError:
    return EncoderError(
        f"Encoder {encoder.name!r} broke its promise: expected {expected}, given {given}. "
        "Nothing was stored; mend the encoder or open the bank with another one."
    )
