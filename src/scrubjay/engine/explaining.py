"""Answers "why not": where a unit fell out, by which numbers, and what each retriever makes of it.

Everything said here is looked up in the run it explains, or computed from the same bank.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from scrubjay.answers import Explained, Explanation, Rival, Step
from scrubjay.engine import budget
from scrubjay.engine.fuse import shares
from scrubjay.engine.retrieve.fanout import Branch
from scrubjay.engine.run import INSTRUCTION_SIGN, UPDATES_SIGN, Run, ranked_lists
from scrubjay.store.base import Scope
from scrubjay.types.arrays import FloatArray
from scrubjay.types.values import UnitId


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
        contributions=_contributions(run, row),
        rival=_rival(run, row, step, rank),
        change=None if step is Step.RETURNED else _change(run, row, step),
    )


def _contributions(run: Run, row: int) -> dict[str, float]:
    """What a unit's score is made of; of one that did not go on, what it was ordered by."""
    position = _position(run.ranking.candidates.rows, row)
    parts = _ranked_parts(run)
    if position is None:
        position, parts = _position(run.ranking.fused.rows, row), _fused_parts(run)
    if position is None:
        return {}
    found = {name: float(values[position]) for name, values in parts.items()}
    return {name: value for name, value in found.items() if value}


def _fused_parts(run: Run) -> dict[str, FloatArray]:
    """By list and sign, what each fused candidate has of it."""
    fused, preset = run.ranking.fused, run.query.preset
    place_of = {row: place for place, row in enumerate(fused.rows.tolist())}
    parts: dict[str, FloatArray] = {}
    for part in ranked_lists(run.branches):
        own, rest = shares(part, method=preset.fusion, rank_constant=preset.rank_constant)
        parts[part.retriever] = np.full(len(fused.rows), rest)
        parts[part.retriever][[place_of[row] for row in part.rows.tolist()]] = own
    for name, values in run.ranking.fused_signs.items():
        # A retriever from outside may have the name of a sign.
        parts[name] = parts.get(name, np.zeros(len(values))) + values
    return parts


def _ranked_parts(run: Run) -> dict[str, FloatArray]:
    """By list, sign, factor and later stage, what each ranked candidate has of its score."""
    ranking = run.ranking
    place_of = {row: place for place, row in enumerate(ranking.fused.rows.tolist())}
    places = [place_of.get(row, -1) for row in ranking.candidates.rows.tolist()]
    # What only updates brought along was not fused, and has nothing of this.
    parts = {name: np.append(values, 0.0)[places] for name, values in _fused_parts(run).items()}
    fused, fresh = ranking.candidates.scores, ranking.recency
    parts["recency"] = fused * (fresh - 1)
    parts["temporal_boost"] = fused * fresh * (ranking.time_fit - 1)
    # Given after all that is fused, and so not among its signs.
    parts[INSTRUCTION_SIGN] = ranking.signs.get(INSTRUCTION_SIGN, np.zeros(len(fused)))
    if ranking.reranked:
        unread: FloatArray = sum(parts.values(), np.zeros(len(fused)))
        parts["rerank"] = ranking.own_scores - unread
    parts[UPDATES_SIGN] = ranking.scores - ranking.own_scores
    return parts


def _rival(run: Run, row: int, step: Step, rank: int | None) -> Rival | None:
    ranking, kept = run.ranking, run.budgeted.kept
    if step is Step.FUSE:
        others = [place_of for place_of in ranking.candidates.rows.tolist() if place_of != row]
        totals = dict(zip(ranking.fused.rows.tolist(), _totals(run).tolist(), strict=True))
        other = min((one for one in others if one in totals), key=totals.__getitem__, default=None)
    elif step in (Step.RERANK, Step.LIMIT, Step.BUDGET) and kept:
        other = int(ranking.candidates.rows[run.passing[kept[-1]]])
    elif rank is not None and rank > 1:
        other = int(ranking.candidates.rows[run.passing[kept[rank - 2]]])
    else:
        other = None
    if other is None:
        return None
    ids = run.query.bank.ids_of(np.array([other], np.int64))
    if other not in ids:
        return None
    parts = _contributions(run, other)
    return Rival(UnitId(ids[other]), sum(parts.values()), parts)


def _totals(run: Run) -> FloatArray:
    return run.ranking.fused.scores + _bonus(run)


def _change(run: Run, row: int, step: Step) -> str | None:
    """The smallest change of what was asked, or of a weight, that lets a unit through."""
    position = _position(run.ranking.candidates.rows, row)
    if step is Step.FUSE:
        return f"the preset's candidates_max={_rank_fused(run, row)}"
    if step is Step.RETRIEVE:
        return _lower_floor(run, row)
    if position is None:
        return None
    if step is Step.MIN_SCORE:
        # Rounded down, so that it passes.
        return f"min_score={math.floor(run.ranking.relevance[position] * 1e4) / 1e4:g}"
    passing = _position(run.passing, position)
    assert passing is not None, "it passes"
    sizes = run.ranking.tokens[run.passing].tolist()
    everyone = budget.fit(sizes, tokens_max=run.options.max_tokens, limit=len(sizes))
    if passing in everyone.kept:
        limit = everyone.kept.index(passing) + 1
        weighed = _weight_change(run, passing)
        return f"limit={limit}" + ("" if weighed is None else f", or about {weighed}")
    used = sum(sizes[place] for place in everyone.kept if place < passing)
    needed = f"max_tokens={used + sizes[passing]}"
    before = sum(place < passing for place in everyone.kept)
    return needed if before < run.options.limit else f"limit={before + 1} and {needed}"


def _lower_floor(run: Run, row: int) -> str | None:
    """The floor with which a search that ran would have returned a unit, if it has a floor."""
    for branch in run.branches:
        floor = getattr(getattr(run.query.preset, branch.step.retriever, None), "floor", None)
        score = _seen(run, branch, row).score
        if floor is not None and score is not None and 0.01 <= score < floor:
            low = math.floor(score * 100) / 100
            return f"the preset's {branch.step.retriever}.floor={low:g}"
    return None


def _weight_change(run: Run, passing: int) -> str | None:
    """The one weight that has to change least for a unit to come in, all others as they are."""
    scores, limit = run.ranking.scores[run.passing], run.options.limit
    lead = np.delete(scores - scores[passing], passing)
    least: tuple[float, str, float] | None = None
    for name, values in _ranked_parts(run).items():
        if name in _NO_WEIGHTS:
            continue
        own = values[run.passing]
        gain = np.delete(own - own[passing], passing)
        # Where it draws level with one of the others its place changes, and nowhere else.
        level = 1 - lead[gain != 0] / gain[gain != 0]
        tried = np.concatenate([level * (1 - _BEYOND), level * (1 + _BEYOND)])
        tried = tried[(tried > 1 / _FACTOR_MAX) & (tried < _FACTOR_MAX)]
        before = ((lead[:, None] + gain[:, None] * (tried - 1)) > 0).sum(axis=0)
        for factor in tried[before < limit].tolist():
            far = abs(math.log(factor))
            if least is None or far < least[0]:
                least = far, name, factor
    return None if least is None else f"the weight of {least[1]} x {least[2]:.2f}"


# They follow from the others, or are no weight at all.
_NO_WEIGHTS = frozenset({"recency", "temporal_boost", "rerank", UPDATES_SIGN})
# A weight that is changed tenfold is another preset.
_FACTOR_MAX = 10.0
_BEYOND = 1e-3


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
    kept = len(run.ranking.candidates.rows)
    rank = _rank_fused(run, int(run.ranking.fused.rows[fused]))
    return f"rank {rank} after fusion{_sum(run, fused)}; the first {kept} go on"


def _rank_fused(run: Run, row: int) -> int:
    """The place of a candidate by its fused score and its signs."""
    total, fused = _totals(run), _position(run.ranking.fused.rows, row)
    assert fused is not None, "it was fused"
    ahead = int(np.count_nonzero(total > total[fused]))
    return ahead + int(np.count_nonzero(total[:fused] == total[fused])) + 1


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
