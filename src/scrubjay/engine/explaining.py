"""Answers "why not": where a unit fell out, by which numbers, and what each retriever makes of it.

Everything said here is looked up in the run it explains, or computed from the same bank.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrubjay.answers import Explained, Explanation, Step
from scrubjay.engine.retrieve.fanout import Branch
from scrubjay.engine.run import Run
from scrubjay.store.base import Scope
from scrubjay.types import FloatArray, UnitId


def explain(run: Run, unit: UnitId, row: int) -> Explanation:
    """The unit's rank and score in every retriever, and the stage and reason it fell out."""
    step, reason, rank = _fate(run, row)
    ranking = run.ranking
    position = _position(ranking.candidates.rows, row)
    fused = _position(ranking.fused.rows, row)
    return Explanation(
        unit=unit,
        question=run.parsed.question,
        returned=step is Step.RETURNED,
        step=step,
        reason=reason,
        rank=rank,
        retrievers=_retrievers(run, row),
        fused_rank=None if fused is None else fused + 1,
        fused_score=None if fused is None else float(ranking.fused.scores[fused]),
        rerank=ranking.reranked.get(row),
        score=None if position is None else float(ranking.scores[position]),
        relevance=None if position is None else float(ranking.relevance[position]),
        recency=None if position is None else float(ranking.recency[position]),
        temporal_boost=None if position is None else float(ranking.time_fit[position]),
        signs={} if fused is None else _signs(run, fused),
    )


def _position(rows: np.ndarray, row: int) -> int | None:
    found = np.flatnonzero(rows == row)
    return int(found[0]) if len(found) else None


def _signs(run: Run, fused: int) -> dict[str, float]:
    """The bonuses of a fused candidate, by sign."""
    found = {name: float(values[fused]) for name, values in run.ranking.fused_signs.items()}
    return {name: value for name, value in found.items() if value}


def _fate(run: Run, row: int) -> tuple[Step, str, int | None]:
    outside = _outside(run, row)
    if outside is not None:
        return Step.SCOPE, outside, None
    ranking = run.ranking
    fused = _position(ranking.fused.rows, row)
    position = _position(ranking.candidates.rows, row)
    if position is None and fused is None:
        return Step.RETRIEVE, "no retriever returned it", None
    if position is None:
        assert fused is not None, "it was found"
        return Step.FUSE, _not_kept(run, fused), None
    passing = _position(run.passing, position)
    if passing is None:
        relevance, floor = ranking.relevance[position], run.options.min_score
        return Step.MIN_SCORE, f"relevance {relevance:.3f} is under min_score {floor}", None
    cut = run.budgeted
    if passing in cut.kept:
        return Step.RETURNED, "it is in the answer", cut.kept.index(passing) + 1
    if passing in cut.over_tokens:
        return Step.BUDGET, _over_tokens(run, passing), None
    return _over_limit(run, row, passing)


def _not_kept(run: Run, fused: int) -> str:
    """Why a candidate did not go on: its place by the fused score and the signs."""
    total = run.ranking.fused.scores + _bonus(run)
    rank = int(np.count_nonzero(total > total[fused])) + 1
    rank += int(np.count_nonzero(total[:fused] == total[fused]))
    kept = len(run.ranking.candidates.rows)
    return f"rank {rank} after fusion{_sum(run, fused)}; the first {kept} go on"


def _bonus(run: Run) -> FloatArray:
    bonus: FloatArray = sum(run.ranking.fused_signs.values(), np.zeros(len(run.ranking.fused.rows)))
    return bonus


def _sum(run: Run, fused: int | None) -> str:
    """What a candidate has from fusion and from each sign, to be read behind its rank."""
    if fused is None:
        return " (by what it updates)"
    signs = [f"{name} {value:+.3f}" for name, value in _signs(run, fused).items()]
    return f" ({', '.join([f'fused {run.ranking.fused.scores[fused]:.3f}', *signs])})"


def _over_tokens(run: Run, passing: int) -> str:
    sizes = run.ranking.tokens[run.passing].tolist()
    used = sum(sizes[place] for place in run.budgeted.kept if place < passing)
    most = run.options.max_tokens
    return f"it has {sizes[passing]} tokens, and better ones use {used} of the {most} tokens"


def _over_limit(run: Run, row: int, passing: int) -> tuple[Step, str, int | None]:
    ranking, limit = run.ranking, run.options.limit
    fused = _position(ranking.fused.rows, row)
    last = run.passing[run.budgeted.kept[-1]]
    position = run.passing[passing]
    scores = f"{ranking.scores[position]:.3f} against {ranking.scores[last]:.3f} of the last"
    before = _rank_unread(run, row)
    if ranking.reranked and before <= limit < passing + 1:
        moved = f"fusion had it at {before}{_sum(run, fused)}, reranking put {passing} before it"
        return Step.RERANK, f"{moved}, {scores}", None
    place = f"rank {passing + 1}{_sum(run, fused)}, {scores}"
    return Step.LIMIT, f"{place}, and {limit} were asked for", None


def _rank_unread(run: Run, row: int) -> int:
    """The place, among those that pass, that a candidate would have without the reranker."""
    ranking = run.ranking
    candidates = ranking.candidates.take(run.passing)
    signs = [values[run.passing] for values in ranking.signs.values()]
    factors = (ranking.recency * ranking.time_fit)[run.passing]
    scores = candidates.scores * factors + sum(signs, np.zeros(len(candidates.rows)))
    own = _position(candidates.rows, row)
    assert own is not None, "it passes"
    return int(np.count_nonzero(scores > scores[own])) + 1


def _outside(run: Run, row: int) -> str | None:
    scope = run.query.scope
    if run.query.lets_through(row, scope):
        return None
    for unwanted in run.query.exclusions:
        if row in unwanted.rows:
            return f"it says {unwanted.said!r}, which the question excludes"
    known_at = scope.known_at
    for name, part in (
        ("types", Scope(types=scope.types)),
        ("tags", Scope(tags=scope.tags)),
        ("metadata", Scope(metadata=scope.metadata)),
        ("known_at", Scope(known_at=known_at)),
        # What had ended depends on what was known of it.
        ("as_of", Scope(as_of=scope.as_of, known_at=known_at)),
        ("window", Scope(window=scope.window)),
        ("validity", Scope(not_ended_by=scope.not_ended_by, known_at=known_at)),
    ):
        if not run.query.lets_through(row, part):
            return f"the filter on {name} leaves it out"
    return "it was changed or erased meanwhile"


def _retrievers(run: Run, row: int) -> dict[str, Explained]:
    ran = {branch.step.retriever: branch for branch in run.branches}
    explained = {}
    for step in run.plan.retrievers:
        branch = ran.get(step.retriever)
        if branch is None:
            explained[step.retriever] = Explained(False, None, None, step.reason)
        else:
            explained[step.retriever] = _seen(run, branch, row)
    return explained


def _seen(run: Run, branch: Branch, row: int) -> Explained:
    """What a retriever that ran makes of a unit."""
    found = branch.found
    if found is None:
        return Explained(True, None, None, "" if branch.failure is None else branch.failure.reason)
    rank = _position(found.rows, row)
    if rank is not None:
        return Explained(True, rank + 1, float(found.scores[rank]), "found")
    missed = branch.retriever.missed(run.query, branch.step, found, row)
    return replace(missed, reason=_unasked(run, branch, row) or missed.reason)


def _unasked(run: Run, branch: Branch, row: int) -> str | None:
    """Why a retriever was not to return a unit, whatever it makes of it."""
    if not run.query.lets_through(row, run.query.scope):
        return "it is out of scope"
    hints = run.plan.type_hints if run.hinted and branch.retriever.hinted else ()
    if hints and not run.query.lets_through(row, Scope(types=hints)):
        return f"the type hint {', '.join(hints)} leaves it out"
    return None
