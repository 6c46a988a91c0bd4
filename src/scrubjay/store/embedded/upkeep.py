"""Background work: large banks' indexes grow and are saved, logs that readers held are emptied."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Protocol

from scrubjay.errors import ScrubjayError

logger = logging.getLogger("scrubjay.embedded")

# A bank is offered on every write; looking whether there is work is cheap, but not free.
_OFFERS_PER_LOOK = 64

# Smaller banks do all their merging while they write, and have no graphs.
UPKEEP_ABOVE_UNITS = 20_000

# A log that a reader holds is tried again after this long, then after twice as long, and so on.
_FIRST_RETRY_S = 0.05
_RETRY_S_MAX = 5.0


class Improvable(Protocol):
    """A bank as the worker sees it."""

    def unit_count(self) -> int: ...
    def improve(self) -> bool: ...
    def outgrew_files(self) -> bool: ...
    def save_indexes(self, *, always: bool = True) -> None: ...
    def empty_log(self) -> bool: ...


class Upkeep:
    """One thread per store, started when a bank first has work, ended by `close`."""

    def __init__(self, *, units_min: int = UPKEEP_ABOVE_UNITS) -> None:
        self._units_min = units_min
        self._waiting: list[Improvable] = []
        self._retries: dict[Improvable, tuple[float, float]] = {}  # when, and the pause before
        self._offers = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def offer(self, bank: Improvable) -> None:
        """Say that a bank has grown; returns at once."""
        if bank.unit_count() < self._units_min:
            return
        with self._changed:
            self._offers += 1
            if self._offers % _OFFERS_PER_LOOK:
                return
        self.take(bank)

    def take(self, bank: Improvable) -> None:
        """Look after a bank next; returns at once."""
        with self._changed:
            if not self._closed and bank not in self._waiting:
                self._waiting.append(bank)
                self._wake()

    def retry(self, bank: Improvable, pause_s: float = _FIRST_RETRY_S) -> None:
        """Empty a bank's log when its readers are gone; returns at once."""
        with self._changed:
            if not self._closed and bank not in self._retries:
                self._retries[bank] = time.monotonic() + pause_s, pause_s
                self._wake()

    def _wake(self) -> None:
        if self._thread is None:
            thread = threading.Thread(target=self._work, name="scrubjay-upkeep", daemon=True)
            thread.start()
            self._thread = thread
        self._changed.notify()

    def _work(self) -> None:
        while (step := self._next_step()) is not None:
            try:
                step()
            except (ScrubjayError, OSError):
                # The bank was closed, or its disk is full: its rows are safe, and whoever
                # writes next is told. The indexes are rebuilt from the rows when needed.
                continue
            # Memory ran out, or worse: that bank derives its indexes anew before it answers
            # again, and the other banks still need this thread.
            except Exception:
                logger.exception("background work on a bank failed")

    def _next_step(self) -> Callable[[], None] | None:
        """What is to be done next, when it is time for it; None when all is closed."""
        with self._changed:
            while not self._closed:
                retries = ((when, pause, bank) for bank, (when, pause) in self._retries.items())
                soonest = min(retries, key=lambda retry: retry[0], default=None)
                left_s = None if soonest is None else soonest[0] - time.monotonic()
                if soonest is not None and left_s is not None and left_s <= 0:
                    _, pause_s, bank = soonest
                    del self._retries[bank]
                    return partial(self._empty_log, bank, pause_s)
                if self._waiting:
                    return partial(self._improve, self._waiting.pop(0))
                self._changed.wait(left_s)
            return None

    def _empty_log(self, bank: Improvable, pause_s: float) -> None:
        if not bank.empty_log():
            self.retry(bank, min(2 * pause_s, _RETRY_S_MAX))

    def _improve(self, bank: Improvable) -> None:
        worked = False
        while not self._closed and bank.improve():
            worked = True
            # Who writes without a pause leaves work without an end.
            if bank.outgrew_files():
                bank.save_indexes()
        if worked and not self._closed:
            bank.save_indexes(always=False)

    def close(self) -> None:
        """Stop after the step at hand."""
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()
