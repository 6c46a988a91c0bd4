"""How much a bank may hold, as its settings say; both stores ask here before they write."""

from __future__ import annotations

from scrubjay.errors import StoreFull
from scrubjay.settings import BankSettings


def check_room(bank: str, settings: BankSettings, *, held: int, more: int) -> None:
    """StoreFull if `more` units would be beyond what a bank may hold; what replaces is no more."""
    most = settings.units_max
    if most and more > 0 and held + more > most:
        raise StoreFull(
            f"Bank {bank!r} may hold {most} units, has {held}, and was told {more} more. Nothing "
            "of them was kept: forget some, or raise its setting units_max."
        )
