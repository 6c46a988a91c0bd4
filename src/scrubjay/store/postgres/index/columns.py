"""The small facts of units, fetched packed and kept: types, times, sessions, sizes, speakers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scrubjay.store.base import NO_TIME, Columns, Speakers
from scrubjay.store.postgres.index.kept import (
    FACT,
    GONE,
    GONE_TYPE,
    TIMES,
    FactArray,
    KeptFacts,
)
from scrubjay.store.postgres.index.selection import NO_LABELS, Labels, ScopeValues
from scrubjay.store.postgres.tables.asking import Ask, listed
from scrubjay.store.postgres.tables.sql import SQL
from scrubjay.store.postgres.tables.vector_bytes import (
    HalfArray,
    cosines_in,
    float_bytes,
    halves_in,
)
from scrubjay.store.shared.ranked_rows import among, distinct
from scrubjay.types.arrays import MaskArray, RowArray, ScoreArray, VectorArray

# As the server packs them: what all units have, and the times of those that have one.
_TOLD = np.dtype(
    [("", ">i2"), ("row", ">i4"), ("type", ">i2"), ("told_at", ">i8"), ("session", ">i4"),
    ("tokens", ">i4")]
)  # fmt: skip
_DATED = np.dtype([("row", ">i4"), *((name, ">i8") for name in TIMES)])


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of the rows asked for so far; rows that are gone are remembered as such."""

    asked: RowArray = field(default_factory=lambda: np.empty(0, np.int64))  # ascending
    labels: Labels = NO_LABELS  # for each row asked for it is known whether it has these
    labelled: frozenset[int] = frozenset()  # those that have them; empty where none are wanted
    table: FactArray = field(default_factory=lambda: np.empty(0, FACT))  # ascending
    rows: RowArray = field(default_factory=lambda: np.empty(0, np.int64))  # those of the table

    def lacking(self, rows: RowArray) -> RowArray:
        """Those of some rows that were not asked for."""
        return rows[~among(rows, self.asked)]

    def at(self, rows: RowArray) -> FactArray:
        """The facts of some rows, in their order."""
        if not len(self.table):
            return np.full(len(rows), GONE)
        places = np.minimum(self.rows.searchsorted(rows), len(self.rows) - 1)
        # Rows of many columns are taken in a third of the time that `table[places]` takes.
        found = self.table.take(places)
        gone = self.rows.take(places) != rows
        if np.count_nonzero(gone):
            found[gone] = GONE
        return found


@dataclass(frozen=True, slots=True)
class Along:
    """What comes with facts: rows whose vectors are sent, and rows whose cosines are."""

    vectors_of: Sequence[int] = ()
    cosines_of: Sequence[int] = ()
    question: VectorArray | None = None  # what the cosines are with


Scored = tuple[RowArray, ScoreArray]


def with_more(
    facts: Facts, kept: KeptFacts, ask: Ask, rows: RowArray, along: Along
) -> tuple[Facts, tuple[RowArray, HalfArray] | None, Scored | None]:
    """The facts with those of more rows, and what comes along; one round trip, or none."""
    wanted = facts.lacking(distinct(rows))
    known = kept.facts_of(wanted) if facts.labels == NO_LABELS else facts.table[:0]
    all_known = len(known) == len(wanted)
    lacking = wanted[:0] if all_known else wanted[~among(wanted, known["row"])]
    tables, labelled = [facts.table, known], facts.labelled
    vectors, scored = None, None
    for kind, said, packed, dated in _asked(facts, ask, lacking, along):
        if kind == 0:
            found = np.empty(0, FACT) if packed is None else _unpacked(packed, dated)
            found["speaker"] = kept.speakers(said or ())
            kept.keep(lacking, found)
            tables.append(found)
        elif packed is None:
            continue
        elif kind == 2:
            vectors = halves_in(packed)
        elif kind == 3:
            scored = cosines_in(packed)
        else:
            labelled = labelled.union(np.frombuffer(packed, ">i4").tolist())
    if len(facts.asked) or len(lacking):
        table = np.concatenate(tables)
        table = table.take(np.argsort(table["row"], kind="stable"))
        asked = np.sort(np.concatenate([facts.asked, wanted]), kind="stable")
    else:
        table, asked = known, wanted  # in the order of their rows
    rows = table["row"].astype(np.int64)
    return Facts(asked, facts.labels, labelled, table, rows), vectors, scored


def _asked(facts: Facts, ask: Ask, rows: RowArray, along: Along) -> list[Any]:
    """What the server says of some rows, and what comes along."""
    if not (len(rows) or along.vectors_of or along.cosines_of):
        return []
    return ask(
        SQL["facts_of_rows"],
        listed(rows.tolist()),
        *facts.labels,
        listed(along.vectors_of),
        listed(along.cosines_of),
        None if along.question is None else float_bytes(along.question),
    )


def _unpacked(told: bytes, dated: bytes | None) -> FactArray:
    """Facts in the order they were told in."""
    given = np.frombuffer(told, _TOLD)
    found = np.full(len(given), GONE)
    for name in ("row", "type", "told_at", "session", "tokens"):
        found[name] = given[name]
    if dated is not None:
        times = np.frombuffer(dated, _DATED)
        order = np.argsort(found["row"], kind="stable")
        places = order[np.searchsorted(found["row"], times["row"], sorter=order)]
        for name in TIMES:
            found[name][places] = times[name]
    return found


def columns_of(rows: RowArray, facts: FactArray) -> Columns:
    """Facts as the engine takes them."""
    return Columns(
        rows=rows,
        types=facts["type"].astype(np.uint8),
        told_at=np.ascontiguousarray(facts["told_at"]),
        occurred_start=np.ascontiguousarray(facts["occurred_start"]),
        occurred_end=np.ascontiguousarray(facts["occurred_end"]),
        valid_from=np.ascontiguousarray(facts["valid_from"]),
        valid_to=np.ascontiguousarray(facts["valid_to"]),
        sessions=np.ascontiguousarray(facts["session"]),
        tokens=np.ascontiguousarray(facts["tokens"]),
    )


def speakers_among(facts: FactArray, kept: KeptFacts) -> Speakers:
    """Who said each of some rows."""
    return Speakers(facts["speaker"].astype(np.int32), kept.names)


def passing(known: Facts, rows: RowArray, scope: ScopeValues) -> MaskArray:
    """Which rows a scope lets through, by their facts; the statement `scope` in numbers."""
    types, *labels, as_of, ends, known_at, low, high, except_rows = scope
    facts = known.at(rows)
    allowed: MaskArray = facts["type"] != GONE_TYPE
    if labels != [None, None, None]:
        allowed &= np.array([row in known.labelled for row in rows.tolist()], np.bool_)
    valid_to = facts["valid_to"]
    # An end that was told later was not known.
    lasting = valid_to == NO_TIME
    if known_at is not None:
        lasting |= facts["closed_at"] > known_at
    if types is not None:
        allowed &= np.isin(facts["type"], np.array(types, np.int16))
    if as_of is not None:
        allowed &= facts["valid_from"] <= as_of  # NO_TIME is before everything
        allowed &= lasting | (valid_to > as_of)
    if ends is not None:
        allowed &= lasting | (valid_to > ends)
    if known_at is not None:
        allowed &= facts["told_at"] <= known_at
    if low is not None:
        start, told_at = facts["occurred_start"], facts["told_at"]
        happened = (start != NO_TIME) & (start <= high)
        happened &= np.maximum(start, facts["occurred_end"]) >= low
        allowed &= happened | (told_at >= low) & (told_at <= high)
    if except_rows is not None:
        allowed &= ~np.isin(facts["row"], np.array(except_rows, np.int64))
    return allowed
