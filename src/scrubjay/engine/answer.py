"""Renders a recall: hydrated items, each with its why, and how the answer came to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from scrubjay.answers import Evidence, Item, Recall, Why
from scrubjay.engine.fuse import Candidates
from scrubjay.engine.run import FloatArray, Run
from scrubjay.store.base import BankReader
from scrubjay.trace import Span
from scrubjay.types import Json, StoredUnit

# Calibrated similarity from which meaning alone is evidence; unrelated texts stay below it.
_MEANING_FROM = 0.3
_MEANING_FULL = 0.9
# The most that being connected, or happening at the time asked for, says by itself.
_GRAPH_MOST = 0.6
_TIME_MOST = 0.3


def relevance(candidates: Candidates, reranked: Mapping[int, float]) -> FloatArray:
    """How sure we are that each candidate is about the question, in [0, 1]; see docs/recall.md.

    Independent signs add up as chances do: 1 - (1-meaning)(1-words)(1-graph)(1-time). A unit
    the cross-encoder has read takes its word for half of it.
    """
    shape = len(candidates.rows)

    def sign(name: str) -> FloatArray:
        return candidates.hits.get(name, np.zeros(shape, np.float32)).astype(np.float64)

    meaning = np.clip((sign("semantic") - _MEANING_FROM) / (_MEANING_FULL - _MEANING_FROM), 0, 1)
    doubt = (
        (1 - meaning)
        * (1 - np.clip(sign("lexical"), 0, 1))
        * (1 - _GRAPH_MOST * np.clip(sign("graph"), 0, 1))
        * (1 - _TIME_MOST * np.clip(sign("temporal"), 0, 1))
    )
    sure = 1 - doubt
    read = np.array([reranked.get(row, np.nan) for row in candidates.rows.tolist()])
    return np.where(np.isnan(read), sure, (sure + np.nan_to_num(read)) / 2)


def render(bank: BankReader, run: Run) -> Recall:
    """The answer for the caller."""
    positions = run.passing[list(run.budgeted.kept)]
    with run.trace.stage("hydrate"):
        rows = run.ranking.candidates.rows[positions]
        by_row = bank.hydrate_rows(rows)
    paths = _paths(run)
    items = tuple(
        _item(run, int(position), by_row[row], paths.get(row, ()))
        for position, row in zip(positions.tolist(), rows.tolist(), strict=True)
        if row in by_row
    )
    return Recall(
        question=run.parsed.question,
        items=items,
        plan=run.plan,
        parsed=run.parsed,
        window=run.parsed.window,
        timings=timings(run),
        widened=run.widened,
        degraded=run.degraded,
        nothing_relevant=not len(run.passing) and not run.all_failed,
        max_wait_ms=bank.max_wait_ms,
        tokens=sum(item.tokens for item in items),
        reranked=len(run.ranking.reranked),
        trace=trace_of(run) if run.options.trace else None,
    )


def timings(run: Run) -> dict[str, Span]:
    """Branches and stages by name, branches first."""
    spans = {branch.span.name: branch.span for branch in run.branches}
    return spans | {span.name: span for span in run.trace.spans}


def _paths(run: Run) -> dict[int, tuple[str, ...]]:
    for branch in run.branches:
        if branch.step.retriever == "graph" and branch.found is not None:
            return branch.found.paths
    return {}


def _item(run: Run, position: int, unit: StoredUnit, path: tuple[str, ...]) -> Item:
    ranking = run.ranking
    row = int(ranking.candidates.rows[position])
    reranked = ranking.reranked.get(row)
    return Item(
        id=unit.id,
        text=unit.text,
        type=unit.type,
        score=float(ranking.scores[position]),
        relevance=float(ranking.relevance[position]),
        told_at=unit.told_at,
        occurred_start=unit.occurred_start,
        occurred_end=unit.occurred_end,
        context=unit.context,
        predicate=unit.predicate,
        speaker=unit.speaker,
        session=unit.session,
        key=unit.key,
        tags=unit.tags,
        metadata=unit.metadata,
        source=unit.source,
        entities=unit.entities,
        tokens=unit.tokens,
        why=Why(
            evidence(ranking.candidates, position, path),
            float(ranking.candidates.scores[position]),
            reranked,
            float(ranking.recency[position]),
            float(ranking.temporal[position]),
            {
                name: float(values[position])
                for name, values in ranking.signs.items()
                if values[position]
            },
        ),
    )


def evidence(
    candidates: Candidates, position: int, path: tuple[str, ...] = ()
) -> dict[str, Evidence]:
    """What each retriever that found a candidate said of it."""
    return {
        name: Evidence(
            int(ranks[position]),
            float(candidates.hits[name][position]),
            path if name == "graph" else (),
        )
        for name, ranks in candidates.ranks.items()
        if ranks[position]
    }


def trace_of(run: Run) -> Mapping[str, Json]:
    """The whole way as plain data, for a person or a tool to read."""
    return {
        "parsed": {
            "window_text": run.parsed.window_text,
            "window_kind": run.parsed.window_kind,
            "window_confidence": run.parsed.window_confidence,
            "terms": list(run.parsed.terms),
            "entities": [
                {"mention": e.mention, "name": e.name, "confidence": round(e.confidence, 4)}
                for e in run.parsed.entities
            ],
            "speculative_time": run.parsed.speculative_time,
            "multi_hop": run.parsed.multi_hop,
        },
        "widened": run.widened,
        "found": {
            branch.step.retriever: 0 if branch.found is None else len(branch.found.rows)
            for branch in run.branches
        },
        "fused": len(run.ranking.fused.rows),
        "ranked": len(run.ranking.scores),
        "reranked": len(run.ranking.reranked),
        "passing": len(run.passing),
        "over_tokens": len(run.budgeted.over_tokens),
        "over_limit": len(run.budgeted.over_limit),
        "stages": [asdict(span) for span in run.trace.spans],
    }
