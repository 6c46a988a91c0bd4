"""A unit as its row keeps it, column by column, and back: both stores write and read it here.

A column that both have alike is added to `UnitRow`, `unit_row` and `UnitReader`; the statements
that write and read whole units take their columns from here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from scrubjay.codec.making import maker
from scrubjay.store.base import PreparedUnit
from scrubjay.store.shared.links import Edge
from scrubjay.store.shared.times import from_micros, maybe_micros, to_micros
from scrubjay.types.units import Source, StoredUnit
from scrubjay.types.values import UnitId

Tags = TypeVar("Tags")


class UnitRow(NamedTuple, Generic[Tags]):
    """The columns of a unit, by name; times in microseconds, `tags` as the store packs them."""

    row: int
    id: str
    type: int
    told_at: int
    created_at: int
    occurred_start: int | None
    occurred_end: int | None
    valid_from: int | None
    valid_to: int | None
    closed_at: int | None
    session: int | None
    tokens: int
    length: int
    identity: int
    key: str | None
    speaker: str | None
    author: str | None
    origin: str | None
    predicate: str | None
    context: str | None
    tags: Tags | None
    metadata: str | None
    document: str | None
    document_start: int | None
    document_end: int | None
    supersedes: str | None
    superseded_by: str | None
    text: str


COLUMNS = ", ".join(UnitRow._fields)

# What a reader is shown as the row has it, in this order; its session is shown by name.
SHOWN = tuple(
    name for name in UnitRow._fields if name not in ("row", "session", "length", "identity")
)
SELECTED = ", ".join(f"u.{name}" for name in SHOWN)


# What a caller tells in words, beside tags.
TOLD = (
    "text",
    "predicate",
    "context",
    "metadata",
    "key",
    "speaker",
    "author",
    "origin",
    "document",
)


# A tuple, because there is one for every unit that is saved.
class Carried(NamedTuple):
    """What an updated unit keeps from the row it had before."""

    id: UnitId
    supersedes: str | None = None
    superseded_by: str | None = None
    created_at: int | None = None  # None: this is its first row
    causal: tuple[Edge, ...] = ()


class Numbers(NamedTuple, Generic[Tags]):
    """What the store gives a unit of its own: its row, the codes of names, and the time."""

    row: int
    type: int
    session: int | None
    tags: Tags | None
    created_at: int


def unit_row(prepared: PreparedUnit, kept: Carried, given: Numbers[Tags]) -> UnitRow[Tags]:
    """The row of a unit that is saved."""
    unit, source, occurred = prepared.unit, prepared.source, prepared.occurred
    # In the order of the columns: by name it takes thrice the time.
    return UnitRow(
        given.row,
        kept.id,
        given.type,
        to_micros(prepared.told_at),
        given.created_at if kept.created_at is None else kept.created_at,
        maybe_micros(occurred.start) if occurred else None,
        maybe_micros(occurred.end) if occurred else None,
        maybe_micros(unit.valid_from),
        maybe_micros(unit.valid_to),
        maybe_micros(prepared.closed_at),
        given.session,
        prepared.tokens,
        prepared.length,
        prepared.identity,
        unit.key,
        unit.speaker,
        unit.author,
        unit.origin,
        unit.predicate,
        unit.context,
        given.tags,
        json_object(unit.metadata) if unit.metadata else None,
        source.document if source else None,
        source.start if source else None,
        source.end if source else None,
        kept.supersedes,
        kept.superseded_by,
        unit.text,
    )


class _Moments(dict[int, datetime]):
    """Stored times as times; the units of one answer share many."""

    def __missing__(self, number: int) -> datetime:
        moment = self[number] = from_micros(number)
        return moment


class UnitReader(Generic[Tags]):
    """Reads the units of one answer from their rows."""

    def __init__(self, types: Sequence[str], tags_of: Callable[[Tags], tuple[str, ...]]) -> None:
        self._types = types
        self._tags_of = tags_of
        self._at = _Moments()

    def unit(
        self, shown: Sequence[Any], session: str | None, entities: tuple[str, ...]
    ) -> StoredUnit:
        """The unit of the columns that are SHOWN, with what the row keeps by number by name."""
        at = self._at
        # Taken apart at once, in the order of SHOWN; asking a tuple by name takes a tenth longer.
        (
            unit, type_code, told_at, created_at, occurred_start, occurred_end,
            valid_from, valid_to, closed_at, tokens, key, speaker, author, origin, predicate,
            context, tags, metadata, document, document_start, document_end, supersedes,
            superseded_by, text,
        ) = shown  # fmt: skip
        source = None
        if document is not None and document_start is not None and document_end is not None:
            source = Source(document, document_start, document_end)
        # In the order of a StoredUnit's fields.
        return _unit(
            unit,
            text,
            self._types[type_code],
            at[told_at],
            at[created_at],
            predicate,
            context,
            None if occurred_start is None else at[occurred_start],
            None if occurred_end is None else at[occurred_end],
            None if valid_from is None else at[valid_from],
            None if valid_to is None else at[valid_to],
            None if closed_at is None else at[closed_at],
            entities,
            () if tags is None else self._tags_of(tags),
            {} if metadata is None else json.loads(metadata),
            session,
            speaker,
            key,
            source,
            supersedes,
            superseded_by,
            tokens,
            author,
            origin,
            False,  # what waits is in no row of units
        )


_unit = maker(StoredUnit)


def json_object(metadata: Mapping[str, object]) -> str:
    """Metadata as the rows keep it: sorted, so that equal objects are equal text."""
    return json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True)
