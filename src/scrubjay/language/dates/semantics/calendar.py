"""Calendar arithmetic on local wall-clock time: floors, steps, and the bounds of units."""

from __future__ import annotations

from datetime import datetime, timedelta

from scrubjay.language.dates.semantics.values import Bounds, Grain
from scrubjay.limits import YEAR_MAX, YEAR_MIN

DAY = timedelta(days=1)
WEEK = timedelta(days=7)

_CLOCK_STEPS = {
    Grain.SECOND: timedelta(seconds=1),
    Grain.MINUTE: timedelta(minutes=1),
    Grain.HOUR: timedelta(hours=1),
    Grain.PART: DAY,
    Grain.DAY: DAY,
    Grain.WEEKEND: WEEK,
    Grain.WEEK: WEEK,
}
_MONTHS = {
    Grain.MONTH: 1,
    Grain.QUARTER: 3,
    Grain.SEASON: 3,
    Grain.HALF: 6,
    Grain.YEAR: 12,
    Grain.DECADE: 120,
    Grain.CENTURY: 1200,
}
# Two digits stand for the year that lies nearest: '49 and below are of this century.
_PIVOT = 50
# No duration in speech is longer; more would leave the calendar anyway.
_STEPS_MAX = 1_000_000


class OutOfCalendar(Exception):
    """The arithmetic left the years the calendar can hold; the expression is dropped."""


def full_year(value: int) -> int:
    """A year of two digits in full; others as they are."""
    if value >= 100:
        return value
    return 2000 + value if value < _PIVOT else 1900 + value


def moment(year: int, month: int, day: int) -> datetime:
    """Midnight of a date; raises OutOfCalendar if there is no such date."""
    if not YEAR_MIN <= year <= YEAR_MAX:
        raise OutOfCalendar(year)
    try:
        return datetime(year, month, day)
    except ValueError:
        raise OutOfCalendar((year, month, day)) from None


def add(start: datetime, count: int, grain: Grain) -> datetime:
    """`start` moved by `count` units; a day that the target month lacks becomes its last day."""
    if abs(count) > _STEPS_MAX:
        raise OutOfCalendar(count)
    step = _CLOCK_STEPS.get(grain)
    if step is not None:
        try:
            moved = start + step * count
        except OverflowError:
            raise OutOfCalendar(count) from None
        if not YEAR_MIN <= moved.year <= YEAR_MAX:
            raise OutOfCalendar(moved.year)
        return moved
    months = start.year * 12 + start.month - 1 + count * _MONTHS[grain]
    year, month = divmod(months, 12)
    if not YEAR_MIN <= year <= YEAR_MAX:
        raise OutOfCalendar(year)
    day = min(start.day, days_in_month(year, month + 1))
    return start.replace(year=year, month=month + 1, day=day, fold=0)


def days_in_month(year: int, month: int) -> int:
    """How many days a month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def floor(at: datetime, grain: Grain) -> datetime:
    """The start of the unit that holds `at`; weeks start on Monday."""
    if grain <= Grain.HOUR:
        return _floor_clock(at, grain)
    day = at.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    if grain <= Grain.DAY:
        return day
    if grain <= Grain.WEEK:
        return day - DAY * day.weekday()
    if grain is Grain.SEASON:
        return moment(day.year, day.month, 1) if day.month % 3 == 0 else _season_start(day)
    if grain <= Grain.YEAR:
        span = _MONTHS[grain]
        return day.replace(month=(day.month - 1) // span * span + 1, day=1)
    span = _MONTHS[grain] // 12
    return moment(max(day.year // span * span, YEAR_MIN), 1, 1)


def _floor_clock(at: datetime, grain: Grain) -> datetime:
    if grain is Grain.SECOND:
        return at.replace(microsecond=0)
    if grain is Grain.MINUTE:
        return at.replace(second=0, microsecond=0)
    return at.replace(minute=0, second=0, microsecond=0)


def _season_start(day: datetime) -> datetime:
    return add(day.replace(day=1), -(day.month % 3), Grain.MONTH)


def unit_bounds(at: datetime, grain: Grain, shift: int = 0) -> Bounds:
    """The unit that holds `at`, or the one `shift` units later."""
    start = add(floor(at, grain), shift, grain)
    return start, add(start, 1, grain)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> datetime:
    """The nth weekday of a month, counted from its end when `nth` is negative."""
    if nth > 0:
        first = moment(year, month, 1)
        day = 1 + (weekday - first.weekday()) % 7 + (nth - 1) * 7
        return moment(year, month, day)
    length = days_in_month(year, month)
    last = moment(year, month, length)
    return moment(year, month, length - (last.weekday() - weekday) % 7 + (nth + 1) * 7)
