"""Parallel means parallel: four slow retrievers take as long as one."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Mapping

import numpy as np
from tests.flow.conftest import NOW

from scrubjay.answers import Recall, RetrieverPlan
from scrubjay.async_memory import AsyncMemory
from scrubjay.backend import InThreads
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.engine.retrieve.retriever import Search
from scrubjay.memory import Memory
from scrubjay.preset import GraphMethod, GraphSwitches, Preset
from scrubjay.testing import FixedClock
from scrubjay.trace import Span

NAMES = tuple(RETRIEVERS)
SLEEP_S = 0.5  # so long that a busy machine has started all four meanwhile


def sleeping(query: Query, _step: RetrieverPlan) -> Retrieved:
    """Takes its time, and finds the bank's first unit."""
    time.sleep(SLEEP_S)
    rows = query.bank.in_scope(query.scope)[:1]
    return Retrieved(rows, np.ones(len(rows), np.float32))


ASLEEP: Mapping[str, Search] = dict.fromkeys(NAMES, sleeping)
# "yesterday" gives a window, "Oda" an entity: all four have reason to run.
QUESTION = "what did Oda do yesterday with the ladder?"


def open_sleepy() -> Memory:
    memory = Memory.open(
        ":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW), retrievers=ASLEEP
    )
    memory.retain("Oda mended the ladder.", entities=["Oda"])
    return memory


def check_overlap(recall: Recall) -> None:
    branches = [recall.timings[name] for name in NAMES]
    assert max(b.start_ms for b in branches) < min(b.end_ms for b in branches), "all at once"
    took = max(b.end_ms for b in branches) - min(b.start_ms for b in branches)
    assert took < 0.6 * sum(b.end_ms - b.start_ms for b in branches), "not one after the other"
    assert len(recall) == 1
    assert set(recall.items[0].why.retrievers) == set(NAMES)


def test_four_slow_retrievers_overlap_in_memory() -> None:
    with open_sleepy() as memory:
        check_overlap(memory.recall(QUESTION, preset="hindsight", rerank=False))


def test_four_slow_retrievers_overlap_in_async_memory() -> None:
    async def ask() -> Recall:
        memory = AsyncMemory(InThreads(open_sleepy().backend))
        try:
            return await memory.recall(QUESTION, preset="hindsight", rerank=False)
        finally:
            await memory.close()

    check_overlap(asyncio.run(ask()))


def test_two_callers_overlap_in_async_memory() -> None:
    async def ask() -> tuple[list[Recall], list[Span]]:
        memory = AsyncMemory(InThreads(open_sleepy().backend))
        begun = time.perf_counter()
        spans: list[Span] = []

        async def one() -> Recall:
            start = time.perf_counter() - begun
            recall = await memory.recall(QUESTION, preset="hindsight", rerank=False)
            end = time.perf_counter() - begun
            spans.append(Span("call", start * 1e3, end * 1e3, 0.0))
            return recall

        try:
            return list(await asyncio.gather(one(), one())), spans
        finally:
            await memory.close()

    recalls, spans = asyncio.run(ask())
    for recall in recalls:
        check_overlap(recall)
    assert max(s.start_ms for s in spans) < min(s.end_ms for s in spans)


def test_the_type_filter_does_not_make_the_others_wait() -> None:
    preset = Preset(
        "hinting",
        graph=GraphSwitches(methods=(GraphMethod.ENTITY_WALK,)),
        type_filter=True,
    )
    with open_sleepy() as memory:
        memory.bank("default", widen_below=0)
        recall = memory.recall("what did Oda prefer yesterday?", preset=preset)
        assert recall.plan.type_hints == ("preference",)
        branches = [recall.timings[name] for name in NAMES]
        assert max(b.start_ms for b in branches) < min(b.end_ms for b in branches)


def test_the_stages_of_a_recall_are_timed_in_order() -> None:
    with open_sleepy() as memory:
        timings = memory.recall(QUESTION, preset="hindsight", rerank=False).timings
    stages = [timings[name] for name in ("parse", "plan", "retrieve", "fuse", "rerank", "budget")]
    assert [s.start_ms for s in stages] == sorted(s.start_ms for s in stages)
    assert all(one.end_ms <= other.start_ms for one, other in itertools.pairwise(stages))
    retrieve = timings["retrieve"]
    assert all(retrieve.start_ms <= timings[n].start_ms for n in NAMES)
    assert all(timings[n].end_ms <= retrieve.end_ms for n in NAMES)
