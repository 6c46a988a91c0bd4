"""Puts an exported encoder into the distribution `scrubjay-model`, and pins it in the catalogue.

    python -m tools.ship_model scrubjay-small build/training/full/averaged.onnx \
        --tokenizer .models/e5-small-v2/tokenizer.json --head build/training/full/head.npz \
        --questions build/training/full/questions-3.onnx --card build/training/full/CARD.md

copies graphs, tokenizer, head, card and the vectors of full precision that the exporter left beside
the graph, measures how alike unrelated texts look to it, and writes sizes, hashes and that number
to `own_models.json`, which the catalogue reads.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from training.onnx_weights import word_table

from scrubjay.encoder.calibration import measure_calibration
from scrubjay.encoder.catalogue import OWN_FILES, own_models
from scrubjay.encoder.onnx_encoder import OnnxEncoder

ROOT = Path(__file__).parents[1]
DISTRIBUTION = ROOT / "packages" / "scrubjay-model"
PACKAGE = DISTRIBUTION / "src" / "scrubjay_model"
PINS = ROOT / "src" / "scrubjay" / "encoder" / "own_models.json"
REFERENCES = ROOT / "tests" / "encoder" / "references"


@dataclass(frozen=True, slots=True)
class Exported:
    """What a training run left of one encoder."""

    name: str
    graph: Path
    tokenizer: Path
    head: Path
    questions: Path
    card: Path
    chosen_cosine: float | None  # None: as measured


def ship(exported: Exported) -> str:
    """Copy the files, pin them, and return the encoder's fingerprint."""
    folder = PACKAGE / exported.name
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(exported.graph, folder / "model.onnx")
    shutil.copyfile(exported.tokenizer, folder / "tokenizer.json")
    shutil.copyfile(exported.head, folder / "head.npz")
    shutil.copyfile(exported.questions, folder / "questions.onnx")
    REFERENCES.mkdir(exist_ok=True)
    shutil.copyfile(exported.graph.with_suffix(".npy"), REFERENCES / f"{exported.name}.npy")
    pins = json.loads(PINS.read_text(encoding="utf-8"))
    pins[exported.name] = pin = _pin(folder)
    measured = round(_measured(exported.name, pin), 2)
    pin["random_pair_cosine"] = measured
    pin["chosen_cosine"] = measured if exported.chosen_cosine is None else exported.chosen_cosine
    PINS.write_text(json.dumps(pins, indent=2) + "\n", encoding="utf-8")
    _write_card(exported, pin)
    (model,) = own_models({exported.name: pin})
    return model.fingerprint


def _pin(folder: Path) -> dict[str, object]:
    declared = tomllib.loads((DISTRIBUTION / "pyproject.toml").read_text(encoding="utf-8"))
    pin: dict[str, object] = {"version": declared["project"]["version"]}
    pin |= {"random_pair_cosine": 0.0, "chosen_cosine": 0.0}  # not known yet
    for kind, name in OWN_FILES.items():
        content = (folder / name).read_bytes()
        pin[f"{kind}_size"] = len(content)
        pin[f"{kind}_sha256"] = hashlib.sha256(content).hexdigest()
    words = word_table(folder / OWN_FILES["weights"])
    return pin | {f"words_{name}": value for name, value in asdict(words).items()}


def _measured(name: str, pin: dict[str, object]) -> float:
    (model,) = own_models({name: pin})
    assert model.embedding is not None
    encoder = OnnxEncoder(model, model.embedding, PACKAGE)
    return measure_calibration(encoder).random_pair_cosine


def _write_card(exported: Exported, pin: dict[str, object]) -> None:
    """The card with the shipped files' hashes; it is also what a package index shows."""
    card = exported.card.read_text(encoding="utf-8").split("\n## Files\n")[0].rstrip()
    rows = [
        f"| `{name}` | {pin[f'{kind}_size']} | `{pin[f'{kind}_sha256']}` |"
        for kind, name in OWN_FILES.items()
    ]
    files = "\n".join(["## Files", "", "| file | bytes | SHA-256 |", "|---|---|---|", *rows])
    text = f"{card}\n\n{files}\n"
    (PACKAGE / exported.name / "CARD.md").write_text(text, encoding="utf-8")
    (DISTRIBUTION / "README.md").write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Ship one encoder."""
    parser = argparse.ArgumentParser(prog="python -m tools.ship_model", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("graph", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--head", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--card", type=Path, required=True)
    parser.add_argument("--cosine", type=float, help="what is called 0.2; default: as measured")
    given = parser.parse_args(arguments)
    exported = Exported(
        given.name,
        given.graph,
        given.tokenizer,
        given.head,
        given.questions,
        given.card,
        given.cosine,
    )
    fingerprint = ship(exported)
    sys.stdout.write(f"{fingerprint}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
