"""Every statement on a bank by name, with one wording of a unit's columns and of a scope."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial

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
    .replace("{named}", _COLUMNS["named"])
    for name, body in _COLUMNS.items()
}

_PLACE = re.compile(r"\$(\d+)")


@cache
def together(names: tuple[str, ...]) -> str:
    """Several writes as one statement: $1 is the bank, then the values of each in turn.

    They are of one snapshot, so that none may need what another does.
    """
    parts, taken = [], 0
    for name in names:
        places = {int(place) for place in _PLACE.findall(SQL[name])} - {1}
        parts.append(_PLACE.sub(partial(_moved, taken), SQL[name]))
        taken += len(places)
    *before, last = parts
    ahead = ",\n".join(f"part_{n} AS ({part})" for n, part in enumerate(before))
    return f"WITH {ahead}\n{last}" if before else last


def _moved(places: int, found: re.Match[str]) -> str:
    return found[0] if found[1] == "1" else f"${int(found[1]) + places}"
