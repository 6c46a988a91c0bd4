"""How much a bank may hold: the same in every store, and nothing half kept."""

from __future__ import annotations

import pytest

from scrubjay import BadInput, Memory, StoreFull, Unit


def test_a_bank_takes_no_more_units_than_it_may_hold(memory: Memory) -> None:
    memory.bank("small", units_max=3)
    memory.retain(["The kiln is hot.", "The glaze is blue."], bank="small")
    with pytest.raises(StoreFull, match=r"'small' may hold 3 units, has 2, and was told 2 more"):
        memory.retain(["The wheel turns.", "The clay is wet."], bank="small")
    assert memory.stats(bank="small").units == 2
    (third,) = memory.retain("The wheel turns.", bank="small").ids
    with pytest.raises(StoreFull):
        memory.retain("The clay is wet.", bank="small")
    memory.forget(third, bank="small")
    memory.retain("The clay is wet.", bank="small")
    assert memory.stats(bank="small").units == 3


def test_a_full_bank_still_changes_and_knows_what_it_was_told(memory: Memory) -> None:
    memory.bank("small", units_max=1)
    memory.retain(Unit("The kiln is hot.", key="kiln"), bank="small")
    memory.retain(Unit("The kiln is cold.", key="kiln"), bank="small")
    memory.retain(Unit("The kiln is cold.", key="kiln"), bank="small")
    assert [item.text for item in memory.recall("kiln", bank="small").items] == [
        "The kiln is cold."
    ]


def test_what_waits_to_be_approved_counts(memory: Memory) -> None:
    memory.bank("small", units_max=2)
    memory.retain("The kiln is hot.", bank="small")
    (waiting,) = memory.retain("The glaze is blue.", bank="small", pending=True).ids
    with pytest.raises(StoreFull):
        memory.retain("The clay is wet.", bank="small", pending=True)
    memory.approve([waiting], bank="small")
    assert memory.stats(bank="small").units == 2


def test_a_quota_can_be_raised_and_taken_away(memory: Memory) -> None:
    memory.bank("small", units_max=1)
    memory.retain("The kiln is hot.", bank="small")
    memory.bank("small", units_max=2)
    memory.retain("The glaze is blue.", bank="small")
    memory.bank("small", units_max=0)
    memory.retain("The clay is wet.", bank="small")
    with pytest.raises(BadInput, match="units_max"):
        memory.bank("small", units_max=-1)
