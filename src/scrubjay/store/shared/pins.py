"""The encoder pin of a bank as both stores keep it."""

from __future__ import annotations

import json

from scrubjay.store.base import EncoderPin


def read_pin(stored: str | None) -> EncoderPin | None:
    """The pin a bank stored, None before it had vectors."""
    if stored is None:
        return None
    pin = json.loads(stored)
    return EncoderPin(str(pin["fingerprint"]), int(pin["dimension"]))


def write_pin(pin: EncoderPin) -> str:
    """The pin as a bank stores it."""
    return json.dumps({"fingerprint": pin.fingerprint, "dimension": pin.dimension})
