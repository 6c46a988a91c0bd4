"""What is said beside a declaration, for editors and for people, says the same."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scrubjay.answers import Item, RecallKeywords, RecallOptions
from scrubjay.types.graph import Relation, RelationFields
from scrubjay.types.units import StoredUnit, Unit, UnitFields


def names(shape: type) -> set[str]:
    return {one.name for one in fields(shape)}


@pytest.mark.parametrize(
    ("keywords", "declared"),
    [
        (RecallKeywords, names(RecallOptions)),
        (
            UnitFields,
            names(Unit) - {"text", "id", "occurred_start", "occurred_end"} | {"occurred"},
        ),
        (RelationFields, names(Relation) - {"subject", "relation", "object"}),
    ],
)
def test_keywords_are_the_fields_of_what_they_stand_for(keywords: type, declared: set[str]) -> None:
    assert set(keywords.__annotations__) == declared


def test_what_was_told_is_stored_but_for_what_joins_it_to_others() -> None:
    assert names(Unit) - {"relations", "causes"} <= names(StoredUnit)


def test_an_item_shows_a_stored_unit() -> None:
    assert names(Item) - {"score", "relevance", "why", "bank"} <= names(StoredUnit)
