"""What the contract tests look at: the whole of a bank, and who finds a unit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from scrubjay import Encoder, Memory, StoredUnit, UnitFilter

# Opens the store of a test with an encoder.
Opening = Callable[[str | Encoder | None], Memory]


def contents(memory: Memory, folder: Path, bank: str = "default") -> list[str]:
    """Everything a bank holds that an export shows, as sorted lines."""
    target = folder / f"contents-{bank}.jsonl"
    memory.export(target, bank=bank)
    return sorted(target.read_text(encoding="utf-8").splitlines())


def without(line: str, *names: str) -> str:
    """An exported line less some of its fields."""
    shape = json.loads(line)
    return json.dumps({name: shape[name] for name in sorted(shape) if name not in names})


def all_units(memory: Memory, where: UnitFilter | None = None) -> list[StoredUnit]:
    """All units that pass a filter, read in small pages."""
    units: list[StoredUnit] = []
    cursor: str | None = None
    while True:
        page = memory.list(where, limit=3, cursor=cursor)
        units.extend(page.units)
        if page.cursor is None:
            return units
        cursor = page.cursor


def texts(memory: Memory, where: UnitFilter | None = None) -> list[str]:
    """The texts of all units that pass a filter."""
    return [unit.text for unit in all_units(memory, where)]


def found_by(memory: Memory, question: str, retriever: str, bank: str = "default") -> list[str]:
    """The ids one retriever found for a question, best first."""
    items = memory.recall(question, bank=bank, limit=100).items
    seen = [item for item in items if retriever in item.why.retrievers]
    return [i.id for i in sorted(seen, key=lambda item: item.why.retrievers[retriever].rank)]
