"""Two quality results question by question: what was won, what was lost, and is it chance."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from bench.evaluation.comparing import METRIC, Change, Comparison, compare, read_result
from bench.evaluation.metrics import PAIRED
from bench.evaluation.tables import console, plain_table


def main(arguments: Sequence[str]) -> int:
    """Compare A.json with B.json on the questions both asked."""
    given = _parser().parse_args(arguments)
    before = read_result(given.before, given.preset or given.preset_a)
    after = read_result(given.after, given.preset or given.preset_b)
    found = compare(before, after, given.metric)
    out = console()
    table = plain_table(
        f"{given.metric}, mean over questions", "set", "n", "A", "B", "B - A", "p", "won", "lost"
    )
    for one in found:
        table.add_row(one.name, *_cells(one))
    out.print(table)
    for one in found:
        _list_changes(one, given.show)
    return 0


def _cells(one: Comparison) -> tuple[str, ...]:
    return (
        str(one.n),
        f"{one.before:.3f}",
        f"{one.after:.3f}",
        f"{one.after - one.before:+.3f}",
        f"{one.p:.4f}",
        str(len(one.wins)),
        str(len(one.losses)),
    )


def _list_changes(one: Comparison, most: int) -> None:
    out = console()
    for label, changes in (("won", one.wins), ("lost", one.losses)):
        for change in changes[:most]:
            out.print(f"{one.name} {label}: {_line(change)}")
        if len(changes) > most > 0:
            out.print(f"{one.name} {label}: and {len(changes) - most} more")


def _line(change: Change) -> str:
    return f"{change.query_id} {change.before:.2f} -> {change.after:.2f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench compare", description=__doc__)
    parser.add_argument("before", type=Path, metavar="A.json")
    parser.add_argument("after", type=Path, metavar="B.json")
    parser.add_argument("--preset", help="the run to take from both files; default: their first")
    parser.add_argument("--preset-a", help="the run to take from A")
    parser.add_argument("--preset-b", help="the run to take from B")
    parser.add_argument("--metric", default=METRIC, choices=PAIRED, help="what is compared")
    parser.add_argument("--show", type=int, default=10, help="changes listed per set")
    return parser
