"""The numbered migrations add up to the schema a reader sees in schema.sql."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing

from scrubjay.store.shared.statements import migrations, read_sql

PACKAGE = "scrubjay.store.embedded"


def schema_of(scripts: Sequence[str]) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for script in scripts:
            connection.executescript(script)
        found = connection.execute(
            "SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_master ORDER BY type, name"
        ).fetchall()
    # SQLite keeps the words as they were written, and adds a column on a line of its own.
    return [(*names, re.sub(r"\s*([(),])\s*|\s+", r"\1 ", words)) for *names, words in found]


def test_the_migrations_sum_to_the_schema() -> None:
    steps = [script for _, script in migrations(PACKAGE)]
    assert schema_of(steps) == schema_of([read_sql(PACKAGE, "schema.sql")])


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    numbers = [number for number, _ in migrations(PACKAGE)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_table_of_the_schema_is_used_by_a_query() -> None:
    tables = {name for kind, name, *_ in schema_of([read_sql(PACKAGE, "schema.sql")])
              if kind == "table" and not name.startswith("sqlite_")}  # fmt: skip
    queries = read_sql(PACKAGE, "queries.sql").split()
    assert tables
    assert not [table for table in tables if table not in queries]
