"""A retriever of a new name takes part like the four: planned, run, fused, shown and explained."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from tests.flow.conftest import NOW

from scrubjay.answers import RetrieverPlan
from scrubjay.codec.compiled import encode
from scrubjay.engine.presets import DEFAULT, PRESETS
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.engine.toolbox import RESERVED
from scrubjay.errors import BadInput
from scrubjay.memory import Memory
from scrubjay.testing import FixedClock


def pinned(query: Query, step: RetrieverPlan) -> Retrieved:
    """Units with the tag `pinned`, whatever is asked."""
    rows = query.bank.in_scope(replace(query.scope, tags=("pinned",)))[: step.depth]
    return Retrieved(rows, np.ones(len(rows), np.float32))


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(
        ":memory:",
        encoder="hash",
        reranker=None,
        clock=FixedClock(NOW),
        retrievers={"pinned": pinned},
    ) as opened:
        yield opened


@pytest.mark.parametrize("preset", PRESETS)
def test_an_added_retriever_finds_what_the_others_do_not(memory: Memory, preset: str) -> None:
    kept = memory.retain("Never lend the saw.", tags=["pinned"]).id
    other = memory.retain("The ladder is in the barn.").id
    answer = memory.recall("ladder barn", preset=preset, trace=True, rerank=False)

    (item,) = (item for item in answer if item.id == kept)
    assert item.why.retrievers["pinned"].rank == 1
    assert 0 < item.relevance <= 0.6
    (step,) = (step for step in answer.plan.retrievers if step.retriever == "pinned")
    assert (step.run, step.weight) == (True, 1.0)
    assert "pinned" in str(answer.plan)
    assert "pinned" in answer.timings
    assert answer.trace is not None
    assert answer.trace["found"]["pinned"] == 1  # type: ignore[index,call-overload]
    assert memory.explain("ladder barn", kept).retrievers["pinned"].reason == "found"
    missed = memory.explain("ladder barn", other, preset=preset).retrievers["pinned"]
    assert (missed.ran, missed.rank, missed.score) == (True, None, None)
    assert missed.reason == "it is not among the 1 it returned"
    assert '"pinned"' in str(encode(answer)).replace("'", '"')


def test_a_preset_gives_an_added_retriever_its_weight(memory: Memory) -> None:
    memory.retain("Never lend the saw.", tags=["pinned"])
    preset = replace(DEFAULT, weights={**DEFAULT.weights, "pinned": 7.0})
    answer = memory.recall("ladder", preset=preset)
    assert answer.items[0].why.fused == 7.0


@pytest.mark.parametrize("given", [{"": pinned}, {5: pinned}, {"mine": "x"}, [pinned], 5])
def test_what_is_no_retriever_is_refused(given: object) -> None:
    with pytest.raises(BadInput):
        Memory.open(":memory:", encoder=None, retrievers=given)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_name_that_an_answer_uses_otherwise_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="retriever name: '" + name) as refused:
        Memory.open(":memory:", encoder=None, retrievers={name: pinned})
    assert all(other in refused.value.remedy for other in RESERVED)


def test_all_that_an_answer_uses_beside_its_retrievers_is_reserved(memory: Memory) -> None:
    memory.retain("The ladder is in the barn.", tags=["pinned"])
    answer = memory.recall("ladder barn", preset="hindsight", trace=True)
    (item,) = json.loads(json.dumps(encode(answer)))["items"]
    retrievers = {step.retriever for step in answer.plan.retrievers}
    assert (answer.timings.keys() | item["why"].keys()) - retrievers <= RESERVED


def test_a_retriever_that_hangs_leaves_the_others_and_the_process_alone() -> None:
    program = """
import threading
from scrubjay import Memory

entered = []

def hang(query, step):
    entered.append(step)
    threading.Event().wait()

memory = Memory.open(":memory:", encoder="hash", reranker=None, retrievers={"fifth": hang})
memory.retain("The saw is in the barn.")
while len(entered) < 8:
    memory.recall("Where is the saw?", deadline_ms=5)
for number in range(40):
    memory.recall(f"Where is saw {number}?", deadline_ms=5)
threads = sum(thread.name == "scrubjay-fifth" for thread in threading.enumerate())
answer = memory.recall("Where is the saw?", deadline_ms=20_000)
print(len(answer), threads, [(each.retriever, each.reason) for each in answer.degraded])
memory.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    said = "1 8 [('fifth', 'has not come back from 8 earlier calls')]\n"
    assert (done.returncode, done.stdout) == (0, said), done.stderr
