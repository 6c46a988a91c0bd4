"""Measures one bank at growing sizes, many banks, and the optimizer: memory, disk, every stage.

`--units` builds a bank of each size once, in `--stores`, and measures it in fresh processes:
opening, recalls and their stages, nearest neighbours against an exhaustive comparison, callers
at once, and writing while reading. A build that was stopped goes on where it was. `--banks` does
the same for a store of many banks under the limit of open ones. `--optimizer` asks labelled
questions with the plan's skipping and without. What is not asked for is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench import machine
from bench.evaluation.embedding_cache import default_directory
from bench.machine import Result, rounded
from bench.scale.building import built
from bench.scale.probe import measured, number
from bench.scale.process import disk_mib
from bench.scale.subject import Subject
from scrubjay.types.values import Json

DEFAULT_UNITS = "10000,100000"
# What is measured of a size, in order; the others are asked for by options of their own.
SIZE_MEASUREMENTS = (
    "open_cold", "open_warm", "recalls", "nearest", "callers", "ingest", "optimizer",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run what the options ask for; 0 when it could be measured."""
    options = _parser().parse_args(arguments)
    if not (options.units or options.banks or options.optimizer):
        options.units = DEFAULT_UNITS
    numbers: dict[str, Json] = {}
    if options.units:
        sizes = {int(size): _size(int(size), options) for size in options.units.split(",")}
        numbers["sizes"] = {str(size): found for size, found in sizes.items()}
        numbers["growth"] = _growth(sizes)
        if options.plots is not None:
            from bench.scale.plots import draw  # matplotlib is an extra, and slow to import

            for path in draw(sizes, options.plots):
                sys.stderr.write(f"wrote {path}\n")
    if options.banks:
        numbers["banks"] = _banks(options)
    if options.optimizer is not None:
        numbers["optimizer"] = _optimizer(options)
    kept = ("units", "candidates", "questions", "max_tokens", "banks", "bank_units", "visits")
    parameters: dict[str, Json] = {name: getattr(options, name) for name in kept}
    machine.report(Result("scale", arguments, parameters, numbers), options.json)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="scrubjay bench scale", description=__doc__)
    add = parser.add_argument
    add("--units", default="", help=f"bank sizes, by commas (alone: {DEFAULT_UNITS})")
    add("--questions", type=int, default=1_000, help="asked of each bank")
    add("--candidates", type=int, default=100, help="per retriever")
    add("--max-tokens", type=int, default=4_096, help="of an answer")
    add("--ingest-units", type=int, default=1_000, help="told while others recall")
    add("--only", default="", help=f"of a size, by commas: {', '.join(SIZE_MEASUREMENTS)}")
    add("--banks", type=int, default=0, help="build and visit so many banks of Zipf sizes")
    add("--bank-units", type=int, default=300_000, help="in all those banks together")
    add("--visits", type=int, default=3_000, help="of banks at random, one recall each")
    add("--optimizer", type=Path, metavar="DATA", help="a labelled set, or a directory of sets")
    add("--cache", type=Path, default=default_directory(), help="of embeddings, for --optimizer")
    add("--encoder", default="auto", help="for --optimizer: a model's name or auto")
    add(
        "--stores",
        type=Path,
        default=Path(tempfile.gettempdir()) / "scrubjay-bench" / "scale",
        metavar="DIRECTORY",
        help="where banks are built and kept",
    )
    add("--plots", type=Path, metavar="DIRECTORY", help="draw the sizes into this directory")
    machine.add_json_option(parser)
    return parser


def _size(units: int, options: argparse.Namespace) -> dict[str, Json]:
    subject = Subject(
        options.stores / str(units),
        units,
        options.questions,
        options.candidates,
        options.max_tokens,
        ingest_units=options.ingest_units,
    )
    store, build = built(subject.corpus, subject.folder)
    found: dict[str, Json] = {"build": build.numbers(), "disk_mib": disk_mib(store)}
    for name in options.only.split(",") if options.only else SIZE_MEASUREMENTS:
        sys.stderr.write(f"{units:,} units: {name}\n")
        found[name] = measured(name, subject)
        # A run of hours that ends early leaves what it had.
        text = json.dumps(found, indent=1)
        (subject.folder / "measured.json").write_text(text, encoding="utf-8")
    return found


def _growth(sizes: dict[int, dict[str, Json]]) -> dict[str, Json]:
    """How much dearer the largest bank's recall is than the smallest's."""
    smallest, largest = sizes[min(sizes)], sizes[max(sizes)]
    found: dict[str, Json] = {"units": rounded(max(sizes) / min(sizes))}
    for percentile in ("p50", "p99", "mean"):
        path = ("recalls", "recall", "cpu_ms", percentile)
        found[f"recall_cpu_{percentile}"] = rounded(
            number(largest, *path) / number(smallest, *path)
        )
    return found


def _banks(options: argparse.Namespace) -> dict[str, Json]:
    subject = Subject(
        options.stores / f"banks-{options.banks}",
        options.bank_units,
        options.visits,
        options.candidates,
        options.max_tokens,
        banks=options.banks,
    )
    return {"build": measured("build_banks", subject), **measured("banks", subject)}


def _optimizer(options: argparse.Namespace) -> dict[str, Json]:
    # Imported here: the models it opens take a second to import.
    from bench.evaluation.session import NONE
    from bench.evaluation.session import Subject as Labelled
    from bench.scale.skipping import measure_data

    labelled = Labelled(
        (options.optimizer,), encoder=options.encoder, reranker=NONE, cache=options.cache
    )
    return measure_data(labelled)
