"""One whole recall as data, before it is rendered as an answer or an explanation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scrubjay.answers import Degraded, Parsed, Plan, RecallOptions
from scrubjay.engine.budget import Budgeted
from scrubjay.engine.fuse import Candidates
from scrubjay.engine.retrieve.fanout import Branch
from scrubjay.engine.retrieve.query import Query
from scrubjay.trace import Trace
from scrubjay.types import FloatArray, RowArray


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates in their final order, with everything that gave them their place."""

    candidates: Candidates
    scores: FloatArray
    reranked: Mapping[int, float]  # by row
    recency: FloatArray
    time_fit: FloatArray
    relevance: FloatArray
    tokens: npt.NDArray[np.int32]
    signs: Mapping[str, FloatArray]  # bonuses by sign
    fused: Candidates  # all that fusion saw, before any cut
    fused_signs: Mapping[str, FloatArray]  # their bonuses


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
    def all_failed(self) -> bool:
        """Whether retrievers ran and none of them answered: nothing is known of the bank."""
        return bool(self.branches) and all(branch.found is None for branch in self.branches)
