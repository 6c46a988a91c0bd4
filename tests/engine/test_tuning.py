"""Weights are fitted from questions whose answers are known, and stay where nothing moves them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest

from scrubjay.answers import RecallOptions
from scrubjay.engine import read_path
from scrubjay.engine.presets import DEFAULT
from scrubjay.engine.run import Run
from scrubjay.engine.tuning import (
    KINDS,
    TIMES_MAX,
    Example,
    example_of,
    fitted,
    left_out,
    quality,
    weighed,
    weights_of,
)
from scrubjay.memory import Memory
from scrubjay.operations.operation import Address, Engine, KeyScope, Operation
from scrubjay.testing import FixedClock
from scrubjay.types.units import Unit

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
AS_THEY_ARE = dict.fromkeys(KINDS, 1.0)


def examples_of_words(count: int, seed: int = 7) -> list[Example]:
    """Questions that words answer, and meaning only by chance."""
    chance = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        evidence = np.zeros((20, len(KINDS)))
        evidence[:, KINDS.index("semantic")] = chance.uniform(0.2, 0.6, 20)
        evidence[:, KINDS.index("lexical")] = chance.uniform(0.0, 0.02, 20)
        evidence[3, KINDS.index("lexical")] = 0.1
        evidence[:, KINDS.index("brief")] = -0.01
        made.append(Example(evidence, np.arange(20) == 3, 1))
    return made


def test_what_finds_the_answers_counts_more_and_answers_come_first() -> None:
    examples = examples_of_words(40)
    times = fitted(examples, prior=1.0)
    assert times["lexical"] > 1.5
    assert times["semantic"] == 1.0
    before = quality(examples, [AS_THEY_ARE] * 40)
    after = quality(examples, [times] * 40)
    assert after.first > before.first
    assert after.ndcg > before.ndcg


def test_weights_keep_their_signs_their_bounds_and_what_no_question_speaks_of() -> None:
    times = fitted(examples_of_words(40), prior=0.0)
    assert all(1 / TIMES_MAX <= each <= TIMES_MAX for each in times.values())
    assert times["graph"] == times["temporal"] == times["speaker"] == 1.0


def test_few_questions_move_weights_less_than_many() -> None:
    few, many = (fitted(examples_of_words(count), prior=5.0)["lexical"] for count in (3, 60))
    assert 1.0 < few < many


def test_what_is_left_out_has_no_part_in_its_own_weights() -> None:
    groups = ["a", "a", "b"]
    seen: list[int] = []

    def count(given: Sequence[Example]) -> dict[str, float]:
        seen.append(len(given))
        return AS_THEY_ARE

    assert left_out(examples_of_words(3), groups, count) == [AS_THEY_ARE] * 3
    assert seen == [1, 2]


def test_answers_that_nobody_found_count_as_missed() -> None:
    (one,) = examples_of_words(1)
    half = Example(one.evidence, one.wanted, 2)
    assert quality([half], [{"lexical": 8.0}]).recall == pytest.approx(0.5)


def test_a_preset_is_weighed_kind_by_kind() -> None:
    twice = weighed(DEFAULT, {"lexical": 2.0, "window": 0.5})
    assert twice.weights["lexical"] == 2 * DEFAULT.weights["lexical"]
    assert twice.weights["semantic"] == DEFAULT.weights["semantic"]
    assert twice.signs is not None
    assert DEFAULT.signs is not None
    assert twice.signs.window == DEFAULT.signs.window / 2
    assert twice.signs.window_alone == DEFAULT.signs.window_alone / 2
    assert twice.signs.speaker == DEFAULT.signs.speaker
    assert weights_of(weighed(DEFAULT, {})) == weights_of(DEFAULT)


def look(engine: Engine, question: str) -> Run:
    with engine.reading() as (bank, tools):
        return read_path.run(bank, question, RecallOptions(now=NOW), tools)


LOOK = Operation(look, Address("POST", "/v1/banks/{bank}/look", KeyScope.READ, "Never sent."))


def test_the_evidence_of_each_kind_adds_up_to_the_score() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        memory.retain(
            [
                Unit("Ada sold the blue boat in the harbour of Hoorn.", speaker="Ada", session="s"),
                Unit("Tar and rope came up.", speaker="Bo", session="s"),
                Unit("I like the harbour in the evening.", type="preference"),
                *(Unit(f"The harbour of port {n} is busy.", session="s") for n in range(9)),
            ]
        )
        run = memory.bank()._run(LOOK, "What did Ada say about the harbour today?")
        example = example_of(run, [int(run.ranking.candidates.rows[0])])
    assert np.sort(example.evidence.sum(axis=1))[::-1] == pytest.approx(
        np.sort(run.ranking.scores)[::-1]
    )
    assert example.wanted.sum() == 1
    assert {"semantic", "lexical", "speaker"} <= {
        kind for kind, given in zip(KINDS, example.evidence.T, strict=True) if given.any()
    }
