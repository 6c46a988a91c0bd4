"""The public data of the date grammar: what is asked, against which clock, and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum
from typing import Literal

from scrubjay.types.values import Window

Looking = Literal["auto", "back", "forward"]


class TimeKind(StrEnum):
    """How an expression fixes its window."""

    ABSOLUTE = "absolute"  # the calendar names it: a date, a month, a season, a year
    RELATIVE = "relative"  # counted from now: yesterday, three weeks ago, the past hour
    FUZZY = "fuzzy"  # no exact edges: recently, a few months ago; may boost, must not filter
    OPEN = "open"  # one end is given: since, before, after, until
    SESSION = "session"  # read from the session log


@dataclass(frozen=True, slots=True)
class SessionSpan:
    """One conversation in the log; both times are aware."""

    started_at: datetime
    ended_at: datetime | None  # None: still open, or never closed


@dataclass(frozen=True, slots=True)
class TimeContext:
    """What an expression is resolved against.

    `looking` settles expressions that recur ("in June", "on Friday"). `auto` lets the sentence
    decide; where it does not, a question looks back, and a told text takes the nearest.
    """

    now: datetime  # aware
    zone: tzinfo
    sessions: Sequence[SessionSpan] = ()  # oldest first
    recent_days: int = 30  # what "recently" means
    newest: datetime | None = None  # when the newest memory was told; None: not known
    born: date | None = None  # the user's birthday; None: not known
    languages: tuple[str, ...] = ()  # empty: all languages there is a data file for
    looking: Looking = "auto"


@dataclass(frozen=True, slots=True)
class TimeMention:
    """One time expression: its window, how sure we are, and where in the text it stands.

    `window` is closed and in UTC: a day ends at its last microsecond. `confidence` is in (0, 1]; at
    most 0.65 where a statement is silent on which of several times it means.
    """

    window: Window
    kind: TimeKind
    confidence: float
    start: int  # first character
    end: int  # one past the last character
    text: str


@dataclass(frozen=True, slots=True)
class ToldTimes:
    """The times of a statement: when its event is, and since or until when its fact holds."""

    occurred: TimeMention | None = None
    was: Window | None = None  # before it was moved
    valid_from: datetime | None = None
    valid_to: datetime | None = None  # always later than it was told
