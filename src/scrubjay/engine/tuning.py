"""Fits what each kind of evidence counts, from questions whose answers are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scrubjay.answers import Quality
from scrubjay.engine.fuse import RankedList, shares
from scrubjay.engine.retrieve.registry import RETRIEVERS
from scrubjay.engine.run import Run, ranked_lists
from scrubjay.errors import BadInput
from scrubjay.planning import MEANING
from scrubjay.preset import Fusion, Preset
from scrubjay.settings import EVIDENCE_TIMES_MAX
from scrubjay.types.arrays import FloatArray, MaskArray

# Beside retrievers, what may be weighed, by its name in `why`, and the switches that weigh it.
SIGNS = {
    "window": ("window", "window_fuzzy", "window_open", "window_alone"),
    "type": ("hinted",),
    "form": ("form",),
    "speaker": ("speaker",),
    "assistant": ("assistant",),
    "brief": ("brief",),
    "age": ("per_year", "per_year_now"),
    "neighbours": ("neighbours",),
    "question": ("question",),
    "lacking": ("lacking",),
    "reply": ("reply",),
    "late": ("late",),
}
KINDS = (*RETRIEVERS, *SIGNS)
# All is measured by it: a text that says just what is asked for counts 1.
YARDSTICK = next(name for name, one in RETRIEVERS.items() if one.signal == MEANING)
# A kind is worth at most so many times what it was before, or at least so small a part of it.
TIMES_MAX = EVIDENCE_TIMES_MAX
# Candidates of a question beside those that answer it: those behind change nothing.
CANDIDATES_MAX = 100
# Of a list, what a reader looks at.
_DEPTH = 10
_STEPS = 120
_RATE = 0.1
# By how many powers of e a point of evidence makes an answer likelier: to begin with, and between
# what bounds it is fitted. Without them answers that come late would make all evidence nothing.
_SHARPNESS, _SHARPNESS_MIN, _SHARPNESS_MAX = 15.0, 10.0, 40.0


@dataclass(frozen=True, slots=True)
class Example:
    """One question: what each kind of evidence adds to each candidate, and what answers it."""

    evidence: FloatArray  # candidates x KINDS, as the weights in use count it
    wanted: MaskArray
    answers: int  # wanted units in all, also those that no retriever found
    weight: float = 1.0


def example_of(run: Run, wanted: Sequence[int]) -> Example:
    """What a recall that added evidence knew of its candidates; `wanted` are rows."""
    rows, lists = run.ranking.fused.rows, ranked_lists(run.branches)
    evidence = np.stack([_given(run, lists, kind) for kind in KINDS], axis=1)
    answering = np.isin(rows, wanted)
    kept = np.argsort(-evidence.sum(axis=1), kind="stable")[:CANDIDATES_MAX]
    kept = np.union1d(kept, np.flatnonzero(answering))
    return Example(evidence[kept], answering[kept], len(wanted))


def _given(run: Run, lists: Sequence[RankedList], kind: str) -> FloatArray:
    """What one kind of evidence adds to each of all fused candidates."""
    rows = run.ranking.fused.rows
    added = np.zeros(len(rows))
    if kind not in RETRIEVERS:
        return run.ranking.fused_signs.get(kind, added)
    order = np.argsort(rows)
    for part in lists:
        if part.retriever == kind:
            own, rest = shares(part, method=Fusion.EVIDENCE, rank_constant=0)
            added += rest
            added[order[np.searchsorted(rows[order], part.rows)]] = own
    return added


def fitted(examples: Sequence[Example], *, prior: float) -> dict[str, float]:
    """By kind, how many times its weight in use it should count, so that answers come first.

    Listwise: a question's candidates share one chance of being its answer, by softmax. Weights
    keep their signs, meaning keeps its weight, and `prior` is how many questions speak for leaving
    the others as they are: halving costs what doubling does.
    """
    useful = [one for one in examples if one.wanted.any() and not one.wanted.all()]
    if not useful:
        return dict.fromkeys(KINDS, 1.0)
    evidence = np.concatenate([one.evidence for one in useful])
    sizes = np.array([len(one.wanted) for one in useful])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    question = np.repeat(np.arange(len(useful)), sizes)
    share = np.concatenate([one.wanted / one.wanted.sum() for one in useful])
    counted = np.array([one.weight for one in useful])
    each = (counted / counted.sum())[question]
    lean = prior / float(counted.sum())
    free = np.array([kind != YARDSTICK for kind in KINDS]) & evidence.any(axis=0)
    logs, sharpness = np.zeros(len(KINDS)), np.log(_SHARPNESS)
    state = np.zeros((2, len(KINDS) + 1))
    for step in range(1, _STEPS + 1):
        scored = evidence * np.exp(logs)
        points = np.exp(sharpness) * scored.sum(axis=1)
        raised = np.exp(points - np.maximum.reduceat(points, starts)[question])
        chance = raised / np.add.reduceat(raised, starts)[question]
        error = (chance - share) * each
        slope = np.exp(sharpness) * (error @ scored) + 2 * lean * logs
        slopes = np.append(np.where(free, slope, 0.0), error @ points)
        # Adam: steps of one size, whatever the scale of a kind.
        state[0] = 0.9 * state[0] + 0.1 * slopes
        state[1] = 0.99 * state[1] + 0.01 * slopes**2
        move = state[0] / (1 - 0.9**step) / (np.sqrt(state[1] / (1 - 0.99**step)) + 1e-12)
        logs = np.clip(logs - _RATE * move[:-1], -np.log(TIMES_MAX), np.log(TIMES_MAX))
        sharpness = np.clip(
            sharpness - _RATE * move[-1], np.log(_SHARPNESS_MIN), np.log(_SHARPNESS_MAX)
        )
    return dict(zip(KINDS, np.exp(logs).round(3).tolist(), strict=True))


def quality(examples: Sequence[Example], times: Sequence[Mapping[str, float]]) -> Quality:
    """How well each example's question is answered with its own weights."""
    values = [_values(one, own) for one, own in zip(examples, times, strict=True)]
    weights = np.array([one.weight for one in examples])
    return Quality(*np.average(np.array(values), axis=0, weights=weights).round(4).tolist())


def _values(example: Example, times: Mapping[str, float]) -> tuple[float, float, float]:
    points = example.evidence @ np.array([times.get(kind, 1.0) for kind in KINDS])
    found = example.wanted[np.argsort(-points, kind="stable")][:_DEPTH]
    gains = 1 / np.log2(np.arange(2, _DEPTH + 2))
    best = gains[: min(example.answers, _DEPTH)].sum()
    first = bool(len(found) and found[0])
    return found.sum() / example.answers, gains[: len(found)] @ found / best, float(first)


def left_out(
    examples: Sequence[Example],
    groups: Sequence[str],
    fit: Callable[[Sequence[Example]], Mapping[str, float]],
) -> list[Mapping[str, float]]:
    """For each example the weights that were fitted without its group."""
    by_group = {
        group: fit([one for one, other in zip(examples, groups, strict=True) if other != group])
        for group in dict.fromkeys(groups)
    }
    return [by_group[group] for group in groups]


def weighed(preset: Preset, times: Mapping[str, float]) -> Preset:
    """A preset in which kinds of evidence count some times as much."""
    weights = {name: weight * times.get(name, 1.0) for name, weight in preset.weights.items()}
    signs = preset.signs
    if signs is not None:
        changed = {
            switch: getattr(signs, switch) * times.get(kind, 1.0)
            for kind, switches in SIGNS.items()
            for switch in switches
        }
        signs = replace(signs, **changed)
    return replace(preset, weights=weights, signs=signs)


def check_kinds(weights: Mapping[str, float]) -> None:
    """BadInput for a weight of what is no kind of evidence."""
    for kind in weights:
        if kind not in KINDS:
            raise BadInput("unknown kind of evidence", kind, f"Known: {', '.join(KINDS)}.")


def weights_of(preset: Preset) -> dict[str, float]:
    """By retriever and switch, what the evidence of a preset counts."""
    switches = [switch for group in SIGNS.values() for switch in group]
    signs = {} if preset.signs is None else {name: getattr(preset.signs, name) for name in switches}
    return {**preset.weights, **signs}
