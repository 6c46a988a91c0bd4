"""The final order: what is lifted comes before what it was lifted to, and stays there."""

import numpy as np

from scrubjay.engine.fuse import Candidates
from scrubjay.engine.run import Ranking


def _ranking(*scores: float) -> Ranking:
    """Rows 10, 11, ... in the order of their scores."""
    own, rows = np.array(scores), np.arange(10, 10 + len(scores))
    ones, nothing = np.ones(len(own)), np.zeros(len(own))
    found = Candidates(rows, own, {}, {})
    tokens = np.full(len(own), 8, np.int32)
    return Ranking(
        found, own, own, {}, ones, ones, own / 2, 0.0, None, {"meaning": nothing}, tokens, {},
        found, {},
    )  # fmt: skip


def test_what_is_lifted_comes_first_with_just_the_score_of_what_was() -> None:
    # The sum of a score and what it lacks of another need not be that other.
    lifted = _ranking(0.7, 0.1 + 0.2, 0.2).lifted(np.array([12, 11]), behind=0, sign="x")
    assert lifted.candidates.rows.tolist() == [12, 11, 10]
    assert lifted.scores.tolist() == [0.7, 0.7, 0.7]
    assert lifted.own_scores.tolist() == lifted.scores.tolist()
    assert lifted.relevance.tolist() == [0.35, 0.35, 0.35]


def test_a_chain_takes_the_place_of_its_best_and_passes_nothing_of_the_same_score() -> None:
    lifted = _ranking(0.9, 0.6, 0.5, 0.4).lifted(np.array([13]), behind=0, sign="x")
    assert lifted.candidates.rows.tolist() == [13, 10, 11, 12]
    changed = lifted.rescored({12: 0.9, 10: 0.9}, {10: 12}, [(12, 10)])
    assert changed.candidates.rows.tolist() == [13, 12, 10, 11]
    assert changed.relevance.tolist() == [0.45, 0.45, 0.45, 0.3]


def test_rows_of_a_chain_come_in_their_order() -> None:
    changed = _ranking(0.9, 0.8, 0.7, 0.6).rescored(
        {13: 0.8, 12: 0.8, 11: 0.7}, {11: 13, 12: 13}, ()
    )
    assert changed.candidates.rows.tolist() == [10, 13, 12, 11]
