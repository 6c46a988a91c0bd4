"""What reading and telling leave alone: numbers, transactions, and graphs that are not due."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from tests.store.postgres.postgres_server import PostgresServer

from scrubjay import Memory, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.upkeep import Graph
from scrubjay.testing import HashingEncoder

USED = (
    "SELECT last_value, is_called, pg_snapshot_xmax(pg_current_snapshot()) "
    "FROM scrubjay.banks_bank_id_seq"
)
# The first four bytes of the BLAKE2b digest of its name, as the server takes them.
GRAPH_7_0_384 = 1307706457


@dataclass(frozen=True, slots=True)
class Quiet:
    """A store on a server where nobody else does anything."""

    server: PostgresServer
    store: PostgresStore
    memory: Memory

    def used(self) -> tuple[str, int]:
        """The last number given to a bank, and the next number of a transaction that writes."""
        last, _, transaction = self.server.psql(USED).split("|")
        return last, int(transaction)


@pytest.fixture(scope="module")
def quiet() -> Iterator[Quiet]:
    server = PostgresServer.created(autovacuum="off", fsync="off")
    try:
        store = PostgresStore(f"{server.url()}?scrubjay_graph_from=200")
        with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None))) as memory:
            yield Quiet(server, store, memory)
    finally:
        server.remove()


def test_reading_the_default_bank_writes_nothing(quiet: Quiet) -> None:
    quiet.memory.retain("The lighthouse is lit at dusk.")
    before = quiet.used()
    for _ in range(5):
        assert quiet.memory.recall("lighthouse").items
        quiet.memory.list()
        quiet.memory.stats()
    assert quiet.used() == before


def test_telling_takes_one_transaction_and_no_number(quiet: Quiet) -> None:
    quiet.memory.retain("The keeper is called Maarten.", bank="keepers")
    number, transaction = quiet.used()
    for n in range(5):
        quiet.memory.retain(f"Maarten wrote line {n}.", bank="keepers")
    assert quiet.used() == (number, transaction + 5)


def test_a_bank_that_another_process_deleted_is_made_again(quiet: Quiet) -> None:
    quiet.memory.retain("Gone soon.", bank="fog")
    with Memory.open(quiet.server.url(), encoder="hash", reranker=None) as other:
        other.delete_bank("fog")
    assert quiet.memory.retain("The fog is back.", bank="fog").new
    assert [unit.text for unit in quiet.memory.list(bank="fog").units] == ["The fog is back."]


def test_a_bank_that_comes_in_a_few_large_batches_gets_its_graph(quiet: Quiet) -> None:
    for start in (0, 150):
        told = [
            Unit(f"Wave {n} broke over the mole.", type="fact") for n in range(start, start + 150)
        ]
        quiet.memory.retain(told, bank="waves")
        quiet.store.upkeep.settle()
    graphs = quiet.server.psql(
        "SELECT graphs FROM scrubjay.bank_state JOIN scrubjay.banks USING (bank_id) "
        "WHERE name = 'waves'"
    )
    # Of all that is in it; the one type is searched there.
    assert graphs == "{-2,-1}"


def test_the_key_of_a_graphs_lock_is_the_same_everywhere() -> None:
    assert Graph(7, 0, 384).lock == GRAPH_7_0_384
    assert Graph(7, 1, 384).lock != GRAPH_7_0_384


def test_a_check_of_a_bank_is_of_one_moment_and_holds_up_no_writer(quiet: Quiet) -> None:
    told = [f"Gull {n} followed gull {n + 1} because of gull {n + 2}." for n in range(200)]
    quiet.memory.retain(told, bank="gulls")
    stop = threading.Event()
    errors: list[list[str]] = []

    def check() -> None:
        while not stop.is_set():
            if found := quiet.memory.doctor(bank="gulls", fix=False):
                errors.append([finding.detail for finding in found])

    with ThreadPoolExecutor(1) as pool:
        checking = pool.submit(check)
        try:
            for n in range(30):
                kept = quiet.memory.retain(f"Tern {n} arrived with tern {n + 1}.", bank="gulls")
                if n % 3 == 0:
                    quiet.memory.forget(kept.id, bank="gulls")
        finally:
            stop.set()
        checking.result()
    assert errors == []


def test_a_clean_bank_is_checked_while_a_writer_is_at_work(quiet: Quiet) -> None:
    quiet.memory.retain("The harbour is calm.", bank="calm")
    with quiet.store.using("calm") as bank, quiet.store.using("calm") as other:
        assert bank is not None and other is not None
        with bank.writing(), ThreadPoolExecutor(1) as pool:
            assert pool.submit(other.doctor, fix=False).result(60) == []
