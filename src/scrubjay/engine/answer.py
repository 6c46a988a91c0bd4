"""Renders a recall: hydrated items, each with its why, and how the answer came to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from operator import attrgetter

import numpy as np

from scrubjay.answers import Evidence, Item, Recall, Why
from scrubjay.codec.making import maker
from scrubjay.engine.run import UPDATES_SIGN, Ranking, Run
from scrubjay.engine.shared.lacking import missing_value, missing_words
from scrubjay.store.base import BankReader
from scrubjay.trace import Span
from scrubjay.types.arrays import RowArray
from scrubjay.types.units import StoredUnit
from scrubjay.types.values import Json, UnitId


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
        nothing_relevant=run.nothing_relevant,
        max_wait_ms=bank.max_wait_ms,
        tokens=sum(item.tokens for item in items),
        reranked=len(run.ranking.reranked),
        missing=missing_value(run.parsed, items),
        missing_words=missing_words(run.parsed, items),
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
            yield _item(*_shown(unit), score, sure, why, None, unit.valid_from, unit.valid_to)


# What an item has of its unit; then comes what an answer adds (score, relevance, why, the bank),
# and last what only some units have: from when until when they are true.
_shown = attrgetter(*(one.name for one in fields(Item)[:-6]))
_item, _why, _evidence = maker(Item), maker(Why), maker(Evidence)


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
                evidence[name] = _evidence(rank, score, path)
    bonuses: list[dict[str, float]] = [{} for _ in rows]
    signs = dict(ranking.signs)
    if ranking.scores is not ranking.own_scores:
        # What chains of updates added or took; of what no search found it is all there is.
        signs[UPDATES_SIGN] = ranking.scores - ranking.own_scores
    for name, values in signs.items():
        for bonus, value in zip(bonuses, values[positions].tolist(), strict=True):
            if value:
                bonus[name] = value
    reranked = map(ranking.reranked.get, rows)
    fused, recency = shown.scores.tolist(), ranking.recency[positions].tolist()
    time_fit = ranking.time_fit[positions].tolist()
    updated_by = map(newer.get, rows)
    return map(_why, found, fused, reranked, recency, time_fit, bonuses, updated_by)


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
        "walked": {
            branch.step.retriever: asdict(branch.found.walked)
            for branch in run.branches
            if branch.found is not None and branch.found.walked is not None
        },
        "fused": len(run.ranking.fused.rows),
        "ranked": len(run.ranking.scores),
        "reranked": len(run.ranking.reranked),
        "passing": len(run.passing),
        "over_tokens": len(run.budgeted.over_tokens),
        "over_limit": len(run.budgeted.over_limit),
        "relevance": _relevance(run),
        "stages": [asdict(span) for span in run.trace.spans],
    }


def _relevance(run: Run) -> Mapping[str, Json]:
    """What the best must reach, and by which signals each item's relevance was estimated."""
    ranking, places = run.ranking, run.passing[np.array(run.budgeted.kept, np.int64)]
    signals: dict[str, Json] = {
        name: values[places].tolist() for name, values in ranking.signals.items()
    }
    return {"floor": ranking.floor, "signals": signals}
