"""Draws results as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from bench.evaluation.abstention import Abstention
from bench.evaluation.results import RunResult, SetResult, Summary

SHOWN = ("recall@5", "recall@10", "recall@50", "full@10", "ndcg@10", "hit@1", "mrr", "stale@1")
SIDE_BY_SIDE = ("recall@10", "ndcg@10", "hit@1", "mrr", "stale@1")
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


def side_by_side(runs: Sequence[RunResult], name: str) -> Table:
    """One set: every run in a line, then every bank of the first run."""
    results = {run.preset: run.sets[name] for run in runs}
    first = runs[0].sets[name]
    kinds = list(first.abstention)
    title = f"{name}: macro over categories"
    if kinds:
        title += "; of the unanswerable, AUROC of relevance / false alarms at 75 % caught"
    table = plain_table(title, "preset", "n", *SIDE_BY_SIDE, *kinds)
    for preset, result in results.items():
        cells = [_separation(result.abstention.get(kind)) for kind in kinds]
        table.add_row(preset, *_values(result.macro, SIDE_BY_SIDE), *cells)
    table.add_section()
    for bank, summary in first.banks.items():
        cells = [_separation(first.bank_abstention.get(bank))] if kinds else []
        table.add_row(f"{bank} ({runs[0].preset})", *_values(summary, SIDE_BY_SIDE), *cells)
    return table


def _separation(found: Abstention | None) -> str:
    return "-" if found is None else f"{found.auroc:.2f} / {found.false_alarms:.2f}"


def details(run: RunResult, result: SetResult) -> Table:
    """One set's categories, with the interval of recall@10."""
    title = (
        f"{result.name}, {run.preset}: {result.units} units, CPU ms per retain "
        f"{result.cpu_ms_per_retain:.2f}, per recall {result.cpu_ms_per_recall:.2f}"
    )
    table = plain_table(title, "category", "n", *SHOWN, "95 % of recall@10, other questions")
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
    return [*_values(summary, SHOWN), f"{low:.3f} to {high:.3f}"]


def _values(summary: Summary, metrics: Sequence[str]) -> list[str]:
    """How many questions, and their value in each metric that any of them has."""
    found = [f"{summary.values[m]:.3f}" if m in summary.values else "-" for m in metrics]
    return [str(summary.n), *found]


def _pair(summary: Summary) -> str:
    if not summary.n:
        return "-"
    return f"{summary.values['recall@10']:.3f} / {summary.values['ndcg@10']:.3f}"


def _mean(summaries: Sequence[Summary], metric: str) -> float:
    values = [summary.values[metric] for summary in summaries if summary.n]
    return sum(values) / max(len(values), 1)
