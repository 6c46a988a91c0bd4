"""A store spread over a Citus cluster: distributed, moved, isolated, erased, and with a node down.

Needs a cluster, named in SCRUBJAY_TEST_CITUS_URL. With it the contract and the parity tests run on
it too.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import pytest
from tests.store.postgres.citus_cluster import (
    Node,
    another_node,
    bare,
    emptied,
    needed_cluster,
    nodes,
)
from tests.store.postgres.postgres_server import sql

from scrubjay import Memory, StoreError, Unit
from scrubjay.store.postgres import administration
from scrubjay.store.postgres.connection.address import read_address
from scrubjay.store.postgres.connection.database import Database
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.types.filters import UnitFilter

BANKS = ("amber", "basil", "cedar", "dill")
GRAPHS_FROM = "scrubjay_graph_from=50"
INDEXES = """
    SELECT c.relname, t.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    JOIN pg_class AS t ON t.oid = i.indrelid
    WHERE t.relnamespace = 'scrubjay'::REGNAMESPACE AND NOT t.relispartition ORDER BY 1"""
PREPARED = "SELECT statement, generic_plans FROM pg_prepared_statements"
FILLED = """
    SELECT DISTINCT regexp_replace(relname, '_[0-9]+$', '') AS name, reloptions FROM pg_class
    WHERE relnamespace = 'scrubjay'::REGNAMESPACE AND relkind = 'r'
    AND reloptions::TEXT NOT LIKE '%100%' ORDER BY 1"""


# How banks are asked for: through the coordinator, or directly where they live.
WAYS = ("scrubjay_route=0", "scrubjay_route=1")


@pytest.fixture
def cluster() -> str:
    """The cluster, spread and empty."""
    return emptied(needed_cluster())


@contextmanager
def opened(url: str, way: str = WAYS[0]) -> Iterator[Memory]:
    with Memory.open(f"{url}?{way}", encoder="hash", reranker=None) as memory:
        yield memory


def settle(url: str) -> None:
    """Have every graph that is due."""
    store = PostgresStore(f"{url}?{GRAPHS_FROM}")
    try:
        store.settle()
    finally:
        store.close()


def tell(memory: Memory, bank: str, units: int = 80) -> None:
    told = [Unit(f"Crane {n} lifts {n * 2} tons for {bank}.", type="fact") for n in range(units)]
    memory.retain(told, bank=bank)


def answers(memory: Memory, bank: str) -> list[list[str]]:
    asked = (f"crane {n}" for n in range(0, 60, 7))
    return [[item.text for item in memory.recall(each, bank=bank).items] for each in asked]


def number(url: str, bank: str) -> int:
    return int(sql(url, f"SELECT bank_id FROM scrubjay.banks WHERE name = '{bank}'"))


def shard(url: str, bank: str) -> int:
    """The number of the shard that leads a bank's others."""
    asked = f"get_shard_id_for_distribution_column('scrubjay.bank_state', {number(url, bank)})"
    return int(sql(url, f"SELECT {asked}"))


def home(url: str, bank: str) -> Node:
    """The node where a bank lives."""
    port = sql(url, f"SELECT nodeport FROM citus_shards WHERE shardid = {shard(url, bank)}")
    return next(node for node in nodes(url) if node.port == int(port))


def elsewhere(url: str, bank: str) -> Node:
    """A worker where a bank does not live."""
    return next(node for node in nodes(url)[1:] if node.port != home(url, bank).port)


def move(url: str, bank: str) -> Node:
    """Move a bank, with its shard, to another worker, which is given."""
    ports = home(url, bank).port, elsewhere(url, bank).port
    sql(url, "SELECT citus_move_shard_placement({}, '127.0.0.1', {}, '127.0.0.1', {}, "
        "'block_writes')".format(shard(url, bank), *ports))  # fmt: skip
    return home(url, bank)


def graphs(node: Node, url: str, bank: str) -> str:
    return graphs_of(node, number(url, bank))


def graphs_of(node: Node, bank: int) -> str:
    """The graphs of a bank on a node, which does not show its shards by itself."""
    like = f"graph!_{bank}!_%"
    return node.sql("SET citus.override_table_visibility = off; "
        f"SELECT relname FROM pg_class WHERE relname LIKE '{like}' ESCAPE '!'")  # fmt: skip


def test_a_database_with_banks_in_it_is_distributed_and_answers_as_before() -> None:
    url = bare(needed_cluster())
    with opened(url) as memory:
        for bank in BANKS:
            tell(memory, bank)
        before = {bank: answers(memory, bank) for bank in BANKS}
    indexes, filled = sql(url, INDEXES), sql(url, FILLED)
    planned = administration.distribution_of(url)
    assert administration.distribute(url) == planned != []
    # Nothing is lacking now, and later migrations find everything by its name.
    assert administration.distribute(url) == administration.distribution_of(url) == []
    assert (sql(url, INDEXES), sql(url, FILLED)) == (indexes, filled)
    assert administration.status(url).distributed
    assert administration.bring_up_to_date(url) == []
    # Every row is on a worker, none in a file of the coordinator.
    assert sql(url, "SELECT sum(pg_relation_size(logicalrelid)) FROM pg_dist_partition") == "0"
    assert sql(url, "SELECT count(*) FROM scrubjay.units") == str(80 * len(BANKS))
    with opened(url) as memory:
        assert {bank: answers(memory, bank) for bank in BANKS} == before
        for bank in BANKS:
            tell(memory, bank, 81)
            assert memory.stats(bank=bank).units == 81
            assert memory.doctor(bank=bank) == []
    assert administration.row_security_of(url) == []


def test_a_table_that_came_later_and_a_policy_that_went_are_brought_up(cluster: str) -> None:
    sql(cluster, "CREATE TABLE scrubjay.later (bank_id BIGINT PRIMARY KEY); "
        "GRANT SELECT, INSERT, UPDATE, DELETE ON scrubjay.later TO scrubjay_app; "
        "INSERT INTO scrubjay.later VALUES (7), (8)")  # fmt: skip
    sql(cluster, "DROP POLICY own_bank ON scrubjay.links")
    try:
        assert any("scrubjay.later" in each for each in administration.distribute(cluster))
        assert administration.distribution_of(cluster) == []
        assert sql(cluster, "SELECT count(*) FROM scrubjay.later") == "2"
        assert administration.row_security_of(cluster) == []
    finally:
        sql(cluster, "DROP TABLE scrubjay.later")


def test_graphs_are_built_where_a_bank_lives_and_go_with_it(cluster: str) -> None:
    with opened(cluster) as memory:
        for bank in BANKS:
            tell(memory, bank)
        settle(cluster)
        for bank in BANKS:
            assert graphs(home(cluster, bank), cluster, bank) != ""
            assert graphs(elsewhere(cluster, bank), cluster, bank) == ""
        there, deleted = home(cluster, "dill"), number(cluster, "dill")
        memory.delete_bank("dill")
        assert graphs_of(there, deleted) == ""


def test_the_graph_of_a_moved_bank_is_built_again_by_who_uses_the_bank(cluster: str) -> None:
    with opened(cluster) as memory:
        tell(memory, "amber")
        settle(cluster)
        before = answers(memory, "amber")
    there = move(cluster, "amber")
    assert graphs(there, cluster, "amber") == ""
    store = PostgresStore(f"{cluster}?{GRAPHS_FROM}")
    try:
        # Nothing is written: who looks sees what is lacking, and does without it meanwhile.
        with store.using("amber") as bank:
            assert bank is not None
        store.upkeep.settle()
    finally:
        store.close()
    assert graphs(there, cluster, "amber") != ""
    with opened(cluster) as memory:
        assert answers(memory, "amber") == before


@pytest.mark.parametrize("way", WAYS)
def test_banks_are_moved_while_they_are_written_and_nothing_is_lost(cluster: str, way: str) -> None:
    moved = threading.Event()

    def write(memory: Memory, bank: str) -> list[str]:
        acknowledged: list[str] = []
        while not moved.is_set() or len(acknowledged) < 5:
            n = len(acknowledged)
            acknowledged += memory.retain(f"Barrow {n} of {bank} is full.", bank=bank).ids
            assert memory.recall(f"barrow {n}", bank=bank).items
        return acknowledged

    with opened(cluster, way) as memory, ThreadPoolExecutor(len(BANKS)) as pool:
        for bank in BANKS:
            tell(memory, bank, 10)
        writers = {bank: pool.submit(write, memory, bank) for bank in BANKS}
        try:
            for bank in BANKS:
                source, target = home(cluster, bank).port, elsewhere(cluster, bank).port
                # As Citus moves by itself: writers are held up at the end only.
                sql(cluster, f"SELECT citus_move_shard_placement({shard(cluster, bank)}, "
                    f"'127.0.0.1', {source}, '127.0.0.1', {target}, 'force_logical')")  # fmt: skip
                assert home(cluster, bank).port == target
        finally:
            moved.set()
        acknowledged = {bank: writer.result() for bank, writer in writers.items()}
        for bank in BANKS:
            kept = {unit.id for unit in memory.list(UnitFilter(), bank=bank, limit=1_000).units}
            assert kept >= {*acknowledged[bank]} and len(acknowledged[bank]) >= 5
            assert memory.doctor(bank=bank) == []


@pytest.mark.parametrize("way", WAYS)
def test_a_dead_worker_stops_its_own_banks_only_and_loses_nothing(
    cluster: str, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(cluster, way) as memory:
        names = [f"{bank}{n}" for bank in BANKS for n in range(2)]
        for bank in names:
            tell(memory, bank, 12)
        homes = {bank: home(cluster, bank).port for bank in names}
        victim = nodes(cluster)[1]
        gone = [bank for bank in names if homes[bank] == victim.port]
        there = [bank for bank in names if homes[bank] != victim.port]
        assert gone and there
        before = {bank: answers(memory, bank) for bank in names}
        last = memory.retain("The lock keeper saw it.", bank=gone[0]).ids
        victim.kill()
        try:
            caplog.set_level(logging.WARNING, "scrubjay.postgres")
            for n in range(10):
                for bank in there:
                    memory.retain(f"Barrow {n} is full.", bank=bank)
                    memory.recall("crane 7", bank=bank)
            for bank in gone:
                with pytest.raises(StoreError, match=str(victim.port)):
                    memory.recall("crane 7", bank=bank)
                with pytest.raises(StoreError, match=str(victim.port)):
                    memory.retain("Nobody hears this.", bank=bank)
            assert len(caplog.records) < 40
        finally:
            victim.start()
        for bank in gone[1:]:
            assert answers(memory, bank) == before[bank]
        for bank in names:
            assert memory.doctor(bank=bank) == []
        assert memory.get(last[0], bank=gone[0]) is not None
        memory.retain("Back at work.", bank=gone[0])


def test_a_node_is_added_filled_drained_and_removed(cluster: str) -> None:
    with opened(cluster, WAYS[1]) as memory:
        for bank in BANKS:
            tell(memory, bank)
        before = {bank: answers(memory, bank) for bank in BANKS}
        server = another_node(cluster)
        there = f"'127.0.0.1', {server.port}"
        try:
            sql(cluster, f"SELECT citus_add_node({there})")
            administration.distribute(cluster)
            assert administration.distribution_of(cluster) == []
            assert server.psql("SHOW hnsw.ef_search", urlsplit(cluster).path[1:]) == "200"
            # What earlier moves left is dropped later; some shards show it as well as all.
            sql(cluster, "CALL citus_cleanup_orphaned_resources()")
            sql(cluster, "SELECT rebalance_table_shards(max_shard_moves := 4, "
                "shard_transfer_mode := 'block_writes')")  # fmt: skip
            held = f"SELECT count(*) FROM citus_shards WHERE nodeport = {server.port}"
            assert int(sql(cluster, held)) > 0
            assert {bank: answers(memory, bank) for bank in BANKS} == before
            for bank in BANKS:
                memory.retain("Told while there were three.", bank=bank)
        finally:
            sql(cluster, f"SELECT citus_drain_node({there}, 'block_writes')")
            sql(cluster, f"SELECT citus_remove_node({there})")
            server.remove()
        for bank in BANKS:
            assert memory.stats(bank=bank).units == 81
            assert memory.doctor(bank=bank) == []


def test_a_bank_is_asked_for_where_it_lives_and_wherever_it_goes(cluster: str) -> None:
    with opened(cluster, WAYS[1]) as memory:
        tell(memory, "amber")
        before = answers(memory, "amber")
        # Other databases of the cluster may be at work meanwhile.
        sent = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() " \
            "AND usename = 'postgres' AND application_name = 'scrubjay' " \
            "AND query LIKE '%units%'"  # fmt: skip
        assert int(home(cluster, "amber").sql(sent)) > 0
        assert int(sql(cluster, sent)) == 0
        move(cluster, "amber")
        assert answers(memory, "amber") == before
        memory.retain("Told after the move.", bank="amber")
        memory.delete_bank("amber")
        assert memory.banks() == []


@pytest.mark.parametrize("way", WAYS)
def test_plans_that_a_session_keeps_for_a_bank_go_with_it(cluster: str, way: str) -> None:
    address = read_address(f"{cluster}?{way}&scrubjay_pool=1")
    with opened(cluster) as memory, closing(Database(address, read_only=True)) as database:
        tell(memory, "amber")
        bank = number(cluster, "amber")

        def units() -> int:
            return len(database.rows(bank, SQL["words_after"], bank, 0, 1_000))

        assert [units() for _ in range(40)] == [80] * 40
        plans = dict(database.rows(bank, PREPARED))
        assert [plans[text] > 0 for text in plans if f"bank_id = {bank}::BIGINT" in text] == [True]
        for there in (81, 82):
            # What is moved stays where it was for a while, and such a plan could still find it.
            move(cluster, "amber")
            assert units() == there - 1
            memory.retain(f"Barrow {there} is full.", bank="amber")
            assert units() == there


def test_a_bank_gets_a_shard_of_its_own(cluster: str) -> None:
    with opened(cluster) as memory:
        for bank in BANKS:
            tell(memory, bank)
        settle(cluster)
        before = answers(memory, "amber")
        sql(cluster, f"SELECT isolate_tenant_to_new_shard('scrubjay.bank_state', "
            f"{number(cluster, 'amber')}, 'CASCADE', 'block_writes')")  # fmt: skip
        assert answers(memory, "amber") == before
        settle(cluster)
        assert graphs(home(cluster, "amber"), cluster, "amber") != ""
        memory.retain("Alone now.", bank="amber")
        assert memory.doctor(bank="amber") == []


def test_the_policies_stand_on_every_node(cluster: str) -> None:
    with opened(cluster) as memory:
        for bank in ("amber", "basil"):
            tell(memory, bank, 5)
    own, other = number(cluster, "amber"), number(cluster, "basil")
    begin = "SET ROLE scrubjay_app; SET citus.propagate_set_commands = 'local'; BEGIN; "
    for node in nodes(cluster):
        seen = "SELECT DISTINCT bank_id FROM scrubjay.units"
        assert node.sql(f"{begin} SET LOCAL scrubjay.bank_id = '{own}'; {seen}") == str(own)
        # Not nothing, which would look like an empty bank.
        with pytest.raises(AssertionError, match=r"scrubjay\.bank_id|invalid input syntax"):
            node.sql(f"{begin} {seen}")
        with pytest.raises(AssertionError, match="row-level security"):
            node.sql(f"{begin} SET LOCAL scrubjay.bank_id = '{own}'; "
                f"INSERT INTO scrubjay.unit_tags VALUES ({other}, 'x', 1)")  # fmt: skip
    assert administration.row_security_of(cluster) == []
    sql(cluster, "ALTER TABLE scrubjay.links DISABLE ROW LEVEL SECURITY")
    assert "links" in str(administration.row_security_of(cluster))
    administration.distribute(cluster)
    assert administration.row_security_of(cluster) == []


SECRETS = ("zorblat", "quivverin", "mooflane", "xandipole")


def held(url: str) -> set[tuple[int, str]]:
    """Which of the secret words stand in the files of which node, its log included."""
    found = set()
    for node in nodes(url):
        for _ in range(2):
            node.sql("SELECT pg_switch_wal(); CHECKPOINT")
        for path in node.data.rglob("*"):
            if path.is_file():
                content = path.read_bytes().lower()
                found |= {(node.port, word) for word in SECRETS if word.encode() in content}
    return found


def test_no_byte_of_what_was_forgotten_is_left_on_any_node() -> None:
    url = bare(needed_cluster())
    with opened(url) as memory:
        tell(memory, "diary", 60)
        text, person, tag, key = SECRETS
        told = Unit(f"Mr {person.title()} hid the {text}.", tags=(tag,), key=key, type="fact")
        memory.retain([told, Unit(" ".join(f"{text}{n}" for n in range(2_000)), tags=(tag,))],
            bank="diary")  # fmt: skip
        settle(url)
    # They were on the coordinator, and go from there when they go to the workers.
    coordinator = nodes(url)[0].port
    assert {word for port, word in held(url) if port == coordinator} == {*SECRETS}
    administration.distribute(url)
    there = held(url)
    assert not {word for port, word in there if port == coordinator}
    assert {word for _, word in there} == {*SECRETS}
    with opened(url) as memory:
        settle(url)
        kept = memory.list(UnitFilter(tags=(SECRETS[2],)), bank="diary").units
        memory.forget([unit.id for unit in kept], bank="diary", compact=True)
        for entity in memory.entities(bank="diary", limit=1_000):
            if entity.name.lower() in SECRETS:
                memory.forget(UnitFilter(entity=entity.name), bank="diary", compact=True)
        assert held(url) == set()
        assert memory.doctor(bank="diary") == []
        assert memory.stats(bank="diary").units == 60
