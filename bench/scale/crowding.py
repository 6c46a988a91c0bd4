"""Measures recalls that do not have the store to themselves: other callers, and a writer."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from pathlib import Path

from bench.callers import at_once, timed, wall_ms
from bench.corpus.clustered import NOW, Corpus, MadeUnit
from bench.corpus.clustered_questions import VectorQuestion
from bench.machine import rounded, summary
from bench.scale.subject import Subject
from scrubjay.bank import Bank
from scrubjay.types.units import Unit
from scrubjay.types.values import Json

CALLERS = (1, 2, 4, 8)
RETAIN_UNITS = 10
# A copy is written to, and its indexes are saved anew.
ROOM_PER_COPY = 1.5
# Another seed makes units that nobody has told the store yet.
_FRESH_SEED = 77


def measure_callers(subject: Subject) -> dict[str, Json]:
    """All questions, shared out between 1, 2, 4 and 8 callers that ask without a pause."""
    warm, counted = subject.asked()
    with subject.open([*warm, *counted]) as memory:
        ask = partial(memory.bank().recall, options=subject.options)
        timed(ask, _texts(warm))
        return {str(number): at_once(ask, _texts(counted), number) for number in CALLERS}


def _texts(questions: Sequence[VectorQuestion]) -> list[str]:
    return [question.text for question in questions]


def measure_ingest(subject: Subject) -> dict[str, Json]:
    """One thread retains, ten units a call, while another recalls, on a copy of the store."""
    copy = subject.folder / "ingest-copy"
    shutil.rmtree(copy, ignore_errors=True)
    size = sum(file.stat().st_size for file in subject.store.rglob("*") if file.is_file())
    free = shutil.disk_usage(subject.folder).free
    if free < ROOM_PER_COPY * size:
        return {"skipped": f"a copy of {size >> 20} MiB needs more than the {free >> 20} there are"}
    shutil.copytree(subject.store, copy)
    try:
        return _ingest(subject, copy)
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def _ingest(subject: Subject, copy: Path) -> dict[str, Json]:
    warm, counted = subject.asked()
    fresh = list(Corpus(subject.ingest_units, seed=_FRESH_SEED).units_from())
    told = {unit.text: unit.vector for unit in fresh}
    with subject.open([*warm, *counted], told=told, store=copy) as memory:
        bank = memory.bank()
        ask = partial(bank.recall, options=subject.options)
        timed(ask, _texts(warm))
        alone = timed(ask, _texts(counted))
        finished = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            began = time.perf_counter(), time.process_time()
            writing = pool.submit(_retain_all, bank, fresh, finished)
            beside: list[float] = []
            for question in cycle(counted):
                beside += timed(ask, [question.text])
                if finished.is_set():
                    break
            retains = writing.result()
            wall_s, cpu_s = time.perf_counter() - began[0], time.process_time() - began[1]
    return {
        "units": len(fresh),
        "units_per_call": RETAIN_UNITS,
        "units_per_s": rounded(len(fresh) / wall_s),
        "retain_wall_ms": summary(retains),
        "recalls_per_s": rounded(len(beside) / wall_s),
        "recall_wall_ms": summary(beside),
        "recall_wall_ms_alone": summary(alone),
        "cpu_share_of_one_core": rounded(cpu_s / wall_s),
    }


def _retain_all(bank: Bank, fresh: Sequence[MadeUnit], finished: threading.Event) -> list[float]:
    try:
        calls = [fresh[n : n + RETAIN_UNITS] for n in range(0, len(fresh), RETAIN_UNITS)]
        return [wall_ms(partial(bank.retain, _as_told(call))) for call in calls]
    finally:
        finished.set()


def _as_told(made: Sequence[MadeUnit]) -> list[Unit]:
    return [Unit(unit.text, told_at=NOW, session=f"fresh-{unit.session}") for unit in made]
