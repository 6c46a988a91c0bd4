"""Measures how long a process waits for a store: to open it, and for its first answer."""

from __future__ import annotations

import time

from bench.machine import rounded
from bench.scale.process import drop_from_cache, memory_mib
from bench.scale.subject import Subject
from scrubjay.types.values import Json


def measure_cold(subject: Subject) -> dict[str, Json]:
    """With the store's pages dropped from the system's cache, as far as it lets go of them."""
    dropped = drop_from_cache(subject.store)
    return {"dropped_from_cache": dropped, **measure(subject)}


def measure(subject: Subject) -> dict[str, Json]:
    """Opening store and bank, and the first recall, in this process, which has done neither."""
    (first, *_), _ = subject.asked()
    began = time.perf_counter(), time.process_time()
    with subject.open([first]) as memory:
        units = memory.bank().info().units
        opened = time.perf_counter(), time.process_time()
        memory.bank().recall(first.text, subject.options)
        answered = time.perf_counter(), time.process_time()
        resident = memory_mib()
    return {
        "units": units,
        "open_wall_s": rounded(opened[0] - began[0]),
        "open_cpu_s": rounded(opened[1] - began[1]),
        "first_recall_wall_ms": rounded(1e3 * (answered[0] - opened[0])),
        "first_recall_cpu_ms": rounded(1e3 * (answered[1] - opened[1])),
        "resident": dict(resident),
    }
