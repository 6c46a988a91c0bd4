"""Writes the model card: what was trained on what, what came of it, and the files' hashes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

from training.banks import BANKS, read_banks
from training.config import Config
from training.pairs import DROPPED, read_pairs
from training.progress import say

NAMES = {"base": "e5-small-v2", "averaged": "this encoder"}


def write_card(config: Config) -> Path:
    """`CARD.md` in the working directory."""
    path = config.paths.work / "CARD.md"
    training = config.training
    lines = [
        f"# {config.name}",
        "",
        "An encoder of 384 numbers for the memories of agents: e5-small-v2 (MIT), fine-tuned with "
        f"{len(training.seeds)} seeds of {training.steps} steps on the pairs below, on memories "
        "written by rule and on banks of them, averaged, and taken "
        f"{1 - config.average.share:.0%} of the way back to the original. Mean pooling; prefixes "
        "`query: ` and `passage: `; at most 512 tokens; int8 with constant scales, so that a text "
        "has one vector, alone and in any batch of texts of its length. Teacher: "
        "ms-marco-MiniLM-L-12-v2 (Apache-2.0).",
        "",
        f"`python -m training all --config training/configs/{config.paths.work.name}.toml` "
        "repeats it. Nothing that is measured below was trained on.",
        "",
        "## Data",
        "",
        *_data(config),
        "",
        "## Search by meaning alone, recall@10 / nDCG@10, macro over categories",
        "",
        *_scores(config),
        "",
        "## Files",
        "",
        *_files(config),
        "",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    say(f"card: {path}")
    return path


def _data(config: Config) -> list[str]:
    pairs = Counter(
        (pair.source, pair.licence)
        for pair in read_pairs(config.paths.pairs, config.corpus.pairs_max)
        if pair.source not in DROPPED
    )
    rows = [f"| {source} | {count} | {licence} |" for (source, licence), count in pairs.items()]
    units, asked = read_banks(BANKS, 0)
    banks = len({unit.source for unit in units})
    written = [
        f"| memories written by rule | {config.corpus.memories} questions | Apache-2.0 |",
        f"| {banks} banks of memories | {len(asked)} questions | Apache-2.0 |",
    ]
    return ["| source | pairs | licence |", "|---|---|---|", *sorted(rows), *written]


def _scores(config: Config) -> list[str]:
    path = config.paths.work / "scores.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if not known:
        return ["Not measured yet: run `evaluate`."]
    sets = list(next(iter(known.values())))
    rows = [f"| encoder | half | {' | '.join(sets)} |", "|---" * (2 + len(sets)) + "|"]
    for name, scores in known.items():
        for half in ("kept_apart", "chosen_by"):
            cells = [_cell(scores[one][half]) for one in sets]
            label = NAMES.get(name, name)
            rows.append(f"| {label} | {half.replace('_', ' ')} | {' | '.join(cells)} |")
    return rows


def _cell(score: dict[str, float]) -> str:
    return f"{score['recall@10']:.3f} / {score['ndcg@10']:.3f}"


def _files(config: Config) -> list[str]:
    rows = ["| file | bytes | SHA-256 |", "|---|---|---|"]
    for path in sorted([*config.paths.work.glob("*.onnx"), *config.paths.work.glob("head.npz")]):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        rows.append(f"| `{path.name}` | {path.stat().st_size} | `{digest}` |")
    return rows
