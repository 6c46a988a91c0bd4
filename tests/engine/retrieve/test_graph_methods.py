"""The graph's methods give the designs' worked numbers on banks small enough to count by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from math import sqrt, tanh

import numpy as np
import pytest

from scrubjay.answers import Evidence, Recall
from scrubjay.engine.presets import HINDSIGHT, RECALL5, TEMPR
from scrubjay.engine.retrieve.entity_walk import CLASS_PRIORS, HOP_SCORES
from scrubjay.engine.retrieve.graph import merged
from scrubjay.engine.retrieve.query import NOTHING, Retrieved
from scrubjay.errors import BadInput
from scrubjay.memory import Memory
from scrubjay.preset import (
    GraphMethod,
    GraphSwitches,
    Preset,
    TemporalMethod,
    TemporalSwitches,
)
from scrubjay.testing import FixedClock
from scrubjay.types.graph import LinkKind, RelationClass

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
PAST = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as opened:
        yield opened


def tell(memory: Memory, **texts: str) -> None:
    """One unit about each name."""
    for name, text in texts.items():
        memory.retain(text, entities=[name])


def graph_evidence(recall: Recall) -> dict[str, Evidence]:
    """What the graph says of each unit, by text."""
    found = {item.text: item.why.retrievers.get("graph") for item in recall.items}
    return {text: evidence for text, evidence in found.items() if evidence is not None}


# --- recall5: the entity walk ------------------------------------------------------------------


def test_recall5_hop_scores_and_class_priors_are_the_designs() -> None:
    assert HOP_SCORES == (1.0, 0.6, 0.35, 0.15)
    assert {str(kind): prior for kind, prior in CLASS_PRIORS.items()} == {
        "structural": 1.0,
        "semantic": 0.9,
        "lifecycle": 0.3,
    }


def test_recall5_one_structural_hop_at_confidence_0_95_scores_0_57(memory: Memory) -> None:
    tell(memory, Ottilie="Ottilie plans the harvest.", Brandur="Brandur mends the nets.")
    memory.relate(
        "Brandur", "works for", "Ottilie", relation_class=RelationClass.STRUCTURAL, confidence=0.95
    )
    found = graph_evidence(memory.recall("what about Ottilie", preset="recall5"))
    assert found["Ottilie plans the harvest."].score == 1.0
    assert found["Brandur mends the nets."].score == pytest.approx(0.6 * 0.95)
    assert round(found["Brandur mends the nets."].score, 2) == 0.57
    assert found["Brandur mends the nets."].path == ("Ottilie", "<-works for-", "Brandur")


def test_recall5_two_hops_over_an_ended_lifecycle_edge_score_0_030(memory: Memory) -> None:
    tell(memory, Ottilie="Ottilie plans the harvest.", Wendelin="Wendelin keeps the bees.")
    memory.relate("Ottilie", "is part of", "Hofgut", relation_class=RelationClass.STRUCTURAL)
    memory.relate(
        "Hofgut",
        "employed",
        "Wendelin",
        relation_class=RelationClass.LIFECYCLE,
        confidence=0.95,
        valid_to=PAST,
    )
    found = graph_evidence(memory.recall("what about Ottilie", preset="recall5"))
    score = found["Wendelin keeps the bees."].score
    assert score == pytest.approx(0.35 * 0.95 * 0.3 * 0.3)
    assert round(score, 3) == 0.030


def test_recall5_a_relation_was_fresh_when_it_held(memory: Memory) -> None:
    tell(memory, Ottilie="Ottilie plans the harvest.", Wendelin="Wendelin keeps the bees.")
    memory.relate(
        "Ottilie",
        "hired",
        "Wendelin",
        relation_class=RelationClass.STRUCTURAL,
        valid_from=datetime(2024, 1, 1, tzinfo=UTC),
        valid_to=datetime(2024, 12, 1, tzinfo=UTC),
    )

    def score(as_of: datetime) -> float:
        recall = memory.recall("what about Ottilie", preset="recall5", as_of=as_of)
        return graph_evidence(recall)["Wendelin keeps the bees."].score

    assert score(datetime(2024, 6, 1, tzinfo=UTC)) == pytest.approx(0.6)
    assert score(datetime(2025, 6, 1, tzinfo=UTC)) == pytest.approx(0.6 * 0.3)
    assert score(datetime(2023, 6, 1, tzinfo=UTC)) == pytest.approx(0.6 * 0.3), "not yet begun"


def chain(memory: Memory) -> None:
    tell(
        memory,
        Anselm="Anselm bakes.",
        Borghild="Borghild sews.",
        Casimir="Casimir rows.",
        Dagny="Dagny welds.",
    )
    for one, other in (("Anselm", "Borghild"), ("Borghild", "Casimir"), ("Casimir", "Dagny")):
        memory.relate(one, "knows", other, relation_class=RelationClass.STRUCTURAL)


def test_recall5_walks_two_hops_and_three_only_when_asked_for(memory: Memory) -> None:
    chain(memory)
    near = graph_evidence(memory.recall("anything on Anselm", preset="recall5"))
    people = [near[text].score for text in near if "knows" not in text]
    assert people == pytest.approx([1.0, 0.6, 0.35])
    asked = "who does Anselm work with who also knows people?"
    far = graph_evidence(memory.recall(asked, preset="recall5"))
    assert far["Dagny welds."].score == pytest.approx(0.15)


def test_recall5_multi_hop_hits_weigh_0_8_in_fusion(memory: Memory) -> None:
    chain(memory)
    items = {i.text: i for i in memory.recall("anything on Anselm", preset="recall5")}
    one_hop = items["Borghild sews."].why
    assert set(one_hop.retrievers) == {"graph"}
    assert one_hop.fused == pytest.approx(0.8 * sqrt(0.6) / (60 + one_hop.retrievers["graph"].rank))


def test_a_walk_longer_than_the_scores_reach_stops_there(memory: Memory) -> None:
    chain(memory)
    switches = GraphSwitches(methods=(GraphMethod.ENTITY_WALK,), hops=9)
    recall = memory.recall("anything on Anselm", preset=Preset("far", graph=switches))
    assert recall.degraded == ()
    assert graph_evidence(recall)["Dagny welds."].score == pytest.approx(0.15)


def test_units_equally_near_are_ordered_by_likeness_to_the_question(memory: Memory) -> None:
    lines = [f"Ottilie wrote line {n} of the ledger." for n in range(60)]
    pages = [f"Ottilie wrote page {n} of the diary." for n in range(60)]
    memory.retain([*lines, "Ottilie sold the copper kettle.", *pages], entities=["Ottilie"])
    found = graph_evidence(memory.recall("did Ottilie sell the copper kettle", preset="recall5"))
    assert found["Ottilie sold the copper kettle."].rank == 1


# --- hindsight: link expansion -----------------------------------------------------------------


def test_hindsight_shared_entities_count_as_tanh_of_half_their_number_over_three(
    memory: Memory,
) -> None:
    memory.retain("The ledger is blue.", entities=["Ottilie", "Hofgut"])
    memory.retain("A heron nests there.", entities=["Ottilie", "Hofgut"])
    memory.retain("Nobody rings twice.", entities=["Ottilie"])
    found = graph_evidence(memory.recall("the ledger is blue", preset="hindsight"))
    assert found["A heron nests there."].score == pytest.approx(tanh(0.5 * 2) / 3, abs=1e-6)
    assert found["Nobody rings twice."].score == pytest.approx(tanh(0.5 * 1) / 3, abs=1e-6)


def test_hindsight_entity_semantic_and_causal_evidence_add_up(memory: Memory) -> None:
    seed = memory.retain("The ledger is blue today.", entities=["Ottilie"]).id
    other = memory.retain("The ledger is blue again today.", entities=["Ottilie"]).id
    memory.link(seed, other, LinkKind.ENABLES, weight=0.5)
    weights = {link.kind: link.weight for link in memory.links(seed) if link.target == other}
    assert weights[LinkKind.SEMANTIC] >= 0.7
    preset = Preset(
        "one seed",
        graph=GraphSwitches(methods=(GraphMethod.LINK_EXPANSION,), seeds=1),
    )
    found = graph_evidence(memory.recall("the ledger is blue today", preset=preset))
    expected = tanh(0.5) + weights[LinkKind.SEMANTIC] + 0.5
    assert found["The ledger is blue again today."].score == pytest.approx(expected / 3, abs=1e-3)


def test_hindsight_semantic_links_are_followed_in_both_directions(memory: Memory) -> None:
    memory.retain("The ledger is blue today.")
    memory.retain("The ledger is blue again today.")
    for asked, other in (
        ("ledger is blue today", "The ledger is blue again today."),
        ("again ledger is blue today", "The ledger is blue today."),
    ):
        preset = Preset(
            "one seed", graph=GraphSwitches(methods=(GraphMethod.LINK_EXPANSION,), seeds=1)
        )
        assert other in graph_evidence(memory.recall(asked, preset=preset))


def test_hindsight_no_evidence_passes_one(memory: Memory) -> None:
    names = [f"Person{n}" for n in range(12)]
    seed = memory.retain("The ledger is blue today.", entities=names).id
    other = memory.retain("The ledger is blue today again.", entities=names).id
    memory.link(seed, other)
    found = graph_evidence(memory.recall("the ledger is blue today", preset="hindsight"))
    assert all(0 < evidence.score <= 1 for evidence in found.values())


# --- tempr: spreading activation ---------------------------------------------------------------


def test_tempr_activation_is_similarity_times_weight_times_0_8_and_causal_counts_double(
    memory: Memory,
) -> None:
    seed = memory.retain("copper kettle on a shelf").id
    effect = memory.retain("Nobody rings twice.").id
    memory.link(seed, effect, weight=0.5)
    recall = memory.recall("copper kettle on a shelf", preset="tempr")
    similarity = recall.items[0].why.retrievers["semantic"].score
    assert similarity == pytest.approx(1.0, abs=1e-3)
    score = graph_evidence(recall)["Nobody rings twice."].score
    assert score == pytest.approx(similarity * 0.5 * 2 * 0.8, abs=1e-3)


def test_tempr_activation_fades_with_every_link_and_does_not_pile_up(memory: Memory) -> None:
    ids = [
        memory.retain(text).id
        for text in ("copper kettle on a shelf", "Nobody rings twice.", "Herons nest late.")
    ]
    memory.link(ids[0], ids[1], weight=0.25)
    memory.link(ids[1], ids[2], weight=0.25)
    found = graph_evidence(memory.recall("copper kettle on a shelf", preset="tempr"))
    near, far = found["Nobody rings twice."].score, found["Herons nest late."].score
    step = 0.25 * 2 * 0.8
    assert far == pytest.approx(step * step, abs=1e-3)
    assert near == pytest.approx(step, abs=1e-3)


def test_tempr_only_seeds_over_its_floor_spread(memory: Memory) -> None:
    near = "copper kettle behind the old green door of the shed"
    far = "kettle behind the old green door of the shed, beside nine rusty tools and a broken rake"
    for text, spreads in ((near, True), (far, False)):
        bank = memory.bank(str(spreads))
        seed, effect = bank.retain(text).id, bank.retain("Nobody rings twice.").id
        bank.link(seed, effect)
        recall = bank.recall("copper kettle", preset="tempr")
        assert bank.explain("copper kettle", seed).score is not None
        assert ("Nobody rings twice." in graph_evidence(recall)) == spreads


def test_a_trace_counts_where_searches_along_links_began_and_what_they_followed(
    memory: Memory,
) -> None:
    seed = memory.retain("copper kettle on a shelf").id
    memory.link(seed, memory.retain("Nobody rings twice.").id)
    for preset in ("tempr", "hindsight"):
        trace = memory.recall("copper kettle on a shelf", preset=preset, trace=True).trace
        assert trace is not None
        walked = trace["walked"]
        assert isinstance(walked, dict)
        assert walked["graph"] == {"seeds": 1, "edges": 2 if preset == "tempr" else 1}
    nowhere = memory.recall("what is it?", preset="default", trace=True).trace
    assert nowhere is not None
    assert nowhere["walked"] == {}


def test_the_temporal_graph_follows_what_units_of_the_window_both_name(memory: Memory) -> None:
    told = {
        "Brandur carried the copper kettle up the hill.": datetime(2026, 7, 10, tzinfo=UTC),
        "Nobody but Brandur rings twice.": datetime(2026, 7, 9, tzinfo=UTC),
        "Brandur planted leeks.": datetime(2025, 7, 9, tzinfo=UTC),
    }
    for text, at in told.items():
        memory.retain(text, entities=["Brandur"], told_at=at)
    asked = "Who carried the copper kettle up the hill last week?"
    preset = replace(TEMPR, temporal=TemporalSwitches(TemporalMethod.ENTRY_POINTS, spread=True))
    alone = replace(TEMPR, temporal=TemporalSwitches(TemporalMethod.ENTRY_POINTS, spread=False))

    def timely(asked_with: Preset) -> dict[str, float]:
        found = memory.recall(asked, preset=asked_with)
        lists = {item.text: item.why.retrievers.get("temporal") for item in found}
        return {text: given.score for text, given in lists.items() if given is not None}

    carried, rings, _ = told
    assert timely(alone).keys() == {carried}
    spread = timely(preset)
    assert spread.keys() == {carried, rings}
    assert spread[rings] < spread[carried]


def test_tempr_visits_no_more_nodes_than_its_budget(memory: Memory) -> None:
    seed = memory.retain("copper kettle on a shelf").id
    for n in range(12):
        memory.link(seed, memory.retain(f"Heron number {n}.").id, weight=0.3)
    graph = GraphSwitches(methods=(GraphMethod.SPREADING_ACTIVATION,), seeds=5, nodes_max=4)
    recall = memory.recall(
        "copper kettle on a shelf", preset=Preset("small", graph=graph), limit=50
    )
    assert len(graph_evidence(recall)) == 4
    for budget in (3, 7):
        found = memory.recall(
            "copper kettle on a shelf", preset="tempr", thinking_budget=budget, limit=50
        )
        assert len(graph_evidence(found)) == budget
    with pytest.raises(BadInput, match="thinking_budget"):
        memory.recall("copper kettle", thinking_budget=0)


# --- several methods ---------------------------------------------------------------------------


def part(rows: list[int], scores: list[float], weights: list[float] | None = None) -> Retrieved:
    return Retrieved(
        np.array(rows, np.int64),
        np.array(scores, np.float32),
        None if weights is None else np.array(weights, np.float32),
    )


def test_a_unit_two_methods_find_keeps_what_counts_most_of_one_of_them() -> None:
    both = merged([part([1, 2], [1.0, 0.5], [1.0, 8.0]), part([2, 3], [0.6, 0.3])], 10)
    assert both.rows.tolist() == [2, 1, 3]
    assert both.scores.tolist() == pytest.approx([0.5, 1.0, 0.3])
    assert both.weights is not None
    assert both.weights.tolist() == pytest.approx([8.0, 1.0, 1.0])


def test_equal_units_stay_in_the_order_their_methods_gave_them() -> None:
    both = merged([part([9, 4, 7], [1.0, 1.0, 1.0]), part([2], [1.0])], 10)
    assert both.rows.tolist() == [9, 4, 7, 2]


def test_merging_nothing_gives_nothing_and_the_depth_cuts() -> None:
    assert len(merged([NOTHING, NOTHING], 10).rows) == 0
    assert merged([part([1, 2, 3], [0.9, 0.8, 0.7])], 2).rows.tolist() == [1, 2]


def test_each_design_has_its_own_method() -> None:
    methods = [preset.graph.methods for preset in (HINDSIGHT, TEMPR, RECALL5) if preset.graph]
    assert methods == [
        (GraphMethod.LINK_EXPANSION,),
        (GraphMethod.SPREADING_ACTIVATION,),
        (GraphMethod.ENTITY_WALK,),
    ]
