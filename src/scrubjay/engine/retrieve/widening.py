"""Runs a plan: first among the types the question hints at, and wider if they hold too little."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from scrubjay.answers import Plan, RetrieverPlan
from scrubjay.engine.retrieve.fanout import Branch, Job
from scrubjay.engine.retrieve.query import Query
from scrubjay.engine.retrieve.retriever import Retriever
from scrubjay.store.shared.ranked_rows import distinct

FanOut = Callable[[Sequence[Job]], list[Branch]]
# How likely the best of what some retrievers found is about the question.
Likely = Callable[[Sequence[Branch]], float]
# A filter whose best is less likely than this holds back more than it sorts out.
LIKELY_ENOUGH = 0.3


def retrieve(
    query: Query,
    plan: Plan,
    retrievers: Mapping[str, Retriever],
    fan_out: FanOut,
    likely: Likely,
) -> tuple[list[Branch], bool]:
    """What the plan's retrievers found, in its order, and whether type hints were dropped.

    They are dropped where the types hold too little, and where nothing of it is likely an answer:
    five people whom nobody asked about are no result.
    """
    jobs = jobs_of(query, plan.retrievers, retrievers)
    if not (query.preset.type_filter and plan.type_hints):
        return fan_out(jobs), False
    hinted = replace(query, scope=replace(query.scope, types=plan.type_hints))
    branches = fan_out([replace(j, query=hinted) if j.retriever.hinted else j for j in jobs])
    narrow = [branch for branch in branches if branch.retriever.hinted]
    least = query.bank.settings.widen_below
    # A bank that asks for none keeps to its types, whatever they hold.
    if least == 0 or (_count(narrow) >= least and likely(narrow) >= LIKELY_ENOUGH):
        return branches, False
    # What failed has had its chance: to wait for its deadline twice helps nobody.
    failed = {branch.step for branch in branches if branch.failure is not None}
    again = [job for job in jobs if job.retriever.hinted and job.step not in failed]
    wide = {branch.step: branch for branch in fan_out(again)}
    return [wide.get(branch.step, branch) for branch in branches], True


def left_out(
    query: Query, plan: Plan, whole: Plan, retrievers: Mapping[str, Retriever]
) -> list[Job]:
    """The searches of the whole plan that only the optimizer left out."""
    ran = {step.retriever for step in plan.retrievers if step.run}
    steps = [step for step in whole.retrievers if step.retriever not in ran]
    return jobs_of(query, steps, retrievers)


def in_order(branches: Iterable[Branch], plan: Plan) -> list[Branch]:
    """The branches in the order of the plan."""
    place = {step.retriever: at for at, step in enumerate(plan.retrievers)}
    return sorted(branches, key=lambda branch: place[branch.step.retriever])


def jobs_of(
    query: Query, steps: Sequence[RetrieverPlan], retrievers: Mapping[str, Retriever]
) -> list[Job]:
    """A job for each step that is to run."""
    return [Job(retrievers[step.retriever], query, step) for step in steps if step.run]


def _count(branches: Iterable[Branch]) -> int:
    rows = [branch.found.rows for branch in branches if branch.found is not None]
    return len(distinct(np.concatenate(rows))) if rows else 0
