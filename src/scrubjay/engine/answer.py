"""Renders a recall: hydrated items, each with its why, and how the answer came to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from operator import attrgetter

import numpy as np

from scrubjay.answers import Evidence, Item, Recall, Why
from scrubjay.codec.making import maker
from scrubjay.engine.fuse import Candidates
from scrubjay.engine.retrieve.retriever import Retriever
from scrubjay.engine.run import Ranking, Run
from scrubjay.store.base import BankReader
from scrubjay.trace import Span
from scrubjay.types import FloatArray, Json, RowArray, StoredUnit, UnitId


def relevance(
    candidates: Candidates, reranked: Mapping[int, float], retrievers: Mapping[str, Retriever]
) -> FloatArray:
    """How sure we are that each candidate is about the question, in [0, 1]; see docs/recall.md.

    What the retrievers' scores say adds up as independent chances do: 1 - (1-a)(1-b)(1-c). A
    unit the cross-encoder has read takes its word for half of it.
    """
    doubt = np.ones(len(candidates.rows))
    for name, hits in candidates.hits.items():
        certainty = retrievers[name].certainty(hits.astype(np.float64))
        # A retriever may be anyone's code.
        doubt *= 1 - np.minimum(np.maximum(certainty, 0), 1)
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
    items = tuple(_items(run.ranking, positions, by_row, _paths(run), _newer(bank, run, by_row)))
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
        stale_ms=bank.stale_ms,
    )


def timings(run: Run) -> dict[str, Span]:
    """Branches in the order of the plan, then stages by name."""
    stages = sorted(run.trace.spans, key=attrgetter("name"))
    return {span.name: span for span in (*(branch.span for branch in run.branches), *stages)}


def _paths(run: Run) -> dict[str, Mapping[int, tuple[str, ...]] | None]:
    return {b.step.retriever: b.found.paths for b in run.branches if b.found is not None}


def _newer(bank: BankReader, run: Run, shown: Mapping[int, StoredUnit]) -> Mapping[int, UnitId]:
    """By row that is shown, the id of what changed it last."""
    newer = run.ranking.newer
    if not newer:
        return {}
    last = {row: newer[row] for row in shown if row in newer}
    ids: dict[int, UnitId] = {new: shown[new].id for new in last.values() if new in shown}
    others = sorted({new for new in last.values() if new not in shown})
    if others:
        found = bank.ids_of(np.array(others, np.int64))
        ids |= {row: UnitId(unit) for row, unit in found.items()}
    return {row: ids[new] for row, new in last.items() if new in ids}


def _items(
    ranking: Ranking,
    positions: RowArray,
    units: Mapping[int, StoredUnit],
    paths: Mapping[str, Mapping[int, tuple[str, ...]] | None],
    newer: Mapping[int, UnitId],
) -> Iterator[Item]:
    """The units at some positions of the ranking, less those erased meanwhile."""
    rows: list[int] = ranking.candidates.rows[positions].tolist()
    scores = ranking.scores[positions].tolist()
    relevances = ranking.relevance[positions].tolist()
    whys = _whys(ranking, positions, rows, paths, newer)
    for row, score, sure, why in zip(rows, scores, relevances, whys, strict=True):
        unit = units.get(row)
        if unit is not None:
            yield _item([*_shown(unit), score, sure, why])


# What an item has of its unit; the three that an answer adds come last.
_shown = attrgetter(*(one.name for one in fields(Item)[:-3]))
_item = maker(Item)


def _whys(
    ranking: Ranking,
    positions: RowArray,
    rows: Sequence[int],
    paths: Mapping[str, Mapping[int, tuple[str, ...]] | None],
    newer: Mapping[int, UnitId],
) -> Iterator[Why]:
    """What gave each of some positions of the ranking its place; `rows` are theirs."""
    # Arrays become lists once for all items: a number taken out of an array costs ten times more.
    shown = ranking.candidates.take(positions)
    found: list[dict[str, Evidence]] = [{} for _ in rows]
    for name, ranks in shown.ranks.items():
        ways = paths[name]
        hits = zip(found, rows, ranks.tolist(), shown.hits[name].tolist(), strict=True)
        for evidence, row, rank, score in hits:
            if rank:
                path = None if ways is None else ways.get(row, ())
                evidence[name] = Evidence(rank, score, path)
    bonuses: list[dict[str, float]] = [{} for _ in rows]
    for name, values in ranking.signs.items():
        for bonus, value in zip(bonuses, values[positions].tolist(), strict=True):
            if value:
                bonus[name] = value
    reranked = map(ranking.reranked.get, rows)
    fused, recency = shown.scores.tolist(), ranking.recency[positions].tolist()
    time_fit = ranking.time_fit[positions].tolist()
    updated_by = map(newer.get, rows)
    return map(Why, found, fused, reranked, recency, time_fit, bonuses, updated_by)


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
        "found": {branch.step.retriever: branch.hits for branch in run.branches},
        "fused": len(run.ranking.fused.rows),
        "ranked": len(run.ranking.scores),
        "reranked": len(run.ranking.reranked),
        "passing": len(run.passing),
        "over_tokens": len(run.budgeted.over_tokens),
        "over_limit": len(run.budgeted.over_limit),
        "stages": [asdict(span) for span in run.trace.spans],
    }
