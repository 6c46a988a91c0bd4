"""How much a bank may hold, and how often it may be asked, as its settings say."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from scrubjay.errors import StoreFull
from scrubjay.settings import BankSettings
from scrubjay.store.base import PreparedUnit
from scrubjay.store.shared.unit_rows import json_object


def check_room(bank: str, settings: BankSettings, *, held: int, more: int) -> None:
    """StoreFull if `more` units would be beyond what a bank may hold; what replaces is no more."""
    _check(bank, settings.units_max, "units", held, more)


def check_bytes(bank: str, settings: BankSettings, *, held: int, more: int) -> None:
    """The same for bytes of what was told."""
    _check(bank, settings.bytes_max, "bytes", held, more)


def _check(bank: str, most: int, what: str, held: int, more: int) -> None:
    if most and more > 0 and held + more > most:
        raise StoreFull(
            f"Bank {bank!r} may hold {most} {what}, has {held}, and was told {more} more. Nothing "
            f"of them was kept: forget some, or raise its setting {what}_max."
        )


def told_bytes(batch: Iterable[PreparedUnit]) -> int:
    """What units take as they were told, in UTF-8; the statements `told_bytes` count the same.

    Vectors, words and links are made from it, and come on top.
    """
    return sum(_told_bytes(prepared) for prepared in batch)


def _told_bytes(prepared: PreparedUnit) -> int:
    unit, source = prepared.unit, prepared.source
    fields = (unit.predicate, unit.context, unit.key, unit.speaker, unit.author, unit.origin)
    told = [unit.text, *unit.tags, *(one for one in fields if one)]
    if unit.metadata:
        told.append(json_object(unit.metadata))
    if source is not None:
        told.append(source.document)
    return len("".join(told).encode())


class Taken:
    """Requests of the running minute by bank, where one process has the store to itself."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = 0
        self._taken: dict[str, int] = {}

    def take(self, bank: str, minute: int, wanted: int, most: int) -> bool:
        """Count some more requests; False, and nothing counted, where those are too many."""
        with self._lock:
            if minute > self._minute:
                self._minute, self._taken = minute, {}
            taken = self._taken.get(bank, 0) + wanted
            if taken > most:
                return False
            self._taken[bank] = taken
            return True
