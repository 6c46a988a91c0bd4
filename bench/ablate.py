"""What each part of a preset is worth: recall with it, and with it taken away."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench.evaluation.comparing import METRIC, compare_questions
from bench.evaluation.results import RunResult, SetResult
from bench.evaluation.session import measure
from bench.evaluation.tables import console, plain_table
from bench.evaluation.variants import ablations, find_preset
from bench.quality import add_subject, subject_of, write_json

# Differences likelier than this by chance alone are not marked.
SIGNIFICANT = 0.05


def main(arguments: Sequence[str]) -> int:
    """Measure a preset whole and without each retriever and stage, one at a time."""
    given = _parser().parse_args(arguments)
    whole = find_preset(given.preset)
    progress = Console(stderr=True)
    runs = measure(subject_of(given), [whole, *ablations(whole)], progress)
    out = console()
    for name in runs[0].sets:
        out.print(_table(runs[0], runs[1:], name))
    if given.json is not None:
        # Twenty runs of thousands of questions each: the summaries are what is read.
        write_json(given.json, runs, ["ablate", *arguments], categories=False, questions=False)
    if given.plots is not None:
        from bench.evaluation import plots  # matplotlib is an extra, and slow to import

        for path in plots.draw_ablation(runs[0], runs[1:], given.plots):
            progress.print(f"wrote {path}")
    return 0


def _table(whole: RunResult, without: Sequence[RunResult], name: str) -> Table:
    base = whole.sets[name]
    title = f"{name}: {whole.preset} without a part; * is p < {SIGNIFICANT} over questions"
    table = plain_table(title, "part", "recall@10", "change", "ndcg@10", "change", "p")
    metrics = ("recall@10", "ndcg@10")
    table.add_row(whole.preset, *_values([base.macro.values[m] for m in metrics]))
    for run in without:
        result = run.sets[name]
        changes = [result.macro.values[m] - base.macro.values[m] for m in metrics]
        p = compare_questions(name, _recalls(base), _recalls(result)).p
        mark = "*" if p < SIGNIFICANT else ""
        cells = _values([result.macro.values[m] for m in metrics], changes)
        table.add_row(run.preset, *cells[:4], f"{p:.3f}{mark}")
    return table


def _recalls(result: SetResult) -> dict[str, float]:
    return {query: values[METRIC] for query, values in result.questions.items()}


def _values(values: Sequence[float], changes: Sequence[float] = ()) -> list[str]:
    cells: list[str] = []
    for n, value in enumerate(values):
        cells += [f"{value:.3f}", f"{changes[n]:+.3f}" if changes else ""]
    return [*cells, ""]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench ablate", description=__doc__)
    add_subject(parser)
    parser.add_argument("--preset", default="default", help="the preset to take apart")
    return parser
