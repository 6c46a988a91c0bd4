"""What each pattern builds: the actions that the language files name, by name."""

from __future__ import annotations

from scrubjay.language.dates.grammar import (
    clock,
    counts,
    cycles,
    dates,
    named,
    parts,
    ranges,
    relative,
    sessions,
    workdays,
)
from scrubjay.language.dates.grammar.registry import ACTIONS

# Importing the modules is what registers their actions.
__all__ = [
    "ACTIONS",
    "clock",
    "counts",
    "cycles",
    "dates",
    "named",
    "parts",
    "ranges",
    "relative",
    "sessions",
    "workdays",
]
