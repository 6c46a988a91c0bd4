"""Draws results as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from bench.evaluation.results import RunResult, SetResult, Summary

SHOWN = ("recall@5", "recall@10", "recall@20", "recall@50", "full@10", "ndcg@10", "mrr")
# Written to a file or a pipe, a table keeps its columns whole.
_WIDTH_WITHOUT_TERMINAL = 160


def console() -> Console:
    """Where tables are drawn: standard output."""
    out = Console()
    return out if out.is_terminal else Console(width=_WIDTH_WITHOUT_TERMINAL)


def plain_table(title: str, *columns: str) -> Table:
    """A table whose first column is text and the others numbers."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for n, column in enumerate(columns):
        table.add_column(column, justify="left" if n == 0 else "right", no_wrap=True)
    return table


def overview(runs: Sequence[RunResult]) -> Table:
    """Macro recall@10 / nDCG@10 of every run on every set, and the mean over sets."""
    names = list(dict.fromkeys(name for run in runs for name in run.sets))
    mean = ["mean"] if len(names) > 1 else []
    table = plain_table("macro recall@10 / nDCG@10", "preset", *names, *mean)
    for run in runs:
        measured = [run.sets[name].macro for name in names if name in run.sets]
        cells = [_pair(run.sets[name].macro) if name in run.sets else "-" for name in names]
        if mean:
            cells.append(
                " / ".join(f"{_mean(measured, metric):.3f}" for metric in ("recall@10", "ndcg@10"))
            )
        table.add_row(run.preset, *cells)
    return table


def details(run: RunResult, result: SetResult) -> Table:
    """One set's categories, with the interval of recall@10."""
    title = (
        f"{result.name}, {run.preset}: {result.units} units, CPU ms per retain "
        f"{result.cpu_ms_per_retain:.2f}, per recall {result.cpu_ms_per_recall:.2f}"
    )
    table = plain_table(title, "category", "n", *SHOWN, "95 % of recall@10")
    for name, summary in result.categories.items():
        table.add_row(name, *_cells(summary))
    table.add_section()
    table.add_row("macro", *_cells(result.macro))
    for name, summary in result.apart.items():
        table.add_row(f"{name} (apart)", *_cells(summary))
    if result.degraded:
        table.caption = "degraded: " + "; ".join(
            f"{reason} ({count} questions)" for reason, count in result.degraded.items()
        )
    return table


def _cells(summary: Summary) -> list[str]:
    low, high = summary.intervals.get("recall@10", (0.0, 0.0))
    values = [f"{summary.values[name]:.3f}" for name in SHOWN]
    return [str(summary.n), *values, f"{low:.3f} to {high:.3f}"]


def _pair(summary: Summary) -> str:
    if not summary.n:
        return "-"
    return f"{summary.values['recall@10']:.3f} / {summary.values['ndcg@10']:.3f}"


def _mean(summaries: Sequence[Summary], metric: str) -> float:
    values = [summary.values[metric] for summary in summaries if summary.n]
    return sum(values) / max(len(values), 1)
