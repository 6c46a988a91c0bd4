"""Says with which command, at which commit and on which machine a number was made."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from scrubjay.engine.transfer.paths import writing
from scrubjay.types.values import Json

ROOT = Path(__file__).resolve().parent.parent
UNCOMMITTED = "uncommitted"
_GIBIBYTE = 1 << 30
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Result:
    """What a benchmark found: its name, what it was asked to do, and the numbers."""

    benchmark: str
    arguments: Sequence[str]
    parameters: Mapping[str, Json]
    numbers: Mapping[str, Json]

    def stamped(self) -> dict[str, Json]:
        """The whole result as it is kept: with the command, the commit and the machine."""
        command = ["python -m", f"bench.{self.benchmark}", *self.arguments]
        return {
            "benchmark": self.benchmark,
            "command": " ".join(command),
            "commit": commit(),
            "machine": describe(),
            "parameters": dict(self.parameters),
            "results": dict(self.numbers),
        }


def add_json_option(parser: argparse.ArgumentParser) -> None:
    """Let a benchmark be told where to keep its result."""
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result here too")


def report(result: Result, path: Path | None) -> None:
    """Print a result, and keep it when a path is given; the file appears whole or not at all."""
    text = json.dumps(result.stamped(), indent=2, ensure_ascii=False) + "\n"
    sys.stdout.write(text)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with writing(path) as out:
            out.write(text.encode())


def commit() -> str:
    """The commit the sources are at; what differs from it is said, no commit is "uncommitted"."""
    head = _git("rev-parse", "--verify", "--quiet", "HEAD")
    if not head:
        return UNCOMMITTED
    changed = _git("status", "--porcelain", "--", "src", "bench/*.py", "bench/corpus")
    return f"{head} with changes" if changed else head


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip()


def describe() -> dict[str, Json]:
    """The machine, as far as it matters for speed."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(_memory_bytes() / _GIBIBYTE, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "sqlite": sqlite3.sqlite_version,
        "reference_work_cpu_ms": reference_work(),
    }


def reference_work() -> float:
    """Milliseconds of CPU for a fixed piece of plain Python, the best of some.

    On a machine shared with others the same work costs more while they are busy; results are
    compared by this number.
    """
    spent = [cpu_of(lambda: sum(n * n % 7 for n in range(100_000)))[1] for _ in range(7)]
    return rounded(1e3 * min(spent))


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0


def summary(values: Sequence[float]) -> dict[str, Json]:
    """Median, tail and mean of some measurements, rounded to four digits."""
    p50, p95, p99 = np.percentile(np.array(values, np.float64), (50, 95, 99)).tolist()
    return {
        "n": len(values),
        "p50": rounded(p50),
        "p95": rounded(p95),
        "p99": rounded(p99),
        "mean": rounded(float(np.mean(values))),
    }


def rounded(value: float) -> float:
    """Four significant digits; more would be noise."""
    return float(f"{value:.4g}")


def cpu_of(work: Callable[[], _T]) -> tuple[_T, float]:
    """What `work` returns, and the seconds of CPU this process spent on it, all threads."""
    begun = time.process_time()
    done = work()
    return done, time.process_time() - begun


class Progress:
    """One line on a terminal's standard error; silent when it is not one."""

    def __init__(self, label: str, total: int) -> None:
        self._label, self._total = label, total
        self._shown = sys.stderr.isatty()
        self._drawn = 0.0

    def __call__(self, done: int) -> None:
        """Show how far it is, at most ten times a second, and always at the end."""
        finished = done >= self._total
        if self._shown and (finished or time.monotonic() - self._drawn > 0.1):
            self._drawn = time.monotonic()
            end = "\n" if finished else ""
            sys.stderr.write(f"\r{self._label}: {done:,} of {self._total:,}{end}")
            sys.stderr.flush()
