"""One benchmark at work: opens the models, tells each set once, asks it with every preset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.evaluation.datasets import Dataset, choose, find_sets, load_set
from bench.evaluation.embedding_cache import CachedEncoder, CachedReranker
from bench.evaluation.results import RunResult, SetResult, answer_to_json, summarise
from bench.evaluation.runner import Models, Told, ask, told
from scrubjay.encoder import (
    best_available,
    best_available_reranker,
    open_encoder,
    open_reranker,
)
from scrubjay.errors import ModelMissing
from scrubjay.preset import Preset

AUTO, NONE = "auto", "none"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured, on what, and with which models."""

    data: Path
    sets: tuple[str, ...] = ()  # empty: all
    encoder: str = AUTO
    reranker: str = AUTO
    store: str = "embedded"
    cache: Path | None = None  # None: no model answers are kept
    sample: int | None = None
    limit_queries: int | None = None
    questions: Path | None = None  # None: nothing is written per question


def open_models(subject: Subject) -> Models:
    """The encoder and the reranker asked for, behind their caches; ModelMissing if absent."""
    encoder = None
    if subject.encoder != NONE:
        encoder = best_available() if subject.encoder == AUTO else open_encoder(subject.encoder)
        if encoder is None:
            raise ModelMissing(
                "No embedding model is here; run `scrubjay models pull e5-small-v2`."
            )
        if subject.cache is not None:
            encoder = CachedEncoder(encoder, subject.cache)
    reranker = None
    if subject.reranker != NONE:
        named = subject.reranker
        reranker = best_available_reranker() if named == AUTO else open_reranker(named)
        if reranker is not None and subject.cache is not None:
            reranker = CachedReranker(reranker, subject.cache)
    return Models(encoder, reranker)


def measure(subject: Subject, presets: Sequence[Preset], console: Console) -> list[RunResult]:
    """Every preset on every set; each set is told once."""
    models = open_models(subject)
    results: dict[str, dict[str, SetResult]] = {preset.name: {} for preset in presets}
    with _writing(subject.questions) as questions, _progress(console) as progress:
        for path in find_sets(subject.data, subject.sets):
            dataset = choose(load_set(path), sample=subject.sample, limit=subject.limit_queries)
            telling = progress.add_task(f"{dataset.name}: tell", total=_size(dataset))
            advance = partial(progress.advance, telling)
            with told(dataset, models, store=subject.store, advance=advance) as held:
                for preset in presets:
                    results[preset.name][dataset.name] = _ask_all(
                        held, preset, models, questions, progress
                    )
    encoder = None if models.encoder is None else models.encoder.fingerprint
    reranker = None if models.reranker is None else models.reranker.name
    return [RunResult(preset.name, encoder, reranker, results[preset.name]) for preset in presets]


def _ask_all(
    held: Told, preset: Preset, models: Models, questions: TextIO | None, progress: Progress
) -> SetResult:
    name = held.dataset.name
    asking = progress.add_task(f"{name}: {preset.name}", total=len(held.dataset.questions))
    answers = ask(
        held,
        preset,
        rerank=None if models.reranker is not None else False,
        trace=questions is not None,
        advance=partial(progress.advance, asking),
    )
    if questions is not None:
        for answer in answers:
            line = answer_to_json(name, preset.name, answer)
            questions.write(json.dumps(line, ensure_ascii=False) + "\n")
    return summarise(name, answers, units=held.units, retain_ms=held.cpu_ms_per_unit)


def _size(dataset: Dataset) -> int:
    return sum(len(units) for units in dataset.units.values())


@contextmanager
def _writing(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    with path.open("w", encoding="utf-8") as out:
        yield out


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal)
