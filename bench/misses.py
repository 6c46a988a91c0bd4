"""Where evidence was lost: the misses of a quality run by category, counted by cause."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from bench.evaluation.misses import Missed, read_misses, typical
from bench.evaluation.tables import console, plain_table


def main(arguments: Sequence[str]) -> int:
    """Read what `bench quality --questions-jsonl` wrote."""
    given = _parser().parse_args(arguments)
    found = read_misses(given.questions, given.preset)
    if given.json:
        given.json.write_text(json.dumps([_to_json(one) for one in found], indent=1) + "\n")
    table = plain_table(
        "evidence not among the first ten", "set", "category", "n", "evidence", "missed", "causes"
    )
    for one in sorted(found, key=lambda one: (one.set_name, -one.missed / max(one.evidence, 1))):
        causes = ", ".join(f"{cause.value} {count}" for cause, count in typical(one))
        cells = (str(one.questions), str(one.evidence), str(one.missed), causes)
        table.add_row(one.set_name, one.category, *cells)
    console().print(table)
    return 0


def _to_json(one: Missed) -> dict[str, object]:
    return {
        "set": one.set_name,
        "category": one.category,
        "questions": one.questions,
        "evidence": one.evidence,
        "missed": one.missed,
        "causes": {cause.value: count for cause, count in one.causes.items()},
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench misses", description=__doc__)
    parser.add_argument("questions", type=Path, metavar="QUESTIONS.jsonl")
    parser.add_argument("--preset", default="default", help="the preset whose misses are counted")
    parser.add_argument("--json", type=Path, metavar="OUT", help="also write them as JSON")
    return parser
