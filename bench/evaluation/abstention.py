"""Whether an engine's relevance tells what a bank can answer from what it cannot; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

# The share of unanswerable questions that must be caught where false alarms are counted.
CAUGHT = 0.75
ALL = "all"


@dataclass(frozen=True, slots=True)
class Abstention:
    """How well the relevance of the best item separates two groups of questions.

    `auroc` is the chance that an answerable question has the higher one of a random pair, ties
    counting half. `false_alarms` is the share of answerable questions that would be refused at
    the lowest floor that refuses 75 % of the others.
    """

    answerable: int
    unanswerable: int
    auroc: float
    false_alarms: float


def abstention(
    answerable: Sequence[float], unanswerable: Mapping[str, Sequence[float]]
) -> dict[str, Abstention]:
    """All unanswerable questions together, then each kind of absence by its name.

    Empty unless there are questions of both sorts.
    """
    together = [value for values in unanswerable.values() for value in values]
    groups = {ALL: together, **{kind: unanswerable[kind] for kind in sorted(unanswerable) if kind}}
    return {
        kind: _separation(answerable, values)
        for kind, values in groups.items()
        if answerable and values
    }


def _separation(answerable: Sequence[float], unanswerable: Sequence[float]) -> Abstention:
    high, low = np.asarray(answerable)[:, None], np.asarray(unanswerable)[None, :]
    auroc = float(((high > low) + 0.5 * (high == low)).mean())
    floor = sorted(unanswerable)[math.ceil(CAUGHT * len(unanswerable)) - 1]
    alarms = float((high <= floor).mean())
    return Abstention(len(answerable), len(unanswerable), auroc, alarms)
