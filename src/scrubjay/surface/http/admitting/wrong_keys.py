"""Slows down those who try keys: an address that gave wrong ones is told to wait."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.surface.http.shared.problems import Problem, Refusal
from scrubjay.surface.http.shared.server_settings import (
    WRONG_KEYS_FORGOTTEN_SECONDS,
    WRONG_KEYS_FREE,
    WRONG_KEYS_WAIT_SECONDS_MAX,
)

_ADDRESSES_MAX = 10_000


@dataclass(frozen=True, slots=True)
class _Tries:
    wrong: int
    at: float
    until: float  # how long the address has to wait


class WrongKeys:
    """Counts wrong keys by address, in a bounded table; the time comes in.

    Right keys are let in all the same: a key has 256 random bits, so that no number of tries finds
    one, and whoever shares an address with those who try must not be locked out by them.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._tries: dict[str, _Tries] = {}

    def __len__(self) -> int:
        return len(self._tries)

    def tried(self, address: str) -> None:
        """A key was wrong; Refusal, with 429, if the address was told to wait."""
        now, place = self._clock(), _place(address)
        before = self._tries.get(place)
        if before is None or now - before.at > WRONG_KEYS_FORGOTTEN_SECONDS:
            before = _Tries(0, now, now)
        if now < before.until:
            raise Refusal(
                Problem(
                    429, "TooManyWrongKeys", "Too many wrong keys came from this address.",
                    "Check the key, and wait for Retry-After seconds.",
                    headers={"Retry-After": str(int(before.until - now) + 1)},
                )
            )  # fmt: skip
        count = before.wrong + 1
        over = count - WRONG_KEYS_FREE
        wait = 0.0 if over < 0 else min(WRONG_KEYS_WAIT_SECONDS_MAX, 2.0 ** min(over, 16))
        self._tries.pop(place, None)
        if len(self._tries) >= _ADDRESSES_MAX:
            self._tries.pop(next(iter(self._tries)))  # the one that was quiet for the longest time
        self._tries[place] = _Tries(count, now, now + wait)


def _place(address: str) -> str:
    """An address, or the network that one subscriber of IPv6 has at least."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 6:
        return str(ipaddress.ip_network((known, 64), strict=False))
    return address
