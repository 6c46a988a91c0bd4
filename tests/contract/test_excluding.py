"""A word or quotation with a minus keeps its units out of every retriever's answer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scrubjay import Memory, Unit
from scrubjay.answers import Step
from scrubjay.engine.presets import PRESETS
from scrubjay.testing import FixedClock

RED = "Agnes ate the red apple yesterday."
GREEN = "Agnes ate the green apple yesterday."
PIE = "Agnes baked an apple pie with red sugar."


@pytest.fixture
def orchard(memory: Memory, clock: FixedClock) -> dict[str, str]:
    told = clock.now - timedelta(days=1)
    ids = memory.retain([Unit(t, told_at=told, entities=("Agnes",)) for t in (RED, GREEN, PIE)]).ids
    memory.link(ids[1], ids[0])
    return dict(zip((RED, GREEN, PIE), ids, strict=True))


def found(memory: Memory, question: str, preset: str) -> set[str]:
    return {item.text for item in memory.recall(question, preset=preset, rerank=False)}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    "question", ["apple -red", "what did Agnes eat yesterday? -red", "why the apple? -red", "-red"]
)
@pytest.mark.usefixtures("orchard")
def test_an_excluded_word_is_in_no_answer(memory: Memory, preset: str, question: str) -> None:
    assert found(memory, question, preset) <= {GREEN}


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.usefixtures("orchard")
def test_an_excluded_phrase_leaves_its_words_apart(memory: Memory, preset: str) -> None:
    assert found(memory, 'apple -"red apple"', preset) == {GREEN, PIE}
    assert found(memory, 'apple -"apple pie" -"no such thing"', preset) == {RED, GREEN}


@pytest.mark.parametrize(
    "question",
    ["apple - red", "apple well-red", "apple -5 red", "apple -", 'apple -""', "a-red apple"],
)
@pytest.mark.usefixtures("orchard")
def test_a_dash_that_excludes_nothing_excludes_nothing(memory: Memory, question: str) -> None:
    assert RED in found(memory, question, "default")
    assert memory.plan(question).excluded == ()


def test_what_is_excluded_is_shown_everywhere(memory: Memory, orchard: dict[str, str]) -> None:
    question = 'apple -red -"green apple"'
    plan = memory.plan(question)
    assert plan.excluded == ("red", "green apple")
    assert "without: 'red', 'green apple'" in str(plan)
    trace = memory.recall(question, trace=True).trace
    assert trace is not None
    assert trace["parsed"]["excluded"] == {"red": 2, "green apple": 1}  # type: ignore[index,call-overload]
    for text, said in ((RED, "red"), (PIE, "red"), (GREEN, "green apple")):
        why = memory.explain(question, orchard[text])
        assert why.step is Step.SCOPE
        assert why.reason == f"it says {said!r}, which the question excludes"


def test_an_excluded_word_leaves_room_for_all_the_others(memory: Memory) -> None:
    memory.retain([f"Red apple number {n}." for n in range(250)])
    memory.retain("The apple tree stands here.")
    assert found(memory, "apple -red", "default") == {"The apple tree stands here."}


def test_exclusion_and_a_filter_add_up(memory: Memory, clock: FixedClock) -> None:
    memory.retain("The red apple fell.", tags=["fruit"])
    memory.retain("The green apple fell.", tags=["fruit"])
    memory.retain("The yellow apple fell.")
    for preset in PRESETS:
        answer = memory.recall("apple -red", tags=["fruit"], preset=preset, rerank=False)
        assert [item.text for item in answer] == ["The green apple fell."]
        window = (clock.now - timedelta(days=1), clock.now)
        inside = memory.recall("apple -red", window=window, preset=preset, rerank=False)
        assert {item.text for item in inside} == {
            "The green apple fell.", "The yellow apple fell."
        }  # fmt: skip
