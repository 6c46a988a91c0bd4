"""The schema: migrations are it, one process at a time makes it, newer ones are refused."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.store.postgres.postgres_server import fresh_database, sql
from tests.store.schemas import postgres_schema

from scrubjay.errors import NotFound, StoreTooNew
from scrubjay.store.postgres.index.arms import ARMS
from scrubjay.store.postgres.store import PostgresStore
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.shared.statements import migrations, read_sql

PACKAGE = "scrubjay.store.postgres"

# What touches a table: its name, and the name it goes by in the statement.
TOUCHED = re.compile(
    r"\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(?!unnest|jsonb_each|LATERAL)(\w+)(?:\s+AS\s+(\w+))?",
    re.IGNORECASE,
)
TABLES = {
    "bank_state", "sessions", "units", "unit_tags", "vectors", "vectors_next", "postings", "links",
    "entities", "aliases", "mentions", "relations", "judgements", "pending", "requests",
}  # fmt: skip


def test_every_migration_has_a_number_of_its_own() -> None:
    numbers = [number for number, _ in migrations(PACKAGE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_schema_is_what_the_migrations_add_up_to(postgres_server: tuple[str, str]) -> None:
    _, template = postgres_server
    shown = read_sql(PACKAGE, "schema.sql")
    assert shown == postgres_schema(template), "run `python -m tests.store.schemas`"


def test_processes_that_open_at_once_migrate_once(postgres_server: tuple[str, str]) -> None:
    server, _ = postgres_server
    with fresh_database(server) as url:
        with ThreadPoolExecutor(4) as pool:
            for store in pool.map(PostgresStore, [url] * 4):
                store.close()
        applied = sql(url, "SELECT version FROM scrubjay.migrations ORDER BY 1")
    assert applied.split() == [str(number) for number, _ in migrations(PACKAGE)]


def test_a_newer_schema_is_refused(postgres_server: tuple[str, str]) -> None:
    server, template = postgres_server
    with fresh_database(server, template) as url:
        sql(url, "INSERT INTO scrubjay.migrations (version) VALUES (999)")
        with pytest.raises(StoreTooNew, match="schema 999"):
            PostgresStore(url)


def test_reading_only_makes_nothing(postgres_server: tuple[str, str]) -> None:
    server, _ = postgres_server
    with fresh_database(server) as url:
        with pytest.raises(NotFound, match="admin migrate"):
            PostgresStore(url, read_only=True)
        assert sql(url, "SELECT to_regnamespace('scrubjay') IS NULL") == "t"


def test_bank_id_comes_first_in_every_key_and_index(postgres_url: str) -> None:
    first = sql(
        postgres_url,
        "SELECT i.indrelid::regclass, pg_get_indexdef(i.indexrelid, 1, true) FROM pg_index i "
        "JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'scrubjay'::regnamespace "
        "AND c.relname NOT IN ('banks', 'migrations')",
    )
    columns = {line.rpartition("|")[2] for line in first.splitlines()}
    assert columns == {"bank_id"}


ON_BANKS = {**SQL, **ARMS}


@pytest.mark.parametrize("name", sorted(ON_BANKS))
def test_every_statement_asks_each_of_its_tables_for_the_bank(name: str) -> None:
    statement = ON_BANKS[name]
    touched = [(table, alias) for table, alias in TOUCHED.findall(statement) if table in TABLES]
    assert touched or name == "scope"
    inserts = re.findall(r"INSERT INTO (\w+) \(bank_id,", statement)
    for table, alias in touched:
        if table in inserts:
            inserts.remove(table)
            continue
        own = rf"\b{alias}\.bank_id = \$1" if alias else r"(?<!\.)\bbank_id = \$1"
        assert re.search(own, statement), f"{table} {alias} is not asked for the bank"
    plain = [table for table, alias in touched if not alias and f"INTO {table} " not in statement]
    assert len(re.findall(r"(?<!\.)\bbank_id = \$1", statement)) >= len(plain)


def test_ends_told_before_are_taken_to_be_told_with_their_successors(
    postgres_server: tuple[str, str],
) -> None:
    server, _ = postgres_server
    (_, first), (_, second), *_ = migrations(PACKAGE)
    unit = (
        "INSERT INTO units (bank_id, row, id, type, told_at, created_at, valid_to, tokens, length,"
        " identity, superseded_by, entities, terms, counts, text) VALUES "
        "({bank}, {row}, '{id}', 0, {told}, 0, {end}, 1, 1, {row}, {by}, '{{}}', '{{}}', '', 'x');"
    )
    units = [
        unit.format(bank=bank, row=row, id=f"{bank}-{row}", told=told, end=end, by=by)
        for bank in (1, 2)
        for row, told, end, by in (
            (1, 100, 50, f"'{bank}-2'"), (2, 200 + bank, "NULL", "NULL"), (3, 300, 400, "NULL")
        )
    ]  # fmt: skip
    with fresh_database(server) as url:
        sql(
            url,
            "CREATE SCHEMA scrubjay; CREATE EXTENSION vector; SET search_path = scrubjay, public;"
            f"{first}{second} CREATE TABLE migrations (version INTEGER PRIMARY KEY);"
            "INSERT INTO migrations VALUES (1), (2);"
            "INSERT INTO banks VALUES (1, 'one'), (2, 'two');" + "".join(units),
        )
        PostgresStore(url).close()
        closed = sql(url, "SELECT id, closed_at FROM scrubjay.units ORDER BY id")
    assert closed.splitlines() == ["1-1|201", "1-2|", "1-3|", "2-1|202", "2-2|", "2-3|"]
