"""Reads go to a streaming replica while it is up and near, and to the primary when it is not."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from tests.store.postgres.postgres_server import PostgresServer

from scrubjay import Memory, StoreError
from scrubjay.backend import EngineBackend
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.store import PostgresStore

pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Cluster:
    """A primary, its replica, and an address that names both."""

    primary: PostgresServer
    replica: PostgresServer

    @property
    def url(self) -> str:
        return f"{self.primary.url()}?scrubjay_replica={quote(self.replica.url(), safe='')}"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    primary = PostgresServer.created()
    PostgresStore(primary.url()).close()
    replica = primary.replica()
    try:
        yield Cluster(primary, replica)
    finally:
        replica.remove()
        primary.remove()


def which(database: Database, bank: int) -> bool:
    """Whether a read of the bank is answered by a server that only reads."""
    replica: bool = database.rows(bank, "SELECT pg_is_in_recovery()")[0][0]
    return replica


def settled(database: Database, bank: int, *, on_replica: bool) -> bool:
    for _ in range(500):
        if which(database, bank) is on_replica:
            return True
        time.sleep(0.02)
    return False


def test_reads_go_to_the_replica_and_see_what_was_just_written(cluster: Cluster) -> None:
    with Memory.open(cluster.url, encoder="hash", reranker=None) as memory:
        for n in range(20):
            kept = memory.retain(f"Entry {n} of the log.", bank="log")
            assert memory.get(kept.id, bank="log").text == f"Entry {n} of the log."
            assert kept.id in {item.id for item in memory.recall(f"entry {n}", bank="log").items}
    store = PostgresStore(cluster.url)
    try:
        assert settled(store._database, 1, on_replica=True)
    finally:
        store.close()


def test_a_replica_that_is_down_is_passed_over_said_and_taken_up_again(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    store = PostgresStore(cluster.url)
    database = store._database
    try:
        assert settled(database, 1, on_replica=True)
        with caplog.at_level(logging.WARNING, "scrubjay.postgres"):
            cluster.replica.stop()
            assert not which(database, 1)
            assert "reads go to the primary" in caplog.text
            cluster.replica.start()
            assert settled(database, 1, on_replica=True)
            assert "reads go to the replica again" in caplog.text
    finally:
        store.close()


def test_a_replica_that_lags_is_passed_over(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    cluster.replica.psql("SELECT pg_wal_replay_pause()")
    lagging = f"{cluster.url}&scrubjay_replica_lag=0.1"
    try:
        with (
            caplog.at_level(logging.WARNING, "scrubjay.postgres"),
            Memory.open(lagging, encoder="hash", reranker=None) as memory,
        ):
            kept = memory.retain("Told while the replica slept.", bank="lag")
            assert memory.get(kept.id, bank="lag").text == "Told while the replica slept."
            with Memory.open(lagging, encoder="hash", reranker=None) as other:
                # Another process, which wrote nothing, does not trust a replica never seen near.
                assert other.get(kept.id, bank="lag").id == kept.id
            while "behind" not in caplog.text:
                assert memory.get(kept.id, bank="lag").id == kept.id
    finally:
        cluster.replica.psql("SELECT pg_wal_replay_resume()")


def test_a_recall_beside_a_lagging_replica_finds_what_is_new(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    lagging = f"{cluster.url}&scrubjay_replica_lag=0.1"
    with (
        caplog.at_level(logging.WARNING, "scrubjay.postgres"),
        Memory.open(lagging, encoder="hash", reranker=None) as reader,
        Memory.open(cluster.primary.url(), encoder="hash", reranker=None) as writer,
    ):
        writer.retain("The lock keeper rests on Mondays.", bank="weir")
        while not reader.recall("lock keeper", bank="weir").items:
            time.sleep(0.02)
        cluster.replica.psql("SELECT pg_wal_replay_pause()")
        try:
            new = writer.retain("The weir was opened at dawn.", bank="weir")
            # Within the bound the replica may answer without it; past the bound the primary does.
            while new.id not in {item.id for item in reader.recall("weir", bank="weir").items}:
                time.sleep(0.02)
            assert "reads go to the primary" in caplog.text and "behind" in caplog.text
        finally:
            cluster.replica.psql("SELECT pg_wal_replay_resume()")
        while "reads go to the replica again" not in caplog.text:
            assert new.id in {item.id for item in reader.recall("weir", bank="weir").items}


def test_writes_never_go_to_the_replica(cluster: Cluster) -> None:
    with Memory.open(cluster.url, encoder="hash", reranker=None) as memory:
        kept = memory.retain("First.", bank="writes")
        memory.update(kept.id, text="Second.", bank="writes")
        memory.forget(kept.id, bank="writes")
        assert memory.stats(bank="writes").units == 0


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_recalls_go_to_the_replica_at_once_while_the_primary_is_down(
    cluster: Cluster, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    with Memory.open(cluster.url, encoder="hash", reranker=None) as memory:
        kept = memory.retain(f"The buoy was {how}.")
        other = memory.retain(f"The mole was {how}.", bank=f"{how}-mole")
        assert isinstance(memory.backend, EngineBackend)
        store = memory.backend.store
        assert isinstance(store, PostgresStore)
        for bank in [number for _, number in sorted(store._numbers.items())]:
            assert settled(store._database, bank, on_replica=True)
        with caplog.at_level(logging.WARNING, "scrubjay.postgres"):
            if how == "stopped":
                cluster.primary.stop()
            else:
                cluster.primary.kill()
            try:
                for _ in range(3):
                    assert memory.recall(f"buoy {how}").items[0].id == kept.id
                    assert memory.recall("mole", bank=f"{how}-mole").items[0].id == other.id
                assert f"{how}-mole" in {bank.name for bank in memory.banks()}
                # Nobody has waited for the primary.
                assert "trying again" not in caplog.text
                for _ in range(3):
                    with pytest.raises(StoreError, match="does not answer"):
                        memory.retain("Told to nobody.")
                assert "trying again" not in caplog.text
                assert "reads go to the replica, writes fail" in caplog.text
                with Memory.open(cluster.url, encoder="hash", reranker=None) as late:
                    assert late.recall(f"buoy {how}").items[0].id == kept.id
                    assert late.get(other.id, bank=f"{how}-mole").id == other.id
                    with pytest.raises(StoreError, match="does not answer"):
                        late.retain("Told to nobody either.")
                assert "trying again" not in caplog.text
            finally:
                cluster.primary.start()
            # The next write finds it.
            new = memory.retain("The primary is back.")
            assert memory.get(new.id).text == "The primary is back."
            assert "the primary answers again" in caplog.text


def test_what_this_process_wrote_is_not_missed_while_the_primary_is_down(cluster: Cluster) -> None:
    with Memory.open(cluster.url, encoder="hash", reranker=None) as memory:
        memory.retain("The first entry.", bank="tide")
        assert isinstance(memory.backend, EngineBackend)
        store = memory.backend.store
        assert isinstance(store, PostgresStore)
        assert settled(store._database, store._numbers["tide"], on_replica=True)
        cluster.replica.psql("SELECT pg_wal_replay_pause()")
        try:
            memory.retain("The second entry.", bank="tide")
            cluster.primary.kill()
            # An answer without it would be wrong in silence.
            with pytest.raises(StoreError, match="does not answer"):
                memory.recall("entry", bank="tide")
            with Memory.open(cluster.url, encoder="hash", reranker=None) as other:
                assert other.recall("entry", bank="tide").items
        finally:
            cluster.replica.psql("SELECT pg_wal_replay_resume()")
            cluster.primary.start()
        assert len(memory.recall("entry", bank="tide").items) == 2
