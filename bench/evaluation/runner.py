"""Tells a set to a memory, asks its questions, and keeps what came back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from bench.evaluation.datasets import UNDATED, Dataset, Question
from bench.evaluation.metrics import DEPTH_MAX, Scored, score_sessions, score_units
from bench.evaluation.telling import as_unit, unit_of_key
from bench.evaluation.variants import deep, patient
from scrubjay.answers import Item, Recall
from scrubjay.backend import IN_MEMORY
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


@dataclass(frozen=True, slots=True)
class Told:
    """A memory that holds a set, and what telling it cost (models not counted when cached)."""

    memory: Memory
    dataset: Dataset
    units: int
    cpu_ms_per_unit: float


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """Where one unit of the evidence came: in the answer, and in a deep run's every list."""

    unit_id: str
    rank: int | None  # None: not among the first 50
    fused_rank: int | None  # None: no retriever found it, however deep
    retrievers: Mapping[str, int]


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
    places: tuple[GoldPlace, ...] = ()  # only when traced

    def scored(self) -> Scored:
        """The question's value in each metric."""
        values = score_units(self.units, self.question.gold)
        if self.question.gold_sessions:
            values |= score_sessions(self.sessions, self.question.gold_sessions)
        question = self.question
        return Scored(question.query_id, question.category, question.apart, values)


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
            bank = memory.bank(bank_id)
            for start in range(0, len(records), BATCH_UNITS):
                batch = [as_unit(record) for record in records[start : start + BATCH_UNITS]]
                began = time.process_time()
                bank.retain(batch)
                spent += time.process_time() - began
                units += len(batch)
                advance(len(batch))
        yield Told(memory, dataset, units, spent * 1_000 / max(units, 1))


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
    held: Told, preset: Preset, *, rerank: bool | None, trace: bool, advance: Advance
) -> list[Answer]:
    """Every question of the set at its own time; traced, each is asked again, deep."""
    labels = {bank: {u.unit_id: u for u in units} for bank, units in held.dataset.units.items()}
    answers = []
    for question in held.dataset.questions:
        bank = held.memory.bank(question.bank_id)
        began = time.process_time()
        recall = bank.recall(
            question.text,
            limit=DEPTH_MAX,
            max_tokens=TOKENS_UNLIMITED,
            now=question.now,
            preset=patient(preset),
            rerank=rerank,
        )
        cpu_ms = (time.process_time() - began) * 1_000
        known = labels[question.bank_id]
        units = _labels(recall, known)
        places: tuple[GoldPlace, ...] = ()
        if trace:
            far = bank.recall(
                question.text,
                limit=DEEP,
                max_tokens=TOKENS_UNLIMITED,
                now=question.now,
                preset=deep(preset, DEEP),
            )
            places = gold_places(question.gold, units, far.items, known)
        answers.append(
            Answer(
                question,
                units,
                _each_once(known[unit].session_id or "" for unit in units),
                cpu_ms,
                recall.reranked,
                recall.parsed.window_text,
                tuple(f"{part.retriever}: {part.reason}" for part in recall.degraded),
                places,
            )
        )
        advance(1)
    return answers


def _labels(recall: Recall, known: Mapping[str, object]) -> tuple[str, ...]:
    return _each_once(unit_of_key(item.key, known) for item in recall if item.key is not None)


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def gold_places(
    gold: Iterable[str],
    answered: tuple[str, ...],
    far: Iterable[Item],
    known: Mapping[str, object],
) -> tuple[GoldPlace, ...]:
    """Each gold unit's rank in the answer, and its best ranks in the deep run."""
    fused: dict[str, int] = {}
    lists: dict[str, dict[str, int]] = {}
    for place, item in enumerate(far, 1):
        unit = unit_of_key(item.key or "", known)
        fused.setdefault(unit, place)
        ranks = lists.setdefault(unit, {})
        for name, evidence in item.why.retrievers.items():
            ranks[name] = min(evidence.rank, ranks.get(name, evidence.rank))
    final = {unit: place for place, unit in enumerate(answered, 1)}
    return tuple(
        GoldPlace(unit, final.get(unit), fused.get(unit), lists.get(unit, {})) for unit in gold
    )
