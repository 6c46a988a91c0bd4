"""Token vectors as both stores keep them: bytes that nobody here reads, behind their checksum."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

_CHECKSUM_BYTES = 4


def checked(payload: bytes | None) -> bytes | None:
    """What is written of a unit's token vectors; None of one that has none."""
    if payload is None:
        return None
    return zlib.crc32(payload).to_bytes(_CHECKSUM_BYTES, "little") + payload


def whole(found: Iterable[tuple[int, bytes]]) -> dict[int, bytes]:
    """What was written, by row; what is damaged is left out, as if it were not there."""
    return {
        row: written[_CHECKSUM_BYTES:]
        for row, written in found
        if zlib.crc32(written[_CHECKSUM_BYTES:]).to_bytes(_CHECKSUM_BYTES, "little")
        == written[:_CHECKSUM_BYTES]
    }
