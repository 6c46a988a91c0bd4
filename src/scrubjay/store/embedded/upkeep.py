"""Background work on the indexes of large banks: growing graphs, merging segments, saving."""

from __future__ import annotations

import logging
import threading
from typing import Protocol

from scrubjay.errors import ScrubjayError

logger = logging.getLogger("scrubjay.embedded")

# A bank is offered on every write; looking whether there is work is cheap, but not free.
_OFFERS_PER_LOOK = 64

# Smaller banks do all their merging while they write, and have no graphs.
UPKEEP_ABOVE_UNITS = 20_000


class Improvable(Protocol):
    """A bank as the worker sees it."""

    def unit_count(self) -> int: ...
    def improve(self) -> bool: ...
    def outgrew_files(self) -> bool: ...
    def save_indexes(self, *, always: bool = True) -> None: ...


class Upkeep:
    """One thread per store, started when a bank first has work, ended by `close`."""

    def __init__(self, *, units_min: int = UPKEEP_ABOVE_UNITS) -> None:
        self._units_min = units_min
        self._waiting: list[Improvable] = []
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
            if self._closed or bank in self._waiting:
                return
            self._waiting.append(bank)
            if self._thread is None:
                thread = threading.Thread(target=self._work, name="scrubjay-upkeep", daemon=True)
                thread.start()
                self._thread = thread
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                bank = self._waiting.pop(0)
            try:
                self._improve(bank)
            except (ScrubjayError, OSError):
                # The bank was closed, or its disk is full: its rows are safe, and whoever
                # writes next is told. The indexes are rebuilt from the rows when needed.
                continue
            # Memory ran out, or worse: that bank derives its indexes anew before it answers
            # again, and the other banks still need this thread.
            except Exception:
                logger.exception("background work on the indexes failed")

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
