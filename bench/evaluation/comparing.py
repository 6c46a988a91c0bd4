"""Compares two result files question by question."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.evaluation.bootstrap import sign_flip_p
from scrubjay.errors import BadInput
from scrubjay.types.values import Json

METRIC = "recall@10"


@dataclass(frozen=True, slots=True)
class Change:
    """One question whose value differs."""

    query_id: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A set in both files: the questions they share, and how B differs from A.

    `p` is that of a paired sign-flip permutation test, over questions.
    """

    name: str
    n: int
    before: float
    after: float
    p: float
    wins: tuple[Change, ...]  # largest first
    losses: tuple[Change, ...]


def questions_path(result: Path) -> Path:
    """A result file with its questions: beside it, and not tracked, for they are many."""
    return result.with_suffix(".questions.json")


def read_result(path: Path, preset: str | None) -> Mapping[str, Json]:
    """The run of a result file, with its questions if they are there: the first, or `preset`."""
    whole = questions_path(path)
    content = json.loads((whole if whole.is_file() else path).read_text(encoding="utf-8"))
    runs = content.get("runs", [content])
    if preset is None:
        chosen = content
    else:
        chosen = next((run for run in runs if run["preset"] == preset), None)
    if not isinstance(chosen, Mapping) or "sets" not in chosen:
        known = ", ".join(str(run.get("preset")) for run in runs)
        raise BadInput(f"no such run in {path}", preset, f"There are: {known}.")
    return chosen


def compare(
    before: Mapping[str, Json], after: Mapping[str, Json], metric: str = METRIC
) -> list[Comparison]:
    """Every set both runs measured, by one metric on the questions both asked that have it."""
    first, second = _questions(before, metric), _questions(after, metric)
    shared = [name for name in first if name in second]
    if not shared:
        raise BadInput("no set in common", sorted(first), f"The other has {sorted(second)}.")
    return [compare_questions(name, first[name], second[name]) for name in shared]


def compare_questions(
    name: str, before: Mapping[str, float], after: Mapping[str, float]
) -> Comparison:
    """Two systems on one set, by a value of each question."""
    both = [query for query in before if query in after]
    changes = [Change(query, before[query], after[query]) for query in both]
    wins = [change for change in changes if change.after > change.before]
    losses = [change for change in changes if change.after < change.before]
    return Comparison(
        name=name,
        n=len(both),
        before=_mean([change.before for change in changes]),
        after=_mean([change.after for change in changes]),
        p=sign_flip_p([change.after - change.before for change in changes]),
        wins=tuple(sorted(wins, key=lambda c: (c.before - c.after, c.query_id))),
        losses=tuple(sorted(losses, key=lambda c: (c.after - c.before, c.query_id))),
    )


def _questions(run: Mapping[str, Json], metric: str) -> dict[str, dict[str, float]]:
    """The values of one metric by set and question; BadInput if no set has it."""
    sets = run["sets"]
    assert isinstance(sets, Mapping), "read_result has looked"
    found: dict[str, dict[str, float]] = {}
    for name, result in sets.items():
        if isinstance(result, Mapping) and isinstance(result.get("questions"), Mapping):
            found[name] = dict(_values(result, metric))
    if not any(found.values()):
        raise BadInput(
            "no question has",
            metric,
            "Another metric may do, or a run whose .questions.json is there.",
        )
    return found


def _values(result: Mapping[str, Json], metric: str) -> Iterator[tuple[str, float]]:
    metrics, questions = result.get("question_metrics"), result["questions"]
    assert isinstance(questions, Mapping)
    # Older files hold recall@10 alone.
    named = list(metrics) if isinstance(metrics, Sequence) else [METRIC]
    if metric not in named:
        return
    place = named.index(metric)
    for query, values in questions.items():
        value = values[place] if isinstance(values, Sequence) else values
        if isinstance(value, int | float):
            yield query, float(value)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(len(values), 1)
