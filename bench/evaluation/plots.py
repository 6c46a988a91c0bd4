"""Draws results as pictures: recall by depth, what each part is worth, who finds what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from bench.evaluation.calibration import Bin
from bench.evaluation.metrics import DEPTHS
from bench.evaluation.results import RunResult
from bench.evaluation.variants import ONLY

_DPI = 120
_WIDE = (6.4, 4.0)


def draw_quality(runs: Sequence[RunResult], directory: Path) -> list[Path]:
    """A picture of recall by depth per set, and of retrievers by category if they were run."""
    directory.mkdir(parents=True, exist_ok=True)
    whole = [run for run in runs if not run.preset.startswith(ONLY)]
    single = [run for run in runs if run.preset.startswith(ONLY)]
    drawn = []
    for name in runs[0].sets:
        if whole:
            drawn.append(_recall_by_depth(whole, name, directory))
        if len(single) > 1:
            drawn.append(_retrievers_by_category([*single, *whole[:1]], name, directory))
    return drawn


def _recall_by_depth(runs: Sequence[RunResult], name: str, directory: Path) -> Path:
    figure, axes = plt.subplots(figsize=_WIDE, dpi=_DPI, layout="constrained")
    for run in runs:
        values = run.sets[name].macro.values
        axes.plot(DEPTHS, [values[f"recall@{k}"] for k in DEPTHS], marker="o", label=run.preset)
    axes.set_xscale("log")
    axes.set_xticks(DEPTHS, [str(k) for k in DEPTHS])
    axes.minorticks_off()
    axes.set(xlabel="items returned", ylabel="recall, macro over categories", title=name)
    axes.grid(alpha=0.3)
    axes.legend()
    return _saved(figure, directory / f"recall_{name}.png")


def _retrievers_by_category(runs: Sequence[RunResult], name: str, directory: Path) -> Path:
    categories = list(runs[0].sets[name].categories)
    table = np.array(
        [[run.sets[name].categories[c].values["recall@10"] for run in runs] for c in categories]
    )
    size = (1.6 + 1.1 * len(runs), 1.4 + 0.4 * len(categories))
    figure, axes = plt.subplots(figsize=size, dpi=_DPI, layout="constrained")
    axes.imshow(table, cmap="viridis", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(runs)), [run.preset.removeprefix(ONLY) for run in runs])
    axes.set_yticks(range(len(categories)), categories)
    for row, column in np.ndindex(*table.shape):
        value = table[row, column]
        shade = "black" if value > 0.6 else "white"
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", color=shade)
    axes.set_title(f"{name}: recall@10")
    return _saved(figure, directory / f"retrievers_{name}.png")


def draw_ablation(whole: RunResult, without: Sequence[RunResult], directory: Path) -> list[Path]:
    """Bars per set: how much recall@10 changes when a part is taken away."""
    directory.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, result in whole.sets.items():
        base = result.macro.values["recall@10"]
        changes = [run.sets[name].macro.values["recall@10"] - base for run in without]
        size = (_WIDE[0], 1.2 + 0.3 * len(without))
        figure, axes = plt.subplots(figsize=size, dpi=_DPI, layout="constrained")
        colours = ["tab:red" if change < 0 else "tab:green" for change in changes]
        axes.barh([run.preset for run in without], changes, color=colours)
        axes.invert_yaxis()
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set(xlabel=f"change of macro recall@10 ({base:.3f} with everything)", title=name)
        axes.grid(axis="x", alpha=0.3)
        drawn.append(_saved(figure, directory / f"ablation_{name}.png"))
    return drawn


def draw_reliability(parts: Mapping[str, Sequence[Bin]], directory: Path) -> Path:
    """A line for each part: of items with an estimated relevance, the share that is evidence."""
    directory.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=_WIDE, dpi=_DPI, layout="constrained")
    most = max(max(b.estimated, b.true) for bins in parts.values() for b in bins)
    axes.plot([0, most], [0, most], color="black", linewidth=0.8, linestyle="--")
    for name, bins in parts.items():
        axes.plot([b.estimated for b in bins], [b.true for b in bins], marker="o", label=name)
    axes.set(xlabel="relevance, mean of a tenth of the items", ylabel="share that is evidence")
    axes.grid(alpha=0.3)
    axes.legend()
    return _saved(figure, directory / "relevance.png")


def _saved(figure: Figure, path: Path) -> Path:
    figure.savefig(path)
    plt.close(figure)
    return path
