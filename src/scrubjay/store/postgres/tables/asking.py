"""How the tables are asked: a statement and its values, the bank already given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from scrubjay.store.postgres.tables.sql import SQL


class Ask(Protocol):
    """Runs a reading statement on one bank; its rows."""

    def __call__(self, statement: str, *values: object) -> list[Any]: ...


class Write(NamedTuple):
    """A statement that changes a bank, by its name, and its values."""

    name: str
    values: tuple[object, ...]


class BankTransaction(Protocol):
    """A write transaction on one bank."""

    def rows(self, statement: str, *values: object) -> list[Any]: ...
    def run(self, statement: str, *values: object) -> int: ...
    def run_many(self, statement: str, values: list[tuple[object, ...]]) -> None: ...
    def run_together(self, writes: Sequence[Write]) -> None: ...


@dataclass(frozen=True, slots=True)
class Statements:
    """Runs the statements of a transaction by their names."""

    transaction: BankTransaction

    def rows(self, name: str, *values: object) -> list[Any]:
        """The rows a statement returns."""
        return self.transaction.rows(SQL[name], *values)

    def run(self, name: str, *values: object) -> int:
        """Run a statement; how many rows it changed."""
        return self.transaction.run(SQL[name], *values)


def listed(rows: Iterable[int]) -> str:
    """Rows as the text of an array; the driver takes five times as long to make one."""
    return "{" + ",".join(map(str, rows)) + "}"


def storable(texts: Iterable[str]) -> list[str]:
    """Those of some texts that a row can hold; no row has the others, so none is asked for them."""
    return [text for text in texts if isinstance(text, str) and _fits(text)]


def _fits(text: str) -> bool:
    try:
        return b"\0" not in text.encode("utf-8")
    except UnicodeEncodeError:
        return False
