"""Token vectors as they are stored with a unit: whose they are, and their numbers; pure."""

from __future__ import annotations

import zlib

import numpy as np

from scrubjay.encoder.late import TOKEN_NUMBERS, CodeArray

_HEAD_BYTES = 4


def packed(codes: CodeArray, head: str) -> bytes:
    """The vectors of a unit's tokens, made by a head."""
    return _mark(head) + codes.tobytes()


def unpacked(payload: bytes, head: str) -> CodeArray | None:
    """The same back; None for what another head made."""
    if payload[:_HEAD_BYTES] != _mark(head) or (len(payload) - _HEAD_BYTES) % TOKEN_NUMBERS:
        return None
    return np.frombuffer(payload, np.int8, offset=_HEAD_BYTES).reshape(-1, TOKEN_NUMBERS)


def _mark(head: str) -> bytes:
    return zlib.crc32(head.encode()).to_bytes(_HEAD_BYTES, "little")
