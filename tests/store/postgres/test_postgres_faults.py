"""What callers see, and what is kept, when a real server is killed, full, slow or at odds."""

from __future__ import annotations

import itertools
import logging
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import asyncpg
import pytest
from tests.store.postgres.postgres_server import PostgresServer, sql

from scrubjay import Memory, ScrubjayError, StoreClosed, StoreError, StoreLocked
from scrubjay.engine.presets import DEFAULT
from scrubjay.errors import StoreFull, StoreReadOnly
from scrubjay.store.postgres.connection.faults import translated
from scrubjay.store.postgres.store import PostgresStore

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of this module's own, for it is killed."""
    made = PostgresServer.created(max_connections="20")
    try:
        yield made
    finally:
        made.remove()


def opened(server: PostgresServer, pool: int = 4) -> Memory:
    url = f"{server.url()}?scrubjay_pool={pool}"
    return Memory.open(url, encoder="hash", reranker=None)


def busy(server: PostgresServer, pattern: str) -> int:
    """How many statements like this the server is working on."""
    return int(
        server.psql(
            f"SELECT count(*) FROM pg_stat_activity WHERE query ~ '{pattern}' "
            "AND state = 'active' AND pid <> pg_backend_pid()"
        )
    )


def waiting_for(condition: threading.Event, seconds: float = 60.0) -> None:
    assert condition.wait(seconds)


def test_nothing_acknowledged_is_lost_when_the_server_is_killed_under_load(
    server: PostgresServer,
) -> None:
    acknowledged: list[str] = []
    errors: list[ScrubjayError] = []
    warm, stop = threading.Event(), threading.Event()

    def write(worker: int, memory: Memory) -> None:
        for n in itertools.count():
            if stop.is_set():
                return
            try:
                kept = memory.retain(f"Worker {worker} logged entry {n}.", bank=f"load-{worker}")
                acknowledged.append(kept.id)
            except ScrubjayError as error:
                errors.append(error)
            if len(acknowledged) > 20:
                warm.set()

    with opened(server) as memory, ThreadPoolExecutor(4) as pool:
        work = [pool.submit(write, worker, memory) for worker in range(4)]
        try:
            waiting_for(warm)
            server.kill()
            server.start()
            before = len(acknowledged)
            while len(acknowledged) < before + 20 and not all(one.done() for one in work):
                time.sleep(0.01)
        finally:
            stop.set()
        for one in work:
            one.result()
        # The same pool serves again, and every error was one of ours with a remedy.
        assert len(acknowledged) >= before + 20
        assert all(isinstance(error, StoreError) for error in errors)
        stored = {
            unit.id
            for worker in range(4)
            for unit in memory.list(bank=f"load-{worker}", limit=1000).units
        }
        assert set(acknowledged) <= stored
        assert [memory.doctor(bank=bank.name) for bank in memory.banks()] == [[]] * 4


class Interrupted(BaseException):
    """What a signal's handler raises, anywhere."""


# One that arrives in a clean-up of the interpreter is swallowed there.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_anywhere_leaves_no_connection_taken_and_nothing_by_halves(
    server: PostgresServer,
) -> None:
    def raise_it(*_: object) -> None:
        raise Interrupted

    acknowledged: dict[str, str] = {}
    interrupts = 0
    before = signal.signal(signal.SIGALRM, raise_it)
    try:
        with opened(server, pool=2) as memory:
            memory.retain("The ropes are counted.", bank="cut")
            for n in range(120):
                text = f"Rope {n} was cut at knot K-{n}."
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.0005 + 0.0007 * (n % 60))
                    kept = memory.retain(text, bank="cut")
                    acknowledged[kept.id] = text
                    if n % 4 == 0:
                        memory.forget(kept.id, bank="cut")
                        del acknowledged[kept.id]
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except (Interrupted, RuntimeError):
                    # The interpreter's own locks may say that they were cut off.
                    interrupts += 1
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            assert interrupts > 20
            # With two connections, one that was lost would soon be missed.
            stored = {unit.id: unit.text for unit in memory.list(bank="cut", limit=1000).units}
            lost = {unit for unit in acknowledged if unit not in stored}
            # A forgetting that was cut off may have been done.
            assert all(int(acknowledged[unit].split()[1]) % 4 == 0 for unit in lost)
            assert memory.doctor(bank="cut") == []
            for text in list(stored.values())[:20]:
                found = memory.recall(text, bank="cut").items
                assert found and found[0].text == text
                assert not memory.retain(text, bank="cut").new
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_server_that_is_down_is_a_clear_error_and_recovers(server: PostgresServer) -> None:
    with opened(server) as memory:
        kept = memory.retain("Before the outage.", bank="outage")
        server.stop()
        with pytest.raises(StoreError, match="does not answer"):
            memory.get(kept.id, bank="outage")
        server.start()
        assert memory.get(kept.id, bank="outage").text == "Before the outage."


def test_connections_that_are_used_up_are_a_clear_error(server: PostgresServer) -> None:
    with opened(server) as memory:
        memory.retain("Counted.", bank="crowd")
    hold = "SELECT pg_sleep(600)"
    with ThreadPoolExecutor(100) as pool:
        crowd = [pool.submit(_held, server, hold) for _ in range(17)]
        while (
            int(server.psql("SELECT count(*) FROM pg_stat_activity WHERE query ~ 'sleep.600'")) < 17
        ):
            time.sleep(0.05)
        # Three are kept for superusers; take them away too, and nobody gets in.
        rest = [pool.submit(_held, server, hold) for _ in range(3)]
        try:
            while _lets_in(server):
                # The look itself may have taken the place that one of them wanted.
                rest.append(pool.submit(_held, server, hold))
                time.sleep(0.1)
            with pytest.raises(StoreError, match=r"no connection left|too many clients|remaining"):
                opened(server)
        finally:
            server.stop()
            for one in (*crowd, *rest):
                assert one.exception() is not None
            server.start()
    with opened(server) as memory:
        assert memory.list(bank="crowd").units[0].text == "Counted."


def _lets_in(server: PostgresServer) -> bool:
    try:
        return server.psql("SELECT 1") == "1"
    except AssertionError:
        return False


def _held(server: PostgresServer, statement: str) -> str:
    return server.psql(statement)


def test_a_full_pool_makes_callers_wait_and_says_so(
    server: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    store = PostgresStore(f"{server.url()}?scrubjay_pool=1")
    try:
        database = store._database
        with caplog.at_level(logging.WARNING, "scrubjay.postgres"), ThreadPoolExecutor(2) as pool:
            slow = pool.submit(database.rows, None, "SELECT pg_sleep(0.3)")
            while not busy(server, "sleep.0.3"):
                assert not slow.done()
            database.rows(None, "SELECT 1")
            slow.result()
        assert database.take_longest_wait_ms() > 50
        assert "waited" in caplog.text and "the pool has 1, 0 idle" in caplog.text
    finally:
        store.close()


def test_a_late_read_is_cancelled_on_the_server(server: PostgresServer) -> None:
    store = PostgresStore(server.url())
    try:
        database = store._database
        with pytest.raises(StoreError, match="deadline"), database.within(100):
            database.rows(None, "SELECT pg_sleep(500)")
        while busy(server, "sleep.500"):
            time.sleep(0.02)
        assert database.rows(None, "SELECT 7")[0][0] == 7
    finally:
        store.close()


@pytest.mark.parametrize("fanout", ["threads", "inline"])
def test_a_late_branch_of_a_recall_is_cancelled_on_the_server(
    server: PostgresServer, fanout: str
) -> None:
    late = f"late-{fanout}"
    # Without the graph, which has its turn after the words where one thread does all.
    preset = replace(DEFAULT, name=fanout, fanout=fanout, rerank=None, graph=None)
    with opened(server) as memory:
        memory.retain([f"The tug {n} pulled barge {n}." for n in range(5)], bank=late)
        bank = server.psql(f"SELECT bank_id FROM scrubjay.banks WHERE name = '{late}'")
        waits = "application_name = 'scrubjay' AND wait_event_type = 'Lock'"
        count = f"SELECT count(*) FROM pg_stat_activity WHERE {waits}"
        with ThreadPoolExecutor(2) as pool:
            # Whoever looks for words waits for this lock, and for nothing less than its end.
            table = server.psql(
                f"SELECT tableoid::regclass FROM scrubjay.postings WHERE bank_id = {bank} LIMIT 1"
            )
            holder = (
                "SET application_name = 'holder'; BEGIN; LOCK TABLE {} IN ACCESS EXCLUSIVE MODE;"
            )
            held = pool.submit(server.psql, f"{holder.format(table)} SELECT pg_sleep(300)")
            try:
                while not busy(server, "sleep.300"):
                    assert not held.done()
                asked = pool.submit(
                    memory.recall, "which tug pulled the barge?", bank=late, preset=preset
                )
                while server.psql(count) == "0":
                    assert not asked.done(), "it was answered without the words"
                found = asked.result()
                assert [part.retriever for part in found.degraded] == ["lexical"]
                assert "deadline" in found.degraded[0].reason
                # The others' answers stand.
                assert found.items
                # The lock is still held, and nobody waits for it any more.
                while server.psql(count) != "0":
                    time.sleep(0.01)
                assert not held.done()
            finally:
                server.psql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE application_name = 'holder'"
                )
                assert held.exception() is not None
        afterwards = memory.recall("which tug pulled the barge?", bank=late, deadline_ms=600_000)
        assert not afterwards.degraded


def test_closing_cancels_what_runs_on_the_server(server: PostgresServer) -> None:
    store = PostgresStore(server.url())
    with ThreadPoolExecutor(1) as pool:
        reader = pool.submit(store._database.rows, None, "SELECT pg_sleep(400)")
        while not busy(server, "sleep.400"):
            assert not reader.done()
        store.close()
        assert isinstance(reader.exception(), StoreClosed)
    while busy(server, "sleep.400"):
        time.sleep(0.02)
    assert server.psql("SELECT 1") == "1"


def test_two_writers_that_wait_for_each_other_are_told_apart(server: PostgresServer) -> None:
    store = PostgresStore(server.url())
    try:
        database = store._database
        with Memory.open(server.url(), encoder="hash", reranker=None) as memory:
            memory.retain("One.", bank="left")
            memory.retain("Two.", bank="right")
        left, right = (
            int(server.psql(f"SELECT bank_id FROM scrubjay.banks WHERE name = '{name}'"))
            for name in ("left", "right")
        )
        both = threading.Barrier(2)

        def cross(first: int, second: int) -> None:
            lock = "SELECT pg_advisory_xact_lock($1)"
            with database.transaction(first) as session:
                session.rows(lock, first)
                both.wait(30)
                session.rows(lock, second)

        with ThreadPoolExecutor(2) as pool:
            work = [pool.submit(cross, left, right), pool.submit(cross, right, left)]
            failures = [one.exception() for one in work]
        assert sorted(type(failure).__name__ for failure in failures) == ["NoneType", "StoreLocked"]
        assert any("repeat the call" in str(f) for f in failures if isinstance(f, StoreLocked))
    finally:
        store.close()


def test_writers_of_one_bank_in_two_processes_take_turns(server: PostgresServer) -> None:
    with opened(server) as first, opened(server) as second, ThreadPoolExecutor(8) as pool:
        first.bank("shared")
        work = [
            pool.submit(memory.retain, f"Note {n} of {name}.", bank="shared")
            for n in range(20)
            for name, memory in (("first", first), ("second", second))
        ]
        ids = {one.result().id for one in work}
        assert len(ids) == 40
        assert first.stats(bank="shared").units == second.stats(bank="shared").units == 40
        assert first.doctor(bank="shared") == []
    rows = sql(server.url(), "SELECT count(DISTINCT row), max(row) FROM scrubjay.units u JOIN "
        "scrubjay.banks b USING (bank_id) WHERE b.name = 'shared'")  # fmt: skip
    assert rows == "40|40"


def test_a_server_without_room_refuses_writes_whole_and_goes_on_reading() -> None:
    # A limit on the size of its files stops the server where a full disk would: where a table
    # is made longer. Its log is kept in files below the limit, for a server that cannot write
    # its log does not go on at all.
    server = PostgresServer.created(log_file_mib=1)
    try:
        with opened(server) as memory:
            kept = memory.retain("The crane moved the first crate.", bank="full")
            server.stop()
            server.start(file_bytes_max=3 * 2**20)
            stored, refused = 1, _crates(0)
            with pytest.raises(StoreFull, match="No space left at"):
                for n in itertools.count():
                    refused = _crates(n)
                    stored += len(memory.retain(refused, bank="full").new)
            assert stored > 1
            assert memory.stats(bank="full").units == stored
            assert memory.doctor(bank="full") == []
            found = memory.recall("which crate did the crane move first?", bank="full")
            assert found.items[0].id == kept.id and not found.degraded
            server.stop()
            server.start()
            # All of them are new: nothing of what was refused had been kept.
            assert len(memory.retain(refused, bank="full").new) == len(refused)
            assert memory.doctor(bank="full") == []
    finally:
        server.remove()


def _crates(batch: int) -> list[str]:
    # Words of their own for each, which take the most room.
    words = (f"q{batch}x{n}" for n in itertools.count())
    return [" ".join(["Crate", *itertools.islice(words, 120)]) for _ in range(100)]


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (asyncpg.DiskFullError("no space"), StoreFull),
        (asyncpg.ReadOnlySQLTransactionError("standby"), StoreReadOnly),
        (asyncpg.InsufficientPrivilegeError("denied"), StoreReadOnly),
        (asyncpg.LockNotAvailableError("timeout"), StoreLocked),
        (ConnectionRefusedError("refused"), StoreError),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_the_drivers_errors_become_ours(raised: Exception, expected: type[StoreError]) -> None:
    error = translated(raised, "postgresql://host.example/db")
    assert type(error) is expected
    assert "host.example" in str(error)


def test_a_password_is_never_shown() -> None:
    with pytest.raises(StoreError) as failure:
        PostgresStore("postgresql://someone:hunter2@127.0.0.1:9/none")
    assert "hunter2" not in str(failure.value) and "someone@127.0.0.1" in str(failure.value)
