"""The measured tables and sentences of README and docs, made from the files of bench/results.

A page holds `<!-- measured: NAME -->`, what this package makes of the result files, and
`<!-- /measured -->`. `python -m bench.pages` writes them anew after a measurement; a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bench.pages import footprint, quality, scale, speed
from bench.pages.reading import ROOT

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(r"<!-- measured: ([\w-]+) -->\n(.*?)<!-- /measured -->", re.DOTALL)

BLOCKS: Mapping[str, Callable[[], str]] = {
    "scale-sizes": scale.sizes,
    "scale-stages": scale.stages,
    "scale-callers": scale.callers,
    "scale-banks": scale.banks,
    "scale-optimizer": scale.optimizer,
    "scale-10m": scale.ten_million,
    "scale-10m-size": scale.ten_million_size,
    "scale-verifying": scale.verifying,
    "capacity": scale.capacity,
    "capacity-costs": scale.capacity_costs,
    "capacity-check": scale.capacity_check,
    "capacity-tail": scale.capacity_tail,
    "peer": scale.peer,
    "footprint": footprint.footprint,
    "ingest": speed.ingest,
    "ingest-stages": speed.ingest_stages,
    "recall": speed.recall,
    "ingest-before": speed.ingest_before,
    "recall-before": speed.recall_before,
    "recall-stages": speed.recall_stages,
    "fanout": speed.fanout,
    "server": speed.server,
    "server-processes": speed.processes,
    "waiting": speed.waiting,
    "waiting-callers": speed.waiting_callers,
    "encoding": speed.encoding,
    "hook": speed.hook,
    "language": speed.language,
    "postgres": speed.postgres,
    "quality": quality.presets,
    "quality-made": quality.made,
    "quality-paired": quality.paired,
    "quality-readme": quality.in_short,
    "trades-held": quality.of_banks("trades-held", "trades"),
    "trades": quality.of_banks("trades", "trades"),
    "lives-held": quality.of_banks("lives-held", "lives"),
    "lives": quality.of_banks("lives", "lives"),
    "assistants": quality.of_banks("assistants", "assistants"),
    "trades-each": quality.each_bank("trades", "trades", ("default", "only_semantic", "tempr")),
}


def written(page: str) -> str:
    """A page with what stands between its markers made anew."""

    def made(block: re.Match[str]) -> str:
        name = block.group(1)
        assert name in BLOCKS, f"no measured block is called {name}"
        return f"<!-- measured: {name} -->\n{BLOCKS[name]()}\n<!-- /measured -->"

    return BLOCK.sub(made, page)
