"""Standing instructions come up where something is asked to be done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from scrubjay import Memory
from scrubjay.engine.presets import DEFAULT

INSTRUCTION = "Always send invoices as plain text, without colours or logos."
TOLD = (
    "Ana Brandt leads procurement at Holm & Vik.",
    INSTRUCTION,
    *(f"Holm & Vik ordered {n} crates of glass in week {n}." for n in range(2, 40)),
    "Ana asked for a summary of the glass orders on Monday.",
    "The glass for Holm & Vik comes from a smelter in Orrefors.",
)
REQUEST = "Charge Holm & Vik for the crates of week 7"


@pytest.fixture(scope="module")
def told() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="scrubjay-small", reranker=None) as memory:
        memory.retain(list(TOLD))
        yield memory


def test_a_request_shows_the_instruction_behind_what_it_is_about(told: Memory) -> None:
    plain = told.recall(REQUEST, preset=replace(DEFAULT, instructions=False))
    found = told.recall(REQUEST)
    assert INSTRUCTION not in [item.text for item in plain][:5]
    assert [item.text for item in found][:3] == [*(item.text for item in plain[:2]), INSTRUCTION]
    assert found[2].why.signs["instruction"] > 0
    assert found[2].relevance <= found[1].relevance


def test_its_place_is_explained_as_a_sum(told: Memory) -> None:
    found = told.recall(REQUEST)
    said = told.explain(REQUEST, found[2].id)
    assert said.rank == 3
    assert said.contributions["instruction"] > 0
    assert sum(said.contributions.values()) == pytest.approx(found[2].score, abs=1e-5)


def test_a_question_and_a_filter_do_not_bring_it_up(told: Memory) -> None:
    asked = "Where does the glass for Holm & Vik come from?"
    off = told.recall(asked, preset=replace(DEFAULT, instructions=False))
    assert [item.id for item in told.recall(asked)] == [item.id for item in off]
    kept = told.recall(REQUEST, types=["entity"])
    assert INSTRUCTION not in [item.text for item in kept]


def test_an_instruction_about_as_near_as_anything_comes_first(told: Memory) -> None:
    found = told.recall("Send the invoices of this week as plain text, with our logo")
    assert found[0].text == INSTRUCTION
    assert sum(found[0].why.signs.values()) + found[0].why.fused == pytest.approx(found[0].score)


def test_without_a_search_by_meaning_the_instruction_stays_behind(told: Memory) -> None:
    by_words = replace(DEFAULT, semantic=None, graph=None)
    found = told.recall("Send the invoices for the crates as plain text", preset=by_words)
    assert INSTRUCTION in [item.text for item in found]
