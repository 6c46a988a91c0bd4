"""The identity of a telling is stored with it: its form may not change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from scrubjay import Cause, LinkKind, Relation, RelationClass, Unit
from scrubjay.engine.retain.identity import earlier_identity_of, identity_of
from scrubjay.types.units import Source

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
PLAIN = Unit("The mill pond froze.")
FULL = Unit(
    "Agnes runs the mill.",
    type="fact",
    told_at=NOON,
    valid_from=NOON,
    tags=("mill",),
    metadata={"b": [1, 2.5, None], "a": "é"},
    relations=(Relation("Agnes", "runs", "the mill", RelationClass.STRUCTURAL, 0.9, NOON),),
    causes=(Cause("agnes", LinkKind.ENABLES, 0.5),),
)


@pytest.mark.parametrize(
    ("unit", "source", "number"),
    [
        (PLAIN, None, 4679747312318836253),
        (PLAIN, Source("d", 0, 20), 8930132442043477181),
        (FULL, None, -256679284077026491),
    ],
)
def test_the_form_is_fixed(unit: Unit, source: Source | None, number: int) -> None:
    assert identity_of(unit, source) == number


def test_the_form_before_is_known_where_it_differs() -> None:
    assert earlier_identity_of(PLAIN) is None
    assert earlier_identity_of(FULL) == -9024602292866755732


def test_equal_tellings_are_equal_however_they_are_written() -> None:
    (relation,) = FULL.relations
    same = replace(
        FULL,
        metadata={"a": "é", "b": [1, 2.5, None]},
        relations=(
            replace(
                relation,
                relation_class="structural",  # type: ignore[arg-type]
                valid_from=NOON.astimezone(timezone(timedelta(hours=2))),
            ),
        ),
        causes=(Cause("agnes", "enables", 0.5),),  # type: ignore[arg-type]
    )
    assert identity_of(same) == identity_of(FULL)


@pytest.mark.parametrize("name", ["text", "type", "predicate", "context", "session", "key"])
def test_another_word_anywhere_is_another_telling(name: str) -> None:
    changed = replace(FULL, **{name: "another"})  # type: ignore[arg-type]
    assert identity_of(changed) != identity_of(FULL)
    assert identity_of(replace(FULL, relations=())) != identity_of(FULL)
    assert identity_of(replace(FULL, causes=())) != identity_of(FULL)
