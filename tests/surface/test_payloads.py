"""The JSON shapes, on data made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone

import pytest

from scrubjay.answers import (
    Evidence,
    Explained,
    Explanation,
    Item,
    Parsed,
    Plan,
    Recall,
    ResolvedEntity,
    RetrieverPlan,
    Rival,
    Step,
    Why,
)
from scrubjay.codec.compiled import encode, encode_object
from scrubjay.surface.payloads import (
    error_to_json,
    parsed_to_json,
    window_to_json,
)
from scrubjay.trace import Span
from scrubjay.types.graph import Entity, Link, LinkKind, RelationClass, StoredRelation
from scrubjay.types.outcomes import Degraded, Derived, Erasure, Retained
from scrubjay.types.reports import BankInfo, Finding, Look, Stats
from scrubjay.types.units import Session, Source, StoredUnit
from scrubjay.types.values import EntityId, Json, UnitId, Window
from scrubjay.types.views import Page

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
ISO = "2026-03-02T09:30:00+00:00"
NADIA = Entity(EntityId(4), "Nadia", "person", ("nadia",), 2)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


PLAN = Plan(
    preset="default",
    retrievers=(RetrieverPlan("lexical", True, "bm25", 100, 1 / 3, 50.0, "words to look for"),),
    type_hints=("event",),
    hint_reason="'when did' asks for an event",
    mode="inline",
    mode_reason="few units",
)
PARSED = Parsed(
    question="when did Nadia call?",
    now=AT,
    window=Window(AT, None),
    window_kind="relative",
    window_confidence=0.95,
    window_text="since",
    entities=(ResolvedEntity("Nadia", EntityId(4), "Nadia", 0.98765432, ((EntityId(4), 0.9),)),),
    terms=("nadia", "call"),
    phrases=(),
    none_of=(),
    content_words=1,
    speculative_time=None,
    multi_hop=False,
    asks_for=None,
)


NADIA_SHAPE: dict[str, Json] = {
    "id": 4,
    "name": "Nadia",
    "kind": "person",
    "aliases": ["nadia"],
    "mentions": 2,
}
READ = {
    "window": [ISO, None],
    "kind": "relative",
    "confidence": 0.95,
    "entities": [
        {
            "mention": "Nadia",
            "id": 4,
            "name": "Nadia",
            "confidence": 0.987654,
            "by_pronoun": False,
            "candidates": [[4, 0.9]],
        }
    ],
    "now": ISO,
    **{field.name: _plain(getattr(PARSED, field.name)) for field in fields(Parsed)
       if not field.name.startswith(("window", "entities", "now"))},
    "window_text": "since",
}  # fmt: skip


def item(retrievers: Mapping[str, Evidence]) -> Item:
    return Item(
        id=UnitId("u1"),
        text="Nadia called.",
        type="event",
        score=1 / 3,
        relevance=2 / 3,
        told_at=AT,
        occurred_start=AT,
        occurred_end=None,
        context="harbour",
        predicate=None,
        speaker="Tomas",
        session="monday",
        key="call",
        author="Ada",
        origin=None,
        tags=("quay",),
        metadata={"exact": 0.123456789},
        source=Source("log.txt", 3, 9),
        entities=("Nadia",),
        tokens=4,
        why=Why(retrievers, 0.03, None, recency=1.05, temporal_boost=1.0, signs={"type": 1 / 9}),
    )


def recall(*items: Item, trace: Mapping[str, Json] | None = None) -> Recall:
    return Recall(
        question=PARSED.question,
        items=items,
        plan=PLAN,
        parsed=PARSED,
        window=Window(AT, None),
        timings={"lexical": Span("lexical", 1 / 3, 2, 1), "fuse": Span("fuse", 2, 3, 1)},
        widened=True,
        degraded=(Degraded("semantic", "no model"),),
        nothing_relevant=False,
        max_wait_ms=0.12345678,
        tokens=4,
        reranked=0,
        trace=trace,
    )


def test_a_recall_has_exactly_this_shape() -> None:
    found = {"lexical": Evidence(1, 1 / 3), "graph": Evidence(2, 0.5, ("Nadia",))}
    assert encode_object(recall(item(found))) == {
        "items": [
            {
                "id": "u1",
                "text": "Nadia called.",
                "type": "event",
                "score": 0.333333,
                "relevance": 0.666667,
                "occurred_start": ISO,
                "occurred_end": None,
                "told_at": ISO,
                "context": "harbour",
                "tags": ["quay"],
                "metadata": {"exact": 0.123456789},
                "source": {"document": "log.txt", "start": 3, "end": 9},
                "entities": ["Nadia"],
                "tokens": 4,
                "predicate": None,
                "speaker": "Tomas",
                "session": "monday",
                "key": "call",
                "author": "Ada",
                "origin": None,
                "why": {
                    "lexical": {"rank": 1, "score": 0.333333},
                    "graph": {"rank": 2, "score": 0.5, "path": ["Nadia"]},
                    "rerank": None,
                    "recency": 1.05,
                    "temporal_boost": 1.0,
                    "fused": 0.03,
                    "signs": {"type": 0.111111},
                },
            }
        ],
        "plan": {
            "preset": "default",
            "retrievers": [
                {
                    "retriever": "lexical",
                    "run": True,
                    "method": "bm25",
                    "depth": 100,
                    "weight": 0.333333,
                    "deadline_ms": 50.0,
                    "reason": "words to look for",
                }
            ],
            "type_hints": ["event"],
            "hint_reason": "'when did' asks for an event",
            "mode": "inline",
            "mode_reason": "few units",
            "excluded": [],
        },
        "window": [ISO, None],
        "timings": {
            "lexical": {"start_ms": 0.333333, "end_ms": 2.0, "cpu_ms": 1.0},
            "fuse": {"start_ms": 2.0, "end_ms": 3.0, "cpu_ms": 1.0},
        },
        "widened": True,
        "degraded": [{"retriever": "semantic", "reason": "no model"}],
        "nothing_relevant": False,
        "tokens": 4,
        "max_wait_ms": 0.123457,
        "question": "when did Nadia call?",
        "parsed": READ,
        "reranked": 0,
    }


def test_a_trace_is_there_when_asked_for_with_its_numbers_rounded() -> None:
    shape = encode_object(recall(trace={"steps": [{"ms": 1 / 3, "name": "fuse"}]}))
    assert shape["trace"] == {"steps": [{"ms": 0.333333, "name": "fuse"}]}
    assert list(shape)[-1] == "trace"


def test_a_window_is_shown_in_the_zone_asked_for() -> None:
    east = timezone(timedelta(hours=9))
    assert window_to_json(Window(None, AT), east) == [None, "2026-03-02T18:30:00+09:00"]
    assert window_to_json(None) is None


def test_a_parsed_question_tells_window_names_and_hints() -> None:
    shape = parsed_to_json(PARSED, PLAN, UTC)
    assert shape == {**READ, "hints": ["event"]}
    assert list(shape)[:5] == ["window", "kind", "confidence", "entities", "hints"]


def test_an_explanation_names_the_stage_and_every_retriever() -> None:
    seen = {
        "temporal": Explained(ran=False, rank=None, score=None, reason="no time"),
        "lexical": Explained(ran=True, rank=7, score=1 / 3, reason="too far down"),
    }
    shape = encode(
        Explanation(
            unit=UnitId("u1"),
            question="when?",
            returned=False,
            step=Step.LIMIT,
            reason="number 12 of 10",
            rank=None,
            retrievers=seen,
            fused_rank=12,
            fused_score=1 / 3,
            rerank=None,
            score=0.5,
            relevance=0.25,
            signs={"window": 1 / 3},
            contributions={"lexical": 1 / 3, "window": 1 / 6},
            rival=Rival(UnitId("u2"), 2 / 3, {"lexical": 2 / 3}),
            change="limit=12",
        )
    )
    assert shape == {
        "unit": "u1",
        "question": "when?",
        "returned": False,
        "step": "limit",
        "reason": "number 12 of 10",
        "rank": None,
        "retrievers": {
            "lexical": {"ran": True, "rank": 7, "score": 0.333333, "reason": "too far down"},
            "temporal": {"ran": False, "rank": None, "score": None, "reason": "no time"},
        },
        "fused_rank": 12,
        "fused_score": 0.333333,
        "rerank": None,
        "score": 0.5,
        "relevance": 0.25,
        "recency": None,
        "temporal_boost": None,
        "signs": {"window": 0.333333},
        "contributions": {"lexical": 0.333333, "window": 0.166667},
        "rival": {"unit": "u2", "score": 0.666667, "contributions": {"lexical": 0.666667}},
        "change": "limit=12",
    }


REPORTS: list[tuple[object, Json]] = [
    (
        Retained(
            (UnitId("a"), UnitId("b")), (UnitId("a"),), (UnitId("b"),), (), Derived(entities=2)
        ),
        {
            "ids": ["a", "b"],
            "new": ["a"],
            "duplicates": ["b"],
            "updated": [],
            "derived": {
                "entities": 2,
                "relations": 0,
                "semantic_links": 0,
                "causal_links": 0,
                "updates": 0,
                "dated": 0,
                "typed": 0,
                "unsure": 0,
            },
        },
    ),
    (
        Erasure(1, 1, 5, 2, 3, 1, 0, True, (UnitId("a"),)),
        {
            "units": 1,
            "vectors": 1,
            "words": 5,
            "links": 2,
            "mentions": 3,
            "entities": 1,
            "relations": 0,
            "compacted": True,
            "ids": ["a"],
            "sessions": 0,
            "left_closed": [],
            "pending": None,
        },
    ),
    (NADIA, {"id": 4, "name": "Nadia", "kind": "person", "aliases": ["nadia"], "mentions": 2}),
    (
        StoredRelation(
            1,
            NADIA,
            "knows",
            NADIA,
            RelationClass.SEMANTIC,
            0.9,
            AT,
            None,
            UnitId("u1"),
            told=False,
        ),
        {
            "id": 1,
            "subject": "Nadia",
            "relation": "knows",
            "object": "Nadia",
            "relation_class": "semantic",
            "confidence": 0.9,
            "valid_from": ISO,
            "valid_to": None,
            "unit": "u1",
            "told": False,
            "subject_id": 4,
            "object_id": 4,
            "subject_entity": NADIA_SHAPE,
            "object_entity": NADIA_SHAPE,
        },
    ),
    (
        Link(UnitId("a"), UnitId("b"), LinkKind.CAUSES, 1 / 3),
        {"source": "a", "target": "b", "kind": "causes", "weight": 0.333333},
    ),
    (
        Session("monday", AT, AT, None, 3),
        {"name": "monday", "started_at": ISO, "last_at": ISO, "ended_at": None, "units": 3},
    ),
    (
        BankInfo("work", AT, None, 3),
        {"name": "work", "created_at": ISO, "encoder": None, "units": 3},
    ),
    (
        Stats(
            "work",
            1,
            {"fact": 1},
            0,
            0,
            0,
            0,
            0,
            4,
            "hash",
            99,
            AT,
            None,
            last_look=Look(AT, (Finding("words", "1 of 16", False),)),
        ),
        {
            "bank": "work",
            "units": 1,
            "by_type": {"fact": 1},
            "entities": 0,
            "relations": 0,
            "sessions": 0,
            "links": 0,
            "vectors": 0,
            "terms": 4,
            "encoder": "hash",
            "disk_bytes": 99,
            "oldest_told_at": ISO,
            "newest_told_at": None,
            "pending": 0,
            "last_look": {
                "at": ISO,
                "findings": [{"check": "words", "detail": "1 of 16", "fixed": False}],
            },
            "told_bytes": 0,
        },
    ),
    (
        [Finding("vectors", "one is missing", False)],
        [{"check": "vectors", "detail": "one is missing", "fixed": False}],
    ),
]


@pytest.mark.parametrize(
    ("report", "shape"), REPORTS, ids=[type(report).__name__ for report, _ in REPORTS]
)
def test_each_report_has_its_shape(report: object, shape: Json) -> None:
    assert encode(report) == shape
    assert json.loads(json.dumps(encode(report), allow_nan=False)) == shape


def test_a_page_holds_whole_units_and_the_cursor() -> None:
    unit = StoredUnit(UnitId("a"), "Nadia called.", "event", AT, AT)
    shape = encode(Page((unit,), "next"))
    assert isinstance(shape, dict)
    assert shape["cursor"] == "next"
    assert shape["units"] == [encode(unit)]


def test_an_error_is_told_by_kind_and_message() -> None:
    assert error_to_json("NotFound", "no") == {"error": {"kind": "NotFound", "message": "no"}}


def test_what_has_no_shape_is_a_mistake_worth_naming() -> None:
    with pytest.raises(TypeError, match="object has no JSON shape"):
        encode(object())
