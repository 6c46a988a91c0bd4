"""What people type to assistants: standing orders, requests, and what only looks like one."""

from __future__ import annotations

from pathlib import Path


def _rows(name: str) -> list[list[str]]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


_ROWS = _rows("told_and_asked.tsv")
_KEYED = _rows("key_words.tsv")


def typed(half: str, kind: str) -> list[str]:
    """The texts of one kind in one part of the list."""
    return [text for of, what, _, text in _ROWS if (of, what) == (half, kind)]


def keyed(half: str, kind: str) -> list[str]:
    """The same of the list of orders with always, never, from now on and must, in six languages."""
    return [text for of, _, what, text in _KEYED if (of, what) == (half, kind)]
