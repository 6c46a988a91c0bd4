"""Packs a unit's words, links and entities into small blobs, one read instead of many rows."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from scrubjay.store.base import LINK_KINDS, Neighbours
from scrubjay.types import LinkKind

# 7 bytes per edge: the other unit's row, the kind, the weight.
LINK = np.dtype([("row", "<i4"), ("kind", "u1"), ("weight", "<f2")])
_EDGE = struct.Struct("<iBe")

# Set on an edge that the other unit made towards this one.
INCOMING = 0x80

KIND_CODES: Mapping[LinkKind, int] = {kind: code for code, kind in enumerate(LINK_KINDS)}

# How an edge looks from its far end.
_SEEN_FROM_TARGET = {
    KIND_CODES[LinkKind.CAUSES]: KIND_CODES[LinkKind.CAUSED_BY],
    KIND_CODES[LinkKind.CAUSED_BY]: KIND_CODES[LinkKind.CAUSES],
}
_TF_MAX = 255


def pack_postings(terms: Sequence[int], counts: Iterable[int]) -> bytes:
    """Term ids as uint32, then their weighted counts, as many, as uint8."""
    # A unit has some thirty words; for so few `struct` is several times faster than numpy.
    ids = struct.pack(f"<{len(terms)}I", *terms)
    return ids + bytes([count if count < _TF_MAX else _TF_MAX for count in counts])


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


def pack_links(links: Iterable[tuple[int, int, float]]) -> bytes:
    """Edges (row, kind code, weight) as one blob."""
    return b"".join([_EDGE.pack(*link) for link in links])


def unpack_links(blob: bytes) -> npt.NDArray[np.void]:
    """The edges of one blob as a structured array."""
    return np.frombuffer(blob, LINK)


def without_rows(blob: bytes, rows: npt.NDArray[np.int64]) -> bytes:
    """The blob less its edges to `rows`."""
    edges = unpack_links(blob)
    return edges[~np.isin(edges["row"], rows)].tobytes()


def seen_from_target(code: int) -> int:
    """The kind code of an edge as its far end keeps it."""
    return _SEEN_FROM_TARGET.get(code, code) | INCOMING


def staying(
    kinds: npt.NDArray[np.uint8], anew: frozenset[str], *, theirs: int
) -> npt.NDArray[np.bool_]:
    """Which edges an update keeps: causal ones, but its own if it tells them anew.

    `theirs` is the mark, INCOMING or 0, of edges that the units at the far end made.
    """
    causal: npt.NDArray[np.bool_] = (kinds & (INCOMING - 1)) != KIND_CODES[LinkKind.SEMANTIC]
    return causal & ((kinds & INCOMING) == theirs) if "causes" in anew else causal


def neighbours_of(packed: Sequence[tuple[int, bytes]]) -> Neighbours:
    """The edges of many units as parallel arrays."""
    if not packed:
        empty = np.empty(0, np.int64)
        return Neighbours(empty, empty, np.empty(0, np.uint8), np.empty(0, np.float32))
    edges = np.frombuffer(b"".join([blob for _, blob in packed]), LINK)
    counts = [len(blob) // LINK.itemsize for _, blob in packed]
    sources = np.repeat(np.array([row for row, _ in packed], np.int64), counts)
    return Neighbours(
        sources,
        edges["row"].astype(np.int64),
        (edges["kind"] & (INCOMING - 1)).astype(np.uint8),
        edges["weight"].astype(np.float32),
    )


def pack_entities(entities: Iterable[int]) -> bytes | None:
    """Entity ids as int32, None when there are none."""
    ids = list(entities)
    return struct.pack(f"<{len(ids)}i", *ids) if ids else None


def unpack_entities(blob: bytes | None) -> list[int]:
    """The entity ids of one unit, in the order they were named."""
    return [] if blob is None else list(struct.unpack(f"<{len(blob) // 4}i", blob))
