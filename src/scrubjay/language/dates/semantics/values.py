"""The values that patterns build: intervals, cycles, durations, all in local wall-clock time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

from scrubjay.language.dates.semantics.model import TimeKind


class Grain(IntEnum):
    """Calendar units from fine to coarse; comparing two says which one nests in the other."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    PART = 3  # a part of a day
    DAY = 4
    WEEKEND = 5
    WEEK = 6
    MONTH = 7
    QUARTER = 8
    SEASON = 9
    HALF = 10
    YEAR = 11
    DECADE = 12
    CENTURY = 13


class Bare(StrEnum):
    """Why a value is not yet evidence of a time: the word or number has other uses too."""

    NO = ""
    NAME = "name"  # a month, weekday, season or holiday by its name alone
    YEAR = "year"  # a number that could be a year
    DAY = "day"  # an ordinal that could be a day of the month
    NUMBERS = "numbers"  # two numbers that could be a day and a month
    OWNER = "owner"  # "mondays": a habit, but where an apostrophe is missing
    CLOCK = "clock"  # a time of day without a day
    PRESENT = "present"  # now: a time, but not one that anything is looked up by
    NEVER = "never"  # means something only together with a date


class Pointing(StrEnum):
    """Where the time at some place of a text lies, seen from when it is said."""

    NOWHERE = ""
    BACK = "back"
    AHEAD = "ahead"
    PRESENT = "present"  # what is on, or is planned: mostly ahead
    UNDERWAY = "underway"  # what somebody is doing then: ahead, unless it is hardly over
    ARRANGED = "arranged"  # "booked for": ahead of the booking, not always of a question about it


class Side(StrEnum):
    """Which end of what holds a time gives, in a statement: "since May", "until May"."""

    NONE = ""
    SINCE = "since"
    FROM = "from"  # a change to come: also an event
    TILL = "till"
    ENDS = "ends"  # an end that is an event: "expires on Friday"
    BY = "by"  # a deadline: an event and no end of anything


Bounds = tuple[datetime, datetime]  # start, and the end that is no longer part of it


@dataclass(frozen=True, slots=True)
class Interval:
    """A resolved stretch of local time, `end` excluded; `None` is an open end."""

    start: datetime | None
    end: datetime | None
    grain: Grain
    kind: TimeKind = TimeKind.ABSOLUTE
    confidence: float = 0.95
    bare: Bare = Bare.NO
    # The calendar unit behind a rolling interval: "Monday last week" means that week's Monday.
    frame: Bounds | None = None
    side: Side = Side.NONE
    named: Bounds | None = None  # the time that an open end was made from
    was: Bounds | None = None  # of a moved appointment: when it would have been


@dataclass(frozen=True, slots=True)
class Cycle:
    """Something that comes round once in every `period`: a month, a weekday, a holiday, 5 pm.

    `locate` takes the start of one period and gives that period's instance, or None if it has none
    (February 29th).
    """

    period: Grain
    grain: Grain
    locate: Callable[[datetime], Bounds | None]
    bare: Bare = Bare.NO
    kind: TimeKind = TimeKind.ABSOLUTE
    confidence: float = 0.9
    weekday: int | None = None  # of a date: the one it is said to fall on


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `unsure` when it could be morning or afternoon."""

    hour: int
    minute: int
    second: int
    grain: Grain
    unsure: bool = False
    zone_minutes: int | None = None  # None: the bank's zone


@dataclass(frozen=True, slots=True)
class Count:
    """How many; `few` when the speaker does not say exactly."""

    number: int
    few: bool = False


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time as parts to add, coarsest first; `unit` is the one it is spoken in."""

    parts: tuple[tuple[int, Grain], ...]
    unit: Grain
    few: bool = False


@dataclass(frozen=True, slots=True)
class NumberDate:
    """Numbers written as a date, in the order written; 0 stands for a missing year."""

    first: int
    second: int
    third: int
    separator: str
    clocked: bool = False  # written as an hour and its minutes may be


Value = Interval | Cycle | Clock | Count | Duration | NumberDate | int | str | float | datetime
Time = Interval | Cycle
