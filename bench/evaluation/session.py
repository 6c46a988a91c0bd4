"""One benchmark at work: opens the models, tells each set once, asks it with every preset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bench.evaluation.datasets import (
    Dataset,
    Split,
    choose,
    find_sets,
    load_set,
    only,
    split_of,
)
from bench.evaluation.embedding_cache import CachedEncoder, CachedReranker
from bench.evaluation.results import RunResult, SetResult, answer_to_json, summarise
from bench.evaluation.runner import AS_CALLED, DEEPLY, Models, Terms, Told, ask, told
from bench.evaluation.variants import ONLY
from scrubjay.encoder import (
    best_available,
    best_available_reranker,
    open_encoder,
    open_reranker,
)
from scrubjay.encoder.catalogue import ENCODERS
from scrubjay.errors import BadInput, ModelMissing
from scrubjay.preset import Preset

AUTO, NONE = "auto", "none"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is measured, on what, and with which models."""

    data: tuple[Path, ...]  # sets, and directories of sets
    sets: tuple[str, ...] = ()  # empty: all
    encoder: str = AUTO
    reranker: str = AUTO
    store: str = "embedded"
    cache: Path | None = None  # None: no model answers are kept
    sample: int | None = None
    limit_queries: int | None = None
    questions: Path | None = None  # None: nothing is written per question
    split: Split = Split.OPEN
    late: bool = False  # whether the banks keep token vectors
    as_called: bool = False  # the first preset once more, as a caller asks who sets nothing

    def __post_init__(self) -> None:
        if self.questions is not None and self.split is not Split.OPEN:
            raise BadInput(
                "a file of questions for split",
                self.split.value,
                "Banks that are held apart are measured, not read; use --split dev.",
            )


def open_models(subject: Subject) -> Models:
    """The encoder and the reranker asked for, behind their caches; ModelMissing if absent."""
    encoder = None
    if subject.encoder != NONE:
        encoder = best_available() if subject.encoder == AUTO else open_encoder(subject.encoder)
        if encoder is None:
            raise ModelMissing(f"No embedding model is here; run `{ENCODERS[0].remedy}`.")
        if subject.cache is not None:
            encoder = CachedEncoder(encoder, subject.cache)
    reranker = None
    if subject.reranker != NONE:
        named = subject.reranker
        reranker = best_available_reranker() if named == AUTO else open_reranker(named)
        if reranker is not None and subject.cache is not None:
            reranker = CachedReranker(reranker, subject.cache)
    return Models(encoder, reranker, subject.late)


def measure(subject: Subject, presets: Sequence[Preset], console: Console) -> list[RunResult]:
    """Every preset on every set; each set is told once."""
    models = open_models(subject)
    rows = [_Row(preset.name, preset, DEEPLY, _rerank(subject, preset)) for preset in presets]
    if subject.as_called:
        first = rows[0]
        rows.append(replace(first, name=f"{first.name} as called", terms=AS_CALLED))
    results: dict[str, dict[str, SetResult]] = {row.name: {} for row in rows}
    with _writing(subject.questions) as questions, _progress(console) as progress:
        for path in find_sets(subject.data, subject.sets):
            dataset = chosen(path, subject, console)
            telling = progress.add_task(f"{dataset.name}: tell", total=_size(dataset))
            advance = partial(progress.advance, telling)
            with told(dataset, models, store=subject.store, advance=advance) as held:
                for row in rows:
                    results[row.name][dataset.name] = _ask_all(held, row, questions, progress)
    return [_run(row.name, models, results[row.name]) for row in rows]


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the result: a preset, and how it is asked."""

    name: str
    preset: Preset
    terms: Terms
    rerank: bool | None


def _rerank(subject: Subject, preset: Preset) -> bool | None:
    """Whether a preset is asked to rerank: a reranker that is named is meant for every one.

    Left to `auto`, each preset decides; one retriever alone stays alone.
    """
    if subject.reranker == NONE or preset.name.startswith(ONLY):
        return False
    return None if subject.reranker == AUTO else True


def chosen(path: Path, subject: Subject, console: Console) -> Dataset:
    """The questions and banks of a set that the subject asks for."""
    dataset, split = load_set(path), split_of(path)
    if subject.split is not Split.ALL:
        kept = {bank for bank, held in split.items() if held is subject.split}
        if len(kept) < len(split):
            console.print(f"{dataset.name}: {len(kept)} of {len(split)} banks ({subject.split})")
        dataset = only(dataset, kept)
    if not dataset.questions:
        raise BadInput("no bank of this split in", dataset.name, "Give --split dev, held or all.")
    return choose(dataset, sample=subject.sample, limit=subject.limit_queries)


def _run(name: str, models: Models, sets: Mapping[str, SetResult]) -> RunResult:
    encoder, reranker = models.encoder, models.reranker
    # A model that read nothing has no part in the result.
    read = reranker is not None and any(result.reranked for result in sets.values())
    return RunResult(
        name,
        None if encoder is None else encoder.fingerprint,
        reranker.name if reranker is not None and read else None,
        sets,
    )


def _ask_all(held: Told, row: _Row, questions: TextIO | None, progress: Progress) -> SetResult:
    name = held.dataset.name
    asking = progress.add_task(f"{name}: {row.name}", total=len(held.dataset.questions))
    answers = ask(
        held,
        row.preset,
        rerank=row.rerank,
        trace=questions is not None,
        advance=partial(progress.advance, asking),
        terms=row.terms,
    )
    if questions is not None:
        for answer in answers:
            line = answer_to_json(name, row.name, answer)
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
