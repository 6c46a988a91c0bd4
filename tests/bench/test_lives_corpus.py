"""The lives corpus, and the banks the encoder learns from, are whole and have nothing in common."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest
from bench.evaluation.datasets import Dataset, Split, load_set, split_of

from scrubjay.limits import UNIT_CHARACTERS_MAX

ROOT = Path(__file__).parents[2]
LIVES = ROOT / "bench" / "corpus" / "lives"
LEARNT_FROM = ROOT / "training" / "data" / "banks"


@pytest.fixture(scope="module", params=[LIVES, LEARNT_FROM], ids=["lives", "learnt from"])
def corpus(request: pytest.FixtureRequest) -> Dataset:
    return load_set(request.param)


def test_banks_are_told_in_order_of_time_before_they_are_asked(corpus: Dataset) -> None:
    nows = {question.bank_id: question.now for question in corpus.questions}
    for bank, units in corpus.units.items():
        moments = [unit.told_at for unit in units if unit.told_at is not None]
        assert len(moments) == len(units) >= 30
        assert all(earlier < later for earlier, later in pairwise(moments)), bank
        assert moments[-1] <= nows[bank], bank


def test_labels_are_units_of_the_bank_and_an_answer_is_not_stale(corpus: Dataset) -> None:
    for question in corpus.questions:
        known = {unit.unit_id for unit in corpus.units[question.bank_id]}
        labels = [*question.gold, *question.stale]
        assert set(labels) <= known, question.query_id
        assert len(set(labels)) == len(labels), question.query_id


def test_a_question_has_evidence_exactly_when_it_can_be_answered(corpus: Dataset) -> None:
    for question in corpus.questions:
        assert question.answerable is bool(question.gold), question.query_id
        assert question.answerable is (question.absence is None), question.query_id
    assert {question.absence for question in corpus.questions} == {None, "near", "absent"}


def test_every_text_is_whole_and_fits_one_unit(corpus: Dataset) -> None:
    for units in corpus.units.values():
        assert all(unit.text == unit.text.strip() != "" for unit in units)
        assert all(len(unit.text) <= UNIT_CHARACTERS_MAX for unit in units)


def test_what_is_measured_is_not_learnt_from() -> None:
    measured, learnt = load_set(LIVES), load_set(LEARNT_FROM)
    assert measured.units.keys().isdisjoint(learnt.units)
    asked = {question.text for question in measured.questions}
    assert len(asked & {question.text for question in learnt.questions}) <= len(asked) / 200
    long = {u.text for units in measured.units.values() for u in units if len(u.text) > 40}
    assert long.isdisjoint(u.text for units in learnt.units.values() for u in units)


def test_half_of_the_banks_are_held_apart() -> None:
    split = Counter(split_of(LIVES).values())
    assert abs(split[Split.OPEN] - split[Split.HELD]) <= 1
    assert set(split_of(LEARNT_FROM).values()) == {Split.OPEN}


def test_rows_count_their_units_and_questions() -> None:
    for directory in (LIVES, LEARNT_FROM):
        rows = (directory / "banks.jsonl").read_text(encoding="utf-8").splitlines()
        corpus = load_set(directory)
        asked = Counter(question.bank_id for question in corpus.questions)
        for row in map(json.loads, rows):
            assert row["n_units"] == len(corpus.units[row["bank_id"]])
            assert row["n_queries"] == asked[row["bank_id"]]
            assert datetime.fromisoformat(row["meta"]["now"])
