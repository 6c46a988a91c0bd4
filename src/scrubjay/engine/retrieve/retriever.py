"""What a retriever is: one way to find units, with all that the engine asks of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scrubjay.answers import Explained, Parsed, RetrieverPlan
from scrubjay.engine.retrieve.query import Query, Retrieved
from scrubjay.planning import Circumstances, Decision, Planner
from scrubjay.preset import Preset
from scrubjay.store.base import Prefetch
from scrubjay.types.arrays import FloatArray

# What a retriever without a plan of its own is asked for, as most presets ask the others.
_PER_LIMIT = 5
_AT_LEAST = 100
# Of what such a retriever's scores say by themselves we know nothing.
_MOST_OF_UNKNOWN = 0.6

Search = Callable[[Query, RetrieverPlan], Retrieved]
Certainty = Callable[[FloatArray], FloatArray]


def _always(_parsed: Parsed, _preset: Preset, around: Circumstances) -> Decision:
    """A plan that runs whatever is asked."""
    depth = max(_PER_LIMIT * around.limit, _AT_LEAST)
    return Decision(True, "added when the memory was opened", depth=depth)


def _no_more(_query: Query, _step: RetrieverPlan, wanted: Prefetch) -> Prefetch:
    """Announces nothing to the store."""
    return wanted


def missed(score: float | None, reason: str) -> Explained:
    """What a retriever makes of a unit that it did not return."""
    return Explained(True, None, score, reason)


def not_among(_query: Query, _step: RetrieverPlan, found: Retrieved, _row: int) -> Explained:
    """All that can be said of a unit that a retriever did not return, knowing nothing of it."""
    return missed(None, f"it is not among the {len(found.rows)} it returned")


def at_most(most: float, *, low: float = 0.0, high: float = 1.0) -> Certainty:
    """A certainty that grows evenly from 0, at a score of `low`, to `most`, at `high`."""

    def certainty(scores: FloatArray) -> FloatArray:
        stretched: FloatArray = (scores - low) / (high - low)
        return most * np.minimum(np.maximum(stretched, 0), 1)

    return certainty


def _nothing(_preset: Preset, _around: Circumstances) -> None:
    """Lacks nothing."""


def _any_way(_preset: Preset) -> None:
    """Does not care how the question is cut into words."""


_unknown = at_most(_MOST_OF_UNKNOWN)


@dataclass(frozen=True, slots=True)
class Retriever:
    """One way to find units. Only a name and `run` are needed; the rest has plain defaults.

    What `run` raises is named in `degraded`, and the others' answers stand. Everything else is
    to be quick and must not raise.
    """

    name: str
    # Finds units for a query, by its step of the plan.
    run: Search
    # Whether it runs for a question, by which method, how deep, with what share of its weight.
    plan: Planner = _always
    # Adds what it will ask of the store, as far as that is known before, to what others will.
    needs: Callable[[Query, RetrieverPlan, Prefetch], Prefetch] = _no_more
    # Why a row is not among what it found, and the row's score, if it has one.
    missed: Callable[[Query, RetrieverPlan, Retrieved, int], Explained] = not_among
    # How sure a score makes us, all by itself, that a unit is about the question; in [0, 1]. Of a
    # retriever with a signal the calibrated model decides instead.
    certainty: Certainty = _unknown
    # Why it cannot work here, whatever the question, though the preset has it; None: it can.
    lacks: Callable[[Preset, Circumstances], str | None] = _nothing
    # How the question must be cut into words for it ("standard", "simple"); None: any way.
    analysis: Callable[[Preset], str | None] = _any_way
    # Whether the types that a question's words imply filter what it searches.
    hinted: bool = False
    # Whether it needs the question's vector: the encoder is then ready before a deadline counts.
    embeds: bool = False
    # Whether it never asks for the question's vector: it need not wait for a slow encoder.
    unaided: bool = False
    # Whether it is known to answer nothing out of scope. Only ours are: the caller's filters are a
    # wall, and what a retriever from outside answers is looked at again.
    scoped: bool = False
    # Whether every unit has a score: one it did not return would score up to the last it did.
    scores_all: bool = False
    # Which signal of `engine/relevance.py` its scores or paths are; None: it has its certainty.
    signal: str | None = None
