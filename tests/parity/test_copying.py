"""A bank copied between stores, in either direction, is the same bank."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scrubjay import EncoderMismatch, Memory, StoreError, Unit
from scrubjay.engine.transfer.copying import Copied, checksum, copy_bank
from scrubjay.settings import BankSettings
from scrubjay.store.base import BankStore, Store
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.testing import HashingEncoder

# Of those below; a relation is told with a unit that says it, and one unit is forgotten.
UNITS = 36

PENDING = Unit("Gate G-18 is open.", author="bot", origin="chat", tags=("gate",), key="gate")


def tell(address: str, bank: str) -> None:
    with Memory.open(address, encoder="hash", reranker=None) as memory:
        made = memory.bank(bank, timezone="Europe/Berlin", late=True)
        kept = made.retain(
            [
                Unit("The dam at Ostrov leaked.", key="dam", tags=("water", "dam")),
                Unit("Ostrov was evacuated because the dam at Ostrov leaked.", session="flood"),
                Unit("Vera prefers the night shift.", speaker="Vera", metadata={"team": 3}),
                Unit("Vera Lang repaired gate G-17.", predicate="gate G-17", session="flood"),
                *(Unit(f"Pump {n} at gate G-17 runs at {n * 3} bar.") for n in range(30)),
            ]
        )
        made.retain("The dam holds since 2025-03-04.", occurred="2025-03-04")
        made.supersede(kept.ids[2], Unit("Vera prefers the day shift."))
        made.relate("Vera Lang", "works-for", "Ostrov Waterworks", confidence=0.8)
        made.link(kept.ids[0], kept.ids[3], "enables", 0.5)
        made.start_session("after", at=datetime(2026, 1, 2, tzinfo=UTC))
        made.end_session("after", at=datetime(2026, 1, 3, tzinfo=UTC))
        made.forget(kept.ids[8])
        made.retain(PENDING, pending=True)


@contextmanager
def opened(store: Store, bank: str) -> Iterator[BankStore]:
    try:
        with store.using(bank) as found:
            assert found is not None
            yield found
    finally:
        store.close()


def store_at(address: str) -> Store:
    if address.startswith("postgresql:"):
        return PostgresStore(address)
    return EmbeddedStore(Path(address))


def copied(origin: str, target: str, bank: str) -> Copied:
    with ExitStack() as stack:
        source = stack.enter_context(opened(store_at(origin), bank))
        store = store_at(target)
        store.create_bank(bank, BankSettings())
        return copy_bank(source, stack.enter_context(opened(store, bank)))


@pytest.mark.parametrize("backwards", [False, True], ids=["to the server", "from the server"])
def test_a_copied_bank_answers_as_the_original(
    postgres_url: str, tmp_path: Path, *, backwards: bool
) -> None:
    bank = f"moved-{backwards}"
    origin, target = str(tmp_path / "store"), postgres_url
    if backwards:
        origin, target = target, origin
    tell(origin, bank)
    report = copied(origin, target, bank)
    assert (report.units, report.present) == (UNITS, 0)
    with (
        Memory.open(origin, encoder="hash", reranker=None) as first,
        Memory.open(target, encoder="hash", reranker=None) as second,
    ):
        assert second.bank(bank).settings == first.bank(bank).settings
        for question in (
            "Why was Ostrov evacuated?", "What does Vera prefer?", "gate G-17", "Vera Lang",
            "what happened in March 2025", "Ostrov Waterworks",
        ):  # fmt: skip
            for preset in ("default", "hindsight", "recall5"):
                asked, answered = (
                    [item.id for item in memory.recall(question, bank=bank, preset=preset).items]
                    for memory in (first, second)
                )
                assert answered == asked
        assert second.sessions(bank=bank) == first.sessions(bank=bank)
        assert second.relations(bank=bank) == first.relations(bank=bank)
        waits = first.pending(bank=bank)
        assert [unit.text for unit in waits.units] == [PENDING.text]
        assert second.pending(bank=bank) == waits
        assert second.approve(waits.units[0].id, bank=bank).new == (waits.units[0].id,)
        assert second.doctor(bank=bank) == []


def test_a_copy_goes_on_where_it_was_cut_off(postgres_url: str, tmp_path: Path) -> None:
    origin = str(tmp_path / "store")
    tell(origin, "resumed")

    class CutOff(Exception):
        pass

    def stop(_done: int, _total: int) -> None:
        raise CutOff

    with ExitStack() as stack:
        source = stack.enter_context(opened(store_at(origin), "resumed"))
        store = PostgresStore(postgres_url)
        store.create_bank("resumed", BankSettings())
        target = stack.enter_context(opened(store, "resumed"))
        with pytest.raises(CutOff):
            copy_bank(source, target, stop)
    report = copied(origin, postgres_url, "resumed")
    assert (report.units, report.present) == (0, UNITS)
    assert copied(origin, postgres_url, "resumed").checksum == report.checksum


def test_a_copy_that_was_changed_is_not_passed_off_as_one(
    postgres_url: str, tmp_path: Path
) -> None:
    origin = str(tmp_path / "store")
    tell(origin, "changed")
    copied(origin, postgres_url, "changed")
    with Memory.open(postgres_url, encoder="hash", reranker=None) as memory:
        memory.update(memory.list(bank="changed").units[4].id, text="Other.", bank="changed")
    with pytest.raises(StoreError, match="changed"):
        copied(origin, postgres_url, "changed")


def test_a_copy_whose_pending_unit_is_another_is_not_passed_off_as_one(
    postgres_url: str, tmp_path: Path
) -> None:
    origin = str(tmp_path / "store")
    tell(origin, "reviewed")
    copied(origin, postgres_url, "reviewed")
    sums = set[str]()
    for address in (origin, postgres_url):
        with opened(store_at(address), "reviewed") as bank:
            sums.add(checksum(bank))
    with Memory.open(postgres_url, encoder="hash", reranker=None) as memory:
        memory.reject(memory.pending(bank="reviewed").units[0].id, bank="reviewed")
        memory.retain(replace(PENDING, text="Gate G-18 is shut."), pending=True, bank="reviewed")
    with opened(store_at(postgres_url), "reviewed") as bank:
        assert len(sums) == 1 and checksum(bank) not in sums


def test_vectors_of_different_encoders_are_not_mixed(postgres_url: str, tmp_path: Path) -> None:
    origin = str(tmp_path / "store")
    tell(origin, "mixed")
    with Memory.open(postgres_url, encoder=HashingEncoder(64), reranker=None) as memory:
        memory.retain("Other numbers.", bank="mixed")
    with pytest.raises(EncoderMismatch):
        copied(origin, postgres_url, "mixed")
