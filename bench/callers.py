"""Measures several callers of one store at once: what they get together, and what it costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bench.machine import rounded, summary
from scrubjay.types.values import Json


def at_once(
    ask: Callable[[str], object], questions: Sequence[str], callers: int
) -> dict[str, Json]:
    """All questions, shared out between callers that ask without a pause."""
    began = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(callers) as pool:
        shares = [questions[start::callers] for start in range(callers)]
        waited = pool.map(lambda share: timed(ask, share), shares)
        wall_ms = [spent for share in waited for spent in share]
    wall_s, cpu_s = time.perf_counter() - began[0], time.process_time() - began[1]
    return {
        "recalls_per_s": rounded(len(questions) / wall_s),
        "wall_ms": summary(wall_ms),
        "cpu_ms_per_recall": rounded(1e3 * cpu_s / len(questions)),
    }


def timed(ask: Callable[[str], object], questions: Sequence[str]) -> list[float]:
    """The milliseconds that each question takes, one after the other."""
    return [wall_ms(partial(ask, question)) for question in questions]


def wall_ms(work: Callable[[], object]) -> float:
    """The milliseconds that some work takes."""
    begun = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - begun)
