"""Reads result files, and shows numbers and tables the way the pages do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from scrubjay.types.values import Json

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results"

_NARROW, _WIDE = 1.0, 100.0


@cache
def content(name: str) -> Json:
    """A result file, whole."""
    read: Json = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return read


def at(name: str, *path: str | int) -> Json:
    """What stands at a path of a result file."""
    found = content(name)
    for step in path:
        if isinstance(step, int):
            assert isinstance(found, Sequence)
            found = found[step]
        else:
            assert isinstance(found, Mapping), f"{name}: nothing at {path}"
            found = found[step]
    return found


def number(name: str, *path: str | int) -> float:
    """The number that stands at a path of a result file."""
    found = at(name, *path)
    assert isinstance(found, int | float), f"{name}: no number at {path}"
    return float(found)


def keys(name: str, *path: str | int) -> list[str]:
    """The names that stand at a path of a result file."""
    found = at(name, *path)
    assert isinstance(found, Mapping)
    return list(found)


def shown(value: float) -> str:
    """A measured number with two or three figures: .44, 6.5, 12.6, 1,850."""
    if abs(value) < _NARROW:
        return f"{value:.2f}".removeprefix("0")
    return f"{value:,.1f}" if abs(value) < _WIDE else f"{value:,.0f}"


def share(value: float) -> str:
    """A share, to three places: .723."""
    return f"{value:.3f}".removeprefix("0")


def percentiles(name: str, *path: str | int) -> str:
    """p50 / p95 / p99 of what was measured."""
    return " / ".join(shown(number(name, *path, point)) for point in ("p50", "p95", "p99"))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def thousands(units: str | float) -> str:
    """A count as it is read: 10,000."""
    return f"{int(float(units)):,}"


def listed(parts: Sequence[str]) -> str:
    """Several words as a sentence has them: a, b and c."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
