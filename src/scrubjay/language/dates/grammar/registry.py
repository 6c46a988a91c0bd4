"""The actions that language files name: each takes what a pattern captured and builds a value."""

from __future__ import annotations

from collections.abc import Callable

from scrubjay.language.dates.semantics.scene import Scene
from scrubjay.language.dates.semantics.values import Value

Captured = tuple[Value, ...]
Action = Callable[[Scene, Captured], Value | None]

ACTIONS: dict[str, Action] = {}


def action(function: Action) -> Action:
    """Makes a function available to patterns under its own name.

    It returns None where the captured values do not fit; the pattern then does not match.
    """
    ACTIONS[function.__name__] = function
    return function
