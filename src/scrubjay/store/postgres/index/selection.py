"""A scope as the values its statement takes."""

from __future__ import annotations

from scrubjay.settings import BankSettings
from scrubjay.store.base import Scope
from scrubjay.store.shared.times import maybe_micros, window_bounds
from scrubjay.store.shared.unit_rows import json_object

# Types, tags, metadata, session, as_of, not_ended_by, known_at, the two ends of the window, and
# the rows that are left out.
ScopeValues = tuple[
    tuple[int, ...] | None, tuple[str, ...] | None, str | None, str | None,
    int | None, int | None, int | None, int | None, int | None, tuple[int, ...] | None,
]  # fmt: skip
NO_SCOPE: ScopeValues = (None,) * 10
# What a scope asks for that the facts of a row do not say: tags, metadata, session.
Labels = tuple[tuple[str, ...] | None, str | None, str | None]
NO_LABELS: Labels = (None,) * 3


def scope_values(scope: Scope, settings: BankSettings, *, any_ends: bool) -> ScopeValues:
    """$2 to $11 of the statements with a scope; None where it sets no limit."""
    types = None
    if scope.types is not None:
        types = tuple(settings.type_code(name) for name in scope.types)
    ends = scope.not_ended_by if scope.as_of is None and any_ends else None
    low, high = (None, None) if scope.window is None else window_bounds(scope.window)
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


def is_narrow(values: ScopeValues) -> bool:
    """Whether a scope may be a small part of a bank that an index finds: a session, or a time.

    Who has tags or metadata is not found without a look at every unit.
    """
    return values[3] is not None or values[7] is not None
