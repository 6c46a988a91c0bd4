"""Answers "why not": where one unit fell out, and what each retriever makes of it."""

from __future__ import annotations

import numpy as np

from scrubjay.answers import Explained, Explanation, Step
from scrubjay.engine.retrieve.lexical import word_query
from scrubjay.engine.run import Run
from scrubjay.store.base import BankReader, Scope
from scrubjay.types import UnitId


def explain(bank: BankReader, run: Run, unit: UnitId, row: int) -> Explanation:
    """The unit's rank and score in every retriever, and the stage and reason it fell out."""
    step, reason, rank = _fate(bank, run, row)
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
        retrievers=_retrievers(bank, run, row),
        fused_rank=None if fused is None else fused + 1,
        fused_score=None if fused is None else float(ranking.fused.scores[fused]),
        rerank=ranking.reranked.get(row),
        score=None if position is None else float(ranking.scores[position]),
        relevance=None if position is None else float(ranking.relevance[position]),
    )


def _position(rows: np.ndarray, row: int) -> int | None:
    found = np.flatnonzero(rows == row)
    return int(found[0]) if len(found) else None


def _fate(bank: BankReader, run: Run, row: int) -> tuple[Step, str, int | None]:
    outside = _outside(bank, run, row)
    if outside is not None:
        return Step.SCOPE, outside, None
    fused = _position(run.ranking.fused.rows, row)
    if fused is None:
        return Step.RETRIEVE, "no retriever returned it", None
    position = _position(run.ranking.candidates.rows, row)
    if position is None:
        kept = len(run.ranking.candidates.rows)
        return Step.FUSE, f"rank {fused + 1} after fusion; the first {kept} go on", None
    passing = _position(run.passing, position)
    if passing is None:
        relevance = run.ranking.relevance[position]
        floor = run.options.min_score
        return Step.MIN_SCORE, f"relevance {relevance:.3f} is under min_score {floor}", None
    return _after_passing(run, row, passing)


def _after_passing(run: Run, row: int, passing: int) -> tuple[Step, str, int | None]:
    cut = run.budgeted
    if passing in cut.kept:
        return Step.RETURNED, "it is in the answer", cut.kept.index(passing) + 1
    if passing in cut.over_tokens:
        used = f"{run.options.max_tokens} tokens hold the better ones but not it"
        return Step.BUDGET, used, None
    fused = _position(run.ranking.fused.rows, row)
    assert fused is not None, "a ranked candidate was fused"
    limit = run.options.limit
    if run.ranking.reranked and fused < limit:
        return Step.RERANK, f"fusion had it at {fused + 1}, reranking put {limit} before it", None
    return Step.LIMIT, f"rank {passing + 1}, and {limit} were asked for", None


def _outside(bank: BankReader, run: Run, row: int) -> str | None:
    scope = run.query.scope
    for name, part in (
        ("types", Scope(types=scope.types)),
        ("tags", Scope(tags=scope.tags)),
        ("metadata", Scope(metadata=scope.metadata)),
        ("as_of", Scope(as_of=scope.as_of)),
        ("known_at", Scope(known_at=scope.known_at)),
        ("window", Scope(window=scope.window)),
        ("validity", Scope(not_ended_by=scope.not_ended_by)),
    ):
        if _excluded(bank, row, part):
            return f"the filter on {name} leaves it out"
    return None


def _excluded(bank: BankReader, row: int, scope: Scope) -> bool:
    return not bank.filter_rows(np.array([row], np.int64), scope)[0]


def _retrievers(bank: BankReader, run: Run, row: int) -> dict[str, Explained]:
    ran = {branch.step.retriever: branch for branch in run.branches}
    explained = {}
    for step in run.plan.retrievers:
        branch = ran.get(step.retriever)
        if branch is None:
            explained[step.retriever] = Explained(False, None, None, step.reason)
        elif branch.found is None:
            reason = "" if branch.failure is None else branch.failure.reason
            explained[step.retriever] = Explained(True, None, None, reason)
        else:
            rank = _position(branch.found.rows, row)
            if rank is not None:
                score = float(branch.found.scores[rank])
                explained[step.retriever] = Explained(True, rank + 1, score, "found")
            else:
                score_or_none, why = _missed(bank, run, step.retriever, row, step.depth)
                explained[step.retriever] = Explained(True, None, score_or_none, why)
    return explained


def _missed(
    bank: BankReader, run: Run, retriever: str, row: int, depth: int
) -> tuple[float | None, str]:
    hidden = _hidden_by_hint(bank, run, retriever, row)
    if retriever == "semantic":
        score = float(run.query.similarity(np.array([row], np.int64))[0])
        switches = run.query.preset.semantic
        floor = 0.0 if switches is None else switches.floor
        why = f"under the floor of {floor}" if score < floor else f"{depth} others are nearer"
        return score, hidden or why
    if retriever == "lexical":
        words = word_query(run.query)
        score = bank.word_score(words, row) / max(bank.word_ceiling(words), 1e-9)
        why = "it holds none of the words" if score <= 0 else f"{depth} others match better"
        return min(score, 1.0), hidden or why
    if retriever == "graph":
        return None, "no link or relation leads to it from where the search started"
    return None, _not_in_time(bank, run, row, depth)


def _not_in_time(bank: BankReader, run: Run, row: int, depth: int) -> str:
    window = run.parsed.window
    if window is None:
        return f"{depth} others are newer"
    if _excluded(bank, row, Scope(window=window)):
        return "it neither happened nor was told in the window"
    return f"it is in the window, but not among the {depth} taken, or of the wrong type"


def _hidden_by_hint(bank: BankReader, run: Run, retriever: str, row: int) -> str | None:
    if run.widened or not run.plan.type_hints or retriever not in ("semantic", "lexical"):
        return None
    if _excluded(bank, row, Scope(types=run.plan.type_hints)):
        return f"the type hint {', '.join(run.plan.type_hints)} leaves it out"
    return None
