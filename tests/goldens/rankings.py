"""The order in which every preset answers the questions of the gate corpus, by hashed vectors."""

from __future__ import annotations

from pathlib import Path

from bench.evaluation.datasets import load_set
from bench.evaluation.telling import as_unit
from tests.goldens.over_http import PRESETS

from scrubjay.memory import Memory
from scrubjay.testing import FixedClock

GATE = Path(__file__).parents[2] / "bench" / "corpus" / "gate"


def record() -> dict[str, dict[str, object]]:
    """For each preset and question the labels and scores of its items, best first."""
    gate = load_set(GATE)
    with Memory.open(":memory:", encoder="hash", reranker=None, clock=FixedClock()) as memory:
        for bank, units in gate.units.items():
            memory.retain([as_unit(unit) for unit in units], bank=bank)
        return {
            preset: {
                question.query_id: [
                    [item.key, round(item.score, 4), round(item.relevance, 4)]
                    for item in memory.recall(
                        question.text,
                        bank=question.bank_id,
                        preset=preset,
                        now=question.now,
                        limit=10,
                    )
                ]
                for question in gate.questions
            }
            for preset in PRESETS
        }
