"""The labelled corpora keep their promises: format, labels, questions that give nothing away."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TypedDict, TypeVar

import pytest
from bench.evaluation.datasets import Split, load_set, split_of

from scrubjay.limits import UNIT_CHARACTERS_MAX
from scrubjay.types.values import DEFAULT_TYPES

CORPORA = [Path(__file__).parents[2] / "bench" / "corpus" / name for name in ("trades", "crafts")]
CATEGORIES = {
    "single", "update", "before", "when", "window", "plan", "preference", "procedure", "cause",
    "hop", "who", "list", "instruction", "identifier", "unanswerable",
}  # fmt: skip


class UnitMeta(TypedDict, total=False):
    type: str
    bulk: bool


class QueryMeta(TypedDict, total=False):
    why: str
    kind: str
    twin: str
    like: str


class BankMeta(TypedDict):
    now: str
    user: str
    about: str


@dataclass(frozen=True, slots=True)
class BankRow:
    bank_id: str
    split: str
    language: str
    meta: BankMeta
    n_units: int
    n_queries: int


@dataclass(frozen=True, slots=True)
class UnitRow:
    bank_id: str
    unit_id: str
    session_id: str | None
    index: int
    date: str
    speaker: str | None
    text: str
    meta: UnitMeta


@dataclass(frozen=True, slots=True)
class QueryRow:
    query_id: str
    bank_id: str
    question: str
    category: str
    question_date: str
    answerable: bool
    gold_unit_ids: list[str]
    gold_session_ids: list[str]
    stale_unit_ids: list[str]
    meta: QueryMeta


Row = TypeVar("Row", BankRow, UnitRow, QueryRow)


def load(name: str, row: type[Row]) -> tuple[Row, ...]:
    """One row per line; a missing or unknown field is a TypeError."""
    texts = [(corpus / name).read_text(encoding="utf-8") for corpus in CORPORA]
    return tuple(row(**json.loads(line)) for text in texts for line in text.splitlines())


BANKS = load("banks.jsonl", BankRow)
UNITS = load("units.jsonl", UnitRow)
QUERIES = load("queries.jsonl", QueryRow)
UNIT = {unit.unit_id: unit for unit in UNITS}
QUERY = {query.query_id: query for query in QUERIES}


def test_ids_are_unique_and_every_bank_row_counts_its_own() -> None:
    assert len(UNIT) == len(UNITS)
    assert len(QUERY) == len(QUERIES)
    assert {bank.bank_id: bank.n_units for bank in BANKS} == Counter(u.bank_id for u in UNITS)
    assert {bank.bank_id: bank.n_queries for bank in BANKS} == Counter(q.bank_id for q in QUERIES)


def test_every_bank_asks_in_every_category() -> None:
    for bank in BANKS:
        asked = {query.category for query in QUERIES if query.bank_id == bank.bank_id}
        assert asked == CATEGORIES, bank.bank_id


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: bank.bank_id)
def test_a_bank_is_told_in_order_of_time_before_it_is_asked(bank: BankRow) -> None:
    units = [unit for unit in UNITS if unit.bank_id == bank.bank_id]
    assert [unit.index for unit in units] == list(range(len(units)))
    moments = [datetime.fromisoformat(unit.date) for unit in units]
    assert all(earlier < later for earlier, later in pairwise(moments))
    assert moments[-1] <= datetime.fromisoformat(bank.meta["now"])


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: bank.bank_id)
def test_nothing_is_said_or_asked_twice(bank: BankRow) -> None:
    for texts in (
        [unit.text for unit in UNITS if unit.bank_id == bank.bank_id],
        [query.question for query in QUERIES if query.bank_id == bank.bank_id],
    ):
        assert [text for text, count in Counter(texts).items() if count > 1] == []


def test_every_text_is_whole_fits_one_unit_and_has_a_known_type() -> None:
    for unit in UNITS:
        assert unit.text == unit.text.strip() != ""
        assert len(unit.text) <= UNIT_CHARACTERS_MAX
        assert unit.meta.get("type", "message") in DEFAULT_TYPES


def test_labels_are_units_of_the_bank_told_before_the_question() -> None:
    for query in QUERIES:
        asked = datetime.fromisoformat(query.question_date)
        labels = [UNIT[unit] for unit in query.gold_unit_ids + query.stale_unit_ids]
        assert {unit.bank_id for unit in labels} <= {query.bank_id}, query.question
        assert len({unit.unit_id for unit in labels}) == len(labels), query.question
        for unit in query.gold_unit_ids:
            assert datetime.fromisoformat(UNIT[unit].date) <= asked, query.question
        assert not any(unit.meta.get("bulk") for unit in labels), query.question
        sessions = {UNIT[unit].session_id for unit in query.gold_unit_ids}
        assert sessions == set(query.gold_session_ids), query.question


def test_a_question_has_evidence_exactly_when_it_can_be_answered() -> None:
    for query in QUERIES:
        assert query.answerable is bool(query.gold_unit_ids), query.question
        assert query.answerable is (query.category != "unanswerable"), query.question


def test_an_update_has_what_it_replaced_and_a_list_has_several_or_says_all() -> None:
    updates = [query for query in QUERIES if query.category == "update"]
    assert sum(bool(query.stale_unit_ids) for query in updates) >= 0.9 * len(updates)
    lists = [query for query in QUERIES if query.category == "list"]
    assert sum(len(query.gold_unit_ids) > 1 for query in lists) >= 0.8 * len(lists)


def test_an_unanswerable_question_has_an_answerable_twin_of_its_form() -> None:
    for query in QUERIES:
        if query.answerable:
            continue
        assert query.meta["kind"] in {"near", "absent"}
        twin = QUERY[query.meta["twin"]]
        assert twin.answerable and twin.bank_id == query.bank_id
        assert query.meta["like"] == twin.category
        shared = set(words(query.question)) & set(words(twin.question))
        assert len(shared) >= len(set(words(twin.question))) / 3, query.question


def test_half_of_the_banks_are_held_apart() -> None:
    for corpus in CORPORA:
        split = Counter(split_of(corpus).values())
        assert abs(split[Split.OPEN] - split[Split.HELD]) <= 1
    assert sum(len(load_set(corpus).questions) for corpus in CORPORA) == len(QUERIES)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|\d+|[?.!]", text.lower())


def style(text: str) -> set[str]:
    """What a question looks like: its words, pairs of them, how it starts, how long it is."""
    said = words(text)
    pairs = [f"{first} {second}" for first, second in pairwise(said)]
    return {*said, *pairs, f"^{said[0]}", f"length {min(len(said) // 3, 8)}"}


def test_the_way_a_question_is_put_does_not_tell_whether_it_can_be_answered() -> None:
    answerable: list[float] = []
    unanswerable: list[float] = []
    for bank in BANKS:
        odds = learnt_from(query for query in QUERIES if query.bank_id != bank.bank_id)
        for query in QUERIES:
            if query.bank_id == bank.bank_id:
                group = answerable if query.answerable else unanswerable
                group.append(odds(query.question))
    pairs = [(low, high) for low in answerable for high in unanswerable]
    area = sum((high > low) + 0.5 * (high == low) for low, high in pairs) / len(pairs)
    assert 0.4 < area < 0.6


def learnt_from(queries: Iterable[QueryRow]) -> Callable[[str], float]:
    """A question's log odds of being unanswerable, by naive Bayes over the style of some."""
    counts = {True: Counter[str](), False: Counter[str]()}
    totals = Counter[bool]()
    for query in queries:
        counts[query.answerable].update(style(query.question))
        totals[query.answerable] += 1

    def chance(part: str, answer: bool) -> float:
        return math.log((counts[answer][part] + 0.5) / (totals[answer] + 1))

    return lambda text: sum(chance(part, False) - chance(part, True) for part in style(text))
