"""Draws what was measured: cost against size, who takes which share, answers against callers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.scale.crowding import CALLERS
from bench.scale.probe import number
from bench.scale.recalling import BRANCHES, FANOUT
from scrubjay.types.values import Json

_DPI = 120
_WIDE = (6.4, 4.2)
_SHARED_STAGES = ("parse", "plan", *BRANCHES, "fuse", "rerank", "budget", "hydrate", "rest")

Sizes = Mapping[int, Json]


def draw(sizes: Sizes, directory: Path) -> list[Path]:
    """The pictures of one run, smallest size first."""
    directory.mkdir(parents=True, exist_ok=True)
    ordered = dict(sorted(sizes.items()))
    return [
        _saved(_latency(ordered), directory / "scale-latency.png"),
        _saved(_shares(ordered), directory / "scale-stages.png"),
        _saved(_callers(ordered), directory / "scale-callers.png"),
    ]


def _latency(sizes: Sizes) -> Figure:
    figure, axes = plt.subplots(figsize=_WIDE, dpi=_DPI, layout="constrained")
    for percentile, line in (("p50", "-"), ("p99", "--")):
        _line(axes, sizes, ("recall", "cpu_ms", percentile), f"recall {percentile}", "black", line)
        path = ("stages", FANOUT, "cpu_ms", percentile)
        _line(axes, sizes, path, f"fan-out {percentile}", "tab:gray", line)
        for place, name in enumerate(BRANCHES):
            path = ("stages", name, "cpu_ms", percentile)
            _line(axes, sizes, path, f"{name} {percentile}", f"C{place}", line)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set(xlabel="units in the bank", ylabel="CPU ms", title="Cost of a recall by bank size")
    axes.grid(alpha=0.3, which="both")
    axes.legend(fontsize="x-small", ncols=2, handlelength=4)
    return figure


def _line(
    axes: Axes, sizes: Sizes, path: Sequence[str], label: str, colour: str, line: str
) -> None:
    values = [number(measured, "recalls", *path) for measured in sizes.values()]
    axes.plot(list(sizes), values, line, marker="o", color=colour, label=label, markersize=3)


def _shares(sizes: Sizes) -> Figure:
    figure, axes = plt.subplots(figsize=_WIDE, dpi=_DPI, layout="constrained")
    names, bottoms = [f"{size:,}" for size in sizes], [0.0] * len(sizes)
    colours = plt.get_cmap("tab20")
    for place, stage in enumerate(_SHARED_STAGES):
        shares = [number(m, "recalls", "stages", stage, "share") for m in sizes.values()]
        shares = [0.0 if share != share else share for share in shares]
        axes.bar(names, shares, bottom=bottoms, label=stage, color=colours(place))
        bottoms = [bottom + share for bottom, share in zip(bottoms, shares, strict=True)]
    axes.set(xlabel="units in the bank", ylabel="share of CPU", title="Where a recall's CPU goes")
    axes.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _callers(sizes: Sizes) -> Figure:
    figure, axes = plt.subplots(figsize=_WIDE, dpi=_DPI, layout="constrained")
    for size, measured in sizes.items():
        rates = [number(measured, "callers", str(n), "recalls_per_s") for n in CALLERS]
        axes.plot(CALLERS, rates, marker="o", label=f"{size:,} units")
    axes.set_xticks(CALLERS)
    axes.set_ylim(bottom=0)
    axes.set(xlabel="callers at once", ylabel="recalls per second", title="Answers by callers")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def _saved(figure: Figure, path: Path) -> Path:
    figure.savefig(path)
    plt.close(figure)
    return path
