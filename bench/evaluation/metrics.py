"""Scores a ranking against labelled evidence; pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

DEPTHS = (5, 10, 20, 50)
DEPTH_MAX = max(DEPTHS)
NDCG_DEPTH = 10
# What a paired test can compare two runs by.
PAIRED = ("recall@10", "ndcg@10", "hit@1", "mrr", "stale@1")


@dataclass(frozen=True, slots=True)
class Scored:
    """One question's category and its value in each metric, all in [0, 1]."""

    query_id: str
    bank_id: str
    category: str
    apart: bool
    values: Mapping[str, float]


def score_units(ranked: Sequence[str], gold: Iterable[str]) -> dict[str, float]:
    """Recall, hit and full at each depth, nDCG@10 and MRR of a ranking without repeats."""
    wanted = set(gold)
    assert wanted, "a question without evidence cannot be scored"
    places = [place for place, unit in enumerate(ranked, 1) if unit in wanted]
    values: dict[str, float] = {}
    for k in DEPTHS:
        found = sum(place <= k for place in places)
        values[f"recall@{k}"] = found / len(wanted)
        values[f"hit@{k}"] = float(found > 0)
        values[f"full@{k}"] = float(found == len(wanted))
    values["hit@1"] = float(places[:1] == [1])
    values[f"ndcg@{NDCG_DEPTH}"] = _ndcg(places, len(wanted))
    values["mrr"] = 1 / places[0] if places else 0.0
    return values


def score_stale(
    ranked: Sequence[str], gold: Iterable[str], stale: Iterable[str]
) -> dict[str, float]:
    """`stale@1`: 1 when the first that comes of `gold` and `stale` together is stale.

    That is what a reader who looks only for this matter meets first: an answer that was true once,
    or of another thing of the same kind. When neither comes, nobody was misled, and it is 0.
    Nothing for a question without stale units.
    """
    wanted, wrong = set(gold), set(stale)
    if not wrong:
        return {}
    first = next((unit for unit in ranked if unit in wanted or unit in wrong), None)
    return {"stale@1": float(first in wrong - wanted)}


def score_sessions(ranked: Sequence[str], gold: Iterable[str]) -> dict[str, float]:
    """Recall of sessions at each depth; `ranked` holds each session once, best unit first."""
    wanted = set(gold)
    return {
        f"session_recall@{k}": len(wanted.intersection(ranked[:k])) / len(wanted) for k in DEPTHS
    }


def _ndcg(places: Sequence[int], wanted: int) -> float:
    gain = sum(1 / math.log2(place + 1) for place in places if place <= NDCG_DEPTH)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(wanted, NDCG_DEPTH) + 1))
    return gain / best


def by_category(scored: Iterable[Scored]) -> dict[str, list[Scored]]:
    """Questions by category, categories in alphabetical order."""
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(one.category, []).append(one)
    return dict(sorted(groups.items()))


def means(scored: Sequence[Scored]) -> dict[str, float]:
    """The mean of each metric over the questions that have it."""
    collected: dict[str, list[float]] = {}
    for one in scored:
        for name, value in one.values.items():
            collected.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in collected.items()}


def macro(categories: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean over categories, each counting the same."""
    collected: dict[str, list[float]] = {}
    for values in categories.values():
        for name, value in values.items():
            collected.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in collected.items()}
