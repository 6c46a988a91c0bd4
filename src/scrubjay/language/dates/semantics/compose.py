"""Joins two neighbouring times into one: "Friday" + "last week", "5 pm" + "yesterday"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from scrubjay.language.dates.semantics.calendar import add, floor
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.scene import anchored, instance, started, unfinished
from scrubjay.language.dates.semantics.values import Bare, Bounds, Cycle, Grain, Interval, Time

# Whatever comes round at all comes twice in this many periods, or not at all.
_PERIODS_MAX = 30
_MONDAY = datetime(2001, 1, 1)


def compose(left: Time, right: Time) -> Time | None:
    """The one time that two neighbours name together, or None if they name two."""
    if Bare.PRESENT in (left.bare, right.bare):
        return None  # "is now Wednesday"
    if isinstance(left, Interval) and isinstance(right, Interval):
        return _nested(left, right)
    if isinstance(left, Cycle) and isinstance(right, Cycle):
        return _joined(left, right)
    if isinstance(left, Cycle) and isinstance(right, Interval):
        return _within(left, right)
    assert isinstance(left, Interval) and isinstance(right, Cycle)
    return _within(right, left)


def _nested(left: Interval, right: Interval) -> Interval | None:
    inner, outer = (left, right) if left.grain <= right.grain else (right, left)
    if inner.start is None or inner.end is None or outer.start is None or outer.end is None:
        return None
    if outer.start <= inner.start and inner.end <= outer.end:
        return anchored(inner)
    return None


def _within(cycle: Cycle, container: Interval) -> Interval | None:
    """The only instance of the cycle inside the interval; a written date outweighs its weekday."""
    if container.start is None or container.end is None:
        return None
    start, end = container.frame or (container.start, container.end)
    if cycle.grain > container.grain:
        return None
    found = _inside(cycle, start, end)
    if len(found) == 1:
        return Interval(
            found[0][0],
            found[0][1],
            cycle.grain,
            container.kind,
            min(0.95, container.confidence + 0.02),
        )
    if not found and cycle.grain == container.grain == Grain.DAY:
        return _written_date(cycle, container)
    return _night_of(cycle, container) if not found else None


def _written_date(cycle: Cycle, container: Interval) -> Interval | None:
    """Where a weekday and a date disagree, the date is right: "next Friday 5/12"."""
    if cycle.bare is Bare.DAY or container.start is None:
        return None
    if cycle.period is not Grain.YEAR:
        return anchored(container)
    if container.kind is not TimeKind.RELATIVE:
        return None
    bounds = started(cycle, container.start) or unfinished(cycle, container.start)
    return anchored(container) if bounds is None else anchored(instance(cycle, bounds))


def _inside(cycle: Cycle, start: datetime, end: datetime) -> list[Bounds]:
    """The first two instances that begin inside; two are enough to know it is not the only one."""
    found: list[Bounds] = []
    period = floor(start, cycle.period)
    for _ in range(_PERIODS_MAX):
        if period >= end or len(found) == 2:
            break
        bounds = cycle.locate(period)
        if bounds is not None and start <= bounds[0] < end:
            found.append(bounds)
        period = add(period, 1, cycle.period)
    return found


def _night_of(cycle: Cycle, container: Interval) -> Interval | None:
    """ "Last night at 8": the clock gives no half of the day, the night does."""
    if cycle.period is not Grain.DAY or cycle.grain >= Grain.PART:
        return None
    if container.grain is not Grain.PART or container.start is None:
        return None
    bounds = cycle.locate(floor(container.start, Grain.DAY))
    if bounds is None:
        return None
    half_day = timedelta(hours=12)
    later = (bounds[0] + half_day, bounds[1] + half_day)
    if container.end is None or not container.start <= later[0] < container.end:
        return None
    return replace(anchored(container), start=later[0], end=later[1], grain=cycle.grain)


def _joined(left: Cycle, right: Cycle) -> Cycle | None:
    inner, outer = (left, right) if left.grain <= right.grain else (right, left)
    if inner.grain < Grain.DAY and outer.grain <= Grain.DAY:
        return _clock_of(inner, outer)
    if inner.grain == outer.grain == Grain.DAY:
        return _weekday_of(left, right)
    if inner.period <= outer.grain < outer.period:
        return _only_one_of(inner, outer)
    return None


def _only_one_of(inner: Cycle, outer: Cycle) -> Cycle:
    """The only instance of one cycle inside another: Friday in the first week of May."""

    def locate(period: datetime) -> Bounds | None:
        bounds = outer.locate(period)
        found = [] if bounds is None else _inside(inner, *bounds)
        return found[0] if len(found) == 1 else None

    return Cycle(outer.period, inner.grain, locate)


def _clock_of(inner: Cycle, outer: Cycle) -> Cycle | None:
    """A time of day on a day that recurs: Friday at 5, Christmas morning."""
    if inner.period is not Grain.DAY:
        return None

    def locate(period: datetime) -> Bounds | None:
        day = outer.locate(period)
        if day is None:
            return None
        bounds = inner.locate(floor(day[0], Grain.DAY))
        if bounds is None or outer.grain >= Grain.DAY:
            return bounds
        if bounds[0] < day[0] and bounds[0] + timedelta(hours=12) < day[1]:
            return bounds[0] + timedelta(hours=12), bounds[1] + timedelta(hours=12)
        return bounds

    bare = outer.bare if inner.grain is Grain.PART and outer.bare is not Bare.DAY else Bare.NO
    if outer.period is Grain.DAY:
        bare = Bare.CLOCK
    return Cycle(outer.period, inner.grain, locate, bare, outer.kind)


def _weekday_of(left: Cycle, right: Cycle) -> Cycle | None:
    """A weekday beside a date: "Mon 13th" needs both, "Friday, June 13" is the date."""
    weekday, date = (left, right) if left.period < right.period else (right, left)
    if weekday.period is not Grain.WEEK or (date.bare is Bare.DAY and date is left):
        return None  # "the 1st Saturday" counts Saturdays
    if date.period is Grain.YEAR:
        named = weekday.locate(_MONDAY)
        return replace(date, bare=Bare.NO, weekday=None if named is None else named[0].weekday())
    if date.period is not Grain.MONTH or not date.bare:
        return None  # "Wed 19th" has its weekday

    def locate(period: datetime) -> Bounds | None:
        day = date.locate(period)
        if day is None or weekday.locate(floor(day[0], Grain.WEEK)) != day:
            return None
        return day

    return Cycle(Grain.MONTH, Grain.DAY, locate)
