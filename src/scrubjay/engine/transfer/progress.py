"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

# Called with what is done and how much there is in all (0 when that is not known yet).
Progress = Callable[[int, int], None]


def no_progress(_done: int, _total: int) -> None:
    """Reports to nobody."""
