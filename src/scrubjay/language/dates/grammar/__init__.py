"""What each pattern builds: the actions that the language files name, by name."""

from __future__ import annotations

from scrubjay.language.dates.grammar import (
    ages,
    clock,
    counts,
    cycles,
    dates,
    named,
    parts,
    ranges,
    relative,
    sessions,
    terms,
    workdays,
)
from scrubjay.language.dates.grammar.registry import ACTIONS

# Importing the modules is what registers their actions.
__all__ = [
    "ACTIONS",
    "ages",
    "clock",
    "counts",
    "cycles",
    "dates",
    "named",
    "parts",
    "ranges",
    "relative",
    "sessions",
    "terms",
    "workdays",
]
