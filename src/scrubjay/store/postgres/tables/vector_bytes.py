"""Vectors as the server sends and takes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.types.arrays import RowArray, ScoreArray, VectorArray

HalfArray = npt.NDArray[np.float16]

_COSINE = np.dtype([("row", ">i4"), ("cosine", ">f4")])


def float_bytes(vector: VectorArray | HalfArray) -> bytes:
    """A `vector`: its dimension, two unused bytes, and its numbers, greatest byte first."""
    return _header(vector) + vector.astype(">f4").tobytes()


def half_bytes(vector: VectorArray | HalfArray) -> bytes:
    """A `halfvec`, laid out alike."""
    return _header(vector) + vector.astype(">f2").tobytes()


def _header(vector: VectorArray | HalfArray) -> bytes:
    return len(vector).to_bytes(2, "big") + b"\0\0"


def halves_in(packed: bytes) -> tuple[RowArray, HalfArray]:
    """Rows and their vectors: each a row's number and what the server sends of a `halfvec`."""
    dimension = int.from_bytes(packed[4:6], "big")
    one = np.dtype([("row", ">i4"), ("header", ">i4"), ("numbers", ">f2", (dimension,))])
    found = np.frombuffer(packed, one)
    return found["row"].astype(np.int64), found["numbers"].astype(np.float16)


def cosines_in(packed: bytes) -> tuple[RowArray, ScoreArray]:
    """Rows and how like a question each is, as the server added up."""
    pairs = np.frombuffer(packed, _COSINE)
    return pairs["row"].astype(np.int64), pairs["cosine"].astype(np.float32)


def half_of(packed: bytes) -> HalfArray:
    """One vector from what the server sends of it."""
    return np.frombuffer(packed, ">f2", offset=4).astype(np.float16)


def halves_of(found: Sequence[tuple[int, bytes]]) -> tuple[RowArray, HalfArray]:
    """Rows and their vectors, from what the server sent of each."""
    rows = np.array([row for row, _ in found], np.int64)
    matrix = np.frombuffer(b"".join([packed for _, packed in found]), ">f2")
    return rows, matrix.reshape(len(found), -1)[:, 2:].astype(np.float16)
