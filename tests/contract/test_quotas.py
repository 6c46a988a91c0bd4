"""How much a bank may hold and how often it is asked: the same everywhere, nothing half kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from tests.thoroughness import tries

from scrubjay import BadInput, Memory, QuotaExceeded, StoreFull, Unit
from scrubjay.testing import FixedClock


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


def test_a_bank_takes_no_more_bytes_than_it_may_hold(memory: Memory) -> None:
    memory.bank("small", bytes_max=40)
    (first,) = memory.retain("a" * 30, bank="small").ids
    with pytest.raises(StoreFull, match=r"'small' may hold 40 bytes, has 30, and was told 11 more"):
        memory.retain("b" * 11, bank="small")
    assert memory.stats(bank="small").told_bytes == 30
    memory.retain("c" * 10, bank="small")
    memory.forget(first, bank="small")
    # Two bytes each in UTF-8.
    with pytest.raises(StoreFull, match="has 10, and was told 32 more"):
        memory.retain("ä" * 16, bank="small")
    memory.retain("ä" * 15, bank="small")
    assert memory.stats(bank="small").told_bytes == 40


def test_every_field_that_is_told_counts(memory: Memory) -> None:
    memory.bank("small", bytes_max=10_000)
    unit = Unit(
        "Käthe fires the kiln.",
        predicate="fires",
        context="in the yard",
        tags=("clay", "fire – hot"),
        metadata={"b": [1, "ü"], "a": None},
        key="kiln",
        speaker="Ödön",
        author="me",
        origin="a letter",
    )
    memory.retain(unit, bank="small")
    told = (
        "Käthe fires the kiln.firesin the yardclayfire – hot"
        '{"a": null, "b": [1, "ü"]}kilnÖdönmea letter'
    )
    held = memory.stats(bank="small").told_bytes
    assert held == len(told.encode())
    memory.retain(Unit("Käthe fires the oven.", key="kiln"), bank="small")
    assert memory.stats(bank="small").told_bytes == len("Käthe fires the oven.kiln".encode())
    with pytest.raises(StoreFull):
        memory.bank("small", bytes_max=26)
        memory.retain("x", bank="small")
    # What replaces may be as long as what it replaces.
    memory.retain(Unit("Käthe fires two ovens", key="kiln"), bank="small")
    assert memory.doctor(bank="small") == []


def test_a_quota_of_bytes_knows_what_was_told_before_it(memory: Memory) -> None:
    ids = memory.retain(["a" * 20, "b" * 20], bank="small").ids
    memory.forget(ids[0], bank="small")
    memory.bank("small", bytes_max=30)
    with pytest.raises(StoreFull, match="has 20"):
        memory.retain("c" * 11, bank="small")
    memory.retain("c" * 10, bank="small")
    memory.bank("small", bytes_max=0)
    memory.retain("d" * 100, bank="small")
    memory.bank("small", bytes_max=131)
    with pytest.raises(StoreFull, match="has 130"):
        memory.retain("ee", bank="small")
    with pytest.raises(StoreFull, match="has 130"):
        memory.retain("f", bank="small", pending=True)


def test_a_bank_is_asked_no_more_often_than_it_may_be(memory: Memory, clock: FixedClock) -> None:
    memory.retain("The kiln is hot.", bank="quiet")
    memory.bank("quiet", requests_per_minute_max=3)
    memory.recall("kiln", bank="quiet")
    (second,) = memory.retain("The glaze is blue.", bank="quiet").ids
    memory.recall("glaze", bank="quiet")
    said = r"'quiet' may be asked or told 3 times a minute.*in 60 s.*requests_per_minute_max"
    with pytest.raises(QuotaExceeded, match=said):
        memory.recall("kiln", bank="quiet")
    with pytest.raises(QuotaExceeded):
        memory.retain("The clay is wet.", bank="quiet")
    # What was told is still to be seen, and forgotten; other banks are as before.
    assert memory.get(second, bank="quiet").text == "The glaze is blue."
    memory.forget(second, bank="quiet")
    memory.retain("The clay is wet.", bank="other")
    assert memory.stats(bank="quiet").units == 1
    clock.advance(timedelta(seconds=60))
    assert memory.recall("kiln", bank="quiet").items


def test_a_batch_counts_as_many_as_it_asks(memory: Memory) -> None:
    memory.retain("The kiln is hot.", bank="quiet")
    memory.bank("quiet", requests_per_minute_max=3)
    with pytest.raises(QuotaExceeded, match="this call counts 4"):
        memory.recall_batch(["kiln", "glaze", "clay", "wheel"], bank="quiet")
    memory.recall_batch(["kiln", "glaze", "clay"], bank="quiet")
    with pytest.raises(QuotaExceeded):
        memory.recall_across("kiln", ["quiet"])
    memory.bank("quiet", requests_per_minute_max=4)
    memory.recall_across("kiln", ["quiet"])


def test_many_who_ask_at_once_get_as_many_answers_as_the_bank_may_give(memory: Memory) -> None:
    memory.retain("The kiln is hot.", bank="quiet")
    most = tries(usual=70, soak=500)
    memory.bank("quiet", requests_per_minute_max=most)

    def answered(_: int) -> bool:
        try:
            memory.recall("kiln", bank="quiet")
        except QuotaExceeded:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(answered, range(most + 20))) == most
