"""How often a bank may be asked and told in a minute; the store counts, for all who share it."""

from __future__ import annotations

import threading

from scrubjay.defaults import Clock
from scrubjay.errors import QuotaExceeded
from scrubjay.store.base import BankStore

# A store is asked for a share of the minute at a time: to write down every request would cost a
# server more than a recall does. What is left of a share when the minute ends is lost, so no bank
# is asked more often than it may be, and one that many processes share perhaps a little less.
_SHARES_PER_MINUTE = 64


class Meter:
    """The requests of one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._minute = 0
        self._left: dict[str, int] = {}
        self._limits: dict[str, int] = {}

    def learn(self, bank: BankStore) -> None:
        """Remember what a bank may, for `free`."""
        self._limits[bank.name] = bank.settings.requests_per_minute_max

    def forget(self, bank: str) -> None:
        """It is another one from now on."""
        with self._lock:
            self._limits.pop(bank, None)
            self._left.pop(bank, None)

    def free(self, bank: str) -> bool:
        """Whether a bank is known to be one that may be asked any number of times."""
        return self._limits.get(bank) == 0

    def admit(self, bank: BankStore, times: int = 1) -> None:
        """Count some requests; QuotaExceeded, and nothing counted, where a bank may no more."""
        most = bank.settings.requests_per_minute_max
        if not most:
            return
        seconds = int(self._clock().timestamp())
        minute = seconds // 60
        if self._spent(bank.name, minute, times):
            return
        for share in (max(times, most // _SHARES_PER_MINUTE), times):
            if bank.take_requests(minute, share, most):
                with self._lock:
                    if minute == self._minute:
                        self._left[bank.name] = self._left.get(bank.name, 0) + share - times
                return
        wait = 60 - seconds % 60
        raise QuotaExceeded(
            f"Bank {bank.name!r} may be asked or told {most} times a minute, and was; this call "
            f"counts {times}. Nothing was done: repeat it in {wait} s, or raise its setting "
            "requests_per_minute_max.",
            retry_after_s=wait,
        )

    def _spent(self, bank: str, minute: int, times: int) -> bool:
        """Whether what is left of a share was enough."""
        with self._lock:
            if minute != self._minute:
                self._minute, self._left = minute, {}
            left = self._left.get(bank, 0)
            if left < times:
                return False
            self._left[bank] = left - times
            return True
