"""The numbered migrations are the schema; schema.sql shows a reader what they add up to."""

from __future__ import annotations

import re

from tests.store.schemas import embedded_schema

from scrubjay.store.shared.statements import migrations, read_sql

PACKAGE = "scrubjay.store.embedded"


def test_the_schema_is_what_the_migrations_add_up_to() -> None:
    shown = read_sql(PACKAGE, "schema.sql")
    assert shown == embedded_schema(), "run `python -m tests.store.schemas`"


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    numbers = [number for number, _ in migrations(PACKAGE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_table_of_the_schema_is_used_by_a_query() -> None:
    tables = re.findall(r"CREATE TABLE (\w+)", read_sql(PACKAGE, "schema.sql"))
    queries = read_sql(PACKAGE, "queries.sql").split()
    assert tables
    assert not [table for table in tables if table not in queries]
