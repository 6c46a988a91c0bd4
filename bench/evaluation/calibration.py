"""Fits the model of relevance to labelled answers, and says how far its probabilities hold; pure.

Pointwise: a probability of each item is what is asked for. An order is not; the presets have that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.evaluation.abstention import ALL, abstention
from scrubjay.engine.relevance import Placing, Reading, Weights, logit, never_rising
from scrubjay.planning import MEANING
from scrubjay.types.arrays import FloatArray

# Of the questions that have an answer, those for which the floor may say that there is none: the
# two in a hundred that are promised. Fitted to nine banks, strangers' had twice as many and more;
# since there are fifty to fit to, those left out and those held apart stay below it.
FALSE_ALARMS_MAX = 0.02
# The items of an answer that count: what a caller gets who says nothing of it.
ITEMS = 10
BINS = 10
# How strongly weights are drawn to 0, in items: it only matters where a signal is rare.
_RIDGE = 1.0
_ROUNDS = 30
_STEPS = 30


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer: the signals of its items, best first, and which of them are evidence."""

    set_name: str
    bank: str
    held: bool  # its bank is kept apart
    answerable: bool
    absence: str | None  # of one without an answer: how far the bank is from it
    signals: dict[str, FloatArray]
    gold: FloatArray
    read: FloatArray  # what a cross-encoder made of each; not a number: not read
    unheard: bool = False  # it asks for a code that was never told, so that nothing is relevant
    telling: bool = True  # weak signals say that there is no answer, not that they are weak here

    @property
    def compared(self) -> bool:
        """Whether the question was compared by meaning."""
        return MEANING in self.signals


@dataclass(frozen=True, slots=True)
class Bin:
    """Items of about the same estimated probability: how many, the mean of it, and what is true."""

    items: int
    estimated: float
    true: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far the probabilities of some answers hold.

    `error` is the expected calibration error over bins of equally many items. `caught` is, by kind
    of absence, the share of questions without an answer whose best item stays below the floor;
    `false_alarms` the share of those with one, `hidden` the share of those with an answer among
    the items. `caught_at_hidden` is what a floor would catch under which 2 % of these last are.
    """

    questions: int
    items: int
    error: float
    brier: float
    log_loss: float
    bins: tuple[Bin, ...]
    auroc: dict[str, float]
    caught: dict[str, float]
    false_alarms: float
    hidden: float
    caught_at_hidden: dict[str, float]


def fit(asked: Sequence[Asked], names: Sequence[str]) -> Weights:
    """The weights, none below 0, under which what is labelled is likeliest; and the floor.

    How far an item is behind the best depends on the weights, so they are found in rounds.
    """
    used = [one for one in asked if len(one.gold)]
    columns = np.concatenate(
        [np.stack([one.signals[name] for name in names], axis=1)[:ITEMS] for one in used]
    )
    gold = np.concatenate([one.gold[:ITEMS] for one in used])
    best_of = [np.stack([one.signals[name] for name in names], axis=1) for one in used]
    sizes = [min(len(one.gold), ITEMS) for one in used]
    weights, found = np.ones(len(names)), np.zeros(len(names) + 2)
    for _ in range(_ROUNDS):
        best = np.repeat([float((part @ weights).max()) for part in best_of], sizes)
        behind = columns @ weights - best
        found = _logistic(np.column_stack([columns, behind]), gold)
        if np.abs(found[:-2] - weights).max() < 1e-6:
            break
        weights = found[:-2]
    signals = {name: float(weight) for name, weight in zip(names, weights, strict=True)}
    whole = Weights(float(found[-1]), signals, float(found[-2]), 0.0)
    floor, placing = floor_of(used, whole), fit_placing(used, whole)
    return Weights(whole.intercept, signals, whole.behind, floor, placing)


def fit_placing(asked: Sequence[Asked], weights: Weights) -> Placing:
    """What the place in the answer adds to what the signals say."""
    level = [never_rising(weights.chances(one.signals))[:ITEMS] for one in asked]
    places = np.concatenate([1 / np.arange(1, len(part) + 1) for part in level])
    gold = np.concatenate([one.gold[:ITEMS] for one in asked])
    columns = np.column_stack([logit(np.concatenate(level)), places])
    own, first, intercept = _logistic(columns, gold).tolist()
    return Placing(intercept, own, first)


def floor_of(asked: Sequence[Asked], weights: Weights) -> float:
    """What the best item of all but a few questions that have an answer reaches."""
    best = [float(weights.chances(one.signals).max()) for one in asked if one.answerable]
    return _lowest(best)


def fit_reading(asked: Sequence[Asked], weights: Weights) -> Reading:
    """How much a cross-encoder's word counts beside the signals."""
    before, read, gold = [], [], []
    for one in asked:
        known = ~np.isnan(one.read)
        before.append(logit(weights.chances(one.signals))[known])
        read.append(logit(one.read[known]))
        gold.append(one.gold[known])
    columns = np.column_stack([np.concatenate(before), np.concatenate(read)])
    own, other, intercept = _logistic(columns, np.concatenate(gold)).tolist()
    reading = Reading(intercept, own, other, 0.0)
    best = [
        float(np.nanmax(reading.chances(weights.chances(one.signals), one.read)))
        for one in asked
        if one.answerable and not np.isnan(one.read).all()
    ]
    return Reading(intercept, own, other, float(np.quantile(best, FALSE_ALARMS_MAX)))


def _logistic(columns: FloatArray, true: FloatArray) -> FloatArray:
    """Weights of some columns and an intercept, by Newton's method; none of a column below 0."""
    free = np.ones(columns.shape[1], np.bool_)
    while True:
        found = np.zeros(columns.shape[1] + 1)
        inner = np.column_stack([columns[:, free], np.ones(len(columns))])
        ridge = np.diag([*[_RIDGE] * int(free.sum()), 0.0])
        own = np.zeros(inner.shape[1])
        for _ in range(_STEPS):
            chances = 1 / (1 + np.exp(-np.clip(inner @ own, -30, 30)))
            slope = inner.T @ (chances - true) + ridge @ own
            bend = (inner * (chances * (1 - chances))[:, None]).T @ inner + ridge
            own = own - np.linalg.solve(bend + 1e-9 * np.eye(len(own)), slope)
        found[np.append(free, True)] = own
        below = found[:-1] < 0
        if not below.any():
            return found
        free &= ~below


def calibration(asked: Sequence[Asked], weights: Sequence[Weights]) -> Calibration:
    """How far the chances that the weights of each answer give to its items hold."""
    before = [
        np.zeros(len(one.gold)) if one.unheard else own.chances(one.signals)
        for own, one in zip(weights, asked, strict=True)
    ]
    chances = [
        own.placing.chances(part, own.floor) for own, part in zip(weights, before, strict=True)
    ]
    real = [n for n, one in enumerate(asked) if one.absence != FOREIGN]
    estimated = np.concatenate([np.zeros(0), *(chances[n][:ITEMS] for n in real)])
    true = np.concatenate([np.zeros(0), *(asked[n].gold[:ITEMS] for n in real)])
    bins = reliability(estimated, true)
    inner = np.clip(estimated, 1e-9, 1 - 1e-9)
    best = [float(part.max()) if len(part) else 0.0 for part in before]
    low = [
        one.telling and reached < own.floor
        for one, reached, own in zip(asked, best, weights, strict=True)
    ]
    groups: dict[str, list[int]] = {}
    for n, one in enumerate(asked):
        if not one.answerable:
            groups.setdefault(one.absence or ALL, []).append(n)
    answerable = [n for n, one in enumerate(asked) if one.answerable]
    found = [n for n in answerable if asked[n].gold[:ITEMS].any()]
    by_kind = {kind: [best[n] for n in group] for kind, group in groups.items()}
    parted = abstention([best[n] for n in answerable], by_kind)
    return Calibration(
        questions=len(real),
        items=len(true),
        error=sum(b.items * abs(b.estimated - b.true) for b in bins) / max(len(true), 1),
        brier=float(np.mean((estimated - true) ** 2)),
        log_loss=float(-np.mean(true * np.log(inner) + (1 - true) * np.log1p(-inner))),
        bins=bins,
        auroc={kind: one.auroc for kind, one in parted.items() if kind != ALL},
        caught={kind: _share(low, group) for kind, group in sorted(groups.items()) if kind != ALL},
        false_alarms=_share(low, answerable),
        hidden=_share(low, found),
        caught_at_hidden={
            kind: float(np.mean(np.array(values) < _lowest([best[n] for n in found])))
            for kind, values in sorted(by_kind.items())
            if kind != ALL
        },
    )


def _lowest(best: Sequence[float]) -> float:
    """The floor that all but a few reach."""
    return float(np.quantile(best, FALSE_ALARMS_MAX)) if best else 0.0


def reliability(estimated: FloatArray, true: FloatArray) -> tuple[Bin, ...]:
    """Items by their estimated probability, in bins of equally many."""
    order = np.argsort(estimated, kind="stable")
    parts = [part for part in np.array_split(order, BINS) if len(part)]
    return tuple(
        Bin(len(part), float(estimated[part].mean()), float(true[part].mean())) for part in parts
    )


def _share(low: Sequence[bool], group: Sequence[int]) -> float:
    return sum(low[n] for n in group) / max(len(group), 1)


# A question that another bank answers, asked where nothing of the sort was told.
FOREIGN = "foreign"
