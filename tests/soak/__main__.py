"""Attacks the embedded store, and prints what came of it: `python -m tests.soak --help`."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.soak.attempts import Attempt, Outcome
from tests.soak.running import (
    ATTACKS,
    Results,
    as_json,
    as_table,
    carried_out,
    planned,
    repeated,
    templated,
)

FULL = {
    "kill": 130, "kill 8 times": 6, "damage": 240, "interrupt": 210,
    "no room": 40, "fork": 8, "serve": 12,
}  # fmt: skip
SHORT = {
    "kill": 6, "kill 8 times": 1, "damage": 8, "interrupt": 5, "no room": 1, "fork": 1, "serve": 1,
}  # fmt: skip


def main() -> int:
    """Run what was asked for; 1 if anything was lost, wrong or raw, else 0."""
    given = _arguments()
    counts = SHORT if given.short else FULL
    if given.groups:
        counts = {group: counts[group] for group in given.groups}
    attempts = planned(counts, given.seed)
    if given.kind:
        attempts = [attempt for attempt in attempts if attempt.kind == given.kind]
    if given.only:
        attempts = [repeated(name, given.seed) for name in given.only]
    show(f"seed {given.seed}: {len(attempts)} tries, {given.jobs} at a time")
    results, started = Results.of(attempts), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="scrubjay-soak-") as folder:
        template = templated(Path(folder), given.seed)
        for attempt, outcome in carried_out(attempts, template, Path(folder), given.jobs):
            results.add(attempt, outcome)
            _tell(attempt, outcome, results, len(attempts), time.monotonic() - started)
    seconds = time.monotonic() - started
    show(f"\n{as_table(results)}\n\nseed {given.seed}, {seconds:.0f} s")
    if given.json:
        told = as_json(results, seed=given.seed, seconds=round(seconds))
        given.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 1 if results.failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--short", action="store_true", help="a few tries of each group")
    parser.add_argument("--groups", nargs="*", choices=list(ATTACKS), help="these only")
    parser.add_argument("--kind", help="this kind only")
    parser.add_argument("--only", nargs="*", help="these tries only, such as kill:retain:3")
    parser.add_argument("--jobs", type=int, default=2, help="tries at a time")
    parser.add_argument("--json", type=Path, help="write the results to this file too")
    return parser.parse_args()


def _tell(attempt: Attempt, outcome: Outcome, results: Results, total: int, seconds: float) -> None:
    done = sum(row.tries for row in results.rows.values())
    if done % 50 == 0:
        show(f"{done} of {total} in {seconds:.0f} s, {len(results.failures)} failed")
    if outcome.faults:
        again = f"python -m tests.soak --seed {attempt.seed} --only '{attempt.name}'"
        show(f"FAILED {attempt.name} ({outcome.note}); again: {again}")
        for fault in outcome.faults:
            show(f"  {fault.harm}: {fault.detail[:1500]}")


def show(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
