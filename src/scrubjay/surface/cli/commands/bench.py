"""The bench command: runs a module of the repository's bench/ folder."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from scrubjay.errors import NotFound
from scrubjay.surface.cli.shared.output import draw
from scrubjay.surface.cli.views.tables import table

DIRECTORY_VARIABLE = "SCRUBJAY_BENCH"


def add_to(app: typer.Typer) -> None:
    """Register this command."""
    # Options end at NAME, so that everything behind it, --help too, reaches the benchmark.
    app.command(context_settings={"allow_interspersed_args": False})(bench)


def bench(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME [ARGUMENTS]...]", help="A benchmark and what to hand it; none: a list."
        ),
    ] = None,
    bench_dir: Annotated[
        Path | None,
        typer.Option(
            "--bench-dir",
            metavar="DIRECTORY",
            envvar=DIRECTORY_VARIABLE,
            show_default="bench/ of the source checkout",
            help="Where the benchmarks are.",
        ),
    ] = None,
) -> None:
    """Run a benchmark of the source checkout; alone, list them."""
    directory = _directory(bench_dir)
    known = _benchmarks(directory)
    if not arguments:
        draw(table(("benchmark", "what it measures"), known.items()))
        return
    name, *rest = arguments
    if name not in known:
        raise NotFound("no such benchmark", name, f"There are: {', '.join(known) or 'none'}.")
    sys.path.insert(0, str(directory.parent))
    module = importlib.import_module(f"{directory.name}.{name}")
    raise typer.Exit(int(module.main(rest)))


def _directory(given: Path | None) -> Path:
    if given is not None:
        if given.is_dir():
            return given.resolve()
        raise NotFound("no benchmarks at", str(given), "Give the checkout's bench/ directory.")
    # src/scrubjay/surface/cli/commands/bench.py lies five folders below the checkout's root.
    root = Path(__file__).resolve().parents[5]
    if (root / "pyproject.toml").is_file() and (root / "bench").is_dir():
        return root / "bench"
    raise NotFound(
        "benchmarks are not part of the installed package",
        os.fspath(root),
        f"Run from a source checkout, or give --bench-dir or {DIRECTORY_VARIABLE}.",
    )


def _benchmarks(directory: Path) -> dict[str, str]:
    """Modules with a `main`, by name, with the first line of their docstring; none is imported."""
    found: dict[str, str] = {}
    for path in sorted([*directory.glob("*.py"), *directory.glob("*/__init__.py")]):
        tree = ast.parse(path.read_text(encoding="utf-8"), os.fspath(path))
        if any(_names_main(node) for node in tree.body):
            name = path.parent.name if path.name == "__init__.py" else path.stem
            found[name] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def _names_main(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any((alias.asname or alias.name) == "main" for alias in node.names)
    return isinstance(node, ast.FunctionDef) and node.name == "main"
