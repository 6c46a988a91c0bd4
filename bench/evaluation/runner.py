"""Tells a set to a memory, asks its questions, and keeps what came back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from bench.evaluation.datasets import UNDATED, Dataset, Question, UnitRecord
from bench.evaluation.metrics import (
    DEPTH_MAX,
    Scored,
    score_sessions,
    score_stale,
    score_units,
)
from bench.evaluation.telling import as_unit, unit_of_key
from bench.evaluation.variants import deep, patient
from scrubjay.answers import Item, Recall, RecallOptions
from scrubjay.backend import IN_MEMORY
from scrubjay.bank import Bank
from scrubjay.encoder.base import Encoder, Reranker
from scrubjay.errors import BadInput
from scrubjay.memory import Memory
from scrubjay.preset import Preset

POSTGRES_VARIABLE = "SCRUBJAY_POSTGRES_URL"
# As the importer does: enough to amortise a commit, little enough to show progress.
BATCH_UNITS = 100
# No question may lose evidence to the token budget; that is another benchmark's subject.
TOKENS_UNLIMITED = 10_000_000
DEEP = 1_000

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Models:
    """What the memory is opened with; None does without."""

    encoder: Encoder | None
    reranker: Reranker | None
    late: bool = False  # whether the banks keep token vectors


@dataclass(frozen=True, slots=True)
class Told:
    """A memory that holds a set, and what telling it cost (models not counted when cached)."""

    memory: Memory
    dataset: Dataset
    units: int
    cpu_ms_per_unit: float


@dataclass(frozen=True, slots=True)
class Terms:
    """How much of an answer is asked for."""

    limit: int
    max_tokens: int


DEEPLY = Terms(DEPTH_MAX, TOKENS_UNLIMITED)
# What a caller gets who says nothing of it.
AS_CALLED = Terms(RecallOptions().limit, RecallOptions().max_tokens)


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """Where one unit of the evidence came: in the run that answered, and in deeper lists."""

    unit_id: str
    rank: int | None  # None: not in the answer
    fused_rank: int | None  # of the run that answered; None: none of its retrievers found it
    retrievers: Mapping[str, int]  # the same retrievers asked for a thousand each


@dataclass(frozen=True, slots=True)
class Answer:
    """One question's ranking: unit labels and sessions, each once, best first."""

    question: Question
    units: tuple[str, ...]
    sessions: tuple[str, ...]
    cpu_ms: float
    reranked: int
    window: str | None
    degraded: tuple[str, ...]
    relevance: float  # of the item that has most; 0 for an empty answer
    places: tuple[GoldPlace, ...] = ()  # only when traced

    def scored(self) -> Scored:
        """The question's value in each metric; it must have evidence."""
        question = self.question
        values = score_units(self.units, question.gold)
        values |= score_stale(self.units, question.gold, question.stale)
        if question.gold_sessions:
            values |= score_sessions(self.sessions, question.gold_sessions)
        return Scored(
            question.query_id,
            question.bank_id,
            question.category,
            apart=not question.answerable,
            values=values,
        )


@contextmanager
def told(
    dataset: Dataset, models: Models, *, store: str = "embedded", advance: Advance
) -> Iterator[Told]:
    """A memory with every unit of the set, bank by bank in the order told; closed at the end."""
    with Memory.open(
        location(store), encoder=models.encoder, reranker=models.reranker, clock=lambda: UNDATED
    ) as memory:
        units, spent = 0, 0.0
        for bank_id, records in dataset.units.items():
            bank = memory.bank(bank_id, late=models.late)
            for start in range(0, len(records), BATCH_UNITS):
                batch = [as_unit(record) for record in records[start : start + BATCH_UNITS]]
                began = time.process_time()
                bank.retain(batch)
                spent += time.process_time() - began
                units += len(batch)
                advance(len(batch))
            # The questions are asked when all of it has been said.
            for session, ended_at in _ends(records).items():
                bank.end_session(session, at=ended_at)
        yield Told(memory, dataset, units, spent * 1_000 / max(units, 1))


def _ends(records: Iterable[UnitRecord]) -> dict[str, datetime]:
    """When the last turn of each session was told."""
    ends: dict[str, datetime] = {}
    for record in records:
        if record.session_id is not None and record.told_at is not None:
            ends[record.session_id] = max(
                record.told_at, ends.get(record.session_id, record.told_at)
            )
    return ends


def location(store: str) -> str:
    """What to open for a store's name: memory for `embedded`, an address for `postgres`."""
    if store == "embedded":
        return IN_MEMORY
    if store != "postgres":
        raise BadInput("unknown store", store, "Known: embedded, postgres.")
    address = os.environ.get(POSTGRES_VARIABLE)
    if not address:
        raise BadInput("no address for", store, f"Set {POSTGRES_VARIABLE} to one.")
    return address


def ask(
    held: Told,
    preset: Preset,
    *,
    rerank: bool | None,
    trace: bool,
    advance: Advance,
    terms: Terms = DEEPLY,
) -> list[Answer]:
    """Every question of the set at its own time; traced, each is asked again, deep."""
    labels = {bank: {u.unit_id: u for u in units} for bank, units in held.dataset.units.items()}
    answers = []
    for question in held.dataset.questions:
        bank = held.memory.bank(question.bank_id)
        options = RecallOptions(
            limit=terms.limit,
            max_tokens=terms.max_tokens,
            now=question.now,
            preset=patient(preset),
            rerank=rerank,
        )
        began = time.process_time()
        recall = bank.recall(question.text, options)
        cpu_ms = (time.process_time() - began) * 1_000
        known = labels[question.bank_id]
        units = _labels(recall, known)
        places = _trace(bank, question, options, preset, units, known) if trace else ()
        answers.append(
            Answer(
                question,
                units,
                _each_once(known[unit].session_id or "" for unit in units),
                cpu_ms,
                recall.reranked,
                recall.parsed.window_text,
                tuple(f"{part.retriever}: {part.reason}" for part in recall.degraded),
                max((item.relevance for item in recall), default=0.0),
                places,
            )
        )
        advance(1)
    return answers


def _labels(recall: Recall, known: Mapping[str, object]) -> tuple[str, ...]:
    return _each_once(unit_of_key(item.key, known) for item in recall if item.key is not None)


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _trace(
    bank: Bank,
    question: Question,
    options: RecallOptions,
    preset: Preset,
    answered: tuple[str, ...],
    known: Mapping[str, object],
) -> tuple[GoldPlace, ...]:
    """Where the evidence stood: fused in the very run that answered, and in a deep run's lists."""
    far = bank.recall(
        question.text,
        limit=DEEP,
        max_tokens=TOKENS_UNLIMITED,
        now=question.now,
        preset=deep(preset, DEEP),
    )
    lists = deep_ranks(far, known)
    fused: dict[str, int] = {}
    for item in far:
        unit = unit_of_key(item.key or "", known)
        if unit in question.gold:
            rank = bank.explain(question.text, item.id, options).fused_rank
            # Of a unit in pieces the best one counts.
            if rank is not None:
                fused[unit] = min(rank, fused.get(unit, rank))
    final = {unit: place for place, unit in enumerate(answered, 1)}
    return tuple(
        GoldPlace(unit, final.get(unit), fused.get(unit), lists.get(unit, {}))
        for unit in question.gold
    )


def deep_ranks(far: Iterable[Item], known: Mapping[str, object]) -> dict[str, dict[str, int]]:
    """Each unit's best rank in every retriever's list."""
    lists: dict[str, dict[str, int]] = {}
    for item in far:
        ranks = lists.setdefault(unit_of_key(item.key or "", known), {})
        for name, evidence in item.why.retrievers.items():
            ranks[name] = min(evidence.rank, ranks.get(name, evidence.rank))
    return lists
