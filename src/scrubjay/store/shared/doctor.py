"""What both doctors say of a bank, and how they compare its vocabulary with an earlier one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from scrubjay.settings import VOCABULARY_JACCARD_MIN

MENTIONS_DIFFER = "the mention table and the units' own lists differ"


def some(rows: Sequence[int]) -> str:
    """The first few of some rows."""
    shown = ", ".join(str(row) for row in rows[:5])
    return shown if len(rows) <= 5 else f"{shown}, ..."


def of_no_unit(rows: Sequence[int]) -> str:
    """That rows of a table belong to nothing."""
    return f"{len(rows)} row(s) of no unit: {some(rows)}"


def without_vector(rows: Sequence[int]) -> str:
    """That units cannot be found by meaning."""
    return f"{len(rows)} unit(s) without a vector: {some(rows)}"


def miscounted(entity: int, stored: int, counted: int) -> str:
    """That an entity's mentions are not as many as it says."""
    return f"entity {entity} says {stored} mentions, {counted} are there"


def miscounted_bytes(stored: int, counted: int) -> Iterator[str]:
    """That a bank counts other bytes than its units have."""
    if stored != counted:
        yield f"the bank counts {stored} bytes of what was told, there are {counted}"


def stray_links(strays: dict[int, list[int]]) -> Iterator[str]:
    """That edges lead to units that are gone, by the row that has them."""
    for row, gone in strays.items():
        yield f"row {row} points to {some(gone)}, which are gone"


def vocabulary_drift(stored: str | None, today: Iterable[str]) -> Iterator[str]:
    """That the frequent words are others than when a snapshot of them was taken, as JSON."""
    before, now = set(json.loads(stored or "[]")), set(today)
    if before and now:
        jaccard = len(before & now) / len(before | now)
        if jaccard < VOCABULARY_JACCARD_MIN:
            yield f"{jaccard:.2f} of the frequent words are those of the last snapshot"
