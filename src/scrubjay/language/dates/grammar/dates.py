"""Builds calendar dates: "March 15th", "the 3rd of May", "15.03.2024", "the 90s", "Q3 2022"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import (
    add,
    days_in_month,
    floor,
    full_year,
    moment,
    unit_bounds,
)
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.scene import Scene, localize, nearest
from scrubjay.language.dates.semantics.values import (
    Bare,
    Bounds,
    Cycle,
    Grain,
    Interval,
    NumberDate,
    Pointing,
    Value,
)
from scrubjay.limits import YEAR_MAX, YEAR_MIN

_NEAR = timedelta(days=45)
_LEAP_YEAR = 2000
_SPOKEN_FROM = 10
_MONTHS = 12


@action
def year(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a year; alone it is only a number until something beside it says otherwise."""
    match captured:
        case (int(number),):
            return year_interval(number, Bare.YEAR)
    return None


@action
def sure_year(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a year that is called one, or written '09."""
    match captured:
        case (int(number),):
            return year_interval(full_year(number), Bare.NO)
    return None


def year_interval(number: int, bare: Bare) -> Interval:
    """A calendar year."""
    start = moment(number, 1, 1)
    return Interval(start, add(start, 1, Grain.YEAR), Grain.YEAR, bare=bare)


@action
def years(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: 2019-2021 (years), 2023-03 (a month) or 2024/25 (two years)."""
    match captured:
        case (NumberDate(first=first, second=second),) if 1900 <= first <= 2100:
            if 1 <= second <= 12:
                bounds = unit_bounds(moment(first, second, 1), Grain.MONTH)
                return Interval(*bounds, Grain.MONTH)
            last = second if second > 100 else first // 100 * 100 + second
            if first < last <= min(2100, first + 100):
                return Interval(moment(first, 1, 1), moment(last + 1, 1, 1), Grain.DECADE)
    return None


@action
def month_day(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a month and a day of it."""
    match captured:
        case (int(month), int(day)):
            return _date_cycle(month, day, Bare.NO)
    return None


@action
def day_month(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a day and its month."""
    return month_day(scene, captured[::-1])


def _date_cycle(month: int, day: int, bare: Bare) -> Cycle | None:
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(_LEAP_YEAR, month):
        return None

    def locate(period: datetime) -> Bounds:
        start = moment(period.year, month, day)
        return start, add(start, 1, Grain.DAY)

    return Cycle(Grain.YEAR, Grain.DAY, locate, bare)


@action
def full_date(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: year, month and day, as words and numbers in that order."""
    match captured:
        case (int(number), int(month), int(day)):
            return day_interval(moment(full_year(number), month, day))
    return None


@action
def year_month(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a year and one of its months."""
    match captured:
        case (int(number), int(month)) if 1 <= month <= 12:
            return Interval(
                *unit_bounds(moment(full_year(number), month, 1), Grain.MONTH), Grain.MONTH
            )
    return None


@action
def month_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a month and a year of two digits."""
    match captured:
        case (int(month), int(number)) if 32 <= number <= 99:
            return year_month(scene, (number, month))
    return None


def day_interval(day: datetime) -> Interval:
    """One calendar day."""
    return Interval(day, add(day, 1, Grain.DAY), Grain.DAY)


@action
def number_date(scene: Scene, captured: Captured) -> Value | None:
    """TIME: three numbers; the year stands where it is long, or last."""
    match captured:
        case (NumberDate(first=first, second=second, third=third, separator=mark),):
            if mark == "-" and max(first, second, third) < 10:
                return None  # 1-2-3
            if first > 31:
                return day_interval(moment(full_year(first), second, third))
            day, month = _day_and_month(first, second, scene.day_first or mark == ".")
            if third > 31 or (mark != "." and third < 100):
                return day_interval(moment(_written_year(third, scene), month, day))
            if third > 9:  # 5.1.26; a version looks like it
                written = day_interval(moment(_written_year(third, scene), month, day))
                return replace(written, bare=Bare.NUMBERS)
    return None


def _written_year(number: int, scene: Scene) -> int:
    """Two digits in a date written in numbers: the nearest such year not far ahead."""
    if number >= 100:
        return number
    recent = scene.now.year // 100 * 100 + number
    return recent if recent <= scene.now.year + 5 else recent - 100


@action
def number_pair(scene: Scene, captured: Captured) -> Value | None:
    """TIME: two numbers that may be a day and a month, or a year and a month."""
    match captured:
        case (NumberDate(first=first, second=second, separator=mark) as pair,):
            if first > 1000:
                return years(scene, (pair,))
            if second > 1000:
                return year_month(scene, (second, first))
            # Round the clock, not the 24th of July.
            if (first, second) == (24, 7):
                return None
            # Nobody puts a point between a month and a day: an hour and its minutes.
            if mark == "." and second > _MONTHS:
                return None
            day, month = _day_and_month(first, second, scene.day_first or mark == ".")
            return _date_cycle(month, day, Bare.NUMBERS)
    return None


def _day_and_month(first: int, second: int, day_first: bool) -> tuple[int, int]:
    if first > 12 or (day_first and second <= 12):
        return first, second
    return second, first


@action
def stamp(scene: Scene, captured: Captured) -> Value | None:
    """TIME: an ISO date with a time, in its own zone if it names one."""
    match captured:
        case (datetime() as at,) if YEAR_MIN < at.year < YEAR_MAX:
            local = at if at.tzinfo is None else localize(at, scene.context)
            start = local.replace(second=0, microsecond=0)
            return Interval(start, add(start, 1, Grain.MINUTE), Grain.MINUTE)
    return None


@action
def day_of_month(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the 15th", a day of some month."""
    match captured:
        case (int(day),) if 1 <= day <= 31:

            def locate(month: datetime) -> Bounds:
                start = moment(month.year, month.month, day)
                return start, add(start, 1, Grain.DAY)

            return Cycle(Grain.MONTH, Grain.DAY, locate, Bare.DAY)
    return None


@action
def day_of_the_month(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the first of the month": one that was; of what is, it says when it comes round."""
    if scene.telling or scene.pointing is not Pointing.BACK:
        return None
    found = day_of_month(scene, captured)
    return replace(found, bare=Bare.NO) if isinstance(found, Cycle) else None


@action
def spoken_day(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "on the twenty-third"; below ten it is as often a choice: "agreed on the second"."""
    match captured:
        case (int(day),) if day >= _SPOKEN_FROM:
            return day_of_month(scene, (day,))
    return None


@action
def days_of_month(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the 5th, 6th and 7th": from the first to the last of some days of a month."""
    days = [day for day in captured if isinstance(day, int) and 1 <= day <= 31]
    if len(days) != len(captured) or days != sorted(set(days)):
        return None
    first, last = days[0], days[-1]

    def locate(month: datetime) -> Bounds:
        start = moment(month.year, month.month, first)
        return start, add(moment(month.year, month.month, last), 1, Grain.DAY)

    return Cycle(Grain.MONTH, Grain.WEEK, locate, Bare.DAY)


@action
def month_days(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a run of days in one month, or from one month's day into the next month."""
    match captured:
        case (int(month), NumberDate(first=first, second=last, separator=mark)) if mark != ".":
            return _days_cycle(month, first, last)
        case (int(month), int(first), int(last)):
            return _days_cycle(month, first, last)
        case (NumberDate(first=month, second=first, separator="/"), int(last)):
            return _days_cycle(month, first, last)  # "12/29から31まで"
        case (int(month), int(first), int(middle), int(last)) if first < middle < last:
            return _days_cycle(month, first, last)
    return None


@action
def days_month(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a run of days, then their month, or that of the last: "vom 28. bis 3. Mai"."""
    match captured:
        case (int(first), int(last), int(month)) if last < first:
            return _days_cycle(month, first, last, ends_in=True)
        case (NumberDate(first=first, second=last, separator=mark), int(month)):
            if last < first and mark != ".":
                return _days_cycle(month, first, last, ends_in=True)
    return month_days(scene, (captured[-1], *captured[:-1]))


@action
def days(_scene: Scene, captured: Captured) -> Value | None:
    """DAYS: "6, 13, 20 and 27": the first and the last of several days, each after the other."""
    match captured:
        case (int(first), int(middle), int(last)) if first < middle < last:
            return NumberDate(first, last, 0, ",")
        case (int(first), NumberDate(first=middle, second=last)) if first < middle:
            return NumberDate(first, last, 0, ",")
    return None


@action
def named_days_month(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "Mon 19, Wed 21 and Fri 23 October": days with their weekdays, then their month."""
    return days_month(scene, (*captured[1:-1:2], captured[-1]))


def _days_cycle(month: int, first: int, last: int, *, ends_in: bool = False) -> Cycle | None:
    """Days of a month; where the last is a smaller number, it is of the month after.

    With `ends_in` the month is that of the last day, and the first may be of the one before.
    """
    longest = days_in_month(_LEAP_YEAR, month)
    begun = days_in_month(_LEAP_YEAR, (month - 2) % _MONTHS + 1) if ends_in else longest
    if not 1 <= first <= begun or not 1 <= last <= longest or first == last:
        return None

    def locate(period: datetime) -> Bounds:
        if ends_in:
            final = moment(period.year, month, last)
            start = add(add(floor(final, Grain.MONTH), -1, Grain.MONTH), first - 1, Grain.DAY)
            return start, add(final, 1, Grain.DAY)
        start = moment(period.year, month, first)
        final = moment(period.year, month, last)
        if last < first:
            final = add(final, 1, Grain.MONTH)
        return start, add(final, 1, Grain.DAY)

    return Cycle(Grain.YEAR, Grain.WEEK, locate)


@action
def decade(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the 1980s, the 90s; hundreds before 2000 are centuries."""
    match captured:
        case (int(number),) if number % 10 == 0:
            if number < 100:
                number += 1900 if number >= 30 else 2000
            grain = Grain.CENTURY if number % 100 == 0 and number < 2000 else Grain.DECADE
            if number >= 1000:
                start = moment(number, 1, 1)
                return Interval(start, add(start, 1, grain), grain)
    return None


@action
def century(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the 19th century."""
    match captured:
        case (int(number),) if 11 <= number <= 30:
            start = moment(number * 100 - 100, 1, 1)
            return Interval(start, add(start, 1, Grain.CENTURY), Grain.CENTURY)
    return None


@action
def centuries(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the 16th to 18th centuries", from the first to the last."""
    match captured:
        case (int(first), int(last)) if 11 <= first < last <= 30:
            start = moment(first * 100 - 100, 1, 1)
            return Interval(start, moment(last * 100, 1, 1), Grain.CENTURY)
    return None


@action
def fiscal_year(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: FY24; whose fiscal year is not known, so the calendar year stands in for it."""
    match captured:
        case (int(number),):
            start = moment(full_year(number), 1, 1)
            end = add(start, 1, Grain.YEAR)
            return Interval(start, end, Grain.YEAR, TimeKind.ABSOLUTE, confidence=0.6)
    return None


@action
def weekday_day(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: "Mon 13th", the day of a month that falls on that weekday."""
    match captured:
        case (int(weekday), int(day)) if 1 <= day <= 31:

            def locate(month: datetime) -> Bounds | None:
                start = moment(month.year, month.month, day)
                return (start, add(start, 1, Grain.DAY)) if start.weekday() == weekday else None

            return Cycle(Grain.MONTH, Grain.DAY, locate)
    return None


@action
def weekday_number(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "sábado 19": a number behind a weekday, if it is that of such a day near now."""
    named = weekday_day(scene, captured)
    if not isinstance(named, Cycle):
        return None
    found = nearest(named, scene.now)
    near = found is not None and abs(found[0] - scene.now) < _NEAR
    return replace(named, bare=Bare.DAY) if near else None
