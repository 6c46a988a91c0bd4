"""Measures recalls that do not have the store to themselves: other callers, and a writer."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle
from pathlib import Path

from bench.corpus.clustered import NOW, Corpus, MadeUnit
from bench.corpus.clustered_questions import VectorQuestion
from bench.machine import rounded, summary
from bench.scale.subject import Subject
from scrubjay.answers import RecallOptions
from scrubjay.bank import Bank
from scrubjay.types import Json, Unit

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
        bank = memory.bank()
        _timed(bank, warm, subject.options)
        return {str(number): _at_once(bank, counted, number, subject) for number in CALLERS}


def _at_once(
    bank: Bank, counted: Sequence[VectorQuestion], callers: int, subject: Subject
) -> dict[str, Json]:
    began = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(callers) as pool:
        shares = [counted[start::callers] for start in range(callers)]
        waited = pool.map(lambda share: _timed(bank, share, subject.options), shares)
        wall_ms = [spent for share in waited for spent in share]
    wall_s, cpu_s = time.perf_counter() - began[0], time.process_time() - began[1]
    return {
        "recalls_per_s": rounded(len(counted) / wall_s),
        "wall_ms": summary(wall_ms),
        "cpu_ms_per_recall": rounded(1e3 * cpu_s / len(counted)),
    }


def _timed(bank: Bank, asked: Sequence[VectorQuestion], options: RecallOptions) -> list[float]:
    return [_wall_ms(partial(bank.recall, one.text, options)) for one in asked]


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
        _timed(bank, warm, subject.options)
        alone = _timed(bank, counted, subject.options)
        finished = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            began = time.perf_counter(), time.process_time()
            writing = pool.submit(_retain_all, bank, fresh, finished)
            beside: list[float] = []
            for question in cycle(counted):
                beside += _timed(bank, [question], subject.options)
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
        return [_wall_ms(partial(bank.retain, _as_told(call))) for call in calls]
    finally:
        finished.set()


def _as_told(made: Sequence[MadeUnit]) -> list[Unit]:
    return [Unit(unit.text, told_at=NOW, session=f"fresh-{unit.session}") for unit in made]


def _wall_ms(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - begun)
