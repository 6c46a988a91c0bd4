"""Reads named SQL statements out of the package's .sql files."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def statements(package: str, filename: str, **parts: str) -> dict[str, str]:
    """The statements of a file by name; each starts at a `-- name: x` line.

    Where one says `{part}`, the part of that name stands; other braces stay.
    """
    text = read_sql(package, filename)
    for part, words in parts.items():
        text = text.replace(f"{{{part}}}", words)
    bodies = _NAME.split(text)
    return {name: body.strip() for name, body in zip(bodies[1::2], bodies[2::2], strict=True)}


def read_sql(package: str, filename: str) -> str:
    """The text of one .sql file of a package."""
    return files(package).joinpath(filename).read_text(encoding="utf-8")


@cache
def migrations(package: str) -> tuple[tuple[int, str], ...]:
    """The numbered migration files of a package, in order."""
    folder = files(package).joinpath("migrations")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return tuple(
        (int(name[:4]), folder.joinpath(name).read_text(encoding="utf-8")) for name in names
    )
