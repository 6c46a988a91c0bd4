"""The banks that a server offers, and which of them holds a memory."""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.errors import NotFound
from scrubjay.surface.mcp.opening import LazyMemory

# The banks a client may use, the one first that it uses unless it says otherwise: what it is told
# goes there. Empty: any, by name.
Banks = tuple[str, ...]


def bank_holding(memory: LazyMemory, banks: Banks, unit: str) -> str:
    """The first of the banks with a memory of that id; the first of all where none has it."""
    if len(banks) == 1:
        return banks[0]  # which says itself that it has none
    for bank in banks:
        try:
            memory.reading().get(unit, bank=bank)
        except NotFound:
            continue
        return bank
    return banks[0]


def by_bank(memory: LazyMemory, banks: Banks, units: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Ids by the bank that holds them, in the order in which they were given."""
    held: dict[str, tuple[str, ...]] = {}
    for unit in units:
        bank = bank_holding(memory, banks, unit)
        held[bank] = (*held.get(bank, ()), unit)
    return held


def made(memory: LazyMemory, banks: Banks) -> Banks:
    """Those of the banks that are there; the first one where none is, and it says so itself."""
    if len(banks) == 1:
        return banks
    names = {one.name for one in memory.reading().banks()}
    return tuple(bank for bank in banks if bank in names) or banks[:1]
