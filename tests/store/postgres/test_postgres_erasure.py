"""Forgotten and compacted, no byte of a unit is left in the server's files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest
from tests.store.postgres.postgres_server import PostgresServer, sql

from scrubjay import Memory, StoreLocked, Unit
from scrubjay.store.postgres import administration
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.rewriting import rewrite
from scrubjay.store.shared.statements import migrations
from scrubjay.types.filters import UnitFilter

PACKAGE = "scrubjay.store.postgres"

# Words that stand nowhere else, each in another field.
SECRETS = (
    "zorblat", "quivverin", "mooflane", "xandipole", "kelbrivor", "wintrosk", "yarblenko",
    "fenquist", "drovalin", "hexmoru", "jastomel", "plonquar",
)  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server whose files can be read, and whose old log is deleted, not kept to be used again."""
    made = PostgresServer.created(
        autovacuum="off", wal_recycle="off", min_wal_size="32MB", fsync="off"
    )
    try:
        made.psql("CREATE DATABASE ready")
        administration.bring_up_to_date(made.url("ready"))
        yield made
    finally:
        made.remove()


@contextmanager
def database(server: PostgresServer, name: str, template: str = "ready") -> Iterator[str]:
    server.psql(f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield server.url(name)
    finally:
        server.psql(f"DROP DATABASE {name} WITH (FORCE)")


def files(server: PostgresServer, name: str) -> Path:
    number = server.psql(f"SELECT oid FROM pg_database WHERE datname = '{name}'")
    return server.data / "base" / number


def found(server: PostgresServer, where: Path, words: tuple[str, ...]) -> set[tuple[str, str]]:
    """Which words stand in which files, when all that is in memory is written."""
    server.psql("CHECKPOINT")
    return {
        (word, str(path.relative_to(where)))
        for path in where.rglob("*")
        if path.is_file() and (bytes_ := path.read_bytes().lower())
        for word in words
        if word.encode() in bytes_
    }


def tell(memory: Memory, bank: str) -> None:
    (text, key, speaker, predicate, context, tag, value, document, session, person, alias, kin) = (
        word.title() for word in SECRETS
    )
    memory.retain([f"The ferry {n} left pier {n % 5} for Ostend." for n in range(300)], bank=bank)
    memory.retain(
        [
            Unit(
                f"Mr {person} hid the {text} behind the {text} for Mrs {kin}.",
                key=key, speaker=speaker, predicate=predicate, context=context, tags=(tag,),
                metadata={"place": value}, session=session,
            ),
            # Long enough for the server to keep it in a second table.
            Unit(
                " ".join(f"{text}{n}" for n in range(2_000)),
                tags=(tag,), speaker=speaker, session=session, context=f"{context} {document}",
            ),
        ],
        bank=bank,
    )  # fmt: skip
    memory.relate(person.title(), f"owes-{alias}", kin.title(), bank=bank)
    # Keeps the words that are frequent now.
    memory.doctor(bank=bank, fix=True)


def make_graphs(url: str) -> None:
    store = PostgresStore(f"{url}?scrubjay_graph_from=100")
    try:
        store.settle()
    finally:
        store.close()
    assert sql(url, "SELECT count(*) FROM pg_class WHERE relname ~ '^graph_'") != "0"


def forget(memory: Memory, bank: str) -> None:
    told = memory.list(UnitFilter(tags=(SECRETS[5].title(),)), bank=bank).units
    assert len(told) > 2
    memory.forget([unit.id for unit in told], bank=bank, compact=True)
    for entity in memory.entities(bank=bank, limit=1_000):
        if entity.name.lower() in SECRETS:
            memory.forget(UnitFilter(entity=entity.name), bank=bank, compact=True)


def test_no_byte_is_left_in_any_file_of_the_database(server: PostgresServer) -> None:
    with (
        database(server, "told") as url,
        Memory.open(f"{url}?scrubjay_graph_from=100", encoder="hash", reranker=None) as memory,
    ):
        tell(memory, "diary")
        make_graphs(url)
        # What an administrator may do any day, parents of partitions included.
        sql(url, "ANALYZE")
        assert {word for word, _ in found(server, files(server, "told"), SECRETS)} == {*SECRETS}
        forget(memory, "diary")
        assert found(server, files(server, "told"), SECRETS) == set()
        assert memory.doctor(bank="diary") == []
        assert memory.stats(bank="diary").units == 300
        # The log goes when the server has no more use for it: a checkpoint past the last of it.
        for _ in range(2):
            server.psql("SELECT pg_switch_wal(); CHECKPOINT")
        assert found(server, server.data, SECRETS) == set()


def test_no_byte_of_an_erased_pending_unit_is_left(server: PostgresServer) -> None:
    with (
        database(server, "waited") as url,
        Memory.open(url, encoder="hash", reranker=None) as memory,
    ):
        words = SECRETS[:3]
        rejected, forgotten, _ = memory.retain(
            [
                # Long enough for the server to keep it in a second table.
                Unit(" ".join(f"{words[0]}{n}" for n in range(2_000)), key=words[0]),
                Unit(f"The {words[1]}.", author=words[1], metadata={"place": words[1]}),
                Unit(f"The {words[2]}.", tags=(words[2],), origin=words[2]),
            ],
            pending=True,
            bank="house",
        ).ids
        sql(url, "ANALYZE")
        plain = found(server, files(server, "waited"), words[1:])
        assert {word for word, _ in plain} == {*words[1:]}
        memory.reject(rejected, bank="house")
        memory.forget(forgotten, bank="house")
        memory.forget(UnitFilter(tags=(words[2],)), bank="house", compact=True)
        assert found(server, files(server, "waited"), words) == set()
        for _ in range(2):
            server.psql("SELECT pg_switch_wal(); CHECKPOINT")
        assert found(server, server.data, words) == set()


def test_an_update_and_a_deleted_banks_name_are_gone_after_compact(server: PostgresServer) -> None:
    with (
        database(server, "changed") as url,
        Memory.open(url, encoder="hash", reranker=None) as memory,
    ):
        kept = memory.retain("The zorblat is in the cellar.", bank="house")
        memory.update(kept.id, text="The lamp is in the cellar.", bank="house")
        memory.retain("The quivverin.", bank="mooflane")
        memory.delete_bank("mooflane")
        sql(url, "ANALYZE")
        memory.compact(bank="house")
        # Of the deleted bank, what was in partitions of its own waits for the server's vacuum.
        shared = found(server, files(server, "changed"), ("zorblat", "mooflane"))
        assert shared == set()


@pytest.mark.parametrize("owner", ["postgres", "keeper"])
def test_samples_that_an_older_schema_allowed_go_with_the_migration(
    server: PostgresServer, owner: str
) -> None:
    if owner != "postgres":
        server.psql(f"CREATE ROLE {owner} LOGIN CREATEROLE")
    with database(server, "older", "template0") as admin:
        sql(admin, f"CREATE EXTENSION vector; ALTER DATABASE older OWNER TO {owner}")
        path, url = "SET search_path = scrubjay, public;", server.url("older", owner)
        sql(url, "CREATE SCHEMA scrubjay; CREATE TABLE scrubjay.migrations (version INTEGER "
            "PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())")  # fmt: skip
        for number, script in migrations(PACKAGE)[:2]:
            sql(url, f"{path} {script}; INSERT INTO migrations (version) VALUES ({number})")
        sql(admin, f"{path} INSERT INTO postings SELECT 7, 'zorblat' || n, n, '' "
            "FROM generate_series(1, 500) n; "
            "INSERT INTO sessions SELECT 7, n, 'fenquist' || n, 0, 0 "
            "FROM generate_series(1, 300) n; ANALYZE")  # fmt: skip
        samples = (
            "SELECT count(*) FROM pg_statistic "
            "WHERE stavalues1::text || COALESCE(stavalues2::text, '') ~ 'zorblat|fenquist'"
        )
        # Of the partition, of all partitions together, and of a plain table.
        assert sql(admin, samples) == "3"
        assert administration.bring_up_to_date(url)
        assert sql(admin, samples) == "0"
        assert not [f for f in administration.row_security_of(admin) if f.check == "statistics"]
        sql(admin, "DELETE FROM scrubjay.postings; DELETE FROM scrubjay.sessions; ANALYZE")
        sql(admin, "VACUUM (FULL, ANALYZE) scrubjay.postings, scrubjay.sessions")
        assert found(server, files(server, "older"), ("zorblat", "fenquist")) == set()


def test_every_column_of_words_is_kept_out_of_the_samples(server: PostgresServer) -> None:
    with (
        database(server, "sampled") as url,
        Memory.open(f"{url}?scrubjay_graph_from=100", encoder="hash", reranker=None) as memory,
    ):
        tell(memory, "diary")
        make_graphs(url)
        sql(url, "ANALYZE")
        assert administration.row_security_of(url) == []
        sql(url, "ALTER TABLE scrubjay.sessions ALTER COLUMN name SET STATISTICS 100")
        sql(url, "ANALYZE; ALTER TABLE scrubjay.aliases ALTER COLUMN alias SET STATISTICS 10; "
            "ANALYZE scrubjay.aliases; ALTER TABLE scrubjay.aliases ALTER COLUMN alias "
            "SET STATISTICS 0")  # fmt: skip
        said = [finding.detail for finding in administration.row_security_of(url)]
        assert [text for text in said if "sessions.name" in text]
        assert [text for text in said if "sample of aliases.alias" in text]


def test_compacting_waits_for_who_still_sees_the_erased(server: PostgresServer) -> None:
    with (
        database(server, "watched") as url,
        Memory.open(url, encoder="hash", reranker=None) as memory,
        ThreadPoolExecutor(2) as pool,
    ):
        kept = memory.retain("The zorblat is in the cellar.", bank="house")
        bank = int(sql(url, "SELECT bank_id FROM scrubjay.banks"))
        watcher = (
            "SET application_name = 'watcher'; BEGIN ISOLATION LEVEL REPEATABLE READ; "
            "CREATE TEMP TABLE mine (n INTEGER); SELECT pg_sleep(600)"
        )
        holding = pool.submit(sql, url, watcher)
        state = "FROM pg_stat_activity WHERE application_name = 'watcher'"
        while sql(url, f"SELECT count(*) {state} AND query ~ 'sleep'") == "0":
            assert not holding.done()
        forgetting = pool.submit(memory.forget, kept.id, bank="house", compact=True)
        while sql(url, f"SELECT count(*) FROM scrubjay.units WHERE bank_id = {bank}") != "0":
            assert not forgetting.done()
        with pytest.raises(StoreLocked, match="bytes are still in the files"):
            asyncio.run(rewrite(url, "here", bank, wait_s=0.0))
        assert not forgetting.done()
        sql(url, f"SELECT pg_terminate_backend(pid) {state}")
        assert holding.exception() is not None
        assert forgetting.result().compacted
        assert found(server, files(server, "watched"), ("zorblat",)) == set()


def test_tables_are_written_anew_beside_a_graph_under_construction(server: PostgresServer) -> None:
    """Each waits for the other; the server ends the rewriting, which is begun again."""

    async def beside(url: str) -> None:
        writer, builder, watcher = [await asyncpg.connect(url) for _ in range(3)]
        writing = writer.transaction()
        await writing.start()
        await writer.execute("LOCK TABLE scrubjay.bank_state IN ROW EXCLUSIVE MODE")
        await builder.execute("SET deadlock_timeout = '20s'")
        building = asyncio.create_task(
            builder.execute("CREATE INDEX CONCURRENTLY built ON scrubjay.bank_state (bank_id)")
        )
        await until_held_up(watcher, 1)
        rewriting = asyncio.create_task(rewrite(url, url, 1))
        await until_held_up(watcher, 2)
        await writing.commit()
        await asyncio.gather(building, rewriting)
        assert await writer.fetchval(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = 'scrubjay.built'::REGCLASS"
        )
        for connection in (writer, builder, watcher):
            await connection.close()

    with database(server, "building") as url:
        asyncio.run(beside(url))


async def until_held_up(connection: asyncpg.Connection, count: int) -> None:
    """Wait until so many sessions of the database wait for a lock."""
    waiting = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(60):
        while await connection.fetchval(waiting) < count:
            await asyncio.sleep(0.02)
