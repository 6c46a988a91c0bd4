"""The links made at write time, and those the caller gives."""

from __future__ import annotations

import pytest

from scrubjay import BadInput, Cause, LinkKind, Memory, NotFound, Unit
from scrubjay.types.graph import Link


def links(memory: Memory, unit: str, kind: LinkKind) -> list[Link]:
    return [link for link in memory.links(unit) if link.kind is kind]


def test_a_unit_is_joined_to_its_five_nearest_at_most(memory: Memory) -> None:
    memory.retain([f"the red kite flew over the old mill {n}" for n in range(12)])
    memory.retain("entirely different words here")
    unit = memory.retain("the red kite flew over the old mill again").id
    made = links(memory, unit, LinkKind.SEMANTIC)

    assert len(made) == 5
    assert all(link.weight >= 0.7 for link in made)
    assert unit not in {link.target for link in made}


def test_unlike_units_are_not_joined(memory: Memory) -> None:
    first = memory.retain("sparrows sing at dawn").id
    second = memory.retain("quarterly tax forms arrived").id

    assert memory.links(first) == memory.links(second) == []


def test_units_of_one_batch_are_joined_to_each_other_but_never_to_themselves(
    memory: Memory,
) -> None:
    kept = memory.retain([f"a boat with a blue sail number {n}" for n in range(4)])

    for unit in kept.ids:
        targets = [link.target for link in memory.links(unit)]
        assert unit not in targets
        assert len(targets) == len(set(targets)) > 0


def test_an_updated_unit_is_joined_to_its_neighbours_and_not_to_what_it_was(
    memory: Memory,
) -> None:
    kept = memory.retain([f"a boat with a blue sail number {n}" for n in range(8)])
    memory.update(kept.ids[0], text="a boat with a blue sail number zero")
    made = [link.target for link in memory.links(kept.ids[0])]

    assert len(made) == 5
    assert kept.ids[0] not in made


def test_a_popular_unit_keeps_the_newest_fifty_that_point_to_it(memory: Memory) -> None:
    bank = memory.bank("hub", links_per_unit_max=1, link_floor=0.3)
    hub = bank.retain("pear tree").id
    # Each shares its words with the hub and with nobody else.
    made = [bank.retain(f"pear tree w{n}a w{n}b w{n}c w{n}d").id for n in range(60)]
    targets = {link.target for link in bank.links(hub)}

    assert targets == set(made[-50:])
    assert bank.links(made[0]) == []
    assert bank.stats().links == 50
    bank.forget(hub)
    assert all(bank.links(unit) == [] for unit in made)


def test_forgetting_many_joined_units_leaves_no_link_behind(memory: Memory) -> None:
    kept = memory.retain([f"the red kite flew over the old mill {n}" for n in range(80)])
    memory.forget(kept.ids[:60])

    left = set(kept.ids[60:])
    assert all(link.target in left for unit in left for link in memory.links(unit))


def test_because_joins_a_unit_to_the_one_that_tells_its_cause(memory: Memory) -> None:
    cause = memory.retain("The main water pipe burst in the basement.").id
    kept = memory.retain(
        "The archive was closed because the main water pipe burst in the basement."
    )

    assert kept.derived.causal_links == 1
    (back,) = links(memory, kept.id, LinkKind.CAUSED_BY)
    (forth,) = links(memory, cause, LinkKind.CAUSES)
    assert (back.target, forth.target) == (cause, kept.id)


def test_because_works_within_one_batch(memory: Memory) -> None:
    kept = memory.retain(
        ["The ferry engine broke down.", "We slept ashore because the ferry engine broke down."]
    )
    (back,) = links(memory, kept.ids[1], LinkKind.CAUSED_BY)

    assert back.target == kept.ids[0]


def test_a_caller_names_causes_by_id_or_key(memory: Memory) -> None:
    flood = memory.retain("Flood.", key="flood").id
    kept = memory.retain(
        [
            Unit("Road closed.", causes=(Cause("flood", LinkKind.CAUSED_BY, 0.5),), key="road"),
            Unit("School shut.", causes=(Cause("road", LinkKind.CAUSED_BY),)),
            Unit("Sandbags.", causes=(Cause(flood, LinkKind.PREVENTS),)),
        ]
    )
    road, school, bags = kept.ids

    assert [(x.target, x.kind, x.weight) for x in memory.links(road)] == [
        (flood, LinkKind.CAUSED_BY, 0.5),
        (school, LinkKind.CAUSES, 1.0),
    ]
    assert (bags, flood) in {(x.source, x.target) for x in links(memory, flood, LinkKind.PREVENTS)}


def test_linking_needs_two_units_of_the_bank(memory: Memory) -> None:
    unit = memory.retain("Flood.").id

    for cause, effect in ((unit, "nonesuch"), ("nonesuch", unit)):
        with pytest.raises(NotFound, match="nonesuch"):
            memory.link(cause, effect)
    with pytest.raises(BadInput, match="itself"):
        memory.link(unit, unit)
    with pytest.raises(BadInput, match="itself"):
        memory.retain("Egg.", key="egg", causes=["egg"])
    assert memory.links(unit) == []


@pytest.mark.parametrize("weight", [0, -1, 1.5, float("nan"), "1", True, None])
def test_a_weight_is_a_share(memory: Memory, weight: float) -> None:
    first, second = memory.retain(["Flood.", "Drought."]).ids

    with pytest.raises(BadInput, match="weight"):
        memory.link(first, second, weight=weight)


@pytest.mark.parametrize("kind", ["semantic", "entity", "because", ""])
def test_only_causal_links_are_told(memory: Memory, kind: str) -> None:
    first, second = memory.retain(["Flood.", "Drought."]).ids

    with pytest.raises(BadInput, match="kind"):
        memory.link(first, second, kind)


@pytest.mark.parametrize("at_once", [True, False], ids=["in one call", "turn by turn"])
def test_a_turn_is_joined_to_the_turn_that_it_takes_up(memory: Memory, at_once: bool) -> None:
    turns = [
        Unit("The pier was closed after the storm.", speaker="Ada", session="talk"),
        Unit("Because of that, the launch moved to May.", speaker="Tom", session="talk"),
        Unit("What made you choose May?", speaker="Ada", session="talk"),
        Unit("The tides are kinder then.", speaker="Tom", session="talk"),
        Unit("That's why I like Tom.", speaker="Eve", session="other"),
    ]
    calls = [turns] if at_once else [[turn] for turn in turns]
    storm, launch, asked, tides, other = (u for call in calls for u in memory.retain(call).ids)

    def causes(unit: str) -> set[tuple[str, str]]:
        kinds = (LinkKind.CAUSES, LinkKind.CAUSED_BY)
        return {(link.target, link.kind) for link in memory.links(unit) if link.kind in kinds}

    assert causes(storm) == {(launch, LinkKind.CAUSES)}
    assert causes(tides) == {(asked, LinkKind.CAUSES)}
    assert causes(other) == set()


def test_a_turn_that_is_changed_is_joined_anew_to_the_one_before_it(memory: Memory) -> None:
    first, second, _ = memory.retain(
        [Unit(text, session="talk") for text in ("The pier broke.", "We went home.", "It rained.")]
    ).ids
    memory.update(second, text="That's why we went home early.")
    assert (second, LinkKind.CAUSES) in {(x.target, x.kind) for x in memory.links(first)}
