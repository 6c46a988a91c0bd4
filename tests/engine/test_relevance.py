"""The model of relevance: probabilities, monotone in what speaks for a unit."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.engine.relevance import (
    SIGNALS,
    Model,
    Reading,
    Weights,
    can_tell_absence,
    chance,
    fitted,
    logit,
    never_rising,
)
from scrubjay.planning import MEANING, WORDS

SHARES = st.lists(st.floats(0, 1), min_size=len(SIGNALS), max_size=len(SIGNALS))


def signals_of(*units: list[float]) -> dict[str, np.ndarray]:
    return {name: np.array([unit[n] for unit in units]) for n, name in enumerate(SIGNALS)}


@given(SHARES, SHARES, st.sampled_from(range(len(SIGNALS))), st.floats(0.01, 1))
def test_more_of_a_signal_never_makes_a_unit_less_likely(
    one: list[float], other: list[float], which: int, more: float
) -> None:
    weights = fitted().encoders["scrubjay-small"]
    raised = [value + more * (n == which) for n, value in enumerate(one)]
    before = weights.chances(signals_of(one, other))
    after = weights.chances(signals_of(raised, other))
    assert 0 < before.min() <= before.max() < 1
    assert after[0] >= before[0]
    assert after[1] <= before[1], "and what it leaves behind never more likely"


def test_a_unit_is_less_likely_beside_a_better_one() -> None:
    weights = fitted().encoders["scrubjay-small"]
    alone = weights.chances(signals_of([0.6, 0.3, 0, 0]))
    beside = weights.chances(signals_of([0.6, 0.3, 0, 0], [0.9, 0.8, 0, 0]))
    assert beside[0] < alone[0]


def test_a_reader_that_was_fitted_counts_as_it_was_and_another_counts_half() -> None:
    weights = Weights(-1.0, dict.fromkeys(SIGNALS, 2.0), 0.0, 0.1)
    reading = Reading(-0.5, 1.0, 2.0, 0.2)
    model = Model({}, weights, weights, {"known": reading})
    signals = signals_of([0.5, 0.5, 0, 0], [0.1, 0, 0, 0])
    before = weights.chances(signals)
    read = np.array([0.9, np.nan])
    after, floor, placing = model.estimate(signals, "any", "known", read)
    assert after.tolist() == [reading.chances(before, read)[0], before[1]]
    assert floor == 0.2 and placing is None, "a reader knows better than a place"
    half, floor, placing = model.estimate(signals, "any", "unknown", read)
    assert half.tolist() == [(before[0] + 0.9) / 2, before[1]]
    assert floor == 0 and placing is None


def test_without_meaning_the_weights_for_no_encoder_are_taken() -> None:
    model = fitted()
    words = {name: np.zeros(1) for name in SIGNALS if name != MEANING}
    assert model.weights("scrubjay-small", words) is model.no_meaning
    assert model.weights(None, {**words, MEANING: np.zeros(1)}) is model.no_meaning
    assert (
        model.weights("scrubjay-small", {**words, MEANING: np.zeros(1)})
        is (model.encoders["scrubjay-small"])
    )
    assert model.weights("of my own", {**words, MEANING: np.zeros(1)}) is model.other_encoder


def test_no_candidates_have_no_chances() -> None:
    weights = fitted().no_meaning
    assert len(weights.chances({WORDS: np.zeros(0)})) == 0


@given(st.floats(-29, 29))
def test_log_odds_and_chances_are_each_other_s_inverse(odds: float) -> None:
    assert logit(chance(np.array([odds])))[0] == pytest.approx(odds, abs=1e-3)


def test_every_weight_says_by_which_command_at_which_commit_it_was_fitted() -> None:
    said = json.loads(files("scrubjay.engine").joinpath("relevance.json").read_text("utf-8"))
    parts = [*said["encoders"].values(), said["no_meaning"], *said["readers"].values()]
    for part in parts:
        assert part["command"].startswith("scrubjay bench relevance")
        assert part["commit"] and part["machine"]


@given(st.lists(st.floats(0.001, 0.999), min_size=1, max_size=70))
def test_what_comes_later_is_never_likelier_and_the_sum_of_the_first_stays(
    chances: list[float],
) -> None:
    level = never_rising(np.array(chances))
    assert (np.diff(level) <= 1e-12).all()
    assert level[:50].sum() == pytest.approx(sum(chances[:50]))


def test_the_first_place_makes_a_unit_likelier_and_a_late_one_less_likely() -> None:
    placing = fitted().encoders["scrubjay-small"].placing
    placed = placing.chances(np.full(8, 0.3), 0.1)
    assert placed[0] > 0.3 > placed[-1]
    assert (np.diff(placed) < 0).all()
    assert placing.chances(np.full(8, 0.3), 0.5).tolist() == [0.3] * 8, "the first of nothing"


def test_weak_signals_tell_no_absence_where_question_or_memories_are_not_english() -> None:
    weak = signals_of([0.3, 0, 0, 0])
    english = ["Where does my sister live?", "The heating is read on Monday."]
    assert can_tell_absence(english, weak)
    assert not can_tell_absence([*english, "Die Heizung wird am Montag abgelesen."], weak)
    assert not can_tell_absence(["Wo wohnt meine Schwester jetzt?", english[1]], weak)
    assert not can_tell_absence(english, signals_of([0.3, 0, 0, 1]))
