"""The plan runs what can contribute, skips what cannot, and says why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.answers import Parsed, Plan, ResolvedEntity, RetrieverPlan
from scrubjay.engine.plan import optimizer
from scrubjay.engine.plan.optimizer import INLINE_UNITS_MAX
from scrubjay.engine.presets import DEFAULT, DENSE_FTS, HINDSIGHT, PRESETS, RECALL5, TEMPR
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.planning import Circumstances
from scrubjay.preset import GraphMethod, GraphSwitches, Preset
from scrubjay.types.values import DEFAULT_TYPES, EntityId, Window

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PLAIN = Parsed(
    question="where is the ladder",
    now=NOW,
    window=None,
    window_kind=None,
    window_confidence=0.0,
    window_text=None,
    entities=(),
    terms=("ladder",),
    phrases=(),
    none_of=(),
    content_words=1,
    speculative_time=None,
    multi_hop=False,
    asks_for=None,
)
AROUND = Circumstances(
    units=1000,
    types=DEFAULT_TYPES,
    limit=10,
    has_vectors=True,
    types_given=False,
    deadline_ms=None,
    foreign_retrievers=False,
    lacking="opened with no encoder",
)
FOUR = ("semantic", "lexical", "graph", "temporal")
LAST_WEEK = Window(datetime(2026, 2, 23, 12, tzinfo=UTC), NOW)


def someone(mention: str) -> ResolvedEntity:
    return ResolvedEntity(mention, EntityId(1), mention, 0.9, ((EntityId(1), 0.9),))


def choose(parsed: Parsed, preset: Preset, around: Circumstances) -> Plan:
    planners = {name: RETRIEVERS[name].plan for name in FOUR}
    return optimizer.choose(parsed, preset, around, planners)


def step(plan: Plan, retriever: str) -> RetrieverPlan:
    return next(s for s in plan.retrievers if s.retriever == retriever)


def test_without_an_entity_the_entity_walk_is_skipped() -> None:
    graph = step(choose(PLAIN, RECALL5, AROUND), "graph")
    assert not graph.run
    assert "no entity" in graph.reason


def test_with_an_entity_the_walk_runs_and_names_it() -> None:
    graph = step(choose(replace(PLAIN, entities=(someone("Oda"),)), RECALL5, AROUND), "graph")
    assert graph.run
    assert graph.reason == "from Oda, 2 hops"


def test_a_question_about_someones_someone_walks_three_hops() -> None:
    parsed = replace(PLAIN, entities=(someone("Oda"),), multi_hop=True)
    assert "3 hops" in step(choose(parsed, RECALL5, AROUND), "graph").reason


def test_without_a_window_the_temporal_retriever_is_skipped() -> None:
    temporal = step(choose(PLAIN, RECALL5, AROUND), "temporal")
    assert not temporal.run
    assert "no time" in temporal.reason


def test_with_a_window_the_temporal_retriever_has_its_full_weight() -> None:
    parsed = replace(PLAIN, window=LAST_WEEK, window_text="last week")
    temporal = step(choose(parsed, RECALL5, AROUND), "temporal")
    assert temporal.run
    assert temporal.weight == 1.0
    assert "last week" in temporal.reason


def test_a_word_that_only_hints_at_time_runs_it_at_half_weight() -> None:
    temporal = step(choose(replace(PLAIN, speculative_time="latest"), RECALL5, AROUND), "temporal")
    assert temporal.run
    assert temporal.weight == 0.5
    assert "latest" in temporal.reason


def test_a_pure_time_question_skips_the_words() -> None:
    parsed = replace(PLAIN, window=LAST_WEEK, content_words=0)
    lexical = step(choose(parsed, RECALL5, AROUND), "lexical")
    assert not lexical.run
    assert "pure time" in lexical.reason
    assert step(choose(parsed, HINDSIGHT, AROUND), "lexical").run, "hindsight has no optimizer"


def test_a_question_for_nothing_but_a_stated_time_skips_meaning_too() -> None:
    parsed = replace(PLAIN, window=LAST_WEEK, window_kind="relative", content_words=0)
    plan = choose(parsed, DEFAULT, AROUND)
    assert [s.retriever for s in plan.retrievers if s.run] == ["temporal"]
    assert "pure time" in step(plan, "semantic").reason


@pytest.mark.parametrize(
    ("kind", "words", "named"),
    [("relative", 0, True), ("fuzzy", 0, False), ("open", 0, False), ("relative", 1, False)],
)
def test_a_question_that_asks_for_more_than_a_time_keeps_meaning(
    kind: str, words: int, named: bool
) -> None:
    parsed = replace(PLAIN, window=LAST_WEEK, window_kind=kind, content_words=words)
    parsed = replace(parsed, entities=(someone("Ada"),) if named else ())
    assert step(choose(parsed, DEFAULT, AROUND), "semantic").run


def test_a_question_that_is_only_a_known_identifier_skips_meaning_and_connections() -> None:
    parsed = replace(
        PLAIN,
        terms=("jira-9921", "jira", "9921"),
        content_words=0,
        entities=(someone("JIRA-9921"),),
    )
    plan = choose(parsed, RECALL5, AROUND)
    assert [s.retriever for s in plan.retrievers if s.run] == ["lexical"]
    assert "identifier" in step(plan, "semantic").reason
    assert "identifier" in step(plan, "graph").reason


def test_an_identifier_the_bank_does_not_know_is_searched_by_meaning_too() -> None:
    parsed = replace(PLAIN, terms=("jira-9912",), content_words=1, entities=())
    assert step(choose(parsed, RECALL5, AROUND), "semantic").run


def test_a_name_beside_the_identifier_keeps_every_retriever() -> None:
    parsed = replace(PLAIN, content_words=0, entities=(someone("Oda"), someone("JIRA-9921")))
    assert step(choose(parsed, RECALL5, AROUND), "graph").run


def test_without_words_there_is_nothing_to_look_for() -> None:
    lexical = step(choose(replace(PLAIN, terms=()), DENSE_FTS, AROUND), "lexical")
    assert not lexical.run


def test_without_vectors_meaning_and_what_starts_from_it_are_skipped() -> None:
    plan = choose(PLAIN, HINDSIGHT, replace(AROUND, has_vectors=False))
    assert [s.retriever for s in plan.retrievers if s.run] == ["lexical"]
    assert "no encoder" in step(plan, "semantic").reason


def test_causal_links_are_followed_only_when_causes_or_effects_are_asked_for() -> None:
    plain = step(choose(PLAIN, DEFAULT, AROUND), "graph")
    asking = step(choose(replace(PLAIN, asks_for="effect"), DEFAULT, AROUND), "graph")
    assert GraphMethod.ASKED_CAUSES not in plain.method.split("+")
    assert GraphMethod.ASKED_CAUSES in asking.method.split("+")
    assert "effects" in asking.reason


@pytest.mark.parametrize(
    ("question", "hints"),
    [
        ("what do I prefer for breakfast?", ("preference",)),
        ("my setting for the boiler", ("preference",)),
        ("when did the ferry leave?", ("event",)),
        ("who is Oda?", ("entity",)),
        ("where is the ladder?", ()),
    ],
)
def test_recall5_words_of_the_question_imply_types(question: str, hints: tuple[str, ...]) -> None:
    plan = choose(replace(PLAIN, question=question), RECALL5, AROUND)
    assert plan.type_hints == hints


def test_types_the_caller_chose_end_all_guessing() -> None:
    parsed = replace(PLAIN, question="what do I prefer for breakfast?")
    plan = choose(parsed, RECALL5, replace(AROUND, types_given=True))
    assert plan.type_hints == ()
    assert plan.hint_reason == "the caller chose the types"


def test_a_type_the_bank_does_not_have_is_no_hint() -> None:
    parsed = replace(PLAIN, question="what do I prefer for breakfast?")
    assert choose(parsed, RECALL5, replace(AROUND, types=("fact",))).type_hints == ()


@pytest.mark.parametrize(
    ("preset", "limit", "semantic", "lexical"),
    [
        ("dense_fts", 10, 30, 30),
        ("polyant", 10, 20, 20),
        ("polyant", 30, 60, 60),
        ("tempr", 50, 100, 100),
        ("hindsight", 10, 100, 100),
        ("hindsight", 50, 250, 250),
        ("recall5", 50, 250, 250),
        ("default", 10, 200, 200),
        ("default", 100, 500, 500),
        ("default", 300, 500, 500),
        ("default", 700, 700, 700),
        ("tempr", 300, 100, 100),
    ],
)
def test_each_design_fetches_its_own_depth(
    preset: str, limit: int, semantic: int, lexical: int
) -> None:
    plan = choose(PLAIN, PRESETS[preset], replace(AROUND, limit=limit))
    assert step(plan, "semantic").depth == semantic
    assert step(plan, "lexical").depth == lexical


def test_small_banks_run_inline_and_large_or_unknown_work_in_threads() -> None:
    assert choose(PLAIN, DEFAULT, AROUND).mode == "inline"
    large = replace(AROUND, units=INLINE_UNITS_MAX + 1)
    assert choose(PLAIN, DEFAULT, large).mode == "threads"
    assert choose(PLAIN, DEFAULT, replace(AROUND, foreign_retrievers=True)).mode == "threads"
    assert choose(PLAIN, DEFAULT, replace(AROUND, deadline_ms=5.0)).mode == "threads"
    assert choose(PLAIN, replace(DEFAULT, fanout="threads"), AROUND).mode == "threads"


def test_the_callers_deadline_replaces_the_presets() -> None:
    plan = choose(PLAIN, TEMPR, replace(AROUND, deadline_ms=7.0))
    assert {s.deadline_ms for s in plan.retrievers} == {7.0}


def test_a_preset_without_a_part_says_so() -> None:
    empty = Preset("bare", semantic=None, lexical=None, graph=None, temporal=None)
    plan = choose(PLAIN, empty, AROUND)
    assert not any(s.run for s in plan.retrievers)
    assert all("the preset has no" in s.reason for s in plan.retrievers)


def test_the_more_words_a_question_has_the_more_their_share_counts() -> None:
    def weight(words: int, preset: Preset) -> float:
        asked = replace(PLAIN, terms=tuple(f"word{n}" for n in range(words)))
        return step(choose(asked, preset, AROUND), "lexical").weight

    by_words = [weight(words, DEFAULT) for words in (1, 5, 12, 20, 60)]
    assert by_words[0] < by_words[1] == DEFAULT.weights["lexical"] < by_words[2] < by_words[3]
    assert by_words[3] == by_words[4]
    assert {weight(words, RECALL5) for words in (1, 60)} == {1.0}


def test_the_presets_weights_are_used() -> None:
    weighed = replace(HINDSIGHT, weights={"lexical": 0.7})
    plan = choose(PLAIN, weighed, AROUND)
    assert step(plan, "lexical").weight == 0.7
    assert step(plan, "semantic").weight == 1.0


def test_a_plan_prints_as_a_table_with_one_line_per_retriever_and_its_reasons() -> None:
    plan = choose(PLAIN, DEFAULT, AROUND)
    lines = str(plan).splitlines()
    assert lines[0].split() == ["retriever", "run", "method", "depth", "weight", "deadline", "why"]
    assert [line.split()[0] for line in lines[1:5]] == list(FOUR)
    column = lines[0].index("why")
    assert [line[column:] for line in lines[1:5]] == [s.reason for s in plan.retrievers]
    assert lines[5].startswith("types: none")


@given(
    st.sampled_from(sorted(PRESETS)),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
    st.sampled_from([None, "cause", "effect"]),
    st.booleans(),
)
def test_every_choice_has_a_reason_and_the_same_question_the_same_plan(
    preset: str,
    windowed: bool,
    named: bool,
    content_words: int,
    asks_for: str | None,
    has_vectors: bool,
) -> None:
    parsed = replace(
        PLAIN,
        window=LAST_WEEK if windowed else None,
        entities=(someone("Oda 7"),) if named else (),
        content_words=content_words,
        asks_for=asks_for,
    )
    around = replace(AROUND, has_vectors=has_vectors)
    plan = choose(parsed, PRESETS[preset], around)
    assert [s.retriever for s in plan.retrievers] == list(FOUR)
    assert all(s.reason for s in plan.retrievers)
    assert plan.hint_reason
    assert plan.mode_reason
    assert plan == choose(parsed, PRESETS[preset], around)


def test_the_walk_of_a_users_own_preset_says_its_own_hops() -> None:
    preset = Preset("near", graph=GraphSwitches(methods=(GraphMethod.ENTITY_WALK,), hops=1))
    parsed = replace(PLAIN, entities=(someone("Oda"),))
    assert step(choose(parsed, preset, AROUND), "graph").reason == "from Oda, 1 hop"
