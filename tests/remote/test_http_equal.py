"""What the client gives is what the engine made: no field is dropped, and none is made up."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from tests.surface.http.http_server import Running, running

from scrubjay import Memory, Unit, UnitFilter
from scrubjay.answers import Explanation, Parsed, Plan, Recall
from scrubjay.codec.compiled import decode, encode
from scrubjay.engine.presets import PRESETS
from scrubjay.surface.payloads import parsed_to_json
from scrubjay.testing import FixedClock, OverlapReranker
from scrubjay.trace import Span
from scrubjay.types.graph import Entity, Link, LinkKind, Relation
from scrubjay.types.outcomes import Erasure, Retained
from scrubjay.types.reports import BankInfo, Finding, Stats
from scrubjay.types.units import Session, StoredUnit
from scrubjay.types.values import Json
from scrubjay.types.views import Page

QUESTIONS = (
    "What did Nadia prefer in May 2026?",
    "Why was the ferry late last week?",
    'the "harbour office" -tea',
    "Who is her sister, and where does she work?",
    "latest news of the quay since we last talked",
    "xylophone",
)
# Numbers are sent with six digits.
_DIGITS = 1e-6


def told() -> list[Unit]:
    """Units that give every retriever and every sign something to find."""
    clock = datetime(2026, 5, 4, 9, tzinfo=UTC)
    lines = [
        "Nadia Fuchs prefers tea over coffee.",
        "The ferry was late because the lock was frozen.",
        "Nadia Fuchs works at the harbour office since 2024.",
        "The harbour office opens at eight.",
        "Her sister Ines Fuchs leads the quay project.",
        "The quay project began in May 2026.",
        "I felt tired after the night ferry.",
    ]
    return [
        Unit(f"{line} ({number})", told_at=clock + timedelta(hours=number), session="monday",
             speaker="Tomas", tags=("quay",), metadata={"n": {"deep": [number, 1.5, None]}},
             relations=(Relation("Ines Fuchs", "knows", "Nadia Fuchs", confidence=1 / 3),))
        for number, line in enumerate(lines * 3)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    clock = FixedClock(datetime(2026, 5, 12, tzinfo=UTC))
    memory = Memory.open(":memory:", encoder="hash", reranker=OverlapReranker(), clock=clock)
    memory.retain(told())
    units = memory.list().units
    memory.link(units[1].id, units[6].id, LinkKind.CAUSES, 1 / 3)
    memory.supersede(units[3].id, "The harbour office opens at nine.", at=units[6].told_at)
    memory.end_session("monday")
    with running(memory=memory) as started:
        yield started


@pytest.fixture(scope="module")
def remote(server: Running) -> Iterator[Memory]:
    with Memory.open(server.url) as memory:
        yield memory


def differences(here: object, there: object, at: str = "") -> list[str]:
    """Where two values differ, each part of a dataclass by its name."""
    if type(here) is not type(there) and not isinstance(here, float | Mapping | Sequence):
        return [f"{at}: {here!r} is not {there!r}"]
    if isinstance(here, float) and isinstance(there, float):
        same = math.isclose(here, there, rel_tol=0, abs_tol=_DIGITS)
        return [] if same else [f"{at}: {here} is not {there}"]
    if isinstance(here, str) or not isinstance(here, Mapping | Sequence | tuple):
        if dataclasses.is_dataclass(here) and not isinstance(here, type):
            return [
                found
                for field in dataclasses.fields(here)
                for found in differences(
                    getattr(here, field.name), getattr(there, field.name), f"{at}.{field.name}"
                )
            ]
        return [] if here == there else [f"{at}: {here!r} is not {there!r}"]
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        if set(here) != set(there):
            return [f"{at}: {sorted(here)} are not {sorted(there)}"]
        pairs = [(str(key), here[key], there[key]) for key in here]
    elif isinstance(here, Sequence) and isinstance(there, Sequence) and len(here) == len(there):
        pairs = [(str(n), one, two) for n, (one, two) in enumerate(zip(here, there, strict=True))]
    else:
        return [f"{at}: {here!r} is not {there!r}"]
    return [found for key, one, two in pairs for found in differences(one, two, f"{at}[{key}]")]


def timeless(value: object) -> object:
    """A value without what no two runs share: how long each part took."""
    if isinstance(value, Span):
        return value.name
    if isinstance(value, Mapping):
        return {
            key: timeless(inner)
            for key, inner in value.items()
            if not (isinstance(key, str) and key.endswith("_ms") and key != "deadline_ms")
        }
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: timeless(getattr(value, name)) for name in names if name != "max_wait_ms"}
    if isinstance(value, list | tuple):
        return [timeless(inner) for inner in value]
    return value


def as_sent(shape: Json) -> Json:
    """JSON after its way over the wire."""
    sent: Json = json.loads(json.dumps(shape))
    return sent


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_recall_is_read_back_as_it_was_made(
    server: Running, remote: Memory, preset: str, question: str
) -> None:
    made = server.memory.recall(question, preset=preset, trace=True)
    assert differences(made, decode(Recall, as_sent(encode(made)), "answer")) == []
    over = remote.recall(question, preset=preset, trace=True)
    assert differences(timeless(made), timeless(over)) == []
    assert over.as_context() == made.as_context()


def test_the_corpus_tries_what_a_recall_can_hold(server: Running) -> None:
    made = [server.memory.recall(question, preset=preset) for preset in PRESETS
            for question in QUESTIONS]  # fmt: skip
    whys = [item.why for found in made for item in found]
    assert any(why.signs for why in whys), "signs"
    assert any(why.rerank is not None for why in whys), "the reranker"
    assert any(one.path for why in whys for one in why.retrievers.values()), "paths"
    assert any(abs(why.fused - item.score) > _DIGITS for found in made for item, why in
               ((item, item.why) for item in found)), "fused is not the score"  # fmt: skip
    read = [found.parsed for found in made]
    assert any(one.entities for one in read) and any(one.window for one in read)
    assert any(one.phrases for one in read) and any(one.none_of for one in read)


@pytest.mark.parametrize("preset", PRESETS)
def test_an_explanation_a_plan_and_a_parse_are_the_engine_s(
    server: Running, remote: Memory, preset: str
) -> None:
    for question in QUESTIONS:
        for unit in server.memory.list().units[:9]:
            made = server.memory.explain(question, unit.id, preset=preset)
            assert differences(made, decode(Explanation, as_sent(encode(made)), "answer")) == []
            assert differences(made, remote.explain(question, unit.id, preset=preset)) == []
        plan = server.memory.plan(question, preset=preset)
        assert differences(plan, remote.plan(question, preset=preset)) == []
        assert differences(plan, decode(Plan, as_sent(encode(plan)), "answer")) == []
        parsed = server.memory.parse(question, preset=preset)
        assert differences(parsed, remote.parse(question, preset=preset)) == []
        shape = as_sent(parsed_to_json(parsed, plan, UTC))
        assert differences(parsed, decode(Parsed, shape, "answer", strict=False)) == []


ASKED: dict[str, Callable[[Memory], object]] = {
    "batch": lambda memory: timeless(memory.recall_batch(QUESTIONS)),
    "list": lambda memory: memory.list(),
    "entities": lambda memory: memory.entities(),
    "relations": lambda memory: memory.relations(),
    "sessions": lambda memory: memory.sessions(),
    "links": lambda memory: [memory.links(unit.id) for unit in memory.list().units],
    "stats": lambda memory: memory.stats(),
    "banks": lambda memory: memory.banks(),
    "doctor": lambda memory: memory.doctor(),
    "settings": lambda memory: memory.bank("default").settings,
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_report_is_the_engine_s(
    server: Running, remote: Memory, ask: Callable[[Memory], object]
) -> None:
    assert differences(ask(server.memory), ask(remote)) == []


def test_what_changes_report_is_read_back_as_it_was_made() -> None:
    with Memory.open(":memory:", encoder="hash", reranker=None) as memory:
        retained = memory.retain(told())
        units = memory.list().units
        memory.supersede(units[0].id, "Nadia Fuchs prefers cocoa.")
        made: dict[type, object] = {
            Retained: retained,
            StoredUnit: memory.get(units[0].id),
            Page: memory.list(limit=3),
            Session: memory.end_session("monday"),
            Entity: memory.alias_entity(memory.entities()[0].id, "The Harbourmaster"),
            BankInfo: memory.bank("default").info(),
            Stats: memory.stats(),
            Link: memory.links(units[1].id)[0],
            Finding: Finding("vectors", "one is missing", False),
            Erasure: memory.forget(UnitFilter(session="monday"), compact=True),
        }
    for owner, value in made.items():
        assert differences(value, decode(owner, as_sent(encode(value)), "answer")) == []
