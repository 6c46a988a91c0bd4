"""Tables and field lists for anything with a JSON shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

# Imported in bodies; see output.py.
if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from scrubjay.types.values import Json

# What a terminal would obey instead of show: C0 but tab and newline, delete, and C1.
_CONTROLS = dict.fromkeys([*range(9), *range(11, 32), *range(127, 160)], "�")


def plain(value: object, style: str = "") -> Text:
    """A value as inert text: no markup, and no control character reaches the terminal."""
    from rich.text import Text

    return Text(str(value).translate(_CONTROLS), style)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Rows under headings."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    drawn = Table(*columns, box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for row in rows:
        drawn.add_row(*(cell if isinstance(cell, Text) else plain(cell) for cell in row))
    return drawn


def view_of(shape: Json) -> RenderableType:
    """A shape for people: an object as its fields, a list of objects as a table."""
    if isinstance(shape, Mapping):
        return _fields(shape)
    if not isinstance(shape, Sequence) or isinstance(shape, str):
        return plain(shape)
    rows = [row for row in shape if isinstance(row, Mapping)]
    if not rows:
        return plain("nothing", "dim")
    columns = list(rows[0])
    return table(columns, ([_cell(row[name]) for name in columns] for row in rows))


def _fields(shape: Mapping[str, Json]) -> RenderableType:
    """One field a line; what is empty is left out, what is a table stands below."""
    from rich.console import Group
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    below: list[RenderableType] = []
    for name, value in shape.items():
        if value is None or (isinstance(value, Sequence | Mapping) and not value):
            continue
        if isinstance(value, list) and isinstance(value[0], Mapping):
            below.append(view_of(value))
        else:
            grid.add_row(plain(name, "bold"), plain(_cell(value)))
    return Group(grid, *below)


def _cell(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_cell(inner)}" for name, inner in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_cell(inner) for inner in value)
    return str(value)
