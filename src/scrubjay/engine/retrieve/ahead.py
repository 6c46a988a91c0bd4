"""Tells the store which searches are coming, so that one far away can fetch for all at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from scrubjay.answers import RetrieverPlan
from scrubjay.engine.retrieve.lexical import word_query
from scrubjay.engine.retrieve.query import Query
from scrubjay.engine.retrieve.temporal import in_window
from scrubjay.engine.retrieve.walks.entity_walk import UNITS_PER_NAMED_ENTITY_MAX, roots
from scrubjay.errors import StoreError
from scrubjay.preset import GraphMethod, TemporalMethod
from scrubjay.store.base import Ahead

# These follow links from unit to unit, and then what the units mention.
_SPREADING = (GraphMethod.LINK_EXPANSION, GraphMethod.SPREADING_ACTIVATION)


@dataclass(frozen=True, slots=True)
class Job:
    """One retriever's step of the plan, and the query it is to answer."""

    query: Query
    step: RetrieverPlan


def look_ahead(jobs: Sequence[Job]) -> None:
    """Announce some jobs to a bank far away; if it fails, each of them will say so for itself."""
    if jobs and jobs[0].query.bank.far_away:
        with suppress(StoreError):
            jobs[0].query.bank.look_ahead(coming(jobs))


def coming(jobs: Sequence[Job]) -> Ahead:
    """What the jobs will ask the store for, as far as it can be known before."""
    ahead = Ahead(jobs[0].query.scope)
    for job in jobs:
        ahead = _with(ahead, job.query, job.step)
    return ahead


def _with(ahead: Ahead, query: Query, step: RetrieverPlan) -> Ahead:
    if step.retriever == "semantic" and query.vector.ready():
        switches = query.preset.semantic
        if switches is not None:
            found = replace(ahead, scope=query.scope, vector=query.vector.get(), limit=step.depth)
            return replace(found, per_type=switches.per_type)
    if step.retriever == "lexical":
        lexical = query.preset.lexical
        lends = lexical is not None and lexical.neighbour_share > 0
        return replace(ahead, terms=_terms(query), lends=lends)
    if step.retriever == "temporal" and step.method == TemporalMethod.WINDOW:
        # The units of a window are told apart by the question's words.
        within = None if query.parsed.window is None else in_window(query)
        return replace(ahead, terms=_terms(query), inside=within)
    if step.retriever == "graph":
        methods = [GraphMethod(name) for name in step.method.split("+")]
        ahead = replace(ahead, spreads=any(method in _SPREADING for method in methods))
        if GraphMethod.ENTITY_WALK in methods:
            named = tuple(way.entity for way in roots(query.parsed))
            return replace(ahead, entities=named, mentions_max=UNITS_PER_NAMED_ENTITY_MAX)
    return ahead


def _terms(query: Query) -> tuple[str, ...]:
    words = word_query(query)
    quoted = [term for phrase in words.phrases for term in phrase]
    return tuple(dict.fromkeys([*words.terms, *words.none_of, *quoted]))
