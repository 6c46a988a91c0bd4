"""Reading evaluation sets, and telling their units as an application would."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bench.evaluation.datasets import (
    UNDATED,
    Split,
    choose,
    find_sets,
    load_set,
    moment,
    split_of,
)
from bench.evaluation.telling import as_unit, unit_of_key

from scrubjay.errors import BadInput
from scrubjay.types.graph import Cause, LinkKind, Relation, RelationClass

Row = Mapping[str, object]


def write_set(
    directory: Path, banks: Sequence[Row], units: Sequence[Row], queries: Sequence[Row]
) -> Path:
    directory.mkdir(parents=True)
    for name, rows in (("banks", banks), ("units", units), ("queries", queries)):
        lines = [json.dumps(row) + "\n" for row in rows]
        (directory / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    return directory


def unit_row(unit_id: str, text: str, index: int = 0, **more: object) -> Row:
    base = {"bank_id": "b", "unit_id": unit_id, "session_id": "s1", "index": index}
    return {**base, "date": "2025-03-02T10:00:00", "speaker": "Ana", "text": text, **more}


def query_row(query_id: str, gold: Sequence[str], **more: object) -> Row:
    base = {"query_id": query_id, "bank_id": "b", "question": "Where is the key?"}
    labels = {"category": "c", "answerable": True, "gold_unit_ids": gold, "gold_session_ids": []}
    return {**base, **labels, "question_date": None, **more}


def test_a_date_may_be_partial_and_then_has_a_first_and_a_last_instant() -> None:
    assert moment("2025-03-02T10:00:00") == datetime(2025, 3, 2, 10, tzinfo=UTC)
    assert moment("2024-02") == datetime(2024, 2, 1, tzinfo=UTC)
    assert moment("2024-02", last=True) == datetime(2024, 2, 29, 23, 59, 59, tzinfo=UTC)
    assert moment("2024-02-03", last=True) == datetime(2024, 2, 3, 23, 59, 59, tzinfo=UTC)
    assert moment("2024", last=True) == datetime(2024, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_units_come_in_the_order_told_and_empty_ones_are_left_out(tmp_path: Path) -> None:
    units = [unit_row("2", "second", 1), unit_row("1", "first"), unit_row("3", "  ", 2)]
    path = write_set(tmp_path / "set", [{"bank_id": "b", "meta": {}}], units, [])
    assert [unit.unit_id for unit in load_set(path).units["b"]] == ["1", "2"]


def test_a_question_is_asked_at_its_own_date_then_the_banks_then_the_newest_unit(
    tmp_path: Path,
) -> None:
    units = [unit_row("1", "text"), {**unit_row("1", "text"), "bank_id": "d"}]
    banks = [{"bank_id": "b", "meta": {"now": "2025-05-01T08:00:00"}}, {"bank_id": "d", "meta": {}}]
    queries = [
        query_row("own", ["1"], question_date="2025-04-07T00:00:00"),
        query_row("banks", ["1"]),
        query_row("newest", ["1"], bank_id="d"),
    ]
    nows = [q.now for q in load_set(write_set(tmp_path / "set", banks, units, queries)).questions]
    assert nows == [
        datetime(2025, 4, 7, tzinfo=UTC),
        datetime(2025, 5, 1, 8, tzinfo=UTC),
        datetime(2025, 3, 2, 10, tzinfo=UTC),
    ]


def test_a_set_without_dates_is_asked_at_a_fixed_moment(tmp_path: Path) -> None:
    path = write_set(
        tmp_path / "set",
        [{"bank_id": "b", "meta": {}}],
        [unit_row("1", "text", date=None)],
        [query_row("q", ["1"])],
    )
    dataset = load_set(path)
    assert dataset.units["b"][0].told_at is None
    assert dataset.questions[0].now == UNDATED


def test_questions_without_evidence_are_left_out_unless_there_is_nothing_to_find(
    tmp_path: Path,
) -> None:
    queries = [
        query_row("scored", ["1"]),
        query_row("nothing", []),
        query_row("trick", ["1"], answerable=False),
        query_row("absent", [], answerable=False, meta={"kind": "near"}),
    ]
    units = [unit_row("1", "text")]
    path = write_set(tmp_path / "set", [{"bank_id": "b", "meta": {}}], units, queries)
    loaded = load_set(path).questions
    found = {question.query_id: question.answerable for question in loaded}
    assert found == {"scored": True, "trick": False, "absent": False}
    assert [question.absence for question in loaded] == [None, None, "near"]


def test_a_bank_is_to_choose_by_unless_its_set_holds_it_apart(tmp_path: Path) -> None:
    banks: list[dict[str, object]] = [
        {"bank_id": "open"},
        {"bank_id": "chosen", "split": "dev"},
        {"bank_id": "apart", "split": "held"},
    ]
    path = write_set(tmp_path / "set", banks, [], [])
    assert split_of(path) == {"open": Split.OPEN, "chosen": Split.OPEN, "apart": Split.HELD}


def test_choosing_fewer_questions_is_repeatable_and_drops_banks_nobody_asks(tmp_path: Path) -> None:
    names = [f"b{n}" for n in range(20)]
    path = write_set(
        tmp_path / "set",
        [{"bank_id": name, "meta": {}} for name in names],
        [{**unit_row("1", "text"), "bank_id": name} for name in names],
        [query_row(f"q{n}", ["1"], bank_id=name) for n, name in enumerate(names)],
    )
    whole = load_set(path)
    sample = choose(whole, sample=5, limit=None)
    assert sample == choose(whole, sample=5, limit=None)
    assert set(sample.units) == {question.bank_id for question in sample.questions}
    assert len(sample.questions) == 5
    assert [q.query_id for q in choose(whole, sample=None, limit=2).questions] == ["q0", "q1"]
    assert choose(whole, sample=99, limit=None) is whole


def test_sets_are_found_by_their_files_and_a_missing_one_is_named(tmp_path: Path) -> None:
    one = write_set(tmp_path / "one", [], [], [])
    two = write_set(tmp_path / "two", [], [], [])
    (tmp_path / "notes").mkdir()
    assert find_sets([tmp_path]) == [one, two]
    assert find_sets([tmp_path], ["two"]) == [two]
    assert find_sets([one]) == [one]
    with pytest.raises(BadInput, match="three"):
        find_sets([tmp_path], ["three"])
    with pytest.raises(BadInput, match="no evaluation set"):
        find_sets([tmp_path / "notes"])


def test_sets_of_several_places_are_measured_together_unless_their_names_are_one(
    tmp_path: Path,
) -> None:
    own = write_set(tmp_path / "corpus" / "own", [], [], [])
    public = write_set(tmp_path / "data" / "public", [], [], [])
    assert find_sets([own, tmp_path / "data"]) == [own, public]
    assert find_sets([own, tmp_path / "data"], ["public"]) == [public]
    write_set(tmp_path / "data" / "own", [], [], [])
    with pytest.raises(BadInput, match="two sets of one name"):
        find_sets([own, tmp_path / "data"])


def test_a_unit_is_told_as_a_message_with_what_its_picture_shows(tmp_path: Path) -> None:
    meta = {"caption": "a red kite over a field", "place": "Ghent"}
    rows = [unit_row("7", "Look!", meta=meta)]
    path = write_set(tmp_path / "set", [{"bank_id": "b", "meta": {}}], rows, [])
    unit = as_unit(load_set(path).units["b"][0])
    assert (unit.type, unit.speaker, unit.session, unit.key) == ("message", "Ana", "s1", "7")
    assert unit.told_at == datetime(2025, 3, 2, 10, tzinfo=UTC)
    assert "a red kite over a field" in unit.text
    assert unit.context == "Ghent"


def test_what_the_corpus_knows_of_a_unit_is_told_with_it(tmp_path: Path) -> None:
    relation = {
        "subject": "Ana",
        "relation": "leads",
        "object": "Kiln",
        "relation_class": "structural",
    }
    meta = {
        "type": "fact",
        "predicate": "leads Kiln",
        "entities": ["Ana"],
        "relations": [{**relation, "confidence": 0.8}],
        "causes": [{"other": "1", "kind": "caused_by"}],
    }
    rows = [unit_row("2", "Ana leads it now.", meta=meta)]
    path = write_set(tmp_path / "set", [{"bank_id": "b", "meta": {}}], rows, [])
    unit = as_unit(load_set(path).units["b"][0])
    assert (unit.type, unit.predicate, unit.entities) == ("fact", "leads Kiln", ("Ana",))
    assert unit.relations == (Relation("Ana", "leads", "Kiln", RelationClass.STRUCTURAL, 0.8),)
    assert unit.causes == (Cause("1", LinkKind.CAUSED_BY),)


def test_a_piece_of_a_long_unit_belongs_to_its_unit() -> None:
    known = {"7": None, "a#1": None}
    assert unit_of_key("7#3", known) == "7"
    assert unit_of_key("7", known) == "7"
    assert unit_of_key("a#1", known) == "a#1"
