"""What people type to assistants: standing orders, requests, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

_ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("told_and_asked.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


def typed(half: str, kind: str) -> list[str]:
    """The texts of one kind in one part of the list."""
    return [text for of, what, _, text in _ROWS if (of, what) == (half, kind)]
