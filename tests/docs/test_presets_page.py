"""The tables of docs/presets.md are the presets of engine/presets.py, switch by switch.

`python -m tests.docs.test_presets_page` writes them anew after a change of the presets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path

from scrubjay.engine.presets import PRESETS, rerank_on_request
from scrubjay.preset import Preset

PAGE = Path(__file__).parents[2] / "docs" / "presets.md"


def shown(value: object) -> str:
    if value is None:
        return "off"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " + ".join(shown(part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {part:g}" for name, part in value.items()) or "all 1"
    if isinstance(value, Enum):
        return str(value.value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def switches(preset: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(dotted name, value) of every switch; a part that is off is one line."""
    assert is_dataclass(preset)
    for field in fields(preset):
        value = getattr(preset, field.name)
        if is_dataclass(value):
            yield prefix + field.name, "on"
            yield from switches(value, f"{prefix}{field.name}.")
        elif field.name != "name":
            yield prefix + field.name, shown(value)


def rows() -> dict[str, list[str]]:
    """Every switch and its value in each preset, in the order of declaration."""
    columns = [dict(switches(preset)) for preset in PRESETS.values()]
    top = [field.name for field in fields(Preset)]
    names = {name: None for column in columns for name in column}
    order = sorted(names, key=lambda name: top.index(name.split(".")[0]))
    return {name: [column.get(name, "") for column in columns] for name in order}


def differing() -> str:
    """The switches in which the presets differ, as the page must have them."""
    lines = ["| switch | " + " | ".join(f"`{name}`" for name in PRESETS) + " |"]
    lines.append("|---" * (len(PRESETS) + 1) + "|")
    for name, cells in rows().items():
        if len({cell for cell in cells if cell}) > 1:
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def shared() -> str:
    """The switches that are the same wherever they apply, as the page must have them."""
    lines = ["| switch | in every preset |", "|---|---|"]
    for name, cells in rows().items():
        values = {cell for cell in cells if cell}
        if len(values) == 1:
            lines.append(f"| `{name}` | {values.pop()} |")
    return "\n".join(lines)


def with_tables(page: str) -> str:
    """The page with the tables between its markers made anew."""
    for name, table in (("differing", differing()), ("shared", shared())):
        opening, closing = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
        before, _, rest = page.partition(opening)
        _, marker, after = rest.partition(closing)
        assert marker, f"docs/presets.md has no {opening!r} and {closing!r}"
        page = f"{before}{opening}{table}{closing}{after}"
    return page


def test_the_tables_of_switches_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page), "run `python -m tests.docs.test_presets_page`"


def test_every_switch_is_explained() -> None:
    explained = PAGE.read_text(encoding="utf-8").split("## What the switches do\n", 1)[1]
    missing = [name for name in rows() if f"`{name}`" not in explained]
    assert not missing


def test_what_reranking_on_request_means_is_told() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in ("recall5", "default"):
        assert f"the first {rerank_on_request(PRESETS[name]).top} candidates" in page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
