"""What a bank does not hold is not searched for, and the answer is the same as if it had been."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay import Memory, Recall, Unit
from scrubjay.backend import EngineBackend
from scrubjay.engine.presets import DEFAULT, RECALL5
from scrubjay.engine.toolbox import Toolbox
from scrubjay.preset import Preset
from scrubjay.store.embedded.store import EmbeddedStore
from scrubjay.testing import FixedClock

TEXTS = [
    "The bakery opens at six.", "Rye bread needs a sour dough.", "The oven was mended in March.",
    "Oats are kept beside the flour.", "Breakfast is served until ten.", "The mill closed in May.",
]  # fmt: skip


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock()) as opened:
        opened.retain([Unit(text, type="fact") for text in TEXTS])
        yield opened


def ranking(recall: Recall) -> list[tuple[str, float]]:
    return [(item.id, item.score) for item in recall.items]


def step_of(recall: Recall, retriever: str) -> tuple[bool, str]:
    step = next(s for s in recall.plan.retrievers if s.retriever == retriever)
    return step.run, step.reason


def without_optimizer(memory: Memory, question: str, preset: Preset) -> Recall:
    return memory.recall(question, preset=replace(preset, optimizer=False))


def test_a_window_in_which_nothing_was_told_is_not_searched_and_ranks_the_same(
    memory: Memory,
) -> None:
    question = "When was bread served for breakfast in 2019?"
    recall = memory.recall(question)
    assert step_of(recall, "temporal") == (
        False, "nothing in this bank was told, or happened, in the window",
    )  # fmt: skip
    searched = without_optimizer(memory, question, DEFAULT)
    assert step_of(searched, "temporal")[0]
    assert ranking(recall) == ranking(searched) != []


def test_types_that_the_bank_lacks_are_not_searched_first_and_it_ranks_the_same(
    memory: Memory,
) -> None:
    question = "What bread do I prefer for breakfast?"
    recall = memory.recall(question, preset=RECALL5)
    assert not recall.widened
    searched = without_optimizer(memory, question, RECALL5)
    assert searched.widened
    assert ranking(recall) == ranking(searched) != []


def test_what_a_bank_holds_is_known_after_every_change_and_when_it_is_opened(
    tmp_path: Path,
) -> None:
    def held(store: EmbeddedStore) -> frozenset[str]:
        with store.using("default") as bank:
            assert bank is not None
            extent = bank.extent()
        return frozenset() if extent is None else extent.types

    def opened() -> EmbeddedStore:
        return EmbeddedStore(tmp_path, index_files_above=0)

    with closing(opened()) as store:
        memory = Memory(EngineBackend(store, Toolbox("hash", None, FixedClock())))
        told = memory.retain([Unit("I like rye.", type="preference"), Unit("Oats.", type="fact")])
        assert held(store) == {"preference", "fact"}
        memory.update(told.ids[1], type="event")
        assert held(store) == {"preference", "event"}
        memory.forget(told.ids[0])
        assert held(store) == {"event"}
    with closing(opened()) as store:
        assert held(store) == {"event"}
        memory = Memory(EngineBackend(store, Toolbox("hash", None, FixedClock())))
        memory.forget(told.ids[1])
        assert held(store) == frozenset()
