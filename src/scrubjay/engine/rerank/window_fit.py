"""How well units fit the window of a question: told in it, happening in it, or told soon after."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from scrubjay.answers import Parsed
from scrubjay.engine.shared.window import asks_for_window, shared_time, told_and_happened
from scrubjay.language.asked_times import asks_for_telling
from scrubjay.language.orders.requests import asks_to_do
from scrubjay.language.states import asks_what_held
from scrubjay.planning import STATED_WINDOWS
from scrubjay.preset import SignSwitches
from scrubjay.store.base import NO_TIME, Columns
from scrubjay.store.shared.times import to_micros
from scrubjay.types.arrays import FloatArray
from scrubjay.types.values import Window

# What was told so long after the window may still be an account of it.
_AFTERWARDS_MICROS = 7 * 86_400_000_000
# Of what happened in a window, the share where the question asks for what was told in it.
_TOLD_OF_SHARE = 0.3
# Of what takes place in a window, the share where it only says when something is to be done.
_TO_DO_SHARE = 0.3
# The share for what was told in a window of another time, where it is asked what took or takes
# place in it: who tells on Monday of a flight in October does not fly on Monday.
_OTHER_TIME_SHARE = 0.2
# So many tokens say what takes place and when. The more a text has beyond them, the less of it is
# of the date in it: with no such bound, news that only mention another day lost their own.
_DATED_TOKENS = 10
_OF_THE_PAST = re.compile(
    r"\b(?:did|didn't|was|were|wasn't|weren't|had|happened|went|took|got|been)\b", re.IGNORECASE
)
# What should or may be so on a day was told on any other. "May" is a month. English.
_OF_DUTY = re.compile(r"\b(?:should|shall|must|may|allowed)\b")


@dataclass(frozen=True, slots=True)
class CountedTimes:
    """What each way to fit a window counts, from 0 to 1."""

    told: float = 1.0  # told in it
    told_of_another: float = _OTHER_TIME_SHARE  # told in it, and known to happen at another time
    happened: float = 0.0
    afterwards: float = 0.0  # told right after it; fading
    before: float = 0.0  # told before it, which may have held in it
    shared: bool = False  # what happened counts by how much it and the window share


def window_weight(parsed: Parsed, switches: SignSwitches) -> float:
    """How much the question's window counts, by how it is stated."""
    if parsed.window_kind in STATED_WINDOWS:
        return switches.window_alone if _asks_for_time_alone(parsed) else switches.window
    if parsed.window_kind == "fuzzy":
        return switches.window_fuzzy
    return switches.window_open if parsed.window_kind == "open" else 0.0


def counted_times(parsed: Parsed, window: Window, switches: SignSwitches) -> CountedTimes:
    """What counts for a question: its verb says whether its window is of a telling or of events.

    What takes place in it is asked for, and not what was said in it of other times, unless the
    question is about what was said. When something is to be done says little of what there is to
    know for it. Of a window that is over, what was told before may have held in it, and does most
    likely where the question asks for what held; what was told since did not.
    """
    counted = _by_verb(parsed.question, window, parsed.now, switches)
    # What held all summer is an answer to who was away in June; to what there was in June it is
    # less of one than what there was in June alone.
    return replace(counted, shared=_asks_for_time_alone(parsed))


def _asks_for_time_alone(parsed: Parsed) -> bool:
    return not parsed.content_words or asks_for_window(parsed)


def _by_verb(question: str, window: Window, now: datetime, switches: SignSwitches) -> CountedTimes:
    happened, afterwards = switches.happened_share, switches.afterwards_share
    if asks_for_telling(question):
        return CountedTimes(1.0, 1.0, _TOLD_OF_SHARE * happened, afterwards)
    ahead = window.start is not None and window.end is not None and window.end > now
    if ahead and (_OF_DUTY.search(question) or asks_to_do(question)):
        return CountedTimes(0.0, 0.0, _TO_DO_SHARE * happened)
    if ahead and not _OF_THE_PAST.search(question):
        return CountedTimes(happened, _OTHER_TIME_SHARE * happened, happened)
    if window.end is None or window.end > now:
        return CountedTimes(happened=happened, afterwards=afterwards)
    held = asks_what_held(question)
    before = switches.held_share if held else switches.before_share
    return CountedTimes(happened=happened, afterwards=afterwards, before=before)


def fit(columns: Columns, window: Window, counted: CountedTimes) -> FloatArray:
    """The best of what speaks for each unit: told inside the window, happened, or told soon after.

    People tell of a day on the days after it, and before it of what holds on it; but not where
    what they tell is itself dated to another time.
    """
    told, held = told_and_happened(columns, window)
    happened = shared_time(columns, window) if counted.shared else held.astype(np.float64)
    # How much of what each says is of another time.
    dated = np.where(columns.occurred_start != NO_TIME, _dated_share(columns), 0.0)
    elsewhere = dated * (1.0 - happened)
    telling = counted.told - (counted.told - counted.told_of_another) * elsewhere
    inside: FloatArray = np.maximum(telling * told, counted.happened * happened)
    if window.end is None:
        return inside
    high = to_micros(window.end)
    if counted.before:
        known = (columns.told_at != NO_TIME) & (columns.told_at <= high)
        # What is to happen later does not hold yet.
        known &= columns.occurred_start <= high
        inside = np.maximum(inside, counted.before * known)
    if counted.afterwards:
        since = (columns.told_at.astype(np.float64) - high) / _AFTERWARDS_MICROS
        soon = np.where(columns.told_at > high, np.maximum(1.0 - since, 0.0), 0.0)
        inside = np.maximum(inside, counted.afterwards * (1.0 - elsewhere) * soon)
    return inside


def _dated_share(columns: Columns) -> FloatArray:
    """How much of what dated units say is of their date: a long text says other things, too."""
    return np.minimum(_DATED_TOKENS / np.maximum(columns.tokens, 1), 1.0)
