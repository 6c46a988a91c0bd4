"""Packs a unit's words and entities into small blobs, one read instead of many rows."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from scrubjay.store.shared.bm25 import pack_counts


def pack_postings(terms: Sequence[int], counts: Collection[int]) -> bytes:
    """Term ids as uint32, then their weighted counts, as many, as uint8."""
    # A unit has some thirty words; for so few `struct` is several times faster than numpy.
    return struct.pack(f"<{len(terms)}I", *terms) + pack_counts(counts)


def unpack_postings(
    blobs: Sequence[bytes],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    """Offsets, term ids and counts of many units, document after document."""
    sizes = np.fromiter((len(blob) // 5 for blob in blobs), np.int64, len(blobs))
    offsets = np.zeros(len(blobs) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    ids = b"".join([blob[: len(blob) // 5 * 4] for blob in blobs])
    counts = b"".join([blob[len(blob) // 5 * 4 :] for blob in blobs])
    return offsets, np.frombuffer(ids, "<u4"), np.frombuffer(counts, np.uint8)


def pack_entities(entities: Iterable[int]) -> bytes | None:
    """Entity ids as int32, None when there are none."""
    ids = list(entities)
    return struct.pack(f"<{len(ids)}i", *ids) if ids else None


def unpack_entities(blob: bytes | None) -> list[int]:
    """The entity ids of one unit, in the order they were named."""
    return [] if blob is None else list(_entities(len(blob) // 4).unpack(blob))


@cache
def _entities(count: int) -> struct.Struct:
    return struct.Struct(f"<{count}i")
