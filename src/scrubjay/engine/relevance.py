"""How likely it is that a unit is about the question: one calibrated model for every preset.

What is known of a candidate are a few signals that mean the same in every bank; `relevance.json`
says how much each tells, and `scrubjay bench relevance` fitted it; docs/relevance.md.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.fuse import Candidates
from scrubjay.engine.shared.window import told_and_happened
from scrubjay.language.detection import detect_language
from scrubjay.planning import MEANING, PATH, STATED_WINDOWS, WINDOW, WORDS
from scrubjay.store.base import Columns
from scrubjay.types.arrays import FloatArray

SIGNALS = (MEANING, WORDS, PATH, WINDOW)
# Of which an encoder's likeness is known to tell absence; "und": too short to say.
_KNOWN_LANGUAGES = ("en", "und")
# A name, what leads on from it, and where to: less than that is no way, but a mention.
_WAY_PARTS = 3
# So many places from the first on are looked at together; what comes later is as likely at most.
_TOGETHER = 50
# Odds beyond this are not told apart, and do not overflow.
_LOGIT_MAX = 30.0
_LEAST_CHANCE, _MOST_CHANCE = float(np.exp(-_LOGIT_MAX)), 1.0 - 1e-13

Ways = Mapping[str, Mapping[int, tuple[str, ...]] | None]


@dataclass(frozen=True, slots=True)
class Placing:
    """What the place in the answer, which knows more than the signals, makes of a probability.

    `own` is how much of the log odds stays, `first` what the first place adds, the second half.
    """

    intercept: float = 0.0
    own: float = 1.0
    first: float = 0.0

    def chances(self, before: FloatArray, floor: float) -> FloatArray:
        """The probabilities of what stands in some order, which never rise along it.

        Where nothing reaches the floor, to be the first of it says nothing.
        """
        level = never_rising(before)
        if before.max(initial=0.0) < floor:
            return level
        places = np.arange(1, len(level) + 1)
        return chance(self.intercept + self.own * logit(level) + self.first / places)


@dataclass(frozen=True, slots=True)
class Weights:
    """The log odds that each signal adds, and what being `behind` the best candidate takes.

    Where no candidate reaches `floor`, the answer has nothing relevant.
    """

    intercept: float
    signals: Mapping[str, float]
    behind: float
    floor: float
    placing: Placing = Placing()

    def evidence(self, signals: Mapping[str, FloatArray]) -> FloatArray:
        """What the signals of each candidate add up to."""
        total: FloatArray = sum(
            (self.signals[name] * values for name, values in signals.items()), np.zeros(1)
        )
        return total

    def chances(self, signals: Mapping[str, FloatArray]) -> FloatArray:
        """The probability of each candidate, in (0, 1)."""
        own = self.evidence(signals)
        if not len(own):
            return own
        return chance(self.intercept + own + self.behind * (own - own.max()))


@dataclass(frozen=True, slots=True)
class Reading:
    """How a cross-encoder's word changes the log odds of what it has read."""

    intercept: float
    before: float
    read: float
    floor: float

    def chances(self, before: FloatArray, read: FloatArray) -> FloatArray:
        """The probability of each candidate, from that without the reader and the reader's."""
        return chance(self.intercept + self.before * logit(before) + self.read * logit(read))


@dataclass(frozen=True, slots=True)
class Model:
    """What was fitted: for encoders and readers by their names, for others, and for no encoder."""

    encoders: Mapping[str, Weights]
    other_encoder: Weights
    no_meaning: Weights
    readers: Mapping[str, Reading]

    def weights(self, encoder: str | None, signals: Mapping[str, FloatArray]) -> Weights:
        """Those for an encoder, if the question was compared by meaning."""
        if MEANING not in signals or encoder is None:
            return self.no_meaning
        return self.encoders.get(encoder, self.other_encoder)

    def estimate(
        self,
        signals: Mapping[str, FloatArray],
        encoder: str | None,
        reader: str | None,
        read: FloatArray | None,
    ) -> tuple[FloatArray, float, Placing | None]:
        """The probability of each candidate, the floor for the best, and what places make of it.

        `read` is what the reader makes of each, not a number where it has not read it; None
        where it has read nothing.
        """
        weights = self.weights(encoder, signals)
        before = weights.chances(signals)
        if reader is None or read is None:
            return before, weights.floor, weights.placing
        known = self.readers.get(reader)
        # Of a reader that was not looked at nothing is known: it counts as much as all the rest.
        after = (before + read) / 2 if known is None else known.chances(before, read)
        floor = 0.0 if known is None else known.floor
        return np.where(np.isnan(read), before, after), floor, None


def chance(log_odds: FloatArray) -> FloatArray:
    """The probability of some log odds."""
    # np.clip takes three times as long.
    bounded = np.minimum(np.maximum(log_odds, -_LOGIT_MAX), _LOGIT_MAX)
    probability: FloatArray = 1.0 / (1.0 + np.exp(-bounded))
    return probability


def logit(probability: FloatArray) -> FloatArray:
    """The log odds of some probabilities, at most 30."""
    inner = np.minimum(np.maximum(probability, _LEAST_CHANCE), _MOST_CHANCE)
    return np.log(inner) - np.log1p(-inner)


def never_rising(chances: FloatArray) -> FloatArray:
    """The nearest chances that never rise: neighbours that do share the mean of theirs."""
    means: list[float] = []
    counts: list[int] = []
    last = math.inf
    for mean in chances[:_TOGETHER].tolist():
        count = 1
        while last < mean:
            before, size = means.pop(), counts.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
            last = means[-1] if means else math.inf
        last = mean
        means.append(mean)
        counts.append(count)
    level = np.empty(len(chances))
    level[:_TOGETHER] = np.array(means).repeat(counts)
    if len(chances) > _TOGETHER:
        rest = np.minimum.accumulate(chances[_TOGETHER:])
        np.minimum(rest, last, out=level[_TOGETHER:])
    return level


def _weights(said: Mapping[str, Any]) -> Weights:
    return Weights(**{**said, "placing": Placing(**said.get("placing", {}))})


@cache
def fitted() -> Model:
    """The model that is shipped."""
    said = json.loads(files(__package__).joinpath("relevance.json").read_text(encoding="utf-8"))
    encoders = {name: _weights(one["weights"]) for name, one in said["encoders"].items()}
    return Model(
        encoders,
        # What was not fitted to an encoder does not decide that nothing is relevant.
        replace(encoders[said["other_encoder"]["like"]], floor=0.0),
        _weights(said["no_meaning"]["weights"]),
        {name: Reading(**one["weights"]) for name, one in said["readers"].items()},
    )


def signals_of(
    candidates: Candidates,
    known_as: Mapping[str, str | None],
    rests: Mapping[str, float],
    ways: Ways,
    window: FloatArray,
) -> dict[str, FloatArray]:
    """The signals of each candidate; without MEANING where nothing was compared by meaning.

    `known_as` gives the signal of each retriever, `rests` what a unit that it did not return may
    score.
    """
    nothing = np.zeros(len(candidates.rows))
    signals: dict[str, FloatArray] = {WORDS: nothing, PATH: nothing, WINDOW: window}
    for name, hits in candidates.hits.items():
        signal = known_as[name]
        if signal == PATH:
            signals[PATH] = _led_to(candidates, ways[name] or {})
        elif signal in (MEANING, WORDS):
            found = candidates.ranks[name] > 0
            signals[signal] = np.where(found, hits, rests[name]).astype(np.float64)
    return signals


def _led_to(candidates: Candidates, ways: Mapping[int, tuple[str, ...]]) -> FloatArray:
    # Mostly none is that long, which is natively found out.
    if max(map(len, ways.values()), default=0) < _WAY_PARTS:
        return np.zeros(len(candidates.rows))
    long = [row for row, way in ways.items() if len(way) >= _WAY_PARTS]
    return np.isin(candidates.rows, np.array(long, np.int64)).astype(np.float64)


def can_tell_absence(texts: Sequence[str], signals: Mapping[str, FloatArray]) -> bool:
    """Whether weak signals say that a bank holds nothing, and not that they are weak here.

    What was told in the very window that is asked for is in no need of likeness. The encoders know
    English best: between other languages, or from one to another, answers look to them as far away
    as no answer does in English. `texts` are the question and what was found.
    """
    if np.count_nonzero(signals[WINDOW]):
        return False
    return MEANING not in signals or all(detect_language(t) in _KNOWN_LANGUAGES for t in texts)


def in_window(parsed: Parsed, columns: Columns) -> FloatArray:
    """1 for units told or happened in the window that the words of a question state, else 0."""
    if parsed.window is None or parsed.window_kind not in STATED_WINDOWS:
        return np.zeros(len(columns.rows))
    told, happened = told_and_happened(columns, parsed.window)
    return (told | happened).astype(np.float64)
