"""What an administrator sees and does: the state, and the way to many machines."""

from __future__ import annotations

import pytest
from tests.store.postgres.postgres_server import fresh_database, sql

from scrubjay import BadInput, Memory, StoreError, Unit
from scrubjay.store.postgres import administration
from scrubjay.store.postgres.connection.address import read_address


def test_the_state_names_the_schema(postgres_server: tuple[str, str]) -> None:
    server, _ = postgres_server
    with fresh_database(server) as url:
        empty = administration.status(url)
        assert (empty.schema, empty.distributed) == (0, False)
        assert administration.bring_up_to_date(url) == list(range(1, empty.newest + 1))
        assert administration.bring_up_to_date(url) == []
        assert administration.status(url).schema == empty.newest


def test_without_citus_nothing_is_distributed(postgres_url: str) -> None:
    before = sql(postgres_url, "SELECT count(*) FROM pg_class WHERE relkind = 'p'")
    with pytest.raises(StoreError, match="has no Citus"):
        administration.distribute(postgres_url)
    assert sql(postgres_url, "SELECT count(*) FROM pg_class WHERE relkind = 'p'") == before == "5"


def test_a_bank_survives_the_loss_of_its_partitions(postgres_server: tuple[str, str]) -> None:
    server, template = postgres_server
    with fresh_database(server, template) as url:
        told = [Unit(f"Crane {n} lifts {n * 2} tons for Imke.", type="fact") for n in range(60)]
        with Memory.open(url, encoder="hash", reranker=None) as memory:
            memory.retain(told, bank="yard")
            before = [item.id for item in memory.recall("crane 7", bank="yard").items]
        administration.flatten(url)
        assert sql(url, "SELECT count(*) FROM pg_class WHERE relkind = 'p'") == "0"
        with Memory.open(f"{url}?scrubjay_graph_from=50", encoder="hash") as memory:
            assert [item.id for item in memory.recall("crane 7", bank="yard").items] == before
            memory.retain("Crane 61 is new.", bank="yard")
            assert memory.doctor(bank="yard") == []
            memory.forget(before[0], bank="yard", compact=True)
            assert memory.doctor(bank="yard") == []


def test_an_address_takes_our_settings_and_leaves_the_drivers() -> None:
    address = read_address(
        "postgresql://me:secret@db.example/mem?sslmode=require&scrubjay_pool=16"
        "&scrubjay_replica=postgresql%3A%2F%2Freplica.example%2Fmem&scrubjay_graph_from=0"
    )
    assert address.primary == "postgresql://me:secret@db.example/mem?sslmode=require"
    assert address.replica == "postgresql://replica.example/mem"
    assert (address.pool_size, address.graph_from_vectors) == (16, 0)
    assert address.shown == "postgresql://me@db.example/mem"


@pytest.mark.parametrize(
    "part", ["scrubjay_pool=0", "scrubjay_pool=many", "scrubjay_colour=red", "scrubjay_pool=1e9"]
)
def test_a_setting_that_cannot_be_is_refused(part: str) -> None:
    with pytest.raises(BadInput):
        read_address(f"postgresql://db.example/mem?{part}")
