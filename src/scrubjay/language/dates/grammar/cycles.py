"""Builds what comes round: months, weekdays, seasons, holidays, parts of the day, quarters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import DAY, add
from scrubjay.language.dates.semantics.holidays import holidays
from scrubjay.language.dates.semantics.scene import Scene, anchored
from scrubjay.language.dates.semantics.values import (
    Bare,
    Bounds,
    Cycle,
    Grain,
    Interval,
    Time,
    Value,
)

_SEASON_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
# Hours from midnight; a night ends on the next day.
DAYPARTS = {
    "morning": (0, 12),
    "noon": (12, 13),
    "midday": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "night": (18, 29),
    "midnight": (24, 25),
    "early morning": (4, 9),
    "late morning": (10, 12),
    "early afternoon": (12, 15),
    "late afternoon": (15, 18),
    "early evening": (17, 20),
    "late evening": (20, 24),
    "late night": (21, 29),
    "pm": (12, 24),
    "early night": (18, 21),
}


@action
def month(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a month of the year."""
    match captured:
        case (int(number),) if 1 <= number <= 12:
            return months_cycle(number, 1, Grain.MONTH)
    return None


@action
def quarter(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a quarter of the year."""
    match captured:
        case (int(number),) if 1 <= number <= 4:
            return months_cycle(number * 3 - 2, 3, Grain.QUARTER)
    return None


@action
def half_year(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a half of the year."""
    match captured:
        case (int(number),) if 1 <= number <= 2:
            return months_cycle(number * 6 - 5, 6, Grain.HALF)
    return None


@action
def season(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a meteorological season; winter is named after the year it begins in."""
    match captured:
        case (str(name),):
            return months_cycle(_SEASON_MONTHS[name], 3, Grain.SEASON)
    return None


def months_cycle(first: int, length: int, grain: Grain) -> Cycle:
    """A run of months that comes every year."""

    def locate(year: datetime) -> Bounds:
        start = year.replace(month=first)
        return start, add(start, length, Grain.MONTH)

    return Cycle(Grain.YEAR, grain, locate, Bare.NAME)


@action
def weekday(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a day of the week."""
    match captured:
        case (int(number),):
            return days_cycle(number, 1, Grain.DAY)
    return None


@action
def weekday_part(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a part of a weekday in one word: "Montagabend"."""
    match captured:
        case (str(written),):
            number, _, name = written.partition(" ")
            part = daypart_cycle(name)

            def locate(week: datetime) -> Bounds | None:
                return part.locate(week + DAY * int(number))

            return Cycle(Grain.WEEK, Grain.PART, locate, Bare.NAME)
    return None


@action
def weekday_half(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "fri pm": the half of a weekday."""
    match captured:
        case (int(number), str(name)):
            return weekday_part(scene, (f"{number} {name}",))
    return None


@action
def owned_weekday(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "mondays standup", written without its apostrophe."""
    found = weekday(scene, captured)
    return replace(found, bare=Bare.OWNER) if isinstance(found, Cycle) else None


@action
def weekend(_scene: Scene, _captured: Captured) -> Value | None:
    """CYCLE: Saturday and Sunday."""
    return days_cycle(5, 2, Grain.WEEKEND)


@action
def workweek(_scene: Scene, _captured: Captured) -> Value | None:
    """CYCLE: Monday to Friday."""
    return replace(days_cycle(0, 5, Grain.WEEKEND), bare=Bare.NEVER)


def days_cycle(first: int, length: int, grain: Grain) -> Cycle:
    """A run of days that comes every week."""

    def locate(week: datetime) -> Bounds:
        start = week + DAY * first
        return start, start + DAY * length

    return Cycle(Grain.WEEK, grain, locate, Bare.NAME)


@action
def holiday(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a holiday by its id."""
    match captured:
        case (str(name),):
            entry = holidays()[name]
            grain = Grain.DAY if entry.days == 1 else Grain.WEEK
            return Cycle(Grain.YEAR, grain, lambda year: entry.bounds(year.year), Bare.NAME)
    return None


@action
def daypart(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a part of the day, plain or with early or late before it."""
    match captured:
        case (str(name),):
            return daypart_cycle(name)
        case (str(part), str(name)):
            return daypart_cycle(f"{part} {name}" if f"{part} {name}" in DAYPARTS else name)
    return None


def daypart_cycle(name: str) -> Cycle:
    """A part of every day."""
    first, last = DAYPARTS[name]

    def locate(day: datetime) -> Bounds:
        return day + timedelta(hours=first), day + timedelta(hours=last)

    return Cycle(Grain.DAY, Grain.PART, locate, Bare.NEVER)


@action
def plain(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a cycle as it stands."""
    return captured[0]


@action
def with_article(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the summer", "the weekend"; not "the Friday"."""
    match captured:
        case (Cycle() as cycle,) if cycle.grain >= Grain.WEEKEND:
            return cycle
    return None


def lift(time: Time, move: Callable[[Bounds], Bounds | None], grain: Grain) -> Time | None:
    """Applies `move` to an interval, or to every instance of a cycle."""
    if isinstance(time, Interval):
        return lift_interval(time, move, grain)

    def locate(period: datetime) -> Bounds | None:
        bounds = time.locate(period)
        return None if bounds is None else move(bounds)

    return replace(time, locate=locate, grain=grain, bare=Bare.NO)


def lift_interval(
    interval: Interval, move: Callable[[Bounds], Bounds | None], grain: Grain
) -> Interval | None:
    """Applies `move` to the interval's calendar unit; None if an end is open."""
    if interval.start is None or interval.end is None:
        return None
    bounds = move(interval.frame or (interval.start, interval.end))
    if bounds is None:
        return None
    return replace(anchored(interval), start=bounds[0], end=bounds[1], grain=grain, frame=None)
