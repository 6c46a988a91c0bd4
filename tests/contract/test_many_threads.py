"""Many threads at once: no error, no lost unit, exact counts."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.contract.looking import Opening
from tests.thoroughness import tries

from scrubjay import Memory, NotFound, StoreClosed, UnitFilter

THREADS = 8
# What each tells: enough that they are in each other's way.
TOLD_MIN = tries(usual=24, soak=60)


def told_by(number: int) -> Iterable[str]:
    """What a thread has to tell, without end: similar texts, shared names, some repeated."""
    for n in itertools.count():
        yield f"Thread {number} saw the grey heron {n} with Marta Lindqvist at pond {n % 5}."


def tell(memory: Memory, number: int, bank: str, stop: Callable[[int], bool]) -> list[str]:
    """Retain until told to stop, one unit or two at a time; the ids acknowledged."""
    acknowledged: list[str] = []
    texts = iter(told_by(number))
    while not stop(len(acknowledged)):
        batch = list(itertools.islice(texts, 1 + len(acknowledged) % 2))
        kept = memory.retain(batch, bank=bank, session=f"s{number}", tags=[f"t{number}"])
        assert len(kept.new) == len(batch)
        acknowledged.extend(kept.ids)
    return acknowledged


def check_all_there(memory: Memory, bank: str, acknowledged: list[str]) -> None:
    stats = memory.stats(bank=bank)
    assert len(set(acknowledged)) == len(acknowledged) == stats.units == stats.vectors
    listed: list[str] = []
    cursor: str | None = None
    while True:
        page = memory.list(bank=bank, limit=1000, cursor=cursor)
        listed.extend(unit.id for unit in page.units)
        cursor = page.cursor
        if cursor is None:
            break
    assert sorted(listed) == sorted(acknowledged)
    (marta,) = memory.entities(bank=bank, containing="marta")
    assert marta.mentions == len(acknowledged)
    assert sum(session.units for session in memory.sessions(bank=bank)) == len(acknowledged)
    assert memory.doctor(bank=bank) == []


def tell_all(memory: Memory, banks: list[str], stop: Callable[[int], bool]) -> dict[str, list[str]]:
    """One thread per entry of `banks`; the ids acknowledged for each bank."""
    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(lambda n: tell(memory, n, banks[n], stop), range(THREADS)))
    by_bank: dict[str, list[str]] = {}
    for bank, ids in zip(banks, told, strict=True):
        by_bank.setdefault(bank, []).extend(ids)
    return by_bank


def test_eight_threads_tell_eight_banks(memory: Memory) -> None:
    told = tell_all(memory, [f"bank{n}" for n in range(THREADS)], lambda count: count >= TOLD_MIN)

    assert len(told) == THREADS
    for bank, ids in told.items():
        check_all_there(memory, bank, ids)


def test_eight_threads_tell_one_bank(memory: Memory) -> None:
    told = tell_all(memory, ["shared"] * THREADS, lambda count: count >= TOLD_MIN)

    assert len(told["shared"]) >= THREADS * TOLD_MIN
    check_all_there(memory, "shared", told["shared"])


@pytest.mark.slow
@pytest.mark.parametrize("opened", ["embedded"], indirect=True)
@pytest.mark.parametrize("shared", [False, True])
def test_eight_threads_tell_for_seconds(memory: Memory, shared: bool) -> None:
    deadline = time.monotonic() + tries(usual=2, soak=15)
    banks = ["shared"] * THREADS if shared else [f"bank{n}" for n in range(THREADS)]
    told = tell_all(memory, banks, lambda _: time.monotonic() > deadline)

    assert told.keys() == set(banks)
    for bank, ids in told.items():
        check_all_there(memory, bank, ids)


def test_the_same_text_told_by_all_at_once_is_stored_once(memory: Memory) -> None:
    texts = [f"The lighthouse keeper counts to {n}." for n in range(20)]
    with ThreadPoolExecutor(THREADS) as pool:
        kept = list(pool.map(lambda _: memory.retain(texts).ids, range(THREADS)))

    assert len(set(kept)) == 1
    assert memory.stats().units == 20


def test_one_key_updated_by_all_at_once_is_one_unit(memory: Memory) -> None:
    def upsert(n: int) -> str:
        return memory.retain(f"The counter stands at {n}.", key="counter").id

    with ThreadPoolExecutor(THREADS) as pool:
        ids = set(pool.map(upsert, range(80)))

    assert len(ids) == memory.stats().units == 1


def test_updates_of_different_fields_add_up(memory: Memory) -> None:
    units = memory.retain([f"note {n}" for n in range(20)]).ids

    def change(unit: str) -> None:
        with ThreadPoolExecutor(2) as pair:
            done = [
                pair.submit(memory.update, unit, context="changed"),
                pair.submit(memory.update, unit, tags=["changed"]),
            ]
            for each in done:
                each.result()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(change, units))
    for unit in units:
        assert memory.get(unit).context == "changed"
        assert memory.get(unit).tags == ("changed",)


def test_readers_see_whole_units_while_others_write_and_forget(memory: Memory) -> None:
    memory.retain([f"the steady heron number {n}" for n in range(20)], tags=["steady"])
    stop = time.monotonic() + 1.5

    def write(number: int) -> int:
        rounds = 0
        while time.monotonic() < stop:
            kept = memory.retain(
                [f"the fleeting heron {number}-{rounds}-{n} met Marta Lindqvist" for n in range(3)]
            )
            memory.update(kept.ids[0], text=f"the changed heron {number}-{rounds}")
            memory.forget(kept.ids)
            rounds += 1
        return rounds

    def read(_: int) -> int:
        rounds = 0
        while time.monotonic() < stop:
            found = memory.recall("the steady heron number 7", tags=["steady"])
            assert found.items[0].text == "the steady heron number 7"
            assert found.degraded == ()
            units = memory.list(limit=100).units
            assert sum(unit.tags == ("steady",) for unit in units) == 20
            memory.entities()
            memory.stats()
            rounds += 1
        return rounds

    with ThreadPoolExecutor(6) as pool:
        work = [pool.submit(write, n) for n in range(3)] + [pool.submit(read, n) for n in range(3)]
        assert all(each.result() > 0 for each in work)
    assert memory.stats().units == 20


def test_entities_merge_under_the_eyes_of_readers(memory: Memory) -> None:
    memory.retain([f"We met Agnes Vogel{n} and Berta Krone{n} there." for n in range(30)])

    def merge(n: int) -> None:
        by_name = {entity.name: entity.id for entity in memory.entities()}
        memory.merge_entities(by_name[f"Agnes Vogel{n}"], by_name[f"Berta Krone{n}"])

    def read(_: int) -> None:
        for unit in memory.list().units:
            assert 1 <= len(unit.entities) <= 2

    with ThreadPoolExecutor(4) as pool:
        work = [pool.submit(merge, n) for n in range(30)]
        work += [pool.submit(read, n) for n in range(60)]
        for each in work:
            each.result()
    assert {e.mentions for e in memory.entities()} == {1}


def test_a_bank_deleted_in_use_is_not_found_and_can_be_made_again(memory: Memory) -> None:
    memory.retain("first life", bank="short")

    def use(n: int) -> int:
        missing = 0
        for k in range(15):
            try:
                memory.bank("short").retain(f"life {n} {k}")
                memory.list(UnitFilter(tags=("x",)), bank="short")
            except NotFound:
                missing += 1
        return missing

    def delete(_: int) -> None:
        for _ in range(8):
            try:
                memory.delete_bank("short")
            except NotFound:
                continue

    with ThreadPoolExecutor(5) as pool:
        work = [pool.submit(use, n) for n in range(4)]
        work.append(pool.submit(delete, 0))  # type: ignore[arg-type]
        for each in work:
            each.result()
    memory.retain("last life", bank="short")
    assert "last life" in {u.text for u in memory.list(bank="short", limit=1000).units}


def test_closing_under_a_writer_says_so_to_it(opened: Opening) -> None:
    memory = opened("hash")
    memory.retain("before")
    acknowledged: list[str] = []

    def write() -> None:
        for n in itertools.count():
            acknowledged.append(memory.retain(f"note {n}").id)

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(write)
        while len(acknowledged) < 5 and not writer.done():
            time.sleep(0.001)
        memory.close()
        with pytest.raises(StoreClosed):
            writer.result()
    assert len(acknowledged) >= 5
    with pytest.raises(StoreClosed):
        memory.retain("after")
