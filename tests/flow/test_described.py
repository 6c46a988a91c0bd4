"""A question that says who is meant, and not the name, finds what was told by the name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrubjay.answers import Recall
from scrubjay.engine.presets import DEFAULT
from scrubjay.memory import Memory

DESCRIBES = "The village where grandma was born is Sankt Oswald."
ANSWER = "There is one bus a day to Sankt Oswald, at ten past seven."
TOLD = (
    "The tax letter came and is due on the thirtieth.",
    "We owe the landlord the papers about the cellar.",
    "The plumber's van was parked in front of the gate again.",
    "My brother started a course in bookkeeping.",
    "Swimming is cancelled until the pool is mended.",
    "The doctor's waiting room was full for two hours.",
    "Grandma turned ninety-one and ate three pieces of cake.",
    "The bus strike is over since Monday.",
)
QUESTION = "When does the bus go to grandma's birthplace?"
assert DEFAULT.graph is not None
WITHOUT = replace(DEFAULT, graph=replace(DEFAULT.graph, described_weight=0.0))


@pytest.fixture
def home(understanding: Memory) -> Memory:
    understanding.retain([*TOLD, DESCRIBES, ANSWER])
    return understanding


def place(found: Recall, text: str) -> int:
    return next(place for place, item in enumerate(found) if item.text == text)


def test_what_has_only_the_name_comes_with_what_says_whose_it_is(home: Memory) -> None:
    found, before = home.recall(QUESTION), home.recall(QUESTION, preset=WITHOUT)
    describing, item = found.items[0], found.items[place(found, ANSWER)]
    assert describing.text == DESCRIBES
    assert item.score > before.items[place(before, ANSWER)].score + 0.01
    assert item.why.retrievers["graph"].path == (describing.id, "-names->")


def test_where_a_name_is_asked_for_nobody_else_is_looked_for(home: Memory) -> None:
    found = home.recall("When does the bus go to Sankt Oswald?")
    (step,) = (step for step in found.plan.retrievers if step.retriever == "graph")
    assert "described" not in step.method


def test_a_name_that_is_everywhere_leads_nowhere(home: Memory) -> None:
    home.retain([f"In Sankt Oswald we saw house number {n}." for n in range(12)])
    found = home.recall(QUESTION, limit=30)
    graphs = [item.why.retrievers.get("graph") for item in found]
    assert not any(each.path and each.path[-1] == "-names->" for each in graphs if each)
