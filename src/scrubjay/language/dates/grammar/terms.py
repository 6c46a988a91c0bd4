"""Builds the calendars of schools and books: "the spring term", "last school year", "4Q24"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from scrubjay.language.dates.grammar.counts import unit_of
from scrubjay.language.dates.grammar.cycles import (
    days_cycle,
    half_year,
    months_cycle,
    quarter,
    season,
)
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.grammar.relative import shift_unit
from scrubjay.language.dates.semantics.calendar import add, floor, full_year, moment
from scrubjay.language.dates.semantics.compose import compose
from scrubjay.language.dates.semantics.scene import (
    Scene,
    anchored,
    completed,
    instance,
    started,
    unfinished,
    upcoming,
)
from scrubjay.language.dates.semantics.values import (
    Bare,
    Bounds,
    Count,
    Cycle,
    Grain,
    Interval,
    NumberDate,
    Value,
)

# First month and length; the year of a term is the one it begins in.
_TERMS = {
    "spring": (1, 5),
    "summer": (6, 3),
    "autumn": (9, 4),
    "winter": (1, 3),
    "winter half": (10, 6),
    "summer half": (4, 6),
}
_SCHOOL_STARTS = 9  # September, and it ends with August: holidays belong to the year before them
# A season of two digits is one people remember: "the summer of 69" is a song.
_SHORT_BACK, _SHORT_AHEAD = 40, 2


@action
def term(_scene: Scene, captured: Captured) -> Value | None:
    """CYCLE: a term or semester by its season."""
    match captured:
        case (str(name),):
            return replace(months_cycle(*_TERMS[name], Grain.HALF), bare=Bare.NO)
    return None


@action
def term_years(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "Wintersemester 2024/25": by the year it begins in."""
    match captured:
        case (str(name), NumberDate() as pair):
            first = _first_year(pair)
            # A winter term that two years share begins in the first of them.
            term_name = "winter half" if name == "winter" else name
            return None if first is None else _of_year(term(scene, (term_name,)), first)
    return None


@action
def school_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: last, this or next school year, or one by its two years."""
    match captured:
        case ():
            return school_year(scene, (0,))
        case (NumberDate() as pair,):
            first = _first_year(pair)
            return None if first is None else _school(moment(first, 1, 1))
        case (int(first), int(_)) if first > 1900:
            return _school(moment(first, 1, 1))
        case (int(shift),) if -1 <= shift <= 1:
            running = scene.now.year - (scene.now.month < _SCHOOL_STARTS)
            return _school(moment(running + shift, 1, 1))
    return None


def _first_year(pair: NumberDate) -> int | None:
    """The first of two years that follow each other: 2024/25, 24/25."""
    first = pair.first if pair.first > 1900 else full_year(pair.first)
    return first if pair.second % 100 == (first + 1) % 100 else None


def _school(year: datetime) -> Interval:
    start = year.replace(month=_SCHOOL_STARTS)
    return Interval(start, add(start, 1, Grain.YEAR), Grain.YEAR)


@action
def quarter_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: 4Q24, Q4'24, Q4/2024: a quarter and its year."""
    match captured:
        case (NumberDate(first=number, second=year),):
            return quarter_year(scene, (number, year))
        case (int(number), int(year)) if year < 100 or 1900 <= year <= 2100:
            return _of_year(quarter(scene, (number,)), year)
    return None


@action
def half_of_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: 1H25, H1/25: a half and its year."""
    match captured:
        case (NumberDate(first=number, second=year),):
            return half_of_year(scene, (number, year))
        case (int(number), int(year)) if year < 100 or 1900 <= year <= 2100:
            return _of_year(half_year(scene, (number,)), year)
    return None


def _of_year(cycle: Value | None, year: int) -> Interval | None:
    if not isinstance(cycle, Cycle):
        return None
    bounds = cycle.locate(moment(full_year(year), 1, 1))
    return None if bounds is None else anchored(instance(cycle, bounds))


@action
def cycle_of_unit(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "Q4 numbers last year": a name and its year, with what it is about in between."""
    match captured:
        case (Cycle(period=Grain.YEAR) as cycle, int(shift), str(unit)):
            outer = shift_unit(scene, (shift, unit))
            if isinstance(outer, Interval) and outer.grain is Grain.YEAR:
                return compose(cycle, outer)
    return None


@action
def months_to(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the 3 months to September": so many that end with a time."""
    match captured:
        case (Count(number=number), str(unit), Cycle() as cycle):
            size, grain = unit_of(unit)
            bounds = started(cycle, scene.now)
            if grain is not cycle.grain or bounds is None:
                return None
            return Interval(add(bounds[1], -number * size, grain), bounds[1], Grain.QUARTER)
    return None


_HALF_A_YEAR = timedelta(days=183)


@action
def both(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "May and June", "Mon, Tue and Thu": from the first to the last."""
    match captured:
        case (Cycle() as left, Cycle() as middle, Cycle() as right):
            return both(scene, (left, right)) if both(scene, (left, middle)) else None
        case (Cycle() as left, Cycle() as right) if _alike(left, right):

            def locate(period: datetime) -> Bounds | None:
                first, last = left.locate(period), right.locate(period)
                if first is None or last is None or first[0] == last[0]:
                    return None
                if first[0] < last[0]:
                    return first[0], last[1]
                # "July vs June" compares; "December and January" goes on into the next year.
                near = left.grain is Grain.MONTH and first[0] - last[0] < _HALF_A_YEAR
                return (last[0], first[1]) if near else None

            if locate(floor(scene.now, left.period)) is None:
                return None
            grain = Grain.WEEKEND if left.grain is Grain.DAY else Grain.QUARTER
            return Cycle(left.period, grain, locate, Bare.NAME)
    return None


@action
def both_weekdays(scene: Scene, captured: Captured) -> Value | None:
    """TIME: two weekdays in their shortest form, which alone are other words: "Mo und Di"."""
    match captured:
        case (int(first), int(last)):
            return both(scene, tuple(days_cycle(day, 1, Grain.DAY) for day in (first, last)))
    return None


def _alike(left: Cycle, right: Cycle) -> bool:
    """Two months or quarters of a year, or two days of a week."""
    if left.grain is not right.grain or left.period is not right.period:
        return False
    return left.grain in (Grain.MONTH, Grain.QUARTER) or (
        left.grain is Grain.DAY and left.period is Grain.WEEK
    )


@action
def fiscal_years(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: FY 2024/25: two calendar years share it; most such years begin in April."""
    match captured:
        case (NumberDate() as pair,):
            first = _first_year(pair)
            if first is None:
                return None
            start = moment(first, 4, 1)
            return Interval(start, add(start, 1, Grain.YEAR), Grain.YEAR, confidence=0.6)
    return None


@action
def tax_years(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the tax year 2025/26, which only the British write so: from 6 April to 5 April."""
    match captured:
        case (NumberDate() as pair,):
            first = _first_year(pair)
            if first is None:
                return None
            start = moment(first, 4, 6)
            return Interval(start, add(start, 1, Grain.YEAR), Grain.YEAR)
    return None


@action
def season_years(scene: Scene, captured: Captured) -> Value | None:
    """TIME: winter 2023/24."""
    match captured:
        case (str(name), NumberDate() as pair):
            first = _first_year(pair)
            return None if first is None else _of_year(season(scene, (name,)), first)
    return None


@action
def season_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "summer 25": a season has no days to number."""
    match captured:
        case (str(name), int(year)) if year < 100 and _is_near(scene, full_year(year)):
            return _of_year(season(scene, (name,)), year)
    return None


def _is_near(scene: Scene, year: int) -> bool:
    return -_SHORT_BACK <= year - scene.now.year <= _SHORT_AHEAD


@action
def shift_quarter(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "last q"."""
    return shift_unit(scene, (*captured, "quarter"))


@action
def shift_fiscal(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "last fy"; whose fiscal year is not known, so the calendar year stands in for it."""
    return shift_unit(scene, (*captured, "year"))


@action
def shift_term(scene: Scene, captured: Captured) -> Value | None:
    """TIME: last, this or next semester."""
    match captured:
        case (int(shift),):
            terms = [months_cycle(*_TERMS[name], Grain.HALF) for name in ("spring", "autumn")]
            found = [_nearest_term(scene, cycle, shift) for cycle in terms]
            bounds = [each for each in found if each is not None]
            if bounds:
                return Interval(*(max(bounds) if shift < 0 else min(bounds)), Grain.HALF)
    return None


def _nearest_term(scene: Scene, cycle: Cycle, shift: int) -> Bounds | None:
    if shift < 0:
        return completed(cycle, scene.now)
    return unfinished(cycle, scene.now) if shift == 0 else upcoming(cycle, scene.now)
