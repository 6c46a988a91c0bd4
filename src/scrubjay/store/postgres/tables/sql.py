"""Every statement on a bank by name, with one wording of a unit's columns and of a scope."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.store.shared.statements import statements
from scrubjay.store.shared.unit_rows import COLUMNS, SELECTED, TOLD, UnitRow

PACKAGE = "scrubjay.store.postgres"

# The bank, and what the server keeps of a unit in its own way, come first.
_FIRST_PLACE = 5

_COLUMNS = statements(
    PACKAGE,
    "queries.sql",
    columns=COLUMNS,
    selected=SELECTED,
    places=", ".join(f"${_FIRST_PLACE + place}" for place in range(len(UnitRow._fields))),
    # What the caller told of a unit, as `quotas.told_bytes` counts it; NULL is nothing.
    told_bytes=f"octet_length(concat({', '.join(TOLD)}, array_to_string(tags, '')))",
)

# One wording of what a scope means, put into every statement that searches in one.
SQL: Mapping[str, str] = {
    name: body.replace("{scope}", _COLUMNS["scope"])
    .replace("{labelled}", _COLUMNS["labelled"])
    .replace("{filtered}", _COLUMNS["filtered"])
    for name, body in _COLUMNS.items()
}
