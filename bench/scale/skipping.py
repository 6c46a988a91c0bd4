"""Measures what the optimizer's skipping saves, and what it loses: every question with and without.

A question's class is read from the engine's own parse and from what the two plans differ in. Costs
are those of a question whose vector is known; `fresh` ones add the making of it, to the side that
asks for it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bench.evaluation.datasets import Question, choose, find_sets, load_set
from bench.evaluation.embedding_cache import WrappedEncoder
from bench.evaluation.metrics import score_units
from bench.evaluation.runner import TOKENS_UNLIMITED, Told, told
from bench.evaluation.session import Subject as Labelled
from bench.evaluation.session import open_models
from bench.evaluation.telling import unit_of_key
from bench.evaluation.variants import patient
from bench.machine import rounded, summary
from bench.scale.subject import Subject
from scrubjay.answers import Parsed, Plan, Recall, RecallOptions
from scrubjay.bank import Bank
from scrubjay.encoder.base import Encoder
from scrubjay.engine.presets import DEFAULT
from scrubjay.preset import Preset
from scrubjay.types.arrays import VectorArray
from scrubjay.types.values import Json

IDENTIFIER, TIME, ENTITY, MIXED = "identifier", "pure_time", "pure_entity", "mixed"
DEPTH = 10
# A recall's cost is the least of so many, with and without in turn: the rest is the machine's. On
# a shared machine the least of three still leaves a few disturbed recalls, which then are the p99.
ROUNDS = 7
ENCODED_TIMES = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """One question's cost in CPU ms, and its recall@10 where evidence is labelled."""

    kind: str
    with_ms: float
    without_ms: float
    with_recall: float | None = None  # None: nothing is labelled
    without_recall: float | None = None
    with_encodes: bool = True  # whether the vector is asked for although the optimizer skips
    fresh: tuple[float, float] | None = None  # both costs with the vector made; None: not measured


class Asked(WrappedEncoder):
    """An encoder that counts the questions it is asked to encode."""

    questions = 0

    def encode_queries(self, texts: Sequence[str]) -> VectorArray:
        """As the inner encoder does."""
        self.questions += len(texts)
        return super().encode_queries(texts)


def class_of(parsed: Parsed, chosen: Plan, everything: Plan) -> str:
    """What a question is about: if the optimizer skips something, what it goes by instead."""
    if _running(chosen) < _running(everything):
        return IDENTIFIER if parsed.window is None else TIME
    alone = parsed.content_words == 0 and parsed.window is None
    return ENTITY if parsed.entities and alone else MIXED


def _running(plan: Plan) -> set[str]:
    return {step.retriever for step in plan.retrievers if step.run}


def measure(subject: Subject) -> dict[str, Json]:
    """The corpus's questions on a built store: cost only, since nothing is labelled."""
    warm, counted = subject.asked()
    with subject.open([*warm, *counted]) as memory:
        bank, options = memory.bank(), subject.options
        for question in warm:
            bank.recall(question.text, options)
        return by_class([_compared(bank, question.text, options) for question in counted])


def measure_data(labelled: Labelled, preset: Preset = DEFAULT) -> dict[str, Json]:
    """The questions of labelled sets: cost, and recall@10 with and without."""
    models, compared = open_models(labelled), list[Compared]()
    encoder = open_models(replace(labelled, cache=None)).encoder
    asked = None if models.encoder is None else Asked(models.encoder)
    for path in find_sets(labelled.data, labelled.sets):
        dataset = choose(load_set(path), sample=labelled.sample, limit=labelled.limit_queries)
        with told(dataset, replace(models, encoder=asked), advance=lambda _: None) as held:
            # What has no evidence has no recall to compare.
            for question in [one for one in dataset.questions if one.gold]:
                found = _labelled(held, question, preset, asked)
                if encoder is not None and found.kind in (IDENTIFIER, TIME):
                    found = _with_encoding(found, encoder, question.text)
                compared.append(found)
    return by_class(compared)


def _with_encoding(found: Compared, encoder: Encoder, text: str) -> Compared:
    """The same with the cost of a question that is asked for the first time."""
    spent = []
    for _ in range(ENCODED_TIMES):
        begun = time.process_time()
        encoder.encode_queries([text])
        spent.append(1e3 * (time.process_time() - begun))
    made = min(spent)
    with_ms = found.with_ms + (made if found.with_encodes else 0.0)
    return replace(found, fresh=(with_ms, found.without_ms + made))


def _labelled(held: Told, question: Question, preset: Preset, asked: Asked | None) -> Compared:
    options = RecallOptions(
        preset=patient(preset), now=question.now, limit=DEPTH, max_tokens=TOKENS_UNLIMITED
    )
    known = {unit.unit_id for unit in held.dataset.units[question.bank_id]}
    bank = held.memory.bank(question.bank_id)
    before = 0 if asked is None else asked.questions
    bank.recall(question.text, _with(options, optimizer=True))
    encodes = asked is not None and asked.questions > before
    found = _compared(bank, question.text, options, _Evidence(question.gold, known))
    return replace(found, with_encodes=encodes)


@dataclass(frozen=True, slots=True)
class _Evidence:
    gold: tuple[str, ...]
    known: set[str]

    def recall(self, answer: Recall) -> float:
        """The share of the evidence among the first ten."""
        labels = dict.fromkeys(self.known, True)
        ranked = dict.fromkeys(unit_of_key(i.key, labels) for i in answer if i.key is not None)
        return score_units(list(ranked), self.gold)[f"recall@{DEPTH}"]


def _compared(
    bank: Bank, text: str, options: RecallOptions, evidence: _Evidence | None = None
) -> Compared:
    chosen, everything = _with(options, optimizer=True), _with(options, optimizer=False)
    bank.recall(text, everything)  # the vector is made once, and remembered
    spent: dict[bool, list[float]] = {True: [], False: []}
    answers: dict[bool, Recall] = {}
    sides = [(True, chosen), (False, everything)]
    for _ in range(ROUNDS):
        # Each side goes first in turn: what ran before decides which caches are warm.
        sides.reverse()
        for skipping, asked in sides:
            begun = time.process_time()
            answers[skipping] = bank.recall(text, asked)
            spent[skipping].append(1e3 * (time.process_time() - begun))
    kind = class_of(answers[True].parsed, answers[True].plan, answers[False].plan)
    costs = kind, min(spent[True]), min(spent[False])
    if evidence is None:
        return Compared(*costs)
    return Compared(*costs, evidence.recall(answers[True]), evidence.recall(answers[False]))


def _with(options: RecallOptions, *, optimizer: bool) -> RecallOptions:
    preset = options.preset
    assert isinstance(preset, Preset), "the benchmark brings its own"
    return replace(options, preset=replace(preset, optimizer=optimizer))


def by_class(compared: Sequence[Compared]) -> dict[str, Json]:
    """Costs and recall of each class, with the optimizer and without."""
    found: dict[str, Json] = {}
    for kind in (IDENTIFIER, TIME, ENTITY, MIXED):
        of_kind = [one for one in compared if one.kind == kind]
        if of_kind:
            found[kind] = _class_numbers(of_kind)
    return found


def _class_numbers(compared: Sequence[Compared]) -> Mapping[str, Json]:
    with_ms = [one.with_ms for one in compared]
    without_ms = [one.without_ms for one in compared]
    ratio = float(np.percentile(with_ms, 99) / np.percentile(without_ms, 99))
    numbers: dict[str, Json] = {
        "questions": len(compared),
        "cpu_ms_with": summary(with_ms),
        "cpu_ms_without": summary(without_ms),
        "p99_with_over_without": rounded(ratio),
    }
    fresh = [one.fresh for one in compared if one.fresh is not None]
    if fresh:
        made_with, made_without = zip(*fresh, strict=True)
        numbers["fresh_cpu_ms_with"] = summary(made_with)
        numbers["fresh_cpu_ms_without"] = summary(made_without)
        numbers["encoded_with"] = sum(one.with_encodes for one in compared)
        ratio = float(np.percentile(made_with, 99) / np.percentile(made_without, 99))
        numbers["fresh_p99_with_over_without"] = rounded(ratio)
    scored = [(a, b) for c in compared if (a := c.with_recall) is not None
              and (b := c.without_recall) is not None]  # fmt: skip
    if scored:
        kept, whole = np.mean(np.array(scored), axis=0).tolist()
        numbers[f"recall@{DEPTH}_with"] = rounded(kept)
        numbers[f"recall@{DEPTH}_without"] = rounded(whole)
    return numbers
