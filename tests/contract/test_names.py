"""Entities, their other names, and the relations between them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from scrubjay import BadInput, Entity, Memory, NotFound, RelationClass, UnitFilter


def entity(memory: Memory, name: str) -> Entity:
    (found,) = [e for e in memory.entities(containing=name) if e.name == name]
    return found


def test_entities_are_listed_by_use(memory: Memory) -> None:
    memory.retain(["Oslo is cold.", "I flew to Oslo with Freja.", "Freja likes Oslo."])

    assert [(e.name, e.mentions) for e in memory.entities()] == [("Oslo", 3), ("Freja", 2)]
    assert [e.name for e in memory.entities(offset=1)] == ["Freja"]
    assert [e.name for e in memory.entities(containing="OSL")] == ["Oslo"]


def test_an_alias_makes_later_tellings_about_the_same_entity(memory: Memory) -> None:
    memory.retain("Robert Okafor runs the mill.")
    robert = memory.alias_entity(entity(memory, "Robert Okafor").id, "Miller Bobby")
    unit = memory.retain("Miller Bobby fell ill.").id

    assert "miller bobby" in robert.aliases
    assert memory.get(unit).entities == ("Robert Okafor",)
    assert memory.list(UnitFilter(entity="miller bobby")).units[-1].id == unit
    assert entity(memory, "Robert Okafor").mentions == 2


def test_a_first_name_grows_to_the_full_one(memory: Memory) -> None:
    first = memory.retain("Spoke to Amelia about it.").id
    second = memory.retain("The letter is from Amelia Stott.").id

    for unit in (first, second):
        assert memory.get(unit).entities == ("Amelia Stott",)
    assert {"amelia", "amelia stott", "stott"} <= set(entity(memory, "Amelia Stott").aliases)


def test_merging_moves_mentions_names_and_relations(memory: Memory) -> None:
    first = memory.retain("We met Wilhelmina.").id
    both = memory.retain("Wilhelmina met Minnie Vogel.").id
    second = memory.retain("We met Minnie Vogel.").id
    memory.relate("Wilhelmina", "works-at", "Bakery")
    memory.relate("Minnie Vogel", "works-at", "Bakery")
    keep, drop = entity(memory, "Wilhelmina"), entity(memory, "Minnie Vogel")
    merged = memory.merge_entities(keep.id, drop.id)

    assert (merged.id, merged.name, merged.mentions) == (keep.id, "Wilhelmina", 5)
    assert "minnie vogel" in merged.aliases
    for unit in (first, both, second):
        assert memory.get(unit).entities == ("Wilhelmina",)
    # Two units say so, each for itself.
    said = [(r.subject.name, r.relation, r.object.name) for r in memory.relations()]
    assert said == [("Wilhelmina", "works-at", "Bakery")] * 2
    assert memory.get(memory.retain("We called Minnie Vogel.").id).entities == ("Wilhelmina",)
    with pytest.raises(NotFound):
        memory.merge_entities(keep.id, drop.id)


def test_splitting_gives_some_mentions_to_a_new_entity(memory: Memory) -> None:
    painter = memory.retain("Jonas paints.").id
    sailor = memory.retain("Jonas sails.").id
    before = entity(memory, "Jonas")
    made = memory.split_entity(before.id, "Jonas the sailor", [sailor])

    assert (made.name, made.mentions) == ("Jonas the sailor", 1)
    assert memory.get(sailor).entities == ("Jonas the sailor",)
    assert memory.get(painter).entities == ("Jonas",)
    assert entity(memory, "Jonas").mentions == 1


def test_splitting_off_a_unit_of_nobody_changes_nothing(memory: Memory) -> None:
    memory.retain("Jonas paints.")

    with pytest.raises(NotFound, match="nonesuch"):
        memory.split_entity(entity(memory, "Jonas").id, "Another", ["nonesuch"])
    assert [e.name for e in memory.entities()] == ["Jonas"]


def test_a_relation_told_again_is_refreshed_not_doubled(memory: Memory) -> None:
    first = memory.relate("Ines", "leads", "Harbour", relation_class=RelationClass.STRUCTURAL)
    until = datetime(2027, 1, 1, tzinfo=UTC)
    again = memory.relate("INES", "leads", "harbour", confidence=0.5, valid_to=until)
    (told,) = memory.relations()

    assert first == again == told.id
    assert (told.subject.name, told.relation, told.object.name) == ("Ines", "leads", "Harbour")
    assert (told.confidence, told.valid_to) == (0.5, until)


def test_a_relation_told_by_itself_brings_the_unit_that_says_it(memory: Memory) -> None:
    memory.relate("Ines", "reports-to", "Oda Lund", valid_to=datetime(2027, 1, 1, tzinfo=UTC))
    (unit,), (told,) = memory.list().units, memory.relations()

    assert {e.name for e in memory.entities()} == {"Ines", "Oda Lund"}
    assert (unit.text, unit.valid_to) == ("Ines reports to Oda Lund.", told.valid_to)
    assert (told.unit, told.told) == (unit.id, True)
    memory.forget(unit.id)
    assert (memory.relations(), memory.entities()) == ([], [])


@pytest.mark.parametrize("number", [999, -1, 2**70, True, "1", None])
def test_an_entity_that_is_not_there_changes_nothing(memory: Memory, number: int) -> None:
    unit = memory.retain("Jonas paints.").id
    jonas = entity(memory, "Jonas")

    calls: list[Callable[[], Entity]] = [
        lambda: memory.alias_entity(number, "Joe"),
        lambda: memory.merge_entities(jonas.id, number),
        lambda: memory.merge_entities(number, jonas.id),
        lambda: memory.split_entity(number, "Joe", [unit]),
    ]
    for call in calls:
        with pytest.raises(BadInput):
            call()
    assert memory.entities() == [jonas]


def test_an_entity_cannot_be_merged_with_itself(memory: Memory) -> None:
    memory.retain("Jonas paints.")
    jonas = entity(memory, "Jonas")

    with pytest.raises(BadInput, match="itself"):
        memory.merge_entities(jonas.id, jonas.id)


def test_a_sentence_may_begin_with_a_name_the_bank_knows(memory: Memory) -> None:
    memory.relate("Kofi", "works for", "Harbour Bakery")
    told = memory.retain("Harbour Bakery closes on Mondays.")
    assert memory.get(told.id).entities == ("Harbour Bakery",)
