"""Measures whole recalls one after the other, and each of their stages, in CPU and in time."""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bench import machine
from bench.corpus.clustered_questions import VectorQuestion
from bench.machine import rounded, summary
from bench.recall import STAGES
from bench.scale.process import memory_mib
from bench.scale.subject import Subject
from bench.scale.writing import unit_id
from scrubjay.answers import Recall, RecallOptions
from scrubjay.bank import Bank
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.types.values import Json

BRANCHES = tuple(RETRIEVERS)
# The branches together; in threads their CPU adds up and their time overlaps.
FANOUT = "fan_out"


@dataclass(frozen=True, slots=True)
class Asked:
    """One recall in milliseconds: of CPU in all threads, and of time."""

    question: VectorQuestion
    cpu_ms: float
    wall_ms: float
    recall: Recall


def measure(subject: Subject) -> dict[str, Json]:
    """Every question once for `limit` items and once for as many as there are candidates."""
    warm, counted = subject.asked()
    many = replace(subject.options, limit=subject.candidates)
    with subject.open([*warm, *counted]) as memory:
        bank = memory.bank()
        for options in (subject.options, many):
            for question in warm:
                bank.recall(question.text, options)
        before = _collections()
        asked = [ask(bank, question, subject.options) for question in counted]
        collected = [after - then for after, then in zip(_collections(), before, strict=True)]
        resident = memory_mib()
        full = [ask(bank, question, many) for question in counted]
    return {
        "recall": _costs(asked),
        "recall_by_kind": _by_kind(asked),
        "stages": stages(asked),
        f"recall_{subject.candidates}_items": _costs(full),
        "resident": dict(resident),
        "items_mean": _items(asked),
        f"items_mean_of_{subject.candidates}": _items(full),
        "found_what_was_asked_about": _found(full),
        "degraded": sum(bool(one.recall.degraded) for one in asked),
        "mode": asked[0].recall.plan.mode,
        "garbage_collections": collected,
    }


def ask(bank: Bank, question: VectorQuestion, options: RecallOptions) -> Asked:
    """One recall, measured."""
    begun = time.perf_counter()
    recall, cpu = machine.cpu_of(partial(bank.recall, question.text, options))
    return Asked(question, 1e3 * cpu, 1e3 * (time.perf_counter() - begun), recall)


def stages(asked: Sequence[Asked]) -> dict[str, Json]:
    """Each stage over the recalls it ran in, and its share of all CPU."""
    total = sum(one.cpu_ms for one in asked)
    found: dict[str, Json] = {}
    for stage in (*STAGES, FANOUT, "rest"):
        spent = [costs for one in asked if (costs := _stage(one, stage)) is not None]
        if spent:
            cpu, wall = zip(*spent, strict=True)
            found[stage] = {
                "cpu_ms": summary(cpu),
                "wall_ms": summary(wall),
                "share": rounded(sum(cpu) / total),
            }
    return found


def _stage(asked: Asked, stage: str) -> tuple[float, float] | None:
    """CPU and time of a stage; None when it did not run."""
    timings = asked.recall.timings
    branches = sum(timings[name].cpu_ms for name in BRANCHES if name in timings)
    if stage == FANOUT:
        span = timings["retrieve"]
        return branches, span.end_ms - span.start_ms
    if stage == "rest":
        # `retrieve` holds the branches, whichever thread they ran in.
        named = [name for name in STAGES if name in timings and name not in BRANCHES]
        cpu = branches + sum(timings[name].cpu_ms for name in named)
        wall = sum(timings[n].end_ms - timings[n].start_ms for n in (*named, "retrieve"))
        return max(0.0, asked.cpu_ms - cpu), max(0.0, asked.wall_ms - wall)
    if stage not in timings:
        return None
    return timings[stage].cpu_ms, timings[stage].end_ms - timings[stage].start_ms


def _costs(asked: Sequence[Asked]) -> dict[str, Json]:
    return {
        "cpu_ms": summary([one.cpu_ms for one in asked]),
        "wall_ms": summary([one.wall_ms for one in asked]),
    }


def _by_kind(asked: Sequence[Asked]) -> dict[str, Json]:
    kinds = dict.fromkeys(one.question.kind for one in asked)
    return {kind: _costs([one for one in asked if one.question.kind == kind]) for kind in kinds}


def _items(asked: Sequence[Asked]) -> float:
    return rounded(sum(len(one.recall.items) for one in asked) / len(asked))


def _found(asked: Sequence[Asked]) -> float:
    """The share of questions whose answer holds the unit they were made from."""
    found = [unit_id(one.question.about) in {i.id for i in one.recall.items} for one in asked]
    return rounded(sum(found) / len(found))


def _collections() -> list[int]:
    return [generation["collections"] for generation in gc.get_stats()]
