"""Derives `encoder/language_directions.json`: by what a language sets a model's vectors apart.

python -m tools.derive_directions
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from scrubjay.encoder import Encoder, open_encoder
from scrubjay.encoder.directions import DIRECTIONS_FILE, written
from scrubjay.types.arrays import VectorArray

_QUESTIONS = Path(__file__).with_name("parallel_questions.toml")
# Questions in it are compared as they stand: the model learned from it what is alike.
_PIVOT = "en"


def parallel_questions() -> Mapping[str, Sequence[str]]:
    """The same questions, by language."""
    questions: dict[str, list[str]] = tomllib.loads(_QUESTIONS.read_text(encoding="utf-8"))
    return questions


def directions(encoder: Encoder, texts: Mapping[str, Sequence[str]]) -> dict[str, VectorArray]:
    """By language, the unit vector from texts of the pivot to the same ones in the language."""
    middles = {code: encoder.encode_documents(said).mean(axis=0) for code, said in texts.items()}
    apart = {code: own - middles[_PIVOT] for code, own in middles.items() if code != _PIVOT}
    return {code: way / np.linalg.norm(way) for code, way in apart.items()}


def main() -> None:
    """Write the directions of the model that ships."""
    encoder = open_encoder("scrubjay-small")
    found = directions(encoder, parallel_questions())
    content = {encoder.fingerprint: {code: written(way) for code, way in found.items()}}
    DIRECTIONS_FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
