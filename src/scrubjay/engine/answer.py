"""Renders a recall: hydrated items, each with its why, and how the answer came to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

import numpy as np

from scrubjay.answers import Evidence, Item, Recall, Why
from scrubjay.engine.fuse import Candidates
from scrubjay.engine.run import FloatArray, Ranking, Run
from scrubjay.store.base import BankReader
from scrubjay.trace import Span
from scrubjay.types import Json, RowArray, StoredUnit

# Calibrated similarity from which meaning alone is evidence; unrelated texts stay below it.
_MEANING_FROM = 0.3
_MEANING_FULL = 0.9
# The most that each sign says by itself: being connected, or happening at the time asked for,
# leaves room for doubt.
_MOST = {"semantic": 1.0, "lexical": 1.0, "graph": 0.6, "temporal": 0.3}
# Of what a retriever that a caller added says, we know nothing.
_MOST_OF_ADDED = 0.6


def relevance(candidates: Candidates, reranked: Mapping[int, float]) -> FloatArray:
    """How sure we are that each candidate is about the question, in [0, 1]; see docs/recall.md.

    Independent signs add up as chances do: 1 - (1-meaning)(1-words)(1-graph)(1-time). A unit
    the cross-encoder has read takes its word for half of it.
    """
    doubt = np.ones(len(candidates.rows))
    for name, hits in candidates.hits.items():
        sign, most = hits.astype(np.float64), _MOST.get(name, _MOST_OF_ADDED)
        if name == "semantic":
            sign = (sign - _MEANING_FROM) / (_MEANING_FULL - _MEANING_FROM)
        doubt *= 1 - most * np.minimum(np.maximum(sign, 0), 1)
    sure: FloatArray = 1 - doubt
    if not reranked:
        return sure
    read = np.array([reranked.get(row, np.nan) for row in candidates.rows.tolist()])
    return np.where(np.isnan(read), sure, (sure + np.nan_to_num(read)) / 2)


def render(bank: BankReader, run: Run) -> Recall:
    """The answer for the caller."""
    positions = run.passing[np.array(run.budgeted.kept, np.int64)]
    with run.trace.stage("hydrate"):
        rows = run.ranking.candidates.rows[positions]
        by_row = bank.hydrate_rows(rows)
    items = tuple(_items(run.ranking, positions, by_row, _paths(run)))
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


def _paths(run: Run) -> dict[str, Mapping[int, tuple[str, ...]]]:
    return {b.step.retriever: b.found.paths for b in run.branches if b.found is not None}


def _items(
    ranking: Ranking,
    positions: RowArray,
    units: Mapping[int, StoredUnit],
    paths: Mapping[str, Mapping[int, tuple[str, ...]]],
) -> Iterator[Item]:
    """The units at some positions of the ranking, less those erased meanwhile."""
    rows: list[int] = ranking.candidates.rows[positions].tolist()
    scores = ranking.scores[positions].tolist()
    relevances = ranking.relevance[positions].tolist()
    whys = _whys(ranking, positions, rows, paths)
    for row, score, sure, why in zip(rows, scores, relevances, whys, strict=True):
        unit = units.get(row)
        if unit is not None:
            yield Item(
                id=unit.id,
                text=unit.text,
                type=unit.type,
                score=score,
                relevance=sure,
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
                why=why,
            )


def _whys(
    ranking: Ranking,
    positions: RowArray,
    rows: Sequence[int],
    paths: Mapping[str, Mapping[int, tuple[str, ...]]],
) -> Iterator[Why]:
    """What gave each of some positions of the ranking its place; `rows` are theirs."""
    # Arrays become lists once for all items: a number taken out of an array costs ten times more.
    shown = ranking.candidates.take(positions)
    found: list[dict[str, Evidence]] = [{} for _ in rows]
    for name, ranks in shown.ranks.items():
        ways = paths.get(name, {})
        hits = zip(found, rows, ranks.tolist(), shown.hits[name].tolist(), strict=True)
        for evidence, row, rank, score in hits:
            if rank:
                evidence[name] = Evidence(rank, score, ways.get(row, ()))
    bonuses: list[dict[str, float]] = [{} for _ in rows]
    for name, values in ranking.signs.items():
        for bonus, value in zip(bonuses, values[positions].tolist(), strict=True):
            if value:
                bonus[name] = value
    reranked = map(ranking.reranked.get, rows)
    fused, recency = shown.scores.tolist(), ranking.recency[positions].tolist()
    temporal = ranking.temporal[positions].tolist()
    return map(Why, found, fused, reranked, recency, temporal, bonuses)


def trace_of(run: Run) -> Mapping[str, Json]:
    """The whole way as plain data, for a person or a tool to read."""
    return {
        "parsed": {
            "window_text": run.parsed.window_text,
            "window_kind": run.parsed.window_kind,
            "window_confidence": run.parsed.window_confidence,
            "terms": list(run.parsed.terms),
            "excluded": {each.said: len(each.rows) for each in run.query.exclusions},
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
