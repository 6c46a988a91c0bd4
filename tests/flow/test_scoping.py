"""What the caller asks for is a wall: no retriever returns anything beyond it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.flow.conftest import NOW

from scrubjay.answers import Recall
from scrubjay.engine.presets import PRESETS
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock
from scrubjay.types.units import Unit

DAY = timedelta(days=1)
# All four retrievers have reason to run, and the last two questions ask for effects and news.
QUESTIONS = (
    "what did Oda do with the ladder last month?",
    "what happened after Oda broke the ladder?",
    "what is the latest on Oda's ladder?",
    "ladder",
)


def texts(recall: Recall) -> set[str]:
    return {item.text for item in recall}


@pytest.fixture(scope="module")
def timeline() -> Iterator[Memory]:
    """A unit a day for sixty days, each true for twenty, all linked, named and alike."""
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        units = [
            Unit(
                f"Oda leant ladder {day} on the wall.",
                type=("event", "fact", "opinion")[day % 3],
                told_at=NOW - (60 - day) * DAY,
                valid_from=NOW - (60 - day) * DAY,
                valid_to=NOW - (40 - day) * DAY,
                entities=("Oda",),
                tags=("even",) if day % 2 == 0 else ("odd",),
                metadata={"third": day % 3},
            )
            for day in range(60)
        ]
        ids = memory.retain(units).ids
        for one, other in itertools.pairwise(ids):
            memory.link(one, other)
        yield memory


days = st.integers(-5, 65)
presets = st.sampled_from(sorted(PRESETS))
questions = st.sampled_from(QUESTIONS)
quick = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(presets, questions, days)
def test_nothing_told_after_known_at_is_ever_returned(
    timeline: Memory, preset: str, question: str, day: int
) -> None:
    known_at = NOW - (60 - day) * DAY
    found = timeline.recall(question, preset=preset, known_at=known_at, limit=100)
    assert all(item.told_at <= known_at for item in found)
    if 1 <= day <= 60:
        assert found.items


@quick
@given(presets, questions, days)
def test_nothing_invalid_at_as_of_is_ever_returned(
    timeline: Memory, preset: str, question: str, day: int
) -> None:
    as_of = NOW - (60 - day) * DAY
    found = timeline.recall(question, preset=preset, as_of=as_of, limit=100)
    for item in found:
        unit = timeline.get(item.id)
        assert unit.valid_from is not None
        assert unit.valid_to is not None
        assert unit.valid_from <= as_of < unit.valid_to


@quick
@given(presets, questions, st.sampled_from(["event", "fact", "opinion"]))
def test_types_given_win_over_what_the_words_imply(
    timeline: Memory, preset: str, question: str, wanted: str
) -> None:
    found = timeline.recall(question, preset=preset, types=[wanted], limit=100)
    assert {item.type for item in found} <= {wanted}
    assert found.items
    assert found.plan.type_hints == ()


@quick
@given(presets, questions, st.sampled_from(["even", "odd"]), st.integers(0, 2))
def test_tags_and_metadata_given_hold_in_every_retriever(
    timeline: Memory, preset: str, question: str, tag: str, third: int
) -> None:
    found = timeline.recall(
        question, preset=preset, tags=[tag], metadata={"third": third}, limit=100
    )
    assert all(item.tags == (tag,) and item.metadata == {"third": third} for item in found)
    assert found.items


@quick
@given(presets, questions, st.integers(0, 55), st.integers(1, 30))
def test_a_window_given_wins_over_the_words_and_nothing_outside_it_is_returned(
    timeline: Memory, preset: str, question: str, first: int, length: int
) -> None:
    start, end = NOW - (60 - first) * DAY, NOW - (60 - first - length) * DAY
    found = timeline.recall(question, preset=preset, window=(start, end), limit=100)
    assert found.window is not None
    assert (found.window.start, found.window.end) == (start, end)
    assert found.parsed.window_kind == "given"
    assert all(start <= item.told_at <= end for item in found)
    assert found.items


def test_a_window_read_from_the_words_is_a_sign_and_no_wall(memory: Memory) -> None:
    memory.retain("The ladder broke.", told_at=NOW - 300 * DAY)
    assert texts(memory.recall("did the ladder break last week?")) == {"The ladder broke."}


def test_what_has_ended_is_held_back_unless_the_past_is_asked_for(memory: Memory) -> None:
    old = memory.retain("The ladder is in the loft.", told_at=NOW - 100 * DAY).id
    memory.supersede(old, "The ladder is in the barn.", at=NOW - 10 * DAY)
    loft, barn = "The ladder is in the loft.", "The ladder is in the barn."
    assert texts(memory.recall("where is the ladder?")) == {barn}
    assert texts(memory.recall("where is the ladder?", as_of=NOW - 50 * DAY)) >= {loft}
    assert texts(memory.recall("where was the ladder last spring?")) == {loft, barn}


def test_what_was_known_then_had_not_ended_yet(memory: Memory) -> None:
    old = memory.retain("The ladder is in the loft.", told_at=NOW - 100 * DAY).id
    memory.supersede(old, "The ladder is in the barn.", at=NOW - 10 * DAY)
    known = memory.recall("where is the ladder?", known_at=NOW - 50 * DAY)
    assert texts(known) == {"The ladder is in the loft."}


def test_what_was_forgotten_is_found_by_nothing(memory: Memory) -> None:
    gone = memory.retain("Oda broke the ladder.", entities=["Oda"]).id
    memory.retain("Oda sold eggs.", entities=["Oda"])
    memory.forget(gone)
    for preset in PRESETS:
        for question in QUESTIONS:
            found = memory.recall(question, preset=preset)
            assert "Oda broke the ladder." not in texts(found)


def test_one_bank_does_not_see_anothers_units_names_or_words(memory: Memory) -> None:
    memory.retain("Oda broke the ladder.", entities=["Oda"], bank="one")
    memory.retain("Nothing to see here.", bank="two")
    for preset in PRESETS:
        found = memory.recall("what did Oda do with the ladder?", bank="two", preset=preset)
        assert texts(found) <= {"Nothing to see here."}
        assert found.parsed.entities == ()


# --- how much ----------------------------------------------------------------------------------


def test_a_unit_too_long_for_the_budget_is_passed_over_for_later_smaller_ones(
    memory: Memory,
) -> None:
    memory.retain("ladder " * 30 + "and so on")
    memory.retain("A ladder in the barn, red.")
    found = memory.recall("ladder", max_tokens=20)
    assert texts(found) == {"A ladder in the barn, red."}
    assert found.tokens == sum(item.tokens for item in found) <= 20
    assert found.items[0].why.retrievers["lexical"].rank == 2


def test_when_nothing_fits_the_budget_that_is_not_the_same_as_nothing_relevant(
    memory: Memory,
) -> None:
    memory.retain("A ladder in the barn, red.")
    found = memory.recall("ladder", max_tokens=1)
    assert found.items == ()
    assert not found.nothing_relevant


def test_the_limit_holds_and_takes_the_best(memory: Memory) -> None:
    memory.retain([f"Ladder {n} in the barn." for n in range(20)])
    many, few = memory.recall("ladder barn", limit=20), memory.recall("ladder barn", limit=3)
    assert [item.id for item in few] == [item.id for item in many][:3]


def test_min_score_cuts_by_relevance_and_an_empty_answer_says_nothing_is_relevant(
    memory: Memory,
) -> None:
    memory.retain(["The ladder is in the barn.", "A ladder has rungs, a barn has beams, say I."])
    every = memory.recall("ladder in the barn")
    assert all(0.0 <= item.relevance <= 1.0 for item in every)
    floor = max(item.relevance for item in every)
    best = memory.recall("ladder in the barn", min_score=floor)
    assert [item.relevance for item in best] == [floor]
    none = memory.recall("quantum chromodynamics lecture", min_score=0.5)
    assert none.items == ()
    assert none.nothing_relevant
    assert none.degraded == ()


def test_an_empty_bank_answers_with_nothing(memory: Memory) -> None:
    for preset in PRESETS:
        found = memory.recall(QUESTIONS[0], preset=preset)
        assert found.items == ()
        assert found.nothing_relevant
        assert found.degraded == ()


def test_a_trace_is_given_when_asked_for(memory: Memory) -> None:
    memory.retain("The ladder is in the barn.")
    assert memory.recall("ladder").trace is None
    trace = memory.recall("ladder", trace=True).trace
    assert trace is not None
    assert trace["found"] == {"semantic": 1, "lexical": 1}
    assert trace["fused"] == trace["ranked"] == trace["passing"] == 1
    assert trace["widened"] is False


def test_a_moment_before_everything_knows_nothing(memory: Memory) -> None:
    memory.retain("The ladder is in the barn.")
    assert memory.recall("ladder", known_at=datetime(2001, 1, 1, tzinfo=UTC)).nothing_relevant
