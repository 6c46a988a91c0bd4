"""Answers "why not": where a unit fell out, by which numbers, and what each retriever makes of it.

Everything said here is looked up in the run it explains, or computed from the same bank.
"""

from __future__ import annotations

import numpy as np

from scrubjay.answers import Explained, Explanation, Step
from scrubjay.engine.retrieve.fanout import Branch
from scrubjay.engine.retrieve.lexical import quotes, word_query
from scrubjay.engine.retrieve.query import Found
from scrubjay.engine.retrieve.temporal import EVENT
from scrubjay.engine.run import FloatArray, Run
from scrubjay.preset import TemporalMethod
from scrubjay.store.base import BankReader, Scope
from scrubjay.types import RowArray, ScoreArray, UnitId


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
        recency=None if position is None else float(ranking.recency[position]),
        temporal_boost=None if position is None else float(ranking.temporal[position]),
        signs={} if fused is None else _signs(run, fused),
    )


def _position(rows: np.ndarray, row: int) -> int | None:
    found = np.flatnonzero(rows == row)
    return int(found[0]) if len(found) else None


def _signs(run: Run, fused: int) -> dict[str, float]:
    """The bonuses of a fused candidate, by sign."""
    found = {name: float(values[fused]) for name, values in run.ranking.fused_signs.items()}
    return {name: value for name, value in found.items() if value}


def _fate(bank: BankReader, run: Run, row: int) -> tuple[Step, str, int | None]:
    outside = _outside(bank, run, row)
    if outside is not None:
        return Step.SCOPE, outside, None
    ranking = run.ranking
    fused = _position(ranking.fused.rows, row)
    if fused is None:
        return Step.RETRIEVE, "no retriever returned it", None
    position = _position(ranking.candidates.rows, row)
    if position is None:
        return Step.FUSE, _not_kept(run, fused), None
    passing = _position(run.passing, position)
    if passing is None:
        relevance, floor = ranking.relevance[position], run.options.min_score
        return Step.MIN_SCORE, f"relevance {relevance:.3f} is under min_score {floor}", None
    cut = run.budgeted
    if passing in cut.kept:
        return Step.RETURNED, "it is in the answer", cut.kept.index(passing) + 1
    if passing in cut.over_tokens:
        return Step.BUDGET, _over_tokens(bank, run, passing), None
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


def _sum(run: Run, fused: int) -> str:
    """What a candidate has from fusion and from each sign, to be read behind its rank."""
    signs = [f"{name} {value:+.3f}" for name, value in _signs(run, fused).items()]
    return f" ({', '.join([f'fused {run.ranking.fused.scores[fused]:.3f}', *signs])})"


def _over_tokens(bank: BankReader, run: Run, passing: int) -> str:
    rows = run.ranking.candidates.rows[run.passing]
    sizes = bank.columns(rows[: passing + 1]).tokens.tolist()
    used = sum(sizes[place] for place in run.budgeted.kept if place < passing)
    most = run.options.max_tokens
    return f"it has {sizes[passing]} tokens, and better ones use {used} of the {most} tokens"


def _over_limit(run: Run, row: int, passing: int) -> tuple[Step, str, int | None]:
    ranking, limit = run.ranking, run.options.limit
    fused = _position(ranking.fused.rows, row)
    assert fused is not None, "a ranked candidate was fused"
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
    factors = (ranking.recency * ranking.temporal)[run.passing]
    scores = candidates.scores * factors + sum(signs, np.zeros(len(candidates.rows)))
    own = _position(candidates.rows, row)
    assert own is not None, "it passes"
    return int(np.count_nonzero(scores > scores[own])) + 1


def _outside(bank: BankReader, run: Run, row: int) -> str | None:
    scope = run.query.scope
    if not _excluded(bank, row, scope):
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
        if _excluded(bank, row, part):
            return f"the filter on {name} leaves it out"
    return "it was changed or erased meanwhile"


def _excluded(bank: BankReader, row: int, scope: Scope) -> bool:
    return not bank.filter_rows(_one(row), scope)[0]


def _one(row: int) -> RowArray:
    return np.array([row], np.int64)


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
                score_or_none, why = _missed(bank, run, branch, branch.found, row)
                explained[step.retriever] = Explained(True, None, score_or_none, why)
    return explained


def _missed(
    bank: BankReader, run: Run, branch: Branch, found: Found, row: int
) -> tuple[float | None, str]:
    """What a retriever makes of a unit it did not return, and why it did not."""
    retriever, taken = branch.step.retriever, len(found.rows)
    score, why = None, f"it is not among the {taken} it returned"
    if retriever == "semantic":
        score, why = _not_near(bank, run, branch, found, row)
    elif retriever == "lexical":
        score, why = _not_worded(bank, run, found, row)
    elif retriever == "graph":
        full = taken >= branch.step.depth
        why = f"it is not among the {taken} taken" if full else f"the walk reached {taken}, not it"
    elif retriever == "temporal":
        why = _not_in_time(bank, run, branch, row, taken)
    return score, _unasked(bank, run, retriever, row) or why


def _unasked(bank: BankReader, run: Run, retriever: str, row: int) -> str | None:
    """Why a retriever was not to return a unit, whatever it makes of it."""
    if _excluded(bank, row, run.query.scope):
        return "it is out of scope"
    if run.hinted and retriever in ("semantic", "lexical"):
        hints = run.plan.type_hints
        if _excluded(bank, row, Scope(types=hints)):
            return f"the type hint {', '.join(hints)} leaves it out"
    return None


def _not_near(
    bank: BankReader, run: Run, branch: Branch, found: Found, row: int
) -> tuple[float | None, str]:
    cosine = float(bank.similarity(run.query.vector.get(), _one(row))[0])
    if cosine <= -1.0:
        return None, "it has no vector"
    score = float(run.query.similarity(_one(row))[0])
    switches = run.query.preset.semantic
    floor = 0.0 if switches is None else switches.floor
    if score < floor:
        return score, f"under the floor of {floor}"
    # Scores end at 0; what is less alike than that has the score, and was not searched for.
    if cosine < run.query.vector.calibration.cosine_at(floor):
        return score, f"under the floor of {floor}, at a cosine of {cosine:.3f}"
    peers = _peers(bank, found, row, per_type=switches is not None and switches.per_type)
    nearer = int(np.count_nonzero(peers >= score))
    if len(peers) < branch.step.depth or nearer < branch.step.depth:
        return score, f"{nearer} others are nearer, but the search, which is not exact, missed it"
    return score, f"{nearer} others are nearer"


def _not_worded(bank: BankReader, run: Run, found: Found, row: int) -> tuple[float, str]:
    words = word_query(run.query)
    score = min(bank.word_score(words, row) / max(bank.word_ceiling(words), 1e-9), 1.0)
    if score <= 0:
        return score, "it holds none of the words"
    unit = bank.hydrate_rows(_one(row)).get(row)
    if words.phrases and len(found.rows) and unit is not None and not quotes(unit, words.phrases):
        return score, "others say what the question quotes, and it does not"
    switches = run.query.preset.lexical
    peers = _peers(bank, found, row, per_type=switches is not None and switches.per_type)
    last = f", the last at {peers[-1]:.3f}" if len(peers) else ""
    return score, f"its own words give it {score:.3f}; {len(peers)} are taken{last}"


def _peers(bank: BankReader, found: Found, row: int, *, per_type: bool) -> ScoreArray:
    """The scores of what was returned, of the unit's type alone where each has its own search."""
    if not per_type or not len(found.rows):
        return found.scores
    same = bank.columns(found.rows).types == bank.columns(_one(row)).types[0]
    scores: ScoreArray = found.scores[same]
    return scores


def _not_in_time(bank: BankReader, run: Run, branch: Branch, row: int, taken: int) -> str:
    window = run.parsed.window
    if window is None:
        return f"{taken} others are newer"
    if _excluded(bank, row, Scope(window=window)):
        return "it neither happened nor was told in the window"
    types = run.query.bank.settings.types
    if branch.step.method == TemporalMethod.EVENTS and not _is_event(bank, row, types):
        return "it is in the window, but no event"
    return f"it is in the window, but {taken} others are taken"


def _is_event(bank: BankReader, row: int, types: tuple[str, ...]) -> bool:
    return types[int(bank.columns(_one(row)).types[0])] == EVENT
