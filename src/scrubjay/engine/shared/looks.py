"""Says when a bank is to be looked at again."""

from __future__ import annotations

import threading
from datetime import datetime

from scrubjay.settings import DRIFT_AFTER, DRIFT_EVERY_UNITS

# Banks that are remembered; who comes back is counted from the start.
_BANKS_MAX = 10_000


class Looks:
    """When a bank was last looked at in this process, and how many units it was told since."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[datetime, int]] = {}
        self._lock = threading.Lock()

    def due(self, bank: str, told: int, now: datetime) -> bool:
        """Whether it is time, now that a bank was told so many more; if so, time begins anew."""
        with self._lock:
            begun, units = self._since.pop(bank, (now, 0))
            units += told
            due = told > 0 and (units >= DRIFT_EVERY_UNITS or now - begun >= DRIFT_AFTER)
            self._since[bank] = (now, 0) if due else (begun, units)
            if len(self._since) > _BANKS_MAX:
                del self._since[next(iter(self._since))]
            return due
