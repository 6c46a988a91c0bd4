"""Training measures an encoder on the very texts that the engine would embed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

from bench.evaluation.datasets import load_set
from bench.evaluation.telling import as_unit
from training.measured import HALVES, MeasuredSet, read_set

from scrubjay.encoder.hashing import HashingEncoder
from scrubjay.engine.retain.embedding import embedded_text as engine_text
from scrubjay.engine.retain.embedding import vectors_of
from scrubjay.types.arrays import VectorArray

ROOT = Path(__file__).parents[2]
GATE = ROOT / "bench" / "corpus" / "gate"


class Recording(HashingEncoder):
    """Keeps the texts it is given."""

    context_words = 40

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def encode_documents(self, texts: Sequence[str]) -> VectorArray:
        self.texts += texts
        return super().encode_documents(texts)


def test_a_unit_is_read_as_the_engine_reads_it() -> None:
    measured = read_set(GATE)
    for bank, records in load_set(GATE).units.items():
        told = [engine_text(as_unit(record)) for record in records]
        assert [unit.text for unit in measured.banks[bank]] == told


def test_a_short_turn_is_read_after_the_one_before_it_as_the_engine_does() -> None:
    measured = read_set(GATE)
    for bank, records in load_set(GATE).units.items():
        encoder = Recording()
        units = [as_unit(record) for record in records]
        vectors_of(units, [None, *units[:-1]], encoder)
        again = [unit.in_context for unit in measured.banks[bank] if unit.in_context is not None]
        assert encoder.texts[len(units) :] == again


def test_sets_about_the_same_people_are_halved_alike() -> None:
    first = MeasuredSet("a", {"conv-26": (), "conv-30": (), "conv-41": ()}, ())
    second = MeasuredSet("b", {"file_26": (), "file_41": ()}, ())
    assert first.half_of("conv-26") == second.half_of("file_26") == HALVES[0]
    assert first.half_of("conv-41") == second.half_of("file_41") == HALVES[1]


def test_nothing_measured_is_trained_on() -> None:
    pairs = (ROOT / "tests" / "training" / "pairs.jsonl").read_text(encoding="utf-8")
    facts = (ROOT / "training" / "data" / "facts.toml").read_text(encoding="utf-8")
    lines = (GATE / "units.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines:
        text = json.loads(line)["text"]
        assert text not in pairs
        assert text not in facts


def test_training_is_not_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    targets = project["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["packages"] == ["src/scrubjay"]
    assert "training" not in targets["sdist"]["include"]
