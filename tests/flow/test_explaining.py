"""`explain` answers why not: the rank and score everywhere, and the stage where a unit fell out."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.flow.conftest import NOW

from scrubjay.answers import Explanation, RetrieverPlan, Step
from scrubjay.engine.presets import DEFAULT, HINDSIGHT, PRESETS
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.errors import NotFound
from scrubjay.memory import Memory
from scrubjay.preset import Preset, SemanticSwitches
from scrubjay.testing import FixedClock
from scrubjay.types.values import UnitId

WORDS_ONLY = Preset("words", semantic=None, graph=None, temporal=None, candidates_max=2)


@pytest.fixture
def told(memory: Memory) -> dict[str, UnitId]:
    texts = {
        "ladder": "The ladder is in the barn.",
        "barn": "The barn is red and holds a ladder, two carts and a plough.",
        "eggs": "Eggs are sold on Fridays.",
        "long": "A ladder, " + "and a very long list of other things in there, " * 20,
    }
    return {name: memory.retain(text).id for name, text in texts.items()}


def test_a_unit_in_the_answer_was_returned_at_its_rank(
    memory: Memory, told: dict[str, UnitId]
) -> None:
    why = memory.explain("ladder in the barn", told["ladder"])
    assert why.returned
    assert (why.step, why.rank) == (Step.RETURNED, 1)
    assert why.retrievers["lexical"].rank == 1
    assert why.fused_rank == 1
    recalled = memory.recall("ladder in the barn").items[0]
    assert (why.score, why.relevance) == (recalled.score, recalled.relevance)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"types": ["event"]}, "types"),
        ({"tags": ["tools"]}, "tags"),
        ({"metadata": {"place": "attic"}}, "metadata"),
        ({"known_at": NOW - timedelta(days=1)}, "known_at"),
        ({"window": (None, NOW - timedelta(days=1))}, "window"),
    ],
)
def test_scope_a_filter_of_the_callers_is_named(
    memory: Memory, told: dict[str, UnitId], given: dict[str, object], named: str
) -> None:
    why = memory.explain("ladder", told["ladder"], **given)  # type: ignore[arg-type]
    assert why.step is Step.SCOPE
    assert why.reason == f"the filter on {named} leaves it out"


def test_scope_what_has_ended_says_so(memory: Memory) -> None:
    old = memory.retain("The ladder is in the loft.").id
    memory.supersede(old, "The ladder is in the barn.", at=NOW - timedelta(days=3))
    why = memory.explain("ladder", old)
    assert (why.step, why.reason) == (Step.SCOPE, "the filter on validity leaves it out")
    then = memory.explain("ladder", old, as_of=NOW - timedelta(days=9))
    assert then.step is Step.RETURNED


def test_retrieve_no_retriever_returned_it(memory: Memory, told: dict[str, UnitId]) -> None:
    strict = replace(DEFAULT, semantic=SemanticSwitches(floor=0.3))
    why = memory.explain("ladder", told["eggs"], preset=strict)
    assert why.step is Step.RETRIEVE
    assert not why.returned
    assert why.fused_rank is None
    assert why.score is None
    assert why.retrievers["lexical"].rank is None
    assert why.retrievers["lexical"].score == 0.0
    assert why.retrievers["lexical"].reason == "it holds none of the words"
    assert why.retrievers["semantic"].score is not None
    assert why.retrievers["semantic"].reason == "under the floor of 0.3"
    assert not why.retrievers["temporal"].ran
    assert why.retrievers["temporal"].reason == "the question names no time"


def test_fuse_only_the_first_candidates_go_on(memory: Memory, told: dict[str, UnitId]) -> None:
    why = memory.explain("ladder", told["long"], preset=WORDS_ONLY)
    assert why.step is Step.FUSE
    assert why.fused_rank == 3
    assert why.fused_score is not None
    assert "the first 2 go on" in why.reason


def test_rerank_the_cross_encoder_put_others_before_it(reranking: Memory) -> None:
    # Words rank the predicate's unit first; the reranker reads only the text.
    first = reranking.retain("It is out there.", predicate="ladder ladder barn").id
    reranking.retain("Where is the ladder? In the barn.")
    asked = "where is the ladder in the barn"
    preset = replace(HINDSIGHT, semantic=None, graph=None, temporal=None)
    why = reranking.explain(asked, first, preset=preset, limit=1)
    assert why.step is Step.RERANK
    assert why.fused_rank == 1
    assert why.rerank is not None
    assert "reranking put 1 before it" in why.reason


def test_min_score_it_is_not_relevant_enough(memory: Memory, told: dict[str, UnitId]) -> None:
    why = memory.explain("ladder in the barn", told["long"], min_score=0.9)
    assert why.step is Step.MIN_SCORE
    assert why.relevance is not None
    assert why.relevance < 0.9
    assert why.reason == f"relevance {why.relevance:.3f} is under min_score 0.9"


def test_budget_the_better_ones_left_no_room(memory: Memory, told: dict[str, UnitId]) -> None:
    why = memory.explain("ladder", told["long"], max_tokens=60)
    assert why.step is Step.BUDGET
    assert "60 tokens" in why.reason


def test_limit_enough_were_better(memory: Memory, told: dict[str, UnitId]) -> None:
    why = memory.explain("ladder in the barn", told["long"], limit=1)
    assert why.step is Step.LIMIT
    assert why.reason.endswith("and 1 were asked for")


def test_a_type_hint_that_hides_a_unit_is_named(memory: Memory) -> None:
    for drink in ("tea", "coffee", "cocoa", "water", "juice"):
        memory.retain(f"I like {drink} with my breakfast.", type="preference")
    room = memory.retain("The breakfast room is upstairs.", type="fact").id
    why = memory.explain("what do I like for breakfast?", room, preset="recall5")
    assert why.step is Step.RETRIEVE
    assert why.retrievers["lexical"].reason == "the type hint preference leaves it out"


def test_a_unit_beyond_the_depth_has_its_score_and_the_count_before_it(memory: Memory) -> None:
    ids = memory.retain([f"Ladder number {n} leans here." for n in range(5)]).ids
    shallow = Preset(
        "shallow",
        semantic=SemanticSwitches(per_limit=0, at_least=3, floor=0.0),
        lexical=None,
        graph=None,
        temporal=None,
    )
    why = memory.explain("ladder number leans here", ids[4], preset=shallow)
    assert why.step is Step.RETRIEVE
    assert why.retrievers["semantic"].score == pytest.approx(0.9, abs=0.1)
    assert why.retrievers["semantic"].reason == "3 others are nearer"


def test_a_unit_outside_the_time_asked_for_says_so(memory: Memory) -> None:
    old = memory.retain("The barn was painted.", told_at=NOW - timedelta(days=400)).id
    memory.retain("The barn was swept.", told_at=NOW - timedelta(days=2))
    why = memory.explain("what about the barn last week?", old)
    assert why.retrievers["temporal"].ran
    assert why.retrievers["temporal"].reason == "it neither happened nor was told in the window"


def test_a_unit_older_than_the_newest_says_so(memory: Memory) -> None:
    ids = memory.retain([f"Note {n} is filed." for n in range(120)]).ids
    why = memory.explain("what is the latest?", ids[0], preset="recall5")
    assert why.retrievers["temporal"].reason == "100 others are newer"


def test_what_a_failed_retriever_would_have_said_is_its_failure() -> None:
    def failing(_query: Query, _step: RetrieverPlan) -> Retrieved:
        raise TimeoutError("too slow")

    with Memory.open(
        ":memory:",
        encoder="hash",
        reranker=None,
        clock=FixedClock(NOW),
        retrievers={"lexical": failing},
    ) as memory:
        unit = memory.retain("The ladder is in the barn.").id
        why: Explanation = memory.explain("ladder in the barn", unit)
    assert why.retrievers["lexical"].ran
    assert why.retrievers["lexical"].reason == "TimeoutError: too slow"


def test_a_unit_the_bank_does_not_have_is_not_found(memory: Memory) -> None:
    memory.retain("The ladder is in the barn.")
    with pytest.raises(NotFound, match="nonesuch"):
        memory.explain("ladder", "nonesuch")


def test_vectors_are_not_said_to_be_missing_where_there_are_some(memory: Memory) -> None:
    unit = memory.retain("The ladder is in the barn.").id
    graph = memory.explain("ladder", unit).retrievers["graph"]
    assert graph.reason == (
        "nowhere to start from: no entity in the question, it asks for no cause or effect, "
        "it describes nothing"
    )
    assert "vectors" not in str(memory.plan("ladder"))


def test_what_is_less_alike_than_the_lowest_score_is_not_said_to_be_missed(memory: Memory) -> None:
    texts = ["The ladder is in the barn.", "Eggs are sold.", "Carts are red."]
    for question in ("?!", "ladder"):
        for unit in memory.retain(texts).ids:
            why = memory.explain(question, unit, preset="dense_fts").retrievers["semantic"]
            if why.rank is None:
                assert why.score == 0
                assert why.reason.startswith("under the floor of 0.0, at a cosine of -0.")


def test_a_bank_of_two_has_no_two_hundred_others(memory: Memory) -> None:
    other = memory.retain("The ladder leans; the barn is red.").id
    memory.retain("The red barn has a ladder.")
    why = memory.explain('ladder "red barn"', other).retrievers["lexical"]
    assert why.rank is None
    assert why.score is not None
    assert why.score > 0
    assert why.reason == "others say what the question quotes, and it does not"


def test_the_signs_that_decided_are_shown(memory: Memory) -> None:
    late = memory.retain("The ladder stands in the barn.", told_at=NOW - timedelta(days=21)).id
    old = memory.retain("Ladder, ladder in the barn.", told_at=NOW - timedelta(days=200)).id
    since = memory.retain("Ladder or barn.", told_at=NOW).id
    asked = "the ladder in the barn 21 days ago"
    first, second, third = (memory.explain(asked, unit, limit=1) for unit in (late, old, since))
    assert first.returned
    # What was told before may still have held then, what was told since did not.
    assert first.signs["window"] > second.signs["window"] > 0
    assert second.step is Step.LIMIT
    assert "window" not in third.signs
    assert second.fused_score is not None
    assert f"(fused {second.fused_score:.3f}" in second.reason
    narrow = replace(DEFAULT, candidates_max=1)
    cut = memory.explain(asked, old, preset=narrow)
    assert cut.step is Step.FUSE
    assert cut.reason.startswith("rank 2 after fusion (fused ")


def test_what_was_not_known_to_have_ended_is_not_said_to_be_left_out(
    memory: Memory,
) -> None:
    old = memory.retain("The ladder is in the loft.", told_at=NOW - timedelta(days=90)).id
    memory.supersede(old, "The ladder is in the barn.", at=NOW - timedelta(days=30))
    then = NOW - timedelta(days=20)
    assert memory.explain("ladder", old, as_of=then, known_at=then).returned
    after = memory.explain("ladder", old, as_of=then)
    assert (after.step, after.reason) == (Step.SCOPE, "the filter on as_of leaves it out")


NOTES = (
    "The ladder is in the barn.",
    "A ladder was lent to Tom, who paints the barn.",
    "The barn door sticks when it rains.",
    "Tom has a stall with ladders at the market.",
    "Ladders must be tied to the roof rack.",
    "The hayloft is reached by the ladder in the barn.",
    "The barn is red and holds a ladder, two carts and a plough.",
    "Ladder barn.",
)


@pytest.fixture
def notes(memory: Memory) -> dict[UnitId, str]:
    return {memory.retain(text).id: text for text in NOTES}


@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_score_is_made_of_adds_up_to_it(reranking: Memory, preset: str) -> None:
    for days, text in enumerate(NOTES):
        reranking.retain(text, told_at=NOW - timedelta(days=40 * days))
    for rerank in (False, True):
        found = reranking.recall("who has the ladder of the barn?", preset=preset, rerank=rerank)
        for item in found:
            why = reranking.explain(
                "who has the ladder of the barn?", item.id, preset=preset, rerank=rerank
            )
            assert sum(why.contributions.values()) == pytest.approx(item.score, abs=1e-9)
            if why.rival is not None:
                assert why.rank is not None
                before = found[why.rank - 2]
                assert why.rival.unit == before.id
                assert sum(why.rival.contributions.values()) == pytest.approx(before.score)
            assert why.change is None


def test_one_that_fell_out_is_compared_with_the_last_that_did_not(
    memory: Memory, notes: dict[UnitId, str]
) -> None:
    question = "ladder in the barn"
    found = memory.recall(question, limit=2)
    for unit in notes:
        why = memory.explain(question, unit, limit=2)
        if why.step is Step.LIMIT:
            assert why.rival is not None
            assert why.rival.unit == found[-1].id
            assert why.rival.score == pytest.approx(found[-1].score)
            assert sum(why.contributions.values()) == pytest.approx(why.score)
            assert why.change is not None
            (limit,) = re.findall(r"^limit=(\d+)", why.change)
            assert memory.explain(question, unit, limit=int(limit)).returned
            assert not memory.explain(question, unit, limit=int(limit) - 1).returned


def test_the_weight_that_is_named_lets_it_through(memory: Memory, notes: dict[UnitId, str]) -> None:
    question, tried = "ladder in the barn", 0
    for unit in notes:
        why = memory.explain(question, unit, limit=2)
        for name, factor in re.findall(r"the weight of (\w+) x ([\d.]+)", why.change or ""):
            if name in DEFAULT.weights:
                tried += 1
                # What is said has two digits.
                beyond = float(factor) + (0.01 if float(factor) > 1 else -0.01)
                weights = {**DEFAULT.weights, name: DEFAULT.weights[name] * beyond}
                other = replace(DEFAULT, weights=weights)
                assert memory.explain(question, unit, limit=2, preset=other).returned
    assert tried


def test_the_change_that_is_named_for_another_step_lets_it_through(
    memory: Memory, told: dict[str, UnitId]
) -> None:
    question = "ladder in the barn"
    cut = memory.explain(question, told["long"], max_tokens=100)
    assert cut.step is Step.BUDGET
    assert cut.change is not None
    tokens = int(cut.change.removeprefix("max_tokens="))
    assert memory.explain(question, told["long"], max_tokens=tokens).returned
    assert not memory.explain(question, told["long"], max_tokens=tokens - 1).returned
    low = memory.explain(question, told["long"], min_score=0.9)
    assert low.change is not None
    floor = float(low.change.removeprefix("min_score="))
    assert memory.explain(question, told["long"], min_score=floor).returned
    unfused = memory.explain(question, told["long"], preset=WORDS_ONLY)
    assert unfused.step is Step.FUSE
    assert unfused.change == "the preset's candidates_max=3"
    assert unfused.rival is not None
    deeper = replace(WORDS_ONLY, candidates_max=3)
    assert memory.explain(question, told["long"], preset=deeper).returned


def test_the_floor_that_is_named_lets_it_through(memory: Memory, told: dict[str, UnitId]) -> None:
    strict = replace(DEFAULT, semantic=SemanticSwitches(floor=0.99), lexical=None, optimizer=False)
    why = memory.explain("ladder in the barn", told["barn"], preset=strict)
    assert why.step is Step.RETRIEVE
    assert why.change is not None
    floor = float(why.change.removeprefix("the preset's semantic.floor="))
    lower = replace(strict, semantic=SemanticSwitches(floor=floor))
    assert memory.explain("ladder in the barn", told["barn"], preset=lower).returned


def test_what_no_search_found_says_that_it_comes_for_what_it_updates() -> None:
    words = Preset("words", semantic=None, graph=None, temporal=None, newest_first=True)
    with Memory.open(":memory:", encoder=None) as memory:
        old = memory.retain("Backups go to vault.example.org.").id
        new = memory.retain("vault.example.org was switched off. Use cold storage.").id
        first, second = memory.recall("backups", preset=words).items
    assert (first.id, second.id, second.why.updated_by) == (new, old, new)
    assert not first.why.retrievers
    assert first.why.signs == {"updates": pytest.approx(second.score)}
    assert not second.why.signs
