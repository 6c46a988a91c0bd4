"""Packs which units hold a word: four bytes a unit, in blocks of 256 rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.store.shared.bm25 import COUNT_MAX, LENGTH_MAX

BLOCK_ROWS = 256

POSTING = np.dtype([("place", "u1"), ("count", "u1"), ("length", "<u2")])

BlockKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Holders:
    """The units that hold one word: rows ascending, how often, and how long each unit is."""

    rows: npt.NDArray[np.int64]
    counts: npt.NDArray[np.uint8]
    lengths: npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class UnitWords:
    """One unit's words with their counts."""

    row: int
    length: int
    counts: Mapping[str, int]


def unit_words(row: int, length: int, terms: Sequence[str], counts: bytes) -> UnitWords:
    """A unit's words as its row keeps them."""
    return UnitWords(row, length, dict(zip(terms, counts, strict=True)))


def packed_blocks(units: Iterable[UnitWords]) -> dict[BlockKey, bytes]:
    """What some units add to the blocks of their words; rows ascend."""
    blocks: dict[BlockKey, bytearray] = {}
    for unit in units:
        block, place = divmod(unit.row, BLOCK_ROWS)
        length = min(unit.length, LENGTH_MAX).to_bytes(2, "little")
        for term, count in unit.counts.items():
            posting = bytes((place, min(count, COUNT_MAX))) + length
            blocks.setdefault((term, block), bytearray()).extend(posting)
    return {key: bytes(packed) for key, packed in blocks.items()}


def without_rows(block: int, packed: bytes, rows: npt.NDArray[np.int64]) -> bytes:
    """A block less its postings of some rows."""
    postings = np.frombuffer(packed, POSTING)
    gone = np.isin(postings["place"] + np.int64(block * BLOCK_ROWS), rows)
    return postings[~gone].tobytes()


def rows_of_block(block: int, packed: bytes) -> npt.NDArray[np.int64]:
    """The rows in one block of a word."""
    places = np.frombuffer(packed, POSTING)["place"]
    return places + np.int64(block * BLOCK_ROWS)


def holders_of(blocks: npt.NDArray[np.int64], packed: bytes) -> Holders:
    """The units in the blocks of one word: (number, bytes) of each, ascending, and their bytes."""
    postings = np.frombuffer(packed, POSTING)
    first = np.repeat(blocks[:, 0] * BLOCK_ROWS, blocks[:, 1] // POSTING.itemsize)
    return Holders(first + postings["place"], postings["count"], postings["length"])
