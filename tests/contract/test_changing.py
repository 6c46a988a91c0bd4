"""Updating, superseding and forgetting units."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta

import pytest
from tests.contract.looking import found_by, texts

from scrubjay import BadInput, Cause, LinkKind, Memory, NotFound, Relation, Unit, UnitFilter, Window
from scrubjay.testing import FixedClock
from scrubjay.types.graph import Link


def causal(memory: Memory, unit: str) -> set[tuple[str, str, str]]:
    """The causal links of a unit, less their weights."""
    return {
        (link.source, str(link.kind), link.target)
        for link in memory.links(unit)
        if link.kind is not LinkKind.SEMANTIC
    }


def test_an_update_changes_what_is_given_and_keeps_the_rest(
    memory: Memory, clock: FixedClock
) -> None:
    unit = memory.retain(
        "Nora keeps bees on the roof since 4 May 2025.", tags=["bees"], metadata={"n": 1}, key="b"
    ).id
    before = memory.get(unit)
    clock.advance(timedelta(days=2))
    after = memory.update(unit, context="hobbies", tags=["insects"])

    assert (after.id, after.context, after.tags) == (unit, "hobbies", ("insects",))
    for name in (
        "text", "type", "told_at", "created_at", "occurred_start", "occurred_end", "entities",
        "metadata", "key", "tokens",
    ):  # fmt: skip
        assert getattr(after, name) == getattr(before, name), name
    assert memory.list(UnitFilter(tags=("bees",))).units == ()
    assert memory.stats().units == 1


def test_a_text_cannot_be_cleared_for_a_unit_is_its_text(memory: Memory) -> None:
    unit = memory.retain("Nora keeps bees.", tags=["bees"]).id

    with pytest.raises(BadInput, match="text cannot be cleared"):
        memory.update(unit, text=None, tags=None)  # type: ignore[arg-type]
    assert (memory.get(unit).text, memory.get(unit).tags) == ("Nora keeps bees.", ("bees",))


def test_a_new_text_is_found_and_the_old_one_is_not(memory: Memory) -> None:
    unit = memory.retain("Nora keeps bees with Tomasz.").id
    after = memory.update(unit, text="Nora keeps alpacas with Wanda.")

    assert found_by(memory, "bees", "lexical") == []
    assert found_by(memory, "alpacas", "lexical") == [unit]
    assert "Wanda" in after.entities and "Tomasz" not in after.entities
    assert memory.entities(containing="Tomasz") == []
    assert memory.list(UnitFilter(entity="Wanda")).units == (after,)


def test_an_update_keeps_a_merge_and_a_split(memory: Memory) -> None:
    unit = memory.retain("Bob paints. Alexandra sings.").id
    (bob,) = memory.entities(containing="Bob")
    (singer,) = memory.entities(containing="Alexandra")
    memory.split_entity(singer.id, "Alexandra of Kent", [unit])
    painter = memory.retain("Agnes Fitzgerald paints.").id
    (fitzgerald,) = memory.entities(containing="Fitzgerald")
    memory.merge_entities(fitzgerald.id, bob.id)
    before = memory.get(unit).entities

    assert set(before) == {"Agnes Fitzgerald", "Alexandra of Kent"}
    assert memory.update(unit, context="arts").entities == before
    assert memory.get(painter).entities == ("Agnes Fitzgerald",)


def test_an_update_keeps_causal_links_lineage_relations_and_source(memory: Memory) -> None:
    cause = memory.retain("The pump failed.").id
    effect = memory.retain("The cellar flooded.").id
    memory.link(cause, effect)
    memory.link(cause, effect, "enables")
    old = memory.retain("Pump model A is in use.").id
    memory.supersede(old, cause)
    memory.update(cause, text="The old pump failed.")
    memory.update(effect, text="The whole cellar flooded.")

    assert causal(memory, effect) == {
        (effect, "caused_by", cause),
        (cause, "enables", effect),
    }
    assert causal(memory, cause) == {(cause, "causes", effect), (cause, "enables", effect)}
    assert memory.get(cause).supersedes == old
    assert memory.get(old).superseded_by == cause


def test_two_units_that_cause_each_other_can_be_updated_in_one_batch(memory: Memory) -> None:
    first = memory.retain("Storm.", key="storm").id
    second = memory.retain("Power cut.", key="cut", causes=[]).id
    memory.link(first, second)
    kept = memory.retain([Unit("A storm at sea.", key="storm"), Unit("A long cut.", key="cut")])

    assert kept.updated == (first, second)
    assert causal(memory, first) == {(first, "causes", second)}
    assert causal(memory, second) == {(second, "caused_by", first)}


def test_a_new_unit_can_name_a_unit_updated_in_the_same_batch_as_its_cause(memory: Memory) -> None:
    storm = memory.retain("Storm.", key="storm").id
    by_id = Unit("Ferry late.", causes=(Cause(storm, LinkKind.CAUSED_BY),))
    by_key = Unit("Dock shut.", causes=(Cause("storm", LinkKind.CAUSED_BY),))
    kept = memory.retain([by_id, Unit("A storm at sea.", key="storm"), by_key])

    assert kept.updated == (storm,)
    assert causal(memory, storm) == {
        (storm, "causes", kept.ids[0]),
        (storm, "causes", kept.ids[2]),
    }


def test_relations_and_causes_of_an_update_replace_those_told_before(memory: Memory) -> None:
    storm, rust = memory.retain("Storm.").id, memory.retain("Rust.").id
    ferry = memory.retain(
        "Ferry late.",
        relations=[Relation("Ines", "leads", "Harbour")],
        causes=[Cause(storm, LinkKind.CAUSED_BY)],
    ).id
    memory.relate("Ines", "knows", "Nadia")
    memory.link(ferry, rust, "prevents")
    memory.link(rust, ferry)

    memory.update(ferry, tags=["boats"])
    assert len(causal(memory, ferry)) == 3
    memory.update(
        ferry,
        relations=[Relation("Ines", "left", "Harbour")],
        causes=[Cause(storm, LinkKind.ENABLES)],
    )
    assert [told.relation for told in memory.relations()] == ["knows", "left"]
    theirs = (ferry, "caused_by", rust)
    assert causal(memory, ferry) == {theirs, (ferry, "enables", storm)}
    assert causal(memory, storm) == {(ferry, "enables", storm)}

    memory.update(ferry, relations=None, causes=None)
    assert [told.relation for told in memory.relations()] == ["knows"]
    assert causal(memory, ferry) == {theirs}
    assert causal(memory, storm) == set()


def test_a_cause_told_again_is_one_link_with_the_new_weight(memory: Memory) -> None:
    storm = memory.retain("Storm.").id
    for weight in (0.25, 0.5):
        told = Cause(storm, LinkKind.CAUSED_BY, weight)
        ferry = memory.retain(f"Ferry late {weight}.", key="ferry", causes=[told]).id
    memory.link(storm, ferry, weight=0.75)

    assert [(x.target, x.kind, x.weight) for x in memory.links(storm)] == [(ferry, "causes", 0.75)]
    assert [(x.target, x.kind, x.weight) for x in memory.links(ferry)] == [
        (storm, "caused_by", 0.75)
    ]


def test_an_update_may_not_take_the_key_of_another(memory: Memory) -> None:
    memory.retain("One.", key="one")
    two = memory.retain("Two.", key="two").id

    with pytest.raises(BadInput, match="'one'"):
        memory.update(two, key="one")
    assert memory.update(two, key="deux").key == "deux"


def test_an_update_too_long_for_one_unit_is_refused(memory: Memory) -> None:
    unit = memory.retain("Short.").id

    with pytest.raises(BadInput, match="2,000"):
        memory.update(unit, text="Long. " * 1000)
    assert memory.get(unit).text == "Short."


def test_validity_cannot_end_before_it_begins(memory: Memory) -> None:
    begun = datetime(2026, 6, 1, tzinfo=UTC)
    old = memory.retain("Rent is 900.", valid_from=begun).id

    with pytest.raises(BadInput, match="2026-05-31"):
        memory.supersede(old, "Rent is 950.", at=begun - timedelta(days=1))
    assert texts(memory) == ["Rent is 900."]
    memory.supersede(old, "Rent is 950.")
    assert memory.get(old).valid_to == begun


def test_a_forgotten_unit_is_in_no_answer_of_any_kind(memory: Memory) -> None:
    gone = memory.retain(
        "Zebulon hid the opal under the 4th stair on 2 May 2025.",
        tags=["secret"],
        session="night",
        key="opal",
        relations=[Relation("Zebulon", "owns", "opal mine")],
    ).id
    kept = memory.retain("Zebulon hid the opal under the 5th stair.").id
    memory.link(gone, kept)
    report = memory.forget(gone)

    assert report.ids == (gone,)
    assert (report.units, report.vectors, report.relations) == (1, 1, 1)
    assert report.words > 5 and report.links >= 2 and report.mentions >= 1
    assert memory.links(kept) == []
    assert memory.relations() == []
    found = memory.recall("Zebulon opal stair 4th 2 May 2025", limit=100).items
    assert [item.id for item in found] == [kept]
    assert memory.list(UnitFilter(tags=("secret",))).units == ()
    assert memory.list(UnitFilter(key="opal")).units == ()
    for call in (memory.get, memory.links, memory.update, memory.forget):
        with pytest.raises(NotFound, match=gone):
            call(gone)


def test_an_entity_goes_with_the_last_unit_that_names_it(memory: Memory) -> None:
    first = memory.retain("Quibblewick baked bread.", entities=["Oven Nine"]).id
    second = memory.retain("Quibblewick baked buns.").id

    assert memory.forget(first).entities == 1
    assert [e.name for e in memory.entities()] == ["Quibblewick"]
    assert memory.entities()[0].mentions == 1
    assert memory.forget(second).entities == 1
    assert memory.entities() == []


def test_forgetting_is_all_or_nothing(memory: Memory) -> None:
    unit = memory.retain("Stays.").id

    with pytest.raises(NotFound, match="nonesuch"):
        memory.forget([unit, "nonesuch"])
    assert memory.get(unit).text == "Stays."


def test_forgetting_by_filter_takes_what_matches_and_nothing_else(memory: Memory) -> None:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for n in range(6):
        memory.retain(
            f"Note {n}.",
            tags=["odd" if n % 2 else "even"],
            told_at=day + timedelta(days=n),
            metadata={"n": n},
        )
    report = memory.forget(UnitFilter(tags=("odd",), told=Window(day + timedelta(days=2), None)))

    assert report.units == 2
    assert texts(memory) == ["Note 0.", "Note 1.", "Note 2.", "Note 4."]
    assert memory.forget(UnitFilter(metadata={"n": 99})).units == 0


def test_an_empty_filter_erases_nothing(memory: Memory) -> None:
    memory.retain("Stays.")

    for everything in (UnitFilter(), UnitFilter(told=Window(None, None))):
        with pytest.raises(BadInput):
            memory.forget(everything)
    assert memory.stats().units == 1


def test_a_relation_told_on_its_own_survives_the_unit_that_told_it_too(memory: Memory) -> None:
    relation = Relation("Ines", "leads", "Harbour")
    unit = memory.retain("Ines leads Harbour.", relations=[relation]).id
    memory.relate("Ines", "leads", "Harbour")
    memory.forget(unit)

    assert [r.relation for r in memory.relations()] == ["leads"]


def test_a_session_goes_with_the_last_unit_that_leaves_it(memory: Memory) -> None:
    heron, pond = memory.retain(["A heron.", "A pond."], session="diary").ids
    keyed = memory.retain("A gate.", session="garden", key="gate").id
    memory.update(heron, session="walks")
    assert {session.name for session in memory.sessions()} == {"diary", "garden", "walks"}

    memory.update(pond, session=None)
    assert memory.retain("An old gate.", key="gate").updated == (keyed,)
    assert {session.name for session in memory.sessions()} == {"walks"}


def test_a_session_goes_with_its_last_unit(memory: Memory) -> None:
    first, second = memory.retain(["A heron.", "A pond."], session="diary").ids
    memory.retain("A lamp.", session="other")

    assert memory.forget(first).sessions == 0
    assert memory.forget(second).sessions == 1
    assert [one.name for one in memory.sessions()] == ["other"]


def test_a_session_without_units_is_forgotten_by_its_name(memory: Memory) -> None:
    memory.start_session("diary")
    unit = memory.retain("A lamp.", session="other", tags=["light"]).id
    report = memory.forget(UnitFilter(session="diary"))

    assert (report.units, report.sessions) == (0, 1)
    assert memory.forget(UnitFilter(session="other", tags=("dark",))).sessions == 0
    assert [one.name for one in memory.sessions()] == ["other"]
    assert memory.get(unit).session == "other"


def test_an_entity_with_an_alias_goes_with_its_last_mention(memory: Memory) -> None:
    unit = memory.retain("Ebenezer Quill paints.").id
    (painter,) = memory.entities(containing="Quill")
    memory.alias_entity(painter.id, "The Brush")

    assert memory.forget(unit).entities == 1
    assert memory.entities() == []
    assert memory.entities(containing="Brush") == []


def test_an_entity_is_forgotten_by_name_with_what_was_said_of_it(memory: Memory) -> None:
    memory.retain("Ines leads Harbour.")
    memory.relate("Ines", "leads", "Harbour")
    memory.relate("Ines", "knows", "Oda Lund")
    report = memory.forget(UnitFilter(entity="ines"))

    # With the units that say the relations, and what was read from the first.
    assert (report.units, report.relations) == (3, 3)
    assert memory.relations() == []
    assert memory.entities() == []


def test_an_entity_that_no_unit_names_is_forgotten_by_its_number(memory: Memory) -> None:
    unit = memory.retain("Oda Lund paints.").id
    (oda,) = memory.entities(containing="oda")
    memory.retain(Unit("Someone sings.", entities=("Ines",)))
    memory.split_entity("Oda Lund", "Oda the other", [unit])

    assert memory.forget(UnitFilter(entity=oda.id)).entities == 1
    assert {one.name for one in memory.entities()} == {"Ines", "Oda the other"}


def test_compacting_changes_no_answer(memory: Memory) -> None:
    units = memory.retain([f"The lamp number {n} is lit." for n in range(20)]).ids
    memory.forget(units[::2])
    before = [(i.id, i.score) for i in memory.recall("lamp lit number 7").items]
    memory.compact()

    assert [(i.id, i.score) for i in memory.recall("lamp lit number 7").items] == before
    assert memory.stats().units == 10
    assert memory.retain("The lamp number 99 is lit.").new


def test_links_are_seen_the_same_from_both_ends(memory: Memory) -> None:
    lock, theft = memory.retain("New lock.").id, memory.retain("No theft.").id
    memory.link(lock, theft, LinkKind.PREVENTS, 0.5)

    assert memory.links(lock) == memory.links(theft) == [
        Link(memory.get(lock).id, memory.get(theft).id, LinkKind.PREVENTS, 0.5)
    ]  # fmt: skip


def test_what_takes_over_at_a_moment_is_not_true_before_it(memory: Memory) -> None:
    old = memory.retain("Ravi sits at desk 12.", told_at=datetime(2026, 1, 1, tzinfo=UTC)).id
    at = datetime(2026, 2, 1, tzinfo=UTC)
    assert memory.supersede(old, "Ravi sits at desk 40.", at=at).valid_from == at


@pytest.mark.parametrize(
    ("field", "left"),
    [
        ("speaker", None), ("predicate", None), ("context", None), ("session", None), ("key", None),
        ("valid_from", None), ("valid_to", None), ("tags", ()), ("metadata", {}), ("entities", ()),
    ],
)  # fmt: skip
def test_none_clears_a_field_and_what_is_not_given_stays(
    memory: Memory, field: str, left: object
) -> None:
    told = Unit(
        "Nora keeps bees.", predicate="keeps", context="hobbies",
        valid_from=datetime(2026, 1, 1, tzinfo=UTC), valid_to=datetime(2027, 1, 1, tzinfo=UTC),
        entities=("Nora",), tags=("bees",),
        metadata={"n": 1}, session="s1", speaker="Jo", key="nora",
    )  # fmt: skip
    before = memory.get(memory.retain(told).id)
    after = memory.update(before.id, **{field: None})  # type: ignore[arg-type]

    changed = {f.name for f in fields(after) if getattr(after, f.name) != getattr(before, f.name)}
    assert changed == {field}
    assert getattr(after, field) == left
    assert memory.get(before.id) == after


def test_none_clears_when_it_happened_and_lets_the_type_be_decided_anew(memory: Memory) -> None:
    unit = memory.retain("Nora kept bees on 4 May 2025.", type="opinion").id
    assert memory.get(unit).occurred_start is not None

    after = memory.update(unit, occurred=None)
    assert (after.occurred_start, after.occurred_end) == (None, None)
    assert memory.update(unit, type=None).type != "opinion"
    with pytest.raises(BadInput, match="told_at"):
        memory.update(unit, told_at=None)


def test_a_new_text_holds_as_long_as_it_says_and_not_as_the_old_one_said(
    memory: Memory,
) -> None:
    unit = memory.retain("The pass runs until 12 May 2999.").id
    given = memory.retain("The key works.", valid_to=datetime(2999, 1, 1, tzinfo=UTC)).id
    assert memory.get(unit).valid_to == datetime(2999, 5, 12, 23, 59, 59, 999999, tzinfo=UTC)
    assert memory.update(unit, text="The pass runs for good.").valid_to is None
    assert memory.update(given, text="The key turns.").valid_to is not None
