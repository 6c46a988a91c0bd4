"""Every statement on a bank's file by name, and how lists are passed to them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scrubjay.store.embedded.tables.unit_rows import DIGESTED, INDEXED
from scrubjay.store.shared.statements import statements
from scrubjay.store.shared.unit_rows import COLUMNS, SELECTED, TOLD, UnitRow

PACKAGE = "scrubjay.store.embedded"

SQL: Mapping[str, str] = statements(
    PACKAGE,
    "queries.sql",
    columns=COLUMNS,
    selected=SELECTED,
    places=", ".join("?" * len(UnitRow._fields)),
    indexed=", ".join(INDEXED),
    digested=", ".join(DIGESTED),
    # What the caller told of a unit, as `quotas.told_bytes` counts it.
    told_bytes="LENGTH(CAST("
    + " || ".join(f"COALESCE({name}, '')" for name in TOLD)
    + " AS BLOB)) + COALESCE((SELECT SUM(LENGTH(CAST(value AS BLOB))) FROM json_each(tags)), 0)",
)


def json_list(values: Iterable[object]) -> str:
    """A list as one SQL parameter."""
    return json.dumps(list(values))


def int_list(values: Iterable[int]) -> str:
    """Python's own numbers as one SQL parameter: as they are written, which is JSON, and faster."""
    return str(list(values))


@dataclass(frozen=True, slots=True)
class Statements:
    """Runs the statements by their names; a list is one value."""

    connection: sqlite3.Connection

    def rows(self, name: str, *values: object) -> list[Any]:
        """The rows a statement returns."""
        return self.connection.execute(SQL[name], _packed(values)).fetchall()

    def run(self, name: str, *values: object) -> int:
        """Run a statement; how many rows it changed."""
        return self.connection.execute(SQL[name], _packed(values)).rowcount


def _packed(values: Iterable[object]) -> list[object]:
    return [json_list(value) if isinstance(value, list) else value for value in values]
