"""Every statement on a bank's file by name, and how lists are passed to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from scrubjay.store.embedded.tables.unit_rows import DIGESTED, INDEXED
from scrubjay.store.shared.statements import statements
from scrubjay.store.shared.unit_rows import COLUMNS, SELECTED, UnitRow

PACKAGE = "scrubjay.store.embedded"

SQL: Mapping[str, str] = statements(
    PACKAGE,
    "queries.sql",
    columns=COLUMNS,
    selected=SELECTED,
    places=", ".join("?" * len(UnitRow._fields)),
    indexed=", ".join(INDEXED),
    digested=", ".join(DIGESTED),
)


def json_list(values: Iterable[object]) -> str:
    """A list as one SQL parameter."""
    return json.dumps(list(values))
