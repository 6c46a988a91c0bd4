"""Recall quality on labelled sets: recall@k, nDCG and MRR, per category and over all."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.evaluation.comparing import questions_path
from bench.evaluation.datasets import Split
from bench.evaluation.embedding_cache import default_directory
from bench.evaluation.results import RunResult, runs_to_json
from bench.evaluation.session import AUTO, NONE, Subject, measure
from bench.evaluation.tables import console, details, overview, side_by_side
from bench.evaluation.variants import all_presets, find_preset, single_retrievers
from bench.machine import commit, describe
from scrubjay.preset import Preset
from scrubjay.types.values import Json

# A list of nothing but numbers and nulls.
_NUMBERS = re.compile(r"\[\s+((?:[-\d.e]+|null)(?:,\s+(?:[-\d.e]+|null))*)\s+\]")


def main(arguments: Sequence[str]) -> int:
    """Measure presets on evaluation sets, print tables, write what was asked for."""
    given = _parser().parse_args(arguments)
    progress = Console(stderr=True)
    runs = measure(subject_of(given), _presets(given), progress)
    out = console()
    # Where a preset fails on what is held apart is not to be known.
    readable = given.split is Split.OPEN
    for run in runs if readable and (len(runs) == 1 or given.details) else []:
        for result in run.sets.values():
            out.print(details(run, result))
    for name, result in runs[0].sets.items():
        if result.abstention or result.banks:
            out.print(side_by_side(runs, name))
    out.print(overview(runs))
    if given.json is not None:
        categories = readable and not given.summaries
        write_json(given.json, runs, ["quality", *arguments], categories=categories)
    if given.plots is not None:
        from bench.evaluation import plots  # matplotlib is an extra, and slow to import

        for path in plots.draw_quality(runs, given.plots):
            progress.print(f"wrote {path}")
    return 0


def write_json(
    path: Path,
    runs: Sequence[RunResult],
    command: Sequence[str],
    *,
    categories: bool = True,
    questions: bool = True,
) -> None:
    """The result file, with where it comes from; beside it the same with its `questions`."""
    facts: dict[str, Json] = {
        "commit": commit(),
        "command": " ".join(["scrubjay bench", *command]),
        "machine": describe(),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_flat(path, runs_to_json(runs, facts, questions=False, categories=categories))
    if questions:
        whole = runs_to_json(runs, facts, questions=True, categories=categories)
        write_flat(questions_path(path), whole)


def write_flat(path: Path, content: dict[str, Json]) -> None:
    """A file of JSON in which lists of numbers stand in one line."""
    lines = json.dumps(content, indent=1, ensure_ascii=False)
    # A question's few numbers, or an interval's two, read better in one line than in six.
    flat = _NUMBERS.sub(lambda found: f"[{' '.join(found.group(1).split())}]", lines)
    path.write_text(flat + "\n", encoding="utf-8")


def add_subject(parser: argparse.ArgumentParser) -> None:
    """The options that say what is measured, shared with the other benchmarks."""
    parser.add_argument(
        "--data", type=Path, nargs="+", required=True, help="sets, and directories of sets"
    )
    parser.add_argument("--sets", default="", help="names, separated by commas; default: all")
    parser.add_argument("--encoder", default=AUTO, help="a model's name, an address, auto, none")
    parser.add_argument("--reranker", default=AUTO, help="a model's name, an address, auto, none")
    parser.add_argument("--late", action="store_true", help="banks that keep token vectors")
    parser.add_argument("--store", default="embedded", choices=("embedded", "postgres"))
    parser.add_argument("--cache", default=str(default_directory()), help="directory, or none")
    parser.add_argument(
        "--split",
        type=Split,
        default=Split.OPEN,
        choices=list(Split),
        help="of a set that holds banks apart, which: those to choose by (dev), held, or all",
    )
    parser.add_argument("--sample", type=int, help="this many questions of each set, at random")
    parser.add_argument("--limit-queries", type=int, help="the first so many of each set")
    parser.add_argument("--json", type=Path, help="write the result here")
    parser.add_argument("--plots", type=Path, help="draw into this directory")
    parser.add_argument("--questions-jsonl", type=Path, help="one line per question, traced")


def subject_of(given: argparse.Namespace) -> Subject:
    """The subject the options name."""
    return Subject(
        data=tuple(given.data),
        sets=tuple(name for name in given.sets.split(",") if name),
        encoder=given.encoder,
        reranker=given.reranker,
        store=given.store,
        cache=None if given.cache == NONE else Path(given.cache).expanduser(),
        sample=given.sample,
        limit_queries=given.limit_queries,
        questions=given.questions_jsonl,
        split=given.split,
        late=given.late,
        as_called=getattr(given, "as_called", False),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench quality", description=__doc__)
    add_subject(parser)
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--preset", default="default", help="names, separated by commas")
    chosen.add_argument("--all-presets", action="store_true", help="every shipped preset")
    parser.add_argument("--details", action="store_true", help="categories of every preset")
    parser.add_argument(
        "--summaries", action="store_true", help="no categories in the result file, only the means"
    )
    parser.add_argument("--singles", action="store_true", help="each retriever alone, too")
    parser.add_argument(
        "--as-called",
        action="store_true",
        help="the first preset also with a caller's defaults: ten items, 4,096 tokens",
    )
    return parser


def _presets(given: argparse.Namespace) -> list[Preset]:
    names = given.preset.split(",")
    presets = all_presets() if given.all_presets else [find_preset(name) for name in names]
    return presets + (single_retrievers() if given.singles else [])
