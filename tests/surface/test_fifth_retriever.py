"""A fifth retriever is seen wherever the four are: nobody but the registry lists them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.surface.http.http_server import Running, running

from scrubjay.answers import Explained, Parsed, RetrieverPlan
from scrubjay.engine.presets import DEFAULT
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.engine.retrieve.retriever import Retriever, at_most, missed
from scrubjay.memory import Memory
from scrubjay.planning import Circumstances, Decision
from scrubjay.preset import Preset
from scrubjay.surface.cli import run

QUESTION = "where is the ladder?"
REASON = "rules hold whatever is asked"
MISSED = "it is no rule"
ALL = [*RETRIEVERS, "rules"]


def find(query: Query, step: RetrieverPlan) -> Retrieved:
    rows = query.bank.in_scope(replace(query.scope, tags=("rule",)))[: step.depth]
    paths = dict.fromkeys(rows.tolist(), ("the rules",))
    return Retrieved(rows, np.ones(len(rows), np.float32), paths=paths)


def plan(_parsed: Parsed, _preset: Preset, around: Circumstances) -> Decision:
    return Decision(True, REASON, method="tag", depth=around.limit, share=0.5)


def why_missed(_query: Query, _step: RetrieverPlan, _found: Retrieved, _row: int) -> Explained:
    return missed(0.25, MISSED)


RULES = Retriever("rules", find, plan, missed=why_missed, certainty=at_most(0.9))


@dataclass(frozen=True)
class Served:
    """A memory with five retrievers, and a server for it."""

    memory: Memory
    server: Running
    rule: str
    other: str


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    memory = Memory.open(":memory:", encoder="hash", reranker=None, retrievers={"rules": RULES})
    rule = memory.retain("Never lend the saw.", tags=["rule"]).id
    other = memory.retain("The ladder is in the barn.").id
    with running(memory=memory) as server:
        yield Served(memory, server, rule, other)


def test_its_own_plan_stands_behind_the_four_with_the_share_of_its_weight(served: Served) -> None:
    *_, step = served.memory.plan(QUESTION, limit=7).retrievers
    assert step == RetrieverPlan("rules", True, "tag", 7, 0.5, DEFAULT.deadline_ms, REASON)
    weighed = replace(DEFAULT, weights={**DEFAULT.weights, "rules": 3.0})
    assert served.memory.plan(QUESTION, preset=weighed).retrievers[-1].weight == 1.5


def test_trace_items_and_relevance_know_it(served: Served) -> None:
    answer = served.memory.recall(QUESTION, trace=True)
    assert answer.trace is not None
    found = answer.trace["found"]
    assert isinstance(found, dict) and found["rules"] == 1
    assert list(answer.timings)[: len(found)] == list(found)
    (item,) = (item for item in answer if item.id == served.rule)
    assert item.why.retrievers["rules"].path == ("the rules",)
    assert item.relevance == pytest.approx(0.9)


def test_it_explains_what_it_missed(served: Served) -> None:
    explained = served.memory.explain(QUESTION, served.other).retrievers
    assert list(explained) == ALL
    assert explained["rules"] == Explained(True, None, 0.25, MISSED)


def test_http_shows_it_in_recall_plan_and_explain(served: Served) -> None:
    bank, asked = "/v1/banks/default", {"question": QUESTION}
    recall = served.server.json("POST", f"{bank}/recall", {**asked, "trace": True})
    assert [step["retriever"] for step in recall["plan"]["retrievers"]] == ALL
    assert recall["trace"]["found"]["rules"] == 1
    assert "rules" in recall["timings"]
    (item,) = (item for item in recall["items"] if item["id"] == served.rule)
    assert item["why"]["rules"] == {"rank": 1, "score": 1.0, "path": ["the rules"]}
    plan = served.server.json("POST", f"{bank}/plan", asked)
    assert plan["retrievers"][-1]["reason"] == REASON
    explained = served.server.json("POST", f"{bank}/explain", {**asked, "unit": served.other})
    assert explained["retrievers"]["rules"]["reason"] == MISSED


def test_the_command_line_shows_it_in_recall_and_explain(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["recall", QUESTION, "--store", served.server.url, "--explain", "--trace"]) == 0
    shown = capsys.readouterr().out
    assert "rules #1 50%" in shown  # beside its likeness
    assert "by way of the rules" in shown
    assert REASON in shown
    assert "rules" in shown[shown.index(" ms") :]
    assert run(["explain", QUESTION, served.other, "--store", served.server.url]) == 0
    line, beside = (line for line in capsys.readouterr().out.splitlines() if "rules" in line)
    assert line.split()[:4] == ["rules", "yes", "-", "0.2500"] and line.rstrip().endswith(MISSED)
    # The rule comes before it, and it is compared with the rule.
    assert beside.split() == ["rules", "+0.0000", "+0.5000"]


def test_one_of_the_four_can_be_replaced_as_a_whole() -> None:
    name = next(iter(RETRIEVERS))
    with Memory.open(":memory:", encoder=None, reranker=None, retrievers={name: RULES}) as memory:
        memory.retain("Never lend the saw.", tags=["rule"])
        answer = memory.recall(QUESTION, deadline_ms=600_000)
        assert [step.retriever for step in answer.plan.retrievers] == list(RETRIEVERS)
        assert answer.plan.retrievers[0].reason == REASON
        assert name in answer.items[0].why.retrievers
        assert not answer.degraded
