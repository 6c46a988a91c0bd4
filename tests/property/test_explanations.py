"""What `explain` says of any unit is what happened: checked against answers without the cuts."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import Memory, StoredUnit
from scrubjay.answers import Explanation, Recall, Step
from scrubjay.encoder.base import calibration_of
from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.engine.presets import PRESETS
from scrubjay.preset import Preset
from scrubjay.testing import FixedClock

NOW = datetime(2026, 7, 15, 12, tzinfo=UTC)
WORDS = ["heron", "mill", "pond", "Agnes", "Bertil", "grey", "ladder", "saw"]
QUESTIONS = [
    "heron at the mill", "what did Agnes say last week?", "ladder -grey", '"grey heron" pond',
    "I like which pond?", "latest saw", "why did the mill stop?", "Bertil",
]  # fmt: skip
EVERYTHING = 10**6

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
told = st.lists(
    st.tuples(texts, st.sampled_from(["fact", "preference", "event"]), st.integers(0, 40)),
    min_size=1,
    max_size=12,
)
asked = st.fixed_dictionaries(
    {"limit": st.integers(1, 4), "max_tokens": st.sampled_from([8, EVERYTHING])},
    optional={
        "min_score": st.sampled_from([0.2, 0.6]),
        "types": st.sampled_from([["fact"], ["event", "preference"]]),
        "known_at": st.just(NOW - timedelta(days=10)),
    },
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(told, st.sampled_from(QUESTIONS), st.sampled_from([*PRESETS]), st.integers(1, 12), asked)
def test_every_reason_is_true(
    told: list[tuple[str, str, int]],
    question: str,
    name: str,
    candidates_max: int,
    asked: dict[str, object],
) -> None:
    preset = deep(PRESETS[name], candidates_max)
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock(NOW)) as memory:
        for text, kind, days in told:
            memory.retain(
                f"{text}.",
                type=kind,
                told_at=NOW - timedelta(days=days),
                session="s",
                speaker="user",
            )
        given: dict[str, object] = {**asked, "preset": preset, "trace": True, "rerank": False}
        answer = memory.recall(question, **given)  # type: ignore[arg-type]
        # The same question in which nothing is cut: what the cuts are checked against.
        wide = {**given, "limit": 1000, "max_tokens": EVERYTHING}
        wide.pop("min_score", None)
        kept = memory.recall(question, **wide)  # type: ignore[arg-type]
        wide["preset"] = replace(preset, candidates_max=1000)
        every = memory.recall(question, **wide)  # type: ignore[arg-type]
        for unit in memory.list(limit=1000).units:
            why = memory.explain(question, unit.id, **given)  # type: ignore[arg-type]
            check(why, unit, answer, kept, every, asked)
            check_words(why, unit, answer, preset)
            check_meaning(why, unit, preset)


def deep(preset: Preset, candidates_max: int) -> Preset:
    """A preset that asks as deep for many as for few."""
    assert preset.semantic is not None
    assert preset.lexical is not None
    return replace(
        preset,
        semantic=replace(preset.semantic, per_limit=0, at_least=100),
        lexical=replace(preset.lexical, per_limit=0, at_least=100),
        candidates_max=candidates_max,
    )


def check(
    why: Explanation,
    unit: StoredUnit,
    answer: Recall,
    kept: Recall,
    every: Recall,
    asked: dict[str, object],
) -> None:
    """The stage, against the answers with and without cuts."""
    ids = [item.id for item in answer]
    assert why.returned == (unit.id in ids) == (why.step is Step.RETURNED)
    found = {item.id: item for item in every}
    if unit.id in found:
        shown = found[unit.id]
        assert why.signs == shown.why.signs
        assert why.fused_score == shown.why.fused
        made_of = sum(why.contributions.values())
        unread = shown.why.fused + sum(shown.why.signs.values())
        assert made_of == pytest.approx(unread if why.score is None else why.score, abs=1e-9)
        ranks = {n: e.rank for n, e in shown.why.retrievers.items()}
        assert {n: e.rank for n, e in why.retrievers.items() if e.rank} == ranks
    order = [item.id for item in kept]
    floor = asked.get("min_score", 0.0)
    assert isinstance(floor, float)
    match why.step:
        case Step.RETURNED:
            assert why.rank == ids.index(unit.id) + 1
        case Step.SCOPE:
            assert unit.id not in found
            assert out_of_scope(unit, answer, asked)
        case Step.RETRIEVE:
            assert unit.id not in found
            assert not out_of_scope(unit, answer, asked)
            assert all(each.rank is None for each in why.retrievers.values())
        case Step.FUSE:
            assert unit.id not in order
            before = sorted(-i.why.fused - sum(i.why.signs.values()) for i in every)
            own = -found[unit.id].why.fused - sum(found[unit.id].why.signs.values())
            (rank,) = re.findall(r"^rank (\d+) ", why.reason)
            assert len(order) < int(rank)
            assert before.index(own) < int(rank) <= len(before) - before[::-1].index(own)
            assert why.reason.endswith(f"the first {len(order)} go on")
        case Step.MIN_SCORE:
            assert next(i for i in kept if i.id == unit.id).relevance < floor
        case Step.BUDGET:
            used = sum(i.tokens for i in answer if order.index(i.id) < order.index(unit.id))
            assert f"it has {unit.tokens or tokens(kept, unit)} tokens" in why.reason
            assert f"use {used} of" in why.reason
            assert used + tokens(kept, unit) > int(str(asked["max_tokens"]))
        case Step.LIMIT:
            passing = [i.id for i in kept if i.relevance >= floor]
            assert why.reason.startswith(f"rank {passing.index(unit.id) + 1} ")
            assert len(ids) == asked["limit"]
            assert f"{why.score:.3f} against {answer.items[-1].score:.3f}" in why.reason


def tokens(recall: Recall, unit: StoredUnit) -> int:
    return next(item.tokens for item in recall if item.id == unit.id)


def out_of_scope(unit: StoredUnit, answer: Recall, asked: dict[str, object]) -> bool:
    types, known_at = asked.get("types"), asked.get("known_at")
    said = set(unit.text.lower().strip(".").split())
    return (
        (isinstance(types, list) and unit.type not in types)
        or (isinstance(known_at, datetime) and unit.told_at > known_at)
        or bool(said & set(answer.parsed.none_of))
    )


def check_words(why: Explanation, unit: StoredUnit, answer: Recall, preset: Preset) -> None:
    """What is said of the words, against the text."""
    lexical = why.retrievers["lexical"]
    said = set(unit.text.lower().strip(".").split())
    holds = said & {term for term in answer.parsed.terms if term in {w.lower() for w in WORDS}}
    if lexical.ran and lexical.reason == "it holds none of the words":
        assert not holds
    if lexical.ran and lexical.rank is None and holds and why.step is not Step.SCOPE:
        hidden = answer.plan.type_hints and unit.type not in answer.plan.type_hints
        assert hidden or "quotes" in lexical.reason or preset.lexical is None, lexical.reason
    if "quotes" in lexical.reason:
        assert "grey heron" not in unit.text.lower()


def check_meaning(why: Explanation, unit: StoredUnit, preset: Preset) -> None:
    """What is said of the meaning, against the encoder."""
    semantic = why.retrievers["semantic"]
    if not semantic.ran or semantic.score is None or preset.semantic is None:
        return
    if "floor" in semantic.reason:
        # A score ends at 0, however unlike the two are.
        assert semantic.score < preset.semantic.floor or semantic.score == 0
    assert semantic.reason != "it has no vector"
    encoder = HashingEncoder()
    asked, own = encoder.encode_queries([why.question])[0], encoder.encode_documents([unit.text])[0]
    cosine = np.array([float(asked @ own)], np.float32)
    expected = float(calibration_of(encoder).apply(cosine)[0])
    assert abs(semantic.score - expected) < 0.3  # it may be read with the turn before it
