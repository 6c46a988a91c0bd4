"""What an agent is told unasked."""

from __future__ import annotations

from scrubjay.integrations.context import ITEMS_MAX, context_for
from scrubjay.memory import Memory

LAMPS = [f"The lamp on pier {place} was lit by Nadia." for place in range(ITEMS_MAX + 3)]


def test_what_stands_behind_the_first_item_is_told_too_however_unlikely() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        bank = memory.bank("lamps")
        bank.retain(LAMPS)
        told = context_for(bank, "Who lit the lamp on the pier?")
    assert told.count("<memory ") == ITEMS_MAX


def test_courtesies_are_neither_answered_nor_told() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        bank = memory.bank("lamps")
        bank.retain([*LAMPS[:2], "Thanks, noted."])
        assert context_for(bank, "Thanks, noted.") == context_for(bank, " ") == ""
        assert "noted" not in context_for(bank, "Who noted the lamp on the pier?")
