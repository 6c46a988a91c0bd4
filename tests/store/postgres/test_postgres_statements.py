"""How many statements a change takes, and that writers get their turns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.writers_line import WritersLine
from scrubjay.testing import HashingEncoder

NOW = datetime(2026, 4, 15, 12, tzinfo=UTC)
WRITERS = 20
PATIENCE_S = 120


@dataclass(frozen=True, slots=True)
class Counted:
    """A memory, and how many statements its store has sent."""

    memory: Memory
    store: PostgresStore

    def taken_by(self, work: Callable[[Memory], object]) -> int:
        before = self.store.statements
        work(self.memory)
        return self.store.statements - before


@pytest.fixture(scope="module")
def counted(postgres_url: str) -> Iterator[Counted]:
    """A bank of two types, whose graphs are made."""
    store = PostgresStore(f"{postgres_url}?scrubjay_graph_from=60", clock=lambda: NOW)
    with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None, lambda: NOW))) as memory:
        memory.retain([unit(n) for n in range(150)])
        store.settle()
        # What is told below is counted without the making of graphs beside it.
        store.upkeep.held = True
        yield Counted(memory, store)


def unit(n: int) -> Unit:
    return Unit(
        f"Odile Karr checked valve V-{n} of the north dyke and found {n} leaks.",
        type="event" if n % 2 else "fact",
        session=f"shift-{n // 8}",
        tags=("seen",),
    )


def crowd(first: int) -> list[Unit]:
    return [
        Unit(f"Hans Pohl{n} met Ilse Berg{n} in Leer.", session=f"talk-{n}", tags=("met", f"{n}"))
        for n in range(first, first + 100)
    ]


@pytest.mark.parametrize(
    ("told", "most"),
    [
        # The bank, what is known of it; begin, lock, known, near, words, near to what it may
        # change; unit, the rest, commit.
        ("the lamp is on order now", 11),
        # And who bears the names, and what else is said of them.
        ("Odile Karr ordered a lamp of the harbour office.", 15),
        # And the numbers of its sessions.
        (Unit("Hermann Wolff came to Leer.", session="talk", tags=("met", "seen")), 13),
        ([Unit("Odile Karr works for Deichamt.", relations=()), "Pump P-1 is green."], 15),
    ],
    ids=["a sentence", "a known name", "new names in a session", "two"],
)
def test_telling_one_takes_a_few_statements(
    counted: Counted, told: str | Unit | list[str | Unit], most: int
) -> None:
    assert counted.taken_by(lambda memory: memory.retain(told)) <= most


@pytest.mark.parametrize(
    ("told", "most"),
    [([unit(n) for n in range(300, 400)], 18), (crowd(0), 18)],
    ids=["known names", "names and sessions never told before"],
)
def test_telling_a_hundred_takes_hardly_more_than_one(
    counted: Counted, told: list[Unit], most: int
) -> None:
    assert counted.taken_by(lambda memory: memory.retain(told)) <= most


def test_telling_the_same_again_is_found_out_in_six_statements(counted: Counted) -> None:
    told = "The harbour master keeps two cats."
    counted.memory.retain(told)
    assert counted.taken_by(lambda memory: memory.retain(told)) <= 6


def test_telling_anew_under_a_key_stays_within_a_bound(counted: Counted) -> None:
    counted.memory.retain([Unit("The tide is high.", key="tide")])
    again = [Unit("The tide is low.", key="tide")]
    assert counted.taken_by(lambda memory: memory.retain(again)) <= 32


def test_what_a_large_batch_makes_is_counted_and_found(counted: Counted) -> None:
    memory = counted.memory
    memory.retain(crowd(200), bank="crowd")
    stats = memory.stats(bank="crowd")
    assert (stats.units, stats.sessions) == (100, 100)
    assert memory.doctor(bank="crowd", fix=False) == []
    before = {entity.name: entity.mentions for entity in memory.entities(bank="crowd", limit=500)}
    assert len(before) > 100 and min(before.values()) == 1
    name = next(name for name, mentions in before.items() if mentions == 1)
    memory.retain(f"Everybody knows {name} by now.", bank="crowd")
    after = {entity.name: entity.mentions for entity in memory.entities(bank="crowd", limit=500)}
    assert after[name] == 2
    assert memory.doctor(bank="crowd", fix=False) == []


def test_writers_get_their_turns_in_the_order_they_came(counted: Counted) -> None:
    store, memory = counted.store, counted.memory
    memory.retain("The line begins.", bank="line")
    with ThreadPoolExecutor(WRITERS) as pool:
        with store.using("line") as bank:
            assert bank is not None
            with bank.writing():
                told = []
                for n in range(WRITERS):
                    told.append(
                        pool.submit(memory.retain, f"Ship number {n} came in.", bank="line")
                    )
                    arrived(lambda n=n: store.writers_waiting("line") == n + 1)  # type: ignore[misc]
        for one in told:
            assert one.result(PATIENCE_S).new
    kept = [each.text for each in memory.list(bank="line", limit=WRITERS + 1).units]
    assert kept == ["The line begins.", *(f"Ship number {n} came in." for n in range(WRITERS))]


def test_who_waits_in_line_goes_before_one_who_comes_back_at_once() -> None:
    line, turns = WritersLine(), list[str]()
    done = threading.Event()

    def wait() -> None:
        with line:
            turns.append("waited")
        done.set()

    with line:
        waiting = threading.Thread(target=wait)
        waiting.start()
        arrived(lambda: line.waiting == 1)
        with line:
            turns.append("inside")
    with line:
        turns.append("came back")
    assert done.wait(PATIENCE_S)
    waiting.join(PATIENCE_S)
    assert turns == ["inside", "waited", "came back"]


def arrived(there: Callable[[], bool]) -> None:
    """Wait until something is so, as often as others are let on."""
    tick = threading.Event()
    for _ in range(PATIENCE_S * 1_000):
        if there():
            return
        tick.wait(0.001)
    raise AssertionError("nobody came")


def test_writers_of_a_database_that_is_serializable_by_default_do_not_fail(
    postgres_url: str,
) -> None:
    name = postgres_url.rsplit("/", 1)[1]
    sql(postgres_url, f"ALTER DATABASE {name} SET default_transaction_isolation = serializable")
    try:
        with ThreadPoolExecutor(4) as pool:
            # Stores of their own, as processes have them: their writers meet on the server.
            done = pool.map(lambda n: tell_alone(postgres_url, n), range(4))
            assert sum(done) == 4 * 8
    finally:
        sql(postgres_url, f"ALTER DATABASE {name} RESET default_transaction_isolation")


def tell_alone(url: str, writer: int) -> int:
    with Memory.open(url, encoder="hash", reranker=None) as memory:
        told = (f"Writer {writer} wrote line {n}." for n in range(8))
        return sum(len(memory.retain(line, bank="strict").new) for line in told)


def test_a_read_that_meets_a_conflict_is_asked_again(postgres_url: str) -> None:
    sql(
        postgres_url,
        "CREATE SEQUENCE public.tries; GRANT USAGE ON SEQUENCE public.tries TO PUBLIC; "
        "CREATE FUNCTION public.conflict_once() RETURNS BIGINT LANGUAGE plpgsql AS $$ "
        "DECLARE tried BIGINT := nextval('public.tries'); BEGIN "
        "IF tried = 1 THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '40001'; END IF; "
        "RETURN tried; END $$",
    )
    database = Database(read_address(postgres_url), read_only=True)
    try:
        assert database.rows(None, "SELECT public.conflict_once()") == [(2,)]
    finally:
        database.close()
        sql(postgres_url, "DROP FUNCTION public.conflict_once; DROP SEQUENCE public.tries")
