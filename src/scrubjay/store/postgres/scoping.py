"""A scope as the values its statement takes."""

from __future__ import annotations

import json
from collections.abc import Mapping

from scrubjay.settings import BankSettings
from scrubjay.store.base import NO_TIME, Scope
from scrubjay.store.statements import statements
from scrubjay.store.times import maybe_micros, to_micros
from scrubjay.types import Window

_FAR = 2**63 - 1
_PLAIN = statements("scrubjay.store.postgres", "queries.sql")

# One wording of what a scope means, put into every statement that searches in one.
SQL: Mapping[str, str] = {
    name: body.replace("{scope}", _PLAIN["scope"]) for name, body in _PLAIN.items()
}

# Types, tags, metadata, session, as_of, not_ended_by, known_at, the two ends of the window, and
# the rows that are left out.
ScopeValues = tuple[
    tuple[int, ...] | None, tuple[str, ...] | None, str | None, str | None,
    int | None, int | None, int | None, int | None, int | None, tuple[int, ...] | None,
]  # fmt: skip
NO_SCOPE: ScopeValues = (None,) * 10


def scope_values(scope: Scope, settings: BankSettings, *, any_ends: bool) -> ScopeValues:
    """$2 to $11 of the statements with a scope; None where it sets no limit."""
    types = None
    if scope.types is not None:
        types = tuple(settings.type_code(name) for name in scope.types)
    ends = scope.not_ended_by if scope.as_of is None and any_ends else None
    low, high = window_bounds(scope.window)
    return (
        types,
        tuple(sorted(set(scope.tags))) or None,
        json_object(scope.metadata) if scope.metadata else None,
        scope.session,
        maybe_micros(scope.as_of),
        maybe_micros(ends),
        maybe_micros(scope.known_at),
        low,
        high,
        scope.except_rows or None,
    )


def limits(values: ScopeValues, *, beside_types: bool = False) -> bool:
    """Whether a scope leaves anything out; `beside_types` asks about everything but types."""
    return any(value is not None for value in (values[1:] if beside_types else values))


def window_bounds(window: Window | None) -> tuple[int | None, int | None]:
    """The ends of a window as numbers, far away where it is open; None without one."""
    if window is None:
        return None, None
    low = NO_TIME + 1 if window.start is None else to_micros(window.start)
    return low, _FAR if window.end is None else to_micros(window.end)


def json_object(metadata: Mapping[str, object]) -> str:
    """Metadata as the rows keep it: sorted, so that equal objects are equal text."""
    return json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True)
