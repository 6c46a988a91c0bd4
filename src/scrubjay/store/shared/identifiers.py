"""Makes unit ids: short, unique, and sorted by the time they were made."""

from __future__ import annotations

import secrets
import threading
import time

from scrubjay.types.values import UnitId

# Crockford's alphabet: no letters that look like digits.
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 52
_CHARACTERS = 20
# Ten bits at a time: half as many steps.
_PAIRS = tuple(first + second for first in _ALPHABET for second in _ALPHABET)


class TimeOrderedIds:
    """48 bits of milliseconds and 52 random bits; later calls give greater ids."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self) -> UnitId:
        """The next id."""
        fresh = (time.time_ns() // 1_000_000 << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
        with self._lock:
            # A batch made within one millisecond keeps its order.
            self._last = max(fresh, self._last + 1 + (fresh & 0xFFFF))
            number = self._last
        shifts = range(5 * _CHARACTERS - 10, -10, -10)
        return UnitId("".join([_PAIRS[number >> shift & 1023] for shift in shifts]))
