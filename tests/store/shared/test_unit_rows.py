"""The row of a unit: the same columns in both stores, and nothing is lost there and back."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from scrubjay.store.base import PreparedUnit
from scrubjay.store.embedded.tables.unit_rows import DIGESTED, INDEXED, column_row, digest_of_row
from scrubjay.store.lineage import Lineage
from scrubjay.store.shared.statements import read_sql
from scrubjay.store.shared.unit_rows import (
    SHOWN,
    Carried,
    Numbers,
    UnitReader,
    UnitRow,
    unit_row,
)
from scrubjay.types.units import Source, Unit
from scrubjay.types.values import UnitId, Window

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
DAY = timedelta(days=1)

PREPARED = PreparedUnit(
    unit=Unit(
        text="The osprey left", key="k", speaker="Ann", predicate="left", context="a walk",
        metadata={"b": 1, "a": [2]}, valid_from=NOON, valid_to=NOON + DAY, tags=("bird",),
    ),
    type="event", told_at=NOON + DAY, occurred=Window(NOON, NOON + 2 * DAY), identity=7, tokens=4,
    terms={"osprey": 1}, length=3, mentions=(), links=(), vector=None,
    source=Source("doc", 3, 9), replaces=None, lineage=Lineage(NOON, None, None),
    closed_at=NOON + 3 * DAY,
)  # fmt: skip


def row() -> UnitRow[str]:
    kept = Carried(UnitId("u1"), "u0", "u2", 5)
    return unit_row(PREPARED, kept, Numbers(11, 2, 3, '["bird"]', created_at=99))


@pytest.mark.parametrize(
    ("store", "own"),
    [
        ("embedded", {"entities", "postings", "digest"}),
        ("postgres", {"bank_id", "entities", "terms", "counts"}),
    ],
)
def test_the_columns_are_those_of_the_table(store: str, own: set[str]) -> None:
    schema = read_sql(f"scrubjay.store.{store}", "schema.sql")
    body = re.findall(r"CREATE TABLE units \((.*?)\n\)", schema, re.DOTALL)[0]
    listed = {line.split()[0] for line in body.split("\n") if re.match(r"    [a-z]", line)}
    assert listed == {*UnitRow._fields, *own}


def test_a_row_reads_back_as_what_was_saved() -> None:
    shown = [getattr(row(), name) for name in SHOWN]
    reader = UnitReader[str](["fact", "idea", "event"], lambda packed: tuple(json.loads(packed)))
    unit = reader.unit(shown, "talk", ("Ann",))
    assert (unit.type, unit.created_at) == ("event", datetime(1970, 1, 1, 0, 0, 0, 5, tzinfo=UTC))
    told = PREPARED.unit
    assert (unit.text, unit.key, unit.speaker) == (told.text, told.key, told.speaker)
    assert (unit.predicate, unit.context, unit.metadata) == ("left", "a walk", told.metadata)
    assert (unit.told_at, unit.closed_at) == (NOON + DAY, NOON + 3 * DAY)
    assert (unit.occurred_start, unit.occurred_end) == (NOON, NOON + 2 * DAY)
    assert (unit.valid_from, unit.valid_to) == (NOON, NOON + DAY)
    assert (unit.id, unit.supersedes, unit.superseded_by) == ("u1", "u0", "u2")
    assert unit.source == Source("doc", 3, 9)
    assert (unit.session, unit.tags, unit.entities, unit.tokens) == ("talk", ("bird",), ("Ann",), 4)


def test_what_the_index_keeps_and_the_checksum_guards_are_columns() -> None:
    assert {*INDEXED, *DIGESTED} <= {*UnitRow._fields}
    assert column_row(row()) == tuple(getattr(row(), name) for name in INDEXED)
    assert digest_of_row(row()) != digest_of_row(row()._replace(text="another"))
    # What changes later is not guarded.
    assert digest_of_row(row()) == digest_of_row(row()._replace(superseded_by=None))
