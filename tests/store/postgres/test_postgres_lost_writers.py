"""Writers that are lost in their turn: what they leave behind, and that others go on."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, StoreError
from scrubjay.backend import EngineBackend
from scrubjay.engine.toolbox import Toolbox
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.testing import HashingEncoder

PATIENCE_S = 120
NOW = datetime(2026, 11, 16, tzinfo=UTC)

# Takes its turn, says so, and keeps it until it is ended.
WRITER = """
import sys
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.store import PostgresStore
store = PostgresStore(sys.argv[1])
with store.using("default") as bank, bank.writing():
    print("mine", flush=True)
    sys.stdin.read()
"""
WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'scrubjay'"
    " AND datname = current_database() AND wait_event_type = 'Lock'"
)
END_WRITERS = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE application_name = 'scrubjay' AND datname = current_database()"
    " AND state = 'idle in transaction'"
)


@pytest.fixture(scope="module")
def told(postgres_url: str) -> Iterator[tuple[Memory, PostgresStore]]:
    store = PostgresStore(postgres_url)
    with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None))) as memory:
        memory.retain("The sluice at Elsfleth is closed.")
        yield memory, store


def wait_for(url: str, statement: str, answer: str) -> None:
    pause = threading.Event()
    for _ in range(PATIENCE_S * 10):
        if sql(url, statement) == answer:
            return
        pause.wait(0.1)
    raise AssertionError(f"{statement} never gave {answer}")


def test_a_writer_that_is_killed_in_its_turn_gives_it_to_the_next(
    told: tuple[Memory, PostgresStore], postgres_url: str
) -> None:
    memory, _ = told
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, postgres_url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "mine\n"
        with ThreadPoolExecutor(1) as thread:
            next_one = thread.submit(memory.retain, "The pump at Elsfleth runs.")
            wait_for(postgres_url, WAITING, "1")
            other.kill()
            assert next_one.result(PATIENCE_S).new
    assert not memory.doctor()


def test_a_session_lost_between_its_turn_and_its_commit_changes_nothing_and_stops_nobody(
    told: tuple[Memory, PostgresStore], postgres_url: str
) -> None:
    memory, store = told
    with store.using("default") as bank:
        assert bank is not None
        with pytest.raises(StoreError, match="does not answer"), bank.writing():
            bank.start_session("watch", NOW)
            sql(postgres_url, END_WRITERS)
            bank.end_session("watch", NOW)
    assert store.writers_waiting("default") == 0
    assert not memory.sessions()
    assert memory.retain("The lock at Elsfleth is green.").new
    assert not memory.doctor()


def test_a_writer_whose_statement_takes_too_long_for_the_server_leaves_its_turn(
    told: tuple[Memory, PostgresStore], postgres_url: str
) -> None:
    _, held = told
    name = postgres_url.rsplit("/", 1)[1]
    sql(postgres_url, f"ALTER DATABASE {name} SET statement_timeout = '1s'")
    try:
        store = PostgresStore(postgres_url)
        with Memory(EngineBackend(store, Toolbox(HashingEncoder(), None))) as memory:
            with held.using("default") as bank:
                assert bank is not None
                with bank.writing(), pytest.raises(StoreError, match="deadline"):
                    memory.retain("The gate at Elsfleth is stuck.")
            assert store.writers_waiting("default") == 0
            assert memory.retain("The gate at Elsfleth is free.").new
    finally:
        sql(postgres_url, f"ALTER DATABASE {name} RESET statement_timeout")


@pytest.mark.parametrize(
    ("setting", "bound"),
    [
        ("idle_in_transaction_session_timeout", "10min"),
        ("tcp_keepalives_idle", "30"),
        ("tcp_keepalives_interval", "10"),
        ("tcp_keepalives_count", "3"),
    ],
)
def test_a_writer_that_vanished_or_stands_still_does_not_keep_its_turn_for_good(
    told: tuple[Memory, PostgresStore], postgres_url: str, setting: str, bound: str
) -> None:
    assert told
    database = Database(read_address(postgres_url), read_only=True)
    try:
        assert database.rows(None, f"SHOW {setting}") == [(bound,)]
    finally:
        database.close()
