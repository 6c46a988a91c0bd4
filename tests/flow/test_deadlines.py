"""A recall keeps its deadline, whatever the encoder and the reranker do, and says what it lacks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.flow.conftest import NOW

from scrubjay import Memory, RecallFailed
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.engine.presets import DEFAULT
from scrubjay.preset import Preset
from scrubjay.testing import FixedClock, OverlapReranker
from scrubjay.types.arrays import ScoreArray, VectorArray

LONG_S = 60.0
# Short enough to wait for, long enough for a busy machine to do all else in time.
DEADLINE_MS = 2_500.0
HURRIED = replace(DEFAULT, name="hurried", deadline_ms=DEADLINE_MS, rerank=None)
QUESTION = "Where is the ladder of Oda?"


class SlowEncoder(HashingEncoder):
    """Answers questions only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()
        self.answered = threading.Semaphore(0)
        self.asked = 0

    @property
    def instant(self) -> bool:
        return False

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        self.asked += 1
        self.released.wait(LONG_S)
        vectors = super().encode_queries(texts)
        self.answered.release()
        return vectors


class SlowReranker(OverlapReranker):
    """Scores only when it is let go."""

    def __init__(self) -> None:
        self.released = threading.Event()

    @property
    def instant(self) -> bool:
        return False

    def score(self, question: str, texts: Sequence[str]) -> ScoreArray:
        self.released.wait(LONG_S)
        return super().score(question, texts)


@pytest.fixture
def slow() -> Iterator[SlowEncoder]:
    made = SlowEncoder()
    yield made
    made.released.set()


@contextmanager
def opened(encoder: HashingEncoder, reranker: OverlapReranker | None = None) -> Iterator[Memory]:
    with Memory.open(
        ":memory:", encoder=encoder, reranker=reranker, clock=FixedClock(NOW)
    ) as memory:
        memory.retain(["Oda keeps the ladder in the barn.", "The eggs are sold."])
        yield memory


@pytest.mark.parametrize("fanout", ["inline", "threads", "auto"])
def test_a_slow_encoder_is_named_and_the_other_searches_answer(
    slow: SlowEncoder, fanout: str
) -> None:
    preset: Preset = replace(HURRIED, fanout=fanout)
    with opened(slow) as memory:
        found = memory.recall(QUESTION, preset=preset)
        assert found.items[0].text == "Oda keeps the ladder in the barn."
        (degraded,) = (part for part in found.degraded if part.retriever == "semantic")
        assert "the encoder passed its deadline of 2250 ms" in degraded.reason
        assert not slow.released.is_set()  # nobody waited for it


def test_a_preset_without_a_word_about_deadlines_keeps_its_own(slow: SlowEncoder) -> None:
    with opened(slow) as memory:
        found = memory.recall(QUESTION, rerank=False)
    assert any("deadline of 1800 ms" in part.reason for part in found.degraded)
    assert found.items


def test_what_the_encoder_says_too_late_is_remembered(slow: SlowEncoder) -> None:
    with opened(slow) as memory:
        assert memory.recall(QUESTION, preset=HURRIED).degraded
        slow.released.set()
        assert slow.answered.acquire(timeout=LONG_S)
        while memory.recall(QUESTION, preset=HURRIED).degraded:
            pass  # the answer is on its way into the memory
        asked = slow.asked
        assert not memory.recall(QUESTION, preset=HURRIED).degraded
        assert slow.asked == asked


def test_an_encoder_that_never_comes_back_is_soon_not_waited_for(slow: SlowEncoder) -> None:
    hasty = replace(HURRIED, deadline_ms=600.0, fanout="inline")
    with opened(slow) as memory:
        reasons = [
            part.reason
            for number in range(12)
            for part in memory.recall(f"{QUESTION} {number}", preset=hasty).degraded
            if part.retriever == "semantic"
        ]
    assert len(reasons) == 12
    assert sum("passed its deadline" in reason for reason in reasons) == 8
    assert sum("has not come back from 8 earlier calls" in reason for reason in reasons) == 4
    assert slow.asked == 8


def test_a_strict_caller_of_nothing_but_meaning_gets_an_error(slow: SlowEncoder) -> None:
    alone = replace(HURRIED, lexical=None, graph=None, temporal=None, optimizer=False)
    with opened(slow) as memory, pytest.raises(RecallFailed, match="passed its deadline"):
        memory.recall(QUESTION, preset=alone, strict=True)


def test_a_batch_is_not_kept_by_a_slow_encoder(slow: SlowEncoder) -> None:
    with opened(slow) as memory:
        first, second = memory.recall_batch([QUESTION, "Where are the eggs?"], preset=HURRIED)
    assert first.items and second.items
    for found in (first, second):
        assert any("deadline of 4500 ms" in part.reason for part in found.degraded)


class LoadedEncoder(SlowEncoder):
    """Takes longer than the deadline to load, and is quick from then on."""

    def load(self) -> None:
        if not self.released.is_set():
            begun = time.monotonic()
            while time.monotonic() - begun < DEADLINE_MS / 1e3:
                pass
            self.released.set()


@pytest.mark.parametrize("batch", [False, True])
def test_what_loading_a_model_takes_is_not_counted(batch: bool) -> None:
    with opened(LoadedEncoder()) as memory:
        if batch:
            (found,) = memory.recall_batch([QUESTION], preset=HURRIED)
        else:
            found = memory.recall(QUESTION, preset=HURRIED)
    assert not found.degraded


def test_a_slow_reranker_is_named_and_the_fused_order_stands() -> None:
    reranker = SlowReranker()
    with opened(HashingEncoder(), reranker) as memory:
        found = memory.recall(QUESTION, preset=replace(DEFAULT, deadline_ms=2_000.0), rerank=True)
        assert found.items[0].text == "Oda keeps the ladder in the barn."
        assert [part.retriever for part in found.degraded] == ["rerank"]
        assert "'overlap' passed its deadline of 2000 ms" in found.degraded[0].reason
        reranker.released.set()
        assert not memory.recall(QUESTION, rerank=True, deadline_ms=1e3 * LONG_S).degraded
