"""One whole recall as data, before it is rendered as an answer or an explanation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from scrubjay.answers import Parsed, Plan, RecallOptions
from scrubjay.engine.budget import Budgeted
from scrubjay.engine.fuse import Candidates, RankedList
from scrubjay.engine.relevance import Placing
from scrubjay.engine.retrieve.fanout import Branch
from scrubjay.engine.retrieve.query import Query
from scrubjay.engine.retrieve.retriever import Retriever
from scrubjay.trace import Trace
from scrubjay.types.arrays import FloatArray, MaskArray, RowArray, ScoreArray
from scrubjay.types.outcomes import Degraded

# The sign of what is put forward because a request asks for something that it may apply to.
INSTRUCTION_SIGN = "instruction"
UPDATES_SIGN = "updates"  # what chains of updates gave or took


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates in their final order, with everything that gave them their place."""

    candidates: Candidates
    scores: FloatArray
    own_scores: FloatArray  # before chains of updates dealt them out anew
    reranked: Mapping[int, float]  # by row
    recency: FloatArray
    time_fit: FloatArray
    relevance: FloatArray  # probabilities
    floor: float  # where no relevance reaches it, nothing is relevant
    placing: Placing | None  # what the place makes of a probability; None: nothing
    signals: Mapping[str, FloatArray]  # what the relevance rests on
    tokens: npt.NDArray[np.int32]
    signs: Mapping[str, FloatArray]  # bonuses by sign
    fused: Candidates  # all that fusion saw, before any cut
    fused_signs: Mapping[str, FloatArray]  # their bonuses
    newer: Mapping[int, int] = field(default_factory=dict)  # by row, what it was changed to last
    best: float = 0.0  # the highest relevance before places were looked at

    def take(self, order: RowArray) -> Ranking:
        """Some of the candidates, in the order of `order`."""
        return replace(
            self,
            candidates=self.candidates.take(order),
            scores=self.scores[order],
            own_scores=self.own_scores[order],
            recency=self.recency[order],
            time_fit=self.time_fit[order],
            relevance=self.relevance[order],
            tokens=self.tokens[order],
            signals={name: values[order] for name, values in self.signals.items()},
            signs={name: values[order] for name, values in self.signs.items()},
        )

    def placed(self) -> Ranking:
        """With the relevance that the final places give."""
        best = float(self.relevance.max(initial=0.0))
        if self.placing is None or not len(self.relevance):
            return replace(self, best=best)
        return replace(self, best=best, relevance=self.placing.chances(self.relevance, self.floor))

    def lifted(self, rows: RowArray, *, behind: int, sign: str) -> Ranking:
        """With some rows at once behind the first few, in their order, unless they stand before."""
        if not len(self.scores):
            return self
        at = min(behind, len(self.scores) - 1)
        turn = {row: place for place, row in enumerate(rows.tolist())}
        turns = np.array([turn.get(row, len(turn)) for row in self.candidates.rows.tolist()])
        wanted = turns < len(turn)
        bonus = np.where(wanted, np.maximum(self.scores[at] - self.scores, 0.0), 0.0)
        # What is shown for it is about the question as far as what it stands before.
        sure = np.where(bonus > 0, np.maximum(self.relevance, self.relevance[at]), self.relevance)
        # Not the sum, which may be rounded to less than what it is to come before.
        total = np.where(bonus > 0, self.scores[at], self.scores)
        raised = replace(
            self,
            scores=total,
            own_scores=total,
            relevance=sure,
            signs=dict(self.signs) | {sign: self.signs.get(sign, 0.0) + bonus},
        )
        return raised.take(np.lexsort((turns, -total)))

    def grown(self, rows: RowArray, tokens: npt.NDArray[np.int32]) -> Ranking:
        """With units at its end that no retriever found."""
        nothing, neutral = np.zeros(len(rows)), np.ones(len(rows))
        return replace(
            self,
            candidates=self.candidates.grown(rows),
            scores=np.concatenate([self.scores, nothing]),
            own_scores=np.concatenate([self.own_scores, nothing]),
            recency=np.concatenate([self.recency, neutral]),
            time_fit=np.concatenate([self.time_fit, neutral]),
            relevance=np.concatenate([self.relevance, nothing]),
            tokens=np.concatenate([self.tokens, tokens]),
            signals={name: np.concatenate([each, nothing]) for name, each in self.signals.items()},
            signs={name: np.concatenate([each, nothing]) for name, each in self.signs.items()},
        )

    def rescored(
        self,
        scores: Mapping[int, float],
        newer: Mapping[int, int],
        level: Sequence[tuple[int, int]],
    ) -> Ranking:
        """With other scores for some rows, each where the one of them stood that had its score.

        Of each pair that is `level` the first, put before the other, is as relevant as that.
        """
        places = {row: place for place, row in enumerate(self.candidates.rows.tolist())}
        total, stood = self.scores.copy(), np.arange(len(places))
        turns, held = np.zeros(len(places), np.int64), dict[float, int]()
        for place in sorted(places[row] for row in scores):
            held.setdefault(float(self.scores[place]), place)
        for turn, (row, score) in enumerate(scores.items()):
            place = places[row]
            total[place], stood[place], turns[place] = score, held.get(score, place), turn
        relevance = self.relevance.copy()
        for one, other in level:
            # What no retriever found, and what is put before the other, is about the question as
            # far as that is: else a floor would leave out what holds now, and show what it changed.
            if one in places and other in places:
                at, beside = places[one], places[other]
                risen = total[at] > self.scores[at] and total[at] >= total[beside]
                if risen or not self.candidates.scores[at]:
                    relevance[at] = max(relevance[at], self.relevance[beside])
        order = np.lexsort((turns, stood, -total))
        return replace(self, scores=total, relevance=relevance, newer=newer).take(order)


@dataclass(frozen=True, slots=True)
class Run:
    """Everything the stages decided about one question."""

    options: RecallOptions
    parsed: Parsed
    plan: Plan
    query: Query
    branches: tuple[Branch, ...]
    hinted: bool  # the searches that type hints filter kept their filter
    widened: bool
    ranking: Ranking
    passing: RowArray  # positions in the ranking whose relevance passes min_score
    budgeted: Budgeted  # positions in `passing`
    degraded: tuple[Degraded, ...]
    trace: Trace

    @property
    def nothing_relevant(self) -> bool:
        """Whether the bank was searched, and holds nothing that is likely enough an answer.

        What is enough is `min_score`, where the caller gives it, else what was fitted, and more
        than a likeness that tells nothing.
        """
        if self.all_failed:
            return False
        if self.options.min_score is not None:
            return not len(self.passing)
        # What is to be kept to is worth showing whatever else there is.
        if INSTRUCTION_SIGN in self.ranking.signs:
            return False
        return not self._any_tells or self.ranking.best < self.ranking.floor

    @property
    def _any_tells(self) -> bool:
        found = (branch.found for branch in self.branches if branch.hits and branch.found)
        return any(
            not one.telling or bool(np.count_nonzero(one.scores >= one.telling)) for one in found
        )

    @property
    def all_failed(self) -> bool:
        """Whether retrievers ran and none of them answered: nothing is known of the bank."""
        return bool(self.branches) and all(branch.found is None for branch in self.branches)


def ranked_lists(branches: Sequence[Branch]) -> list[RankedList]:
    """What the retrievers answered, as fusion takes it."""
    return [
        RankedList(
            branch.step.retriever,
            branch.step.weight,
            branch.found.rows,
            branch.found.scores,
            branch.found.weights,
            rest_of(branch.retriever, branch.found.scores),
            branch.found.telling,
            _alone(branch, branches),
        )
        for branch in branches
        if branch.found is not None
    ]


def _alone(branch: Branch, branches: Sequence[Branch]) -> MaskArray | None:
    """Which rows of a branch no other one has; None where none of its scores tells too little."""
    found = branch.found
    if found is None or not found.telling or not np.count_nonzero(found.scores < found.telling):
        return None
    others = [one.found.rows for one in branches if one is not branch and one.found is not None]
    return ~np.isin(found.rows, np.concatenate([np.empty(0, np.int64), *others]))


def rest_of(retriever: Retriever, scores: ScoreArray) -> float:
    """What a unit scores at most that a retriever did not return; it returns its best."""
    return float(scores[-1]) if retriever.scores_all and len(scores) else 0.0
