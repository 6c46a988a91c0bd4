"""What a plan is made of: the circumstances of a recall, and what a retriever makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scrubjay.answers import Parsed
from scrubjay.limits import SEARCH_DEPTH_MAX
from scrubjay.preset import Preset


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the plan depends on beside the question: the bank and what the caller asked for."""

    units: int
    types: tuple[str, ...]
    limit: int
    has_vectors: bool
    lacking: str  # why there are no vectors to compare with, and the remedy
    types_given: bool
    deadline_ms: float | None
    foreign_retrievers: bool  # replaced or added ones, whose cost nobody knows
    thinking_budget: int | None = None  # units to visit along links; None: as the preset says


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether and how one retriever is to run, and why."""

    run: bool
    reason: str
    method: str = "-"
    depth: int = 0
    share: float = 1.0  # of the weight that the preset gives it


def search_depth(per_limit: float, at_least: int, limit: int) -> int:
    """How many hits to ask a search for, so that there are enough to choose `limit` from."""
    return max(min(int(per_limit * limit), SEARCH_DEPTH_MAX), limit if per_limit else 0, at_least)


Planner = Callable[[Parsed, Preset, Circumstances], Decision]

# What a retriever's scores, or its paths, tell of a unit; engine/relevance.py weighs them.
MEANING = "meaning"  # calibrated similarity
WORDS = "words"  # the share of the question's words, by weight, that the unit has
PATH = "path"  # whether a relation or a cause that is asked for leads to it
WINDOW = "window"  # whether it was told, or happened, in a window that the question states

# Kinds of windows that a question states outright.
STATED_WINDOWS = frozenset({"absolute", "relative", "session"})


def is_pure_time(parsed: Parsed) -> bool:
    """Whether a question asks for nothing but a time."""
    # Of someone named there is more to say than the time.
    named = parsed.content_words or parsed.phrases or parsed.entities
    return parsed.window is not None and not named


def is_identifier_question(parsed: Parsed) -> bool:
    """Nothing but identifiers the bank knows: a number, a code, a ticket.

    One that it does not know may be misspelt, and meaning may still find what was meant.
    """
    names = [entity.mention for entity in parsed.entities]
    alone = bool(names) and parsed.content_words == 0 and parsed.window is None
    return alone and all(any(map(str.isdigit, name)) for name in names)
