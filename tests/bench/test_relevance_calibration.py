"""What a floor of relevance catches, and what it hides, is counted by what was asked and found."""

from __future__ import annotations

import numpy as np
import pytest
from bench.evaluation.calibration import Asked, calibration

from scrubjay.engine.relevance import Weights
from scrubjay.planning import MEANING


def asked(likeness: float, *, found: bool, absence: str | None = None) -> Asked:
    return Asked(
        "set",
        "bank",
        held=False,
        answerable=absence is None,
        absence=absence,
        signals={MEANING: np.array([likeness, 0.1])},
        gold=np.array([float(found), 0.0]),
        read=np.full(2, np.nan),
    )


def test_answers_that_are_not_found_can_be_left_out_of_what_a_floor_may_hide() -> None:
    unfound = [asked(0.2, found=False) for _ in range(2)]
    found = [asked(0.6 + n / 1_000, found=True) for n in range(98)]
    absent = [asked(0.3, found=False, absence="absent") for _ in range(4)]
    every = [*unfound, *found, *absent]
    weights = Weights(-4.0, {MEANING: 8.0}, 0.0, floor=0.05)
    measured = calibration(every, [weights] * len(every))
    assert measured.caught == {"absent": 0.0}
    assert measured.false_alarms == pytest.approx(0.0)
    assert measured.hidden == 0
    assert measured.caught_at_hidden == {"absent": 1.0}
