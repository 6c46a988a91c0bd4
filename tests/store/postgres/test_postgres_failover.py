"""A store that was opened with every server's name goes on when another one is the primary."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from tests.store.postgres.postgres_server import PostgresServer

from scrubjay import Memory, StoreError
from scrubjay.store.postgres.store import PostgresStore

pytestmark = pytest.mark.slow


@pytest.fixture
def servers() -> Iterator[tuple[PostgresServer, PostgresServer, PostgresServer]]:
    primary = PostgresServer.created()
    PostgresStore(primary.url()).close()
    first, second = primary.replica(), primary.replica()
    try:
        yield primary, first, second
    finally:
        for server in (first, second, primary):
            server.remove()


def any_of(*servers: PostgresServer, wanted: str) -> str:
    hosts = ",".join(f"127.0.0.1:{server.port}" for server in servers)
    return f"postgresql://postgres@{hosts}/postgres?target_session_attrs={wanted}"


def caught_up(primary: PostgresServer, replica: PostgresServer) -> bool:
    position = primary.psql("SELECT pg_current_wal_flush_lsn()").strip()
    return replica.psql(f"SELECT pg_last_wal_replay_lsn() >= '{position}'").strip() == "t"


def test_reads_go_on_and_writes_too_once_a_replica_is_promoted(
    servers: tuple[PostgresServer, PostgresServer, PostgresServer],
) -> None:
    primary, first, second = servers
    replicas = quote(any_of(first, second, wanted="prefer-standby"), safe="")
    url = f"{any_of(primary, first, second, wanted='primary')}&scrubjay_replica={replicas}"
    with Memory.open(url, encoder="hash", reranker=None) as memory:
        before = memory.retain("The ferry leaves at six.")
        while not (caught_up(primary, first) and caught_up(primary, second)):
            pass
        assert memory.recall("When does the ferry leave?").stale_ms is None
        primary.kill()
        # For a moment nobody knows; then every answer says it.
        while (alone := memory.recall("When does the ferry leave?")).stale_ms is None:
            assert [item.id for item in alone] == [before.id]
        assert [item.id for item in alone] == [before.id]
        with pytest.raises(StoreError, match="does not answer"):
            memory.retain("Nobody has this.")
        second.stop()  # the second of the replicas is not needed either
        first.psql("SELECT pg_promote()")
        after = memory.retain("The ferry leaves at seven on Sundays.")
        current = memory.recall("When does the ferry leave?")
        assert current.stale_ms is None
        found = {item.id for item in current}
        assert found == {before.id, after.id}
    with Memory.open(url, encoder="hash", reranker=None) as memory:
        assert {item.id for item in memory.recall("When does the ferry leave?")} == found
