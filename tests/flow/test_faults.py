"""A part that fails is dropped and named; what the others found comes back in its own order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.flow.conftest import NOW

from scrubjay.answers import Recall, RetrieverPlan
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.engine.presets import DEFAULT
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.engine.retrieve.retriever import Retriever, Search
from scrubjay.errors import RecallFailed
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock, OverlapReranker
from scrubjay.types.arrays import ScoreArray, VectorArray

NAMES = tuple(RETRIEVERS)
QUESTION = "what did Oda do with the ladder last week?"
UNITS = (
    "Oda mended the ladder in the barn.",
    "The ladder is in the barn.",
    "Oda sold eggs.",
    "The barn was painted red.",
    "Last year a ladder broke.",
)
# Without an optimizer nothing is skipped, and plain RRF makes the order easy to check.
PRESET = replace(DEFAULT, name="all four", optimizer=False, type_filter=False, rerank=None)


def raising(_query: Query, _step: RetrieverPlan) -> Retrieved:
    raise RuntimeError("the disk is on fire")


def bad_rows(_query: Query, _step: RetrieverPlan) -> Retrieved:
    return Retrieved(np.array([10_000], np.int64), np.array([0.5], np.float32))


def bad_scores(query: Query, _step: RetrieverPlan) -> Retrieved:
    rows = query.bank.in_scope(query.scope)[:1]
    return Retrieved(rows, np.array([np.nan], np.float32))


def large_scores(query: Query, _step: RetrieverPlan) -> Retrieved:
    rows = query.bank.in_scope(query.scope)[:1]
    return Retrieved(rows, np.array([17.0], np.float32))


def repeated(query: Query, _step: RetrieverPlan) -> Retrieved:
    rows = np.repeat(query.bank.in_scope(query.scope)[:1], 2)
    return Retrieved(rows, np.ones(2, np.float32))


def negative_weights(query: Query, _step: RetrieverPlan) -> Retrieved:
    rows = query.bank.in_scope(query.scope)[:1]
    return Retrieved(rows, np.ones(1, np.float32), np.array([-1.0], np.float32))


class Hanging:
    """Does not come back until it is let go."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def __call__(self, _query: Query, _step: RetrieverPlan) -> Retrieved:
        self.released.wait(60)
        return Retrieved(np.empty(0, np.int64), np.empty(0, np.float32))


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    made = Hanging()
    yield made
    made.released.set()


Open = Callable[[Mapping[str, Retriever | Search]], Memory]


@pytest.fixture
def opened() -> Iterator[Open]:
    memories: list[Memory] = []

    def make(retrievers: Mapping[str, Retriever | Search]) -> Memory:
        memory = Memory.open(
            ":memory:",
            encoder="hash",
            reranker=None,
            clock=FixedClock(NOW),
            retrievers=retrievers or None,
        )
        memories.append(memory)
        memory.retain(UNITS, entities=["Oda"])
        return memory

    yield make
    for memory in memories:
        memory.close()


def texts(recall: Recall) -> list[str]:
    return [item.text for item in recall]


def without(memory: Memory, name: str) -> list[str]:
    """The order in which the other three alone put the units."""
    preset = replace(PRESET, **{name: None})  # type: ignore[arg-type]
    return texts(memory.recall(QUESTION, preset=preset))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (raising, "RuntimeError: the disk is on fire"),
        (bad_rows, "not in the bank"),
        (bad_scores, "outside [0, 1]"),
        (large_scores, "outside [0, 1]"),
        (repeated, "twice"),
        (negative_weights, "weights"),
    ],
)
def test_what_fails_is_named_and_the_rest_come_in_the_order_fusion_gives_the_rest(
    opened: Open, name: str, fault: Search, reason: str
) -> None:
    found = opened({name: fault}).recall(QUESTION, preset=PRESET)
    assert [part.retriever for part in found.degraded] == [name]
    assert reason in found.degraded[0].reason
    assert texts(found) == without(opened({}), name)
    assert found.items
    assert all(name not in item.why.retrievers for item in found)


@pytest.mark.parametrize("name", NAMES)
def test_what_hangs_past_its_deadline_is_dropped_and_the_rest_come_back(
    opened: Open, hanging: Hanging, name: str
) -> None:
    found = opened({name: hanging}).recall(QUESTION, preset=PRESET, deadline_ms=2_000)
    assert [part.retriever for part in found.degraded] == [name]
    assert found.degraded[0].reason == "passed its deadline of 2000 ms"
    assert texts(found) == without(opened({}), name)


def test_two_may_fail_at_once(opened: Open) -> None:
    found = opened({"semantic": raising, "graph": bad_rows}).recall(QUESTION, preset=PRESET)
    assert {part.retriever for part in found.degraded} == {"semantic", "graph"}
    assert found.items


def test_when_all_fail_the_answer_is_empty_and_says_so(opened: Open) -> None:
    found = opened(dict.fromkeys(NAMES, raising)).recall(QUESTION, preset=PRESET)
    assert found.items == ()
    assert [part.retriever for part in found.degraded] == list(NAMES)
    assert not found.nothing_relevant, "nothing was searched, so nothing is known"
    assert "Nothing relevant" not in found.as_context()


def test_when_all_fail_a_strict_caller_gets_an_error_with_every_reason(opened: Open) -> None:
    memory = opened(dict.fromkeys(NAMES, raising))
    with pytest.raises(RecallFailed) as caught:
        memory.recall(QUESTION, preset=PRESET, strict=True)
    assert all(f"{name}: RuntimeError" in str(caught.value) for name in NAMES)


def test_a_strict_caller_is_content_with_one_that_answers(opened: Open) -> None:
    failing = dict.fromkeys(("semantic", "graph", "temporal"), raising)
    assert opened(failing).recall(QUESTION, preset=PRESET, strict=True).items


def test_one_that_failed_is_not_asked_again_when_the_search_widens(opened: Open) -> None:
    asked: list[str] = []

    def counting(query: Query, step: RetrieverPlan) -> Retrieved:
        asked.append(step.retriever)
        return raising(query, step)

    preset = replace(PRESET, type_filter=True)
    found = opened({"semantic": counting}).recall("what did Oda prefer?", preset=preset)
    assert found.widened
    assert asked == ["semantic"]
    assert [part.retriever for part in found.degraded] == ["semantic"]


def everything(query: Query, _step: RetrieverPlan) -> Retrieved:
    rows = np.arange(query.bank.row_limit())
    return Retrieved(rows, np.ones(len(rows), np.float32))


@pytest.mark.parametrize(
    "given",
    [
        {"graph": everything},
        {"fifth": everything},
        {"fifth": Retriever("fifth", everything, scoped=True)},
        {"graph": replace(RETRIEVERS["graph"], run=everything)},
    ],
    ids=["in place of ours", "added", "added whole", "ours with another search"],
)
def test_a_retriever_cannot_smuggle_in_what_the_caller_filtered_out(
    opened: Open, given: dict[str, Retriever | Search]
) -> None:
    memory = opened(given)
    memory.retain("Oda keeps bees.", tags=["bees"])
    assert texts(memory.recall("Oda", preset=PRESET, tags=["bees"])) == ["Oda keeps bees."]


class Failing(HashingEncoder):
    """Tells units apart, and fails when it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        self.asked += len(texts)
        raise ConnectionError("refused")


def test_when_the_encoder_fails_words_relations_and_time_still_answer() -> None:
    encoder = Failing()
    with Memory.open(":memory:", encoder=encoder, reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(UNITS, entities=["Oda"])
        found = memory.recall(QUESTION, preset=PRESET)
    assert [part.retriever for part in found.degraded] == ["semantic"]
    assert "ConnectionError: refused" in found.degraded[0].reason
    assert {name for item in found for name in item.why.retrievers} == {
        "lexical",
        "graph",
        "temporal",
    }
    assert encoder.asked == 1, "one recall waits for a broken encoder once"


def test_a_batch_degrades_as_a_single_recall_does() -> None:
    encoder = Failing()
    with Memory.open(":memory:", encoder=encoder, reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(UNITS, entities=["Oda"])
        asked = [QUESTION, "ladder"]
        single = [memory.recall(question, preset=PRESET) for question in asked]
        encoder.asked = 0
        batch = memory.recall_batch(asked, preset=PRESET)
        assert encoder.asked == 2, "what failed for all is not asked again for each"
    assert [texts(found) for found in batch] == [texts(found) for found in single]
    assert [found.degraded for found in batch] == [found.degraded for found in single]


def test_without_an_encoder_the_answer_says_what_it_lacks() -> None:
    with Memory.open(":memory:", encoder=None, reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(UNITS)
        found = memory.recall("ladder")
    assert [part.retriever for part in found.degraded] == ["semantic"]
    assert "encoder=None" in found.degraded[0].reason
    assert found.items


class Broken(OverlapReranker):
    """A reranker whose model is gone."""

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        raise OSError(f"no such file to read {len(texts)} texts for {question}")


def test_a_reranker_that_fails_leaves_the_fused_order() -> None:
    with Memory.open(
        ":memory:", encoder="hash", reranker=Broken(), clock=FixedClock(NOW)
    ) as memory:
        memory.retain(UNITS)
        found = memory.recall("ladder", preset="hindsight")
        plain = memory.recall("ladder", preset="hindsight", rerank=False)
    assert [part.retriever for part in found.degraded] == ["rerank"]
    assert "no such file" in found.degraded[0].reason
    assert texts(found) == texts(plain)
    assert found.reranked == 0
