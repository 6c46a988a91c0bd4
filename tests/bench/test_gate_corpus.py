"""The gate corpus keeps its promises: format, gold labels, what makes each category hard."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby, pairwise
from pathlib import Path
from typing import TypedDict, TypeVar

import pytest
import Stemmer

from scrubjay.limits import UNIT_CHARACTERS_MAX
from scrubjay.types.graph import LinkKind, RelationClass
from scrubjay.types.values import DEFAULT_TYPES

CORPUS = Path(__file__).parents[2] / "bench" / "corpus" / "gate"
CATEGORIES = ("lexical", "semantic", "graph", "temporal", "multi", "multilingual")
STEMMER = Stemmer.Stemmer("english")


class RelationRow(TypedDict):
    subject: str
    relation: str
    object: str
    relation_class: str
    confidence: float


class CauseRow(TypedDict):
    other: str
    kind: str


class UnitMeta(TypedDict, total=False):
    entities: list[str]
    relations: list[RelationRow]
    causes: list[CauseRow]
    type: str
    predicate: str
    kind: str
    lang: str


class QueryMeta(TypedDict, total=False):
    lang: str
    nth_session: int
    window: list[str]
    clock: str


class BankMeta(TypedDict, total=False):
    kind: str
    speakers: list[str]
    languages: list[str]
    now: str


@dataclass(frozen=True, slots=True)
class Bank:
    bank_id: str
    source: str
    language: str
    meta: BankMeta
    n_units: int
    n_queries: int


@dataclass(frozen=True, slots=True)
class GateUnit:
    bank_id: str
    unit_id: str
    session_id: str
    index: int
    date: str
    speaker: str
    text: str
    meta: UnitMeta


@dataclass(frozen=True, slots=True)
class GateQuery:
    query_id: str
    bank_id: str
    question: str
    category: str
    question_date: str
    answer: str
    answerable: bool
    gold_unit_ids: list[str]
    gold_session_ids: list[str]
    meta: QueryMeta


Row = TypeVar("Row", Bank, GateUnit, GateQuery)


def load(name: str, row: type[Row]) -> tuple[Row, ...]:
    """One row per line; a missing or unknown field is a TypeError."""
    lines = (CORPUS / name).read_text(encoding="utf-8").splitlines()
    return tuple(row(**json.loads(line)) for line in lines)


BANKS = load("banks.jsonl", Bank)
UNITS = load("units.jsonl", GateUnit)
QUERIES = load("queries.jsonl", GateQuery)
BY_ID = {(unit.bank_id, unit.unit_id): unit for unit in UNITS}
CAUSAL_KINDS = {LinkKind.CAUSES, LinkKind.CAUSED_BY, LinkKind.ENABLES, LinkKind.PREVENTS}


def units_of(bank_id: str) -> list[GateUnit]:
    return [unit for unit in UNITS if unit.bank_id == bank_id]


def gold_of(query: GateQuery) -> list[GateUnit]:
    return [BY_ID[query.bank_id, unit_id] for unit_id in query.gold_unit_ids]


def queries_in(category: str) -> list[GateQuery]:
    return [query for query in QUERIES if query.category == category]


def stems(text: str) -> set[str]:
    """Stems of all words of four letters or more; nothing is excused as a stop word."""
    words = re.findall(r"[^\W\d_]{4,}", text.lower())
    return {str(STEMMER.stemWord(word)) for word in words}


def words(text: str) -> set[str]:
    """Words as they are written, identifiers whole."""
    return set(re.findall(r"[^\W_]+(?:[-=./][^\W_]+)*", text.lower()))


def day(moment: str) -> date:
    return datetime.fromisoformat(moment).date()


def test_the_corpus_is_large_enough_for_a_gate() -> None:
    assert len(BANKS) == 4
    assert len(UNITS) >= 320
    assert len(QUERIES) >= 80
    counts = Counter(query.category for query in QUERIES)
    assert set(counts) == set(CATEGORIES)
    assert min(counts.values()) >= 10


def test_every_bank_row_counts_its_units_and_queries() -> None:
    assert {bank.bank_id: bank.n_units for bank in BANKS} == Counter(u.bank_id for u in UNITS)
    assert {bank.bank_id: bank.n_queries for bank in BANKS} == Counter(q.bank_id for q in QUERIES)


def test_ids_are_unique_and_no_text_or_question_is_said_twice() -> None:
    assert len(BY_ID) == len(UNITS)
    assert len({query.query_id for query in QUERIES}) == len(QUERIES)
    assert len({unit.text for unit in UNITS}) == len(UNITS)
    assert len({(query.bank_id, query.question) for query in QUERIES}) == len(QUERIES)


@pytest.mark.parametrize("bank", BANKS, ids=lambda bank: bank.bank_id)
def test_a_bank_is_told_in_order_of_time_with_each_session_in_one_piece(bank: Bank) -> None:
    units = units_of(bank.bank_id)
    assert [unit.index for unit in units] == list(range(len(units)))
    moments = [datetime.fromisoformat(unit.date) for unit in units]
    assert all(moment.tzinfo is None for moment in moments)
    assert all(earlier < later for earlier, later in pairwise(moments))
    assert moments[-1] <= datetime.fromisoformat(bank.meta["now"])
    runs = [session for session, _ in groupby(units, key=lambda unit: unit.session_id)]
    assert len(runs) == len(set(runs))


def test_every_text_is_whole_and_fits_one_unit() -> None:
    for unit in UNITS:
        assert unit.text == unit.text.strip() != ""
        assert len(unit.text) <= UNIT_CHARACTERS_MAX
        assert unit.speaker


def test_gold_exists_and_agrees_with_its_sessions() -> None:
    for query in QUERIES:
        assert query.answerable
        assert query.gold_unit_ids
        assert len(set(query.gold_unit_ids)) == len(query.gold_unit_ids), query.question
        assert {unit.session_id for unit in gold_of(query)} == set(query.gold_session_ids)


def test_no_question_is_asked_before_its_answer_was_told() -> None:
    for query in QUERIES:
        asked = datetime.fromisoformat(query.question_date)
        assert all(datetime.fromisoformat(unit.date) <= asked for unit in gold_of(query))


def test_a_semantic_question_shares_no_stem_with_its_gold() -> None:
    for query in queries_in("semantic"):
        for unit in gold_of(query):
            assert not stems(query.question) & stems(unit.text), query.question


def test_a_lexical_question_holds_a_word_that_its_gold_shares_with_almost_no_other_unit() -> None:
    for query in queries_in("lexical"):
        told = [words(unit.text) for unit in units_of(query.bank_id)]
        for unit in gold_of(query):
            shared = words(query.question) & words(unit.text)
            rarest = min((sum(word in each for each in told) for word in shared), default=99)
            assert rarest <= 2, query.question


def test_identifiers_have_near_twins_that_only_exact_words_tell_apart() -> None:
    identifiers = {
        word for unit in UNITS for word in words(unit.text) if sum(map(str.isdigit, word)) > 3
    }
    twins = {word for word in identifiers if any(swapped in identifiers for swapped in swaps(word))}
    asked = {word for query in queries_in("lexical") for word in words(query.question)}
    assert len(twins & asked) >= 5


def swaps(word: str) -> set[str]:
    """The word with two neighbouring characters exchanged, once for each place."""
    pairs = range(len(word) - 1)
    return {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in pairs} - {word}


def test_relations_and_causes_are_well_formed_and_point_backwards() -> None:
    for unit in UNITS:
        for relation in unit.meta.get("relations", []):
            assert RelationClass(relation["relation_class"])
            assert 0 < relation["confidence"] <= 1
            assert relation["subject"] != relation["object"]
        for cause in unit.meta.get("causes", []):
            assert LinkKind(cause["kind"]) in CAUSAL_KINDS
            assert BY_ID[unit.bank_id, cause["other"]].index < unit.index
        assert unit.meta.get("type", "message") in DEFAULT_TYPES


def test_a_graph_question_needs_an_edge_to_an_answer_its_words_do_not_reach() -> None:
    targets = {
        (unit.bank_id, cause["other"]) for unit in UNITS for cause in unit.meta.get("causes", [])
    }
    for query in queries_in("graph"):
        gold = gold_of(query)
        assert any(not stems(query.question) & stems(unit.text) for unit in gold), query.question
        assert any(
            unit.meta.get("relations")
            or unit.meta.get("causes")
            or (unit.bank_id, unit.unit_id) in targets
            for unit in gold
        ), query.question


def test_a_temporal_question_says_where_in_time_its_gold_lies() -> None:
    for query in queries_in("temporal"):
        if "nth_session" in query.meta:
            order = list(dict.fromkeys(unit.session_id for unit in units_of(query.bank_id)))
            assert query.gold_session_ids == [order[query.meta["nth_session"] - 1]]
            continue
        first, last = map(date.fromisoformat, query.meta["window"])
        inside = [first <= day(unit.date) <= last for unit in gold_of(query)]
        assert first <= last
        # An `occurred` gold is one that the day of telling alone would miss.
        assert all(inside) if query.meta["clock"] == "told" else not all(inside), query.question


def test_a_multi_question_needs_several_units() -> None:
    assert all(len(query.gold_unit_ids) > 1 for query in queries_in("multi"))


def test_a_multilingual_question_leads_to_a_unit_in_the_language_it_names() -> None:
    for query in queries_in("multilingual"):
        language = query.meta["lang"].rpartition("-")[2]
        told = {unit.meta.get("lang", "en") for unit in gold_of(query)}
        assert language in told, query.question
    assert {query.meta["lang"].rpartition("-")[2] for query in queries_in("multilingual")} == {
        "de",
        "es",
        "zh",
    }
