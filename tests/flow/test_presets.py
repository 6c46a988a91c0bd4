"""The six presets run, and differ where their designs differ; a preset of one's own works too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest
from tests.flow.conftest import NOW

from scrubjay.answers import Recall
from scrubjay.engine.presets import DEFAULT, HINDSIGHT, PRESETS, RECALL5
from scrubjay.memory import Memory
from scrubjay.preset import Fusion, LexicalSwitches, Preset, RerankSwitches
from scrubjay.testing import FixedClock, OverlapReranker
from scrubjay.types.arrays import ScoreArray


class Counting(OverlapReranker):
    """Counts the pairs it reads, and says that each costs two milliseconds."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        self.read.append(len(texts))
        return super().score(question, texts)

    def costs_ms(self, question: str, texts: Sequence[str]) -> list[float]:
        del question
        return [2.0 for _ in texts]


def story(memory: Memory) -> None:
    memory.retain(
        [f"Ladder {n} leans on wall {n}." for n in range(40)],
        told_at=datetime(2025, 1, 5, tzinfo=UTC),
    )
    memory.retain("Oda mended the ladder.", entities=["Oda"], type="event")
    memory.retain("Brandur keeps geese.", entities=["Brandur"])
    memory.relate("Brandur", "works for", "Oda")


def ran(recall: Recall) -> set[str]:
    return {step.retriever for step in recall.plan.retrievers if step.run}


QUESTION = "what did Oda do with the ladder last week?"


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_answers(memory: Memory, preset: str) -> None:
    story(memory)
    found = memory.recall(QUESTION, preset=preset)
    assert found.degraded == ()
    assert found.plan.preset == preset
    assert "Oda mended the ladder." in [item.text for item in found]
    assert [item.score for item in found] == sorted((i.score for i in found), reverse=True)


def test_the_presets_run_the_retrievers_of_their_designs(memory: Memory) -> None:
    story(memory)
    two, four = {"semantic", "lexical"}, {"semantic", "lexical", "graph", "temporal"}
    expected = {
        "dense_fts": two,
        "polyant": two,
        "tempr": four,
        "hindsight": four,
        "recall5": four,
        "default": four,
    }
    assert {name: ran(memory.recall(QUESTION, preset=name)) for name in PRESETS} == expected


def test_only_walks_and_links_cross_a_relation(memory: Memory) -> None:
    story(memory)
    reached = {
        name
        for name in PRESETS
        if "Brandur keeps geese." in [i.text for i in memory.recall("ask Oda", preset=name)]
    }
    # The unit that says the relation names both, which links them for the others' designs.
    assert reached == {"recall5", "default", "hindsight"}


def test_recall5_weighs_scores_and_the_other_designs_ranks_alone(memory: Memory) -> None:
    story(memory)
    for name, preset in PRESETS.items():
        if preset.fusion is Fusion.EVIDENCE:
            continue
        item = memory.recall("wall seven", preset=name, limit=1).items[0]
        shares = [
            (sqrt(e.score) if preset.fusion is Fusion.WEIGHTED_RRF else 1.0) / (60 + e.rank)
            for e in item.why.retrievers.values()
        ]
        assert item.why.fused == pytest.approx(sum(shares), rel=1e-5), name


def test_recall5_asks_time_for_events_only_and_hindsight_for_everything(memory: Memory) -> None:
    memory.retain("The barn was swept.", type="event")
    memory.retain("The barn is red.", type="fact")

    def timely(preset: str) -> set[str]:
        found = memory.recall("what about the barn last week?", preset=preset)
        return {i.text for i in found if "temporal" in i.why.retrievers}

    assert timely("recall5") == {"The barn was swept."}
    assert timely("hindsight") == timely("tempr") == {"The barn was swept.", "The barn is red."}


def test_hindsight_boosts_recent_units_by_a_tenth_and_tempr_does_not(memory: Memory) -> None:
    memory.retain("The ladder is in the barn.", told_at=NOW)
    memory.retain("The ladder is in the loft.", told_at=NOW - timedelta(days=400))
    boosts = {
        name: {i.text: i.why.recency for i in memory.recall("ladder", preset=name)}
        for name in ("hindsight", "tempr")
    }
    assert boosts["hindsight"]["The ladder is in the barn."] == pytest.approx(1.1)
    assert boosts["hindsight"]["The ladder is in the loft."] == pytest.approx(0.92)
    assert set(boosts["tempr"].values()) == {1.0}


def test_hindsight_closeness_to_the_time_asked_for_counts_too(memory: Memory) -> None:
    memory.retain("The ladder broke.", occurred=NOW - timedelta(days=3.5))
    memory.retain("The ladder fell.", occurred=NOW - timedelta(days=90), told_at=NOW)
    found = memory.recall("which ladder last week?", preset="hindsight")
    assert {i.text: round(i.why.temporal_boost, 2) for i in found} == {
        "The ladder broke.": 1.1,
        "The ladder fell.": 0.9,
    }


def test_polyant_takes_words_as_they_are_and_dense_fts_stems_them(memory: Memory) -> None:
    memory.retain("They were painting fences.")

    def by_words(question: str, preset: str) -> bool:
        found = memory.recall(question, preset=preset)
        return any("lexical" in i.why.retrievers for i in found)

    assert by_words("painted", "dense_fts")
    assert not by_words("painted", "polyant")
    assert by_words("painting", "polyant")


def test_dense_fts_fetches_three_times_the_limit_of_every_type(memory: Memory) -> None:
    memory.retain([f"Ladder {n} leans here." for n in range(20)], type="fact")
    memory.retain("A ladder, in my opinion, should be long and light.", type="opinion")
    found = memory.recall("ladder", preset="dense_fts", limit=2)
    assert len(found) == 2
    unit = memory.list().units[-1]
    why = memory.explain("ladder", unit.id, preset="dense_fts", limit=2)
    assert why.retrievers["lexical"].rank == 7, "six facts, and the only opinion"


# --- reranking ---------------------------------------------------------------------------------


@pytest.fixture
def counted() -> Counting:
    return Counting()


def ask(counted: Counting, **given: object) -> Recall:
    with Memory.open(":memory:", encoder="hash", reranker=counted, clock=FixedClock(NOW)) as memory:
        story(memory)
        return memory.recall("ladder wall", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        ({"preset": "hindsight"}, [40 + 1]),
        ({"preset": "default"}, []),
        ({"preset": "default", "rerank": True}, [30]),
        ({"preset": "recall5"}, []),
        ({"preset": "recall5", "rerank": True}, [40 + 1]),
        ({"preset": "hindsight", "rerank": False}, []),
        ({"preset": replace(HINDSIGHT, rerank=RerankSwitches(top=7))}, [7]),
        ({"preset": replace(HINDSIGHT, rerank=RerankSwitches(budget_ms=10.0))}, [5]),
    ],
)
def test_the_preset_the_caller_and_the_budget_decide_how_many_pairs_are_read(
    counted: Counting, given: dict[str, object], pairs: list[int]
) -> None:
    found = ask(counted, **given)
    assert counted.read == pairs
    assert found.reranked == sum(pairs)


def test_what_was_read_stands_before_what_was_not_and_the_rest_keeps_its_order(
    counted: Counting,
) -> None:
    preset = replace(DEFAULT, rerank=RerankSwitches(top=5, blend=0.7), recency_weight=0.2)
    found = ask(counted, preset=preset, limit=50)
    read = [item.why.rerank is not None for item in found]
    assert read == sorted(read, reverse=True)
    assert sum(read) == 5
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    rest = [
        item.why.fused * item.why.recency + sum(item.why.signs.values())
        for item in found
        if item.why.rerank is None
    ]
    assert rest == sorted(rest, reverse=True)


def test_hindsight_the_cross_encoder_alone_decides_but_for_the_boosts(reranking: Memory) -> None:
    reranking.retain("It is out there.", predicate="ladder barn")
    reranking.retain("A ladder is in the barn.")
    found = reranking.recall("ladder in the barn", preset="hindsight")
    assert found.items[0].text == "A ladder is in the barn."
    for item in found:
        assert item.why.rerank is not None
        assert item.score == pytest.approx(item.why.rerank * item.why.recency)


def test_a_reranker_that_was_wanted_and_is_missing_is_named(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRUBJAY_MODELS", str(tmp_path))
    with Memory.open(":memory:", encoder="hash", clock=FixedClock(NOW)) as memory:
        story(memory)
        found = memory.recall("ladder", preset="hindsight")
        asked_without = memory.recall("ladder", preset="hindsight", rerank=False)
    assert [part.retriever for part in found.degraded] == ["rerank"]
    assert "models pull" in found.degraded[0].reason
    assert asked_without.degraded == ()


# --- one's own ---------------------------------------------------------------------------------


def test_a_preset_of_ones_own_works(memory: Memory) -> None:
    story(memory)
    mine = Preset(
        "words twice",
        lexical=LexicalSwitches(),
        graph=None,
        temporal=None,
        weights={"lexical": 2.0},
        rank_constant=10,
    )
    found = memory.recall("wall seven", preset=mine)
    assert found.plan.preset == "words twice"
    best = found.items[0]
    ranks = {name: e.rank for name, e in best.why.retrievers.items()}
    assert best.why.fused == pytest.approx(
        2 / (10 + ranks["lexical"]) + (1 / (10 + ranks["semantic"]) if "semantic" in ranks else 0)
    )


def test_a_preset_may_switch_everything_off(memory: Memory) -> None:
    story(memory)
    nothing = Preset("nothing", semantic=None, lexical=None, graph=None, temporal=None)
    found = memory.recall("ladder", preset=nothing, strict=True)
    assert found.items == ()
    assert found.degraded == ()


def test_a_preset_may_ask_for_threads_and_answers_the_same(memory: Memory) -> None:
    story(memory)
    inline = memory.recall(QUESTION, preset=replace(RECALL5, fanout="inline"))
    threads = memory.recall(QUESTION, preset=replace(RECALL5, fanout="threads"))
    assert (inline.plan.mode, threads.plan.mode) == ("inline", "threads")
    assert inline.items == threads.items
