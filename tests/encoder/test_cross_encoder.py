"""The real cross-encoder tells answers from mere neighbours, pair by pair."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import numpy as np
import pytest

from scrubjay.encoder.base import Reranker
from scrubjay.encoder.catalogue import find_model
from scrubjay.encoder.cross_encoder import TYPICAL_QUESTION, TYPICAL_TEXT, CrossEncoder
from scrubjay.errors import ModelMissing

QUESTION = "Where is the spare laptop charger?"
TEXTS = (
    "The bakery opens at six.",
    "Nadia keeps the spare laptop charger in the second drawer of her desk.",
    "My laptop is four years old and the fan is loud.",
    "",
)


@pytest.fixture(scope="module")
def reranker(models: Path) -> CrossEncoder:
    return CrossEncoder(find_model("ms-marco-MiniLM-L-12-v2"), models)


def test_the_answer_scores_above_zero_and_the_rest_below(reranker: CrossEncoder) -> None:
    scores = reranker.score(QUESTION, TEXTS)
    assert scores.dtype == np.float32
    assert (scores > 0).tolist() == [False, True, False, False]


def test_a_pairs_score_does_not_depend_on_the_other_pairs(reranker: CrossEncoder) -> None:
    together = reranker.score(QUESTION, TEXTS)
    alone = [float(reranker.score(QUESTION, [text])[0]) for text in TEXTS]
    np.testing.assert_array_equal(together, np.array(alone, np.float32))


def test_no_texts_give_no_scores(reranker: CrossEncoder) -> None:
    assert reranker.score(QUESTION, []).shape == (0,)


def test_a_long_text_is_cut_and_the_question_is_kept(reranker: CrossEncoder) -> None:
    answer_first = TEXTS[1] + " tree" * 400
    scores = reranker.score(QUESTION, [answer_first, answer_first + " more", "tree " * 400])
    assert scores[0] == scores[1] > 0 > scores[2]


def test_a_question_longer_than_the_model_reads_still_leaves_room_for_the_text(
    reranker: CrossEncoder,
) -> None:
    question = QUESTION + " please" * 3_000
    scores = reranker.score(question, [TEXTS[0], TEXTS[1]])
    assert scores[1] > scores[0]


def test_the_cost_of_a_pair_is_measured_once_in_cpu_milliseconds(models: Path) -> None:
    seconds = itertools.count()
    ticks: list[float] = []

    def clock() -> float:
        ticks.append(next(seconds) * 0.25)
        return ticks[-1]

    model = find_model("ms-marco-MiniLM-L-12-v2")
    reranker = CrossEncoder(model, models, cpu_clock=clock)
    assert reranker.costs_ms(TYPICAL_QUESTION, [TYPICAL_TEXT]) == [250.0]
    measured = len(ticks)
    assert reranker.costs_ms(TYPICAL_QUESTION, [TYPICAL_TEXT]) == [250.0]
    assert len(ticks) == measured


def test_what_a_pair_will_cost_is_what_it_costs_whatever_its_length(
    reranker: CrossEncoder,
) -> None:
    for repeats in (1, 4, 16):
        text = " ".join([TYPICAL_TEXT] * repeats)
        (foretold,) = reranker.costs_ms(TYPICAL_QUESTION, [text])
        spent: list[float] = []
        for _ in range(5):
            began = time.process_time()
            reranker.score(TYPICAL_QUESTION, [text])
            spent.append((time.process_time() - began) * 1_000)
        # The budget must hold; a machine's caches and neighbours decide the rest.
        assert foretold / 3 < min(spent) < foretold * 1.5


def test_it_is_a_reranker_and_names_itself(reranker: CrossEncoder) -> None:
    assert isinstance(reranker, Reranker)
    assert reranker.name == "ms-marco-MiniLM-L-12-v2"
    assert reranker.fingerprint.startswith("ms-marco-MiniLM-L-12-v2@")


def test_an_absent_model_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="scrubjay models pull ms-marco-MiniLM-L-12-v2"):
        CrossEncoder(find_model("ms-marco-MiniLM-L-12-v2"), tmp_path)
