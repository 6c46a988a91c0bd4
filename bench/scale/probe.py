"""Runs one measurement in a process of its own, so that none finds what another left behind."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from bench import machine
from bench.scale import churn, crowding, nearness, opening, recalling, skipping
from bench.scale.subject import Subject
from scrubjay.types.values import Json

Measurement = Callable[[Subject], dict[str, Json]]

MEASUREMENTS: dict[str, Measurement] = {
    "open_cold": opening.measure_cold,
    "open_warm": opening.measure,
    "recalls": recalling.measure,
    "nearest": nearness.measure,
    "callers": crowding.measure_callers,
    "ingest": crowding.measure_ingest,
    "optimizer": skipping.measure,
    "build_banks": churn.build,
    "banks": churn.measure,
}

# Not `-m`: this module is imported by its package, and would then be there twice.
_ENTRY = "import sys; from bench.scale.probe import main; sys.exit(main(sys.argv[1:]))"


def measured(name: str, subject: Subject) -> dict[str, Json]:
    """What a fresh process says of one measurement; its errors are its own, and end this one."""
    told = {**asdict(subject), "folder": str(subject.folder.resolve())}
    done = subprocess.run(
        [sys.executable, "-c", _ENTRY, name, json.dumps(told)],
        cwd=machine.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, Json] = json.loads(done.stdout)
    return found


def number(value: Json, *path: str) -> float:
    """One number of a result, by its path; nan when it was not measured."""
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return float("nan")
        value = value[name]
    return float(value) if isinstance(value, int | float) else float("nan")


def main(arguments: list[str]) -> int:
    """Measure, and print the numbers as one line of JSON."""
    name, told = arguments
    given = json.loads(told)
    subject = Subject(**{**given, "folder": Path(given["folder"])})
    sys.stdout.write(json.dumps(MEASUREMENTS[name](subject)))
    return 0
