"""Builds parts of times: "early 2024", "the first week of May", "the third Thursday"."""

from __future__ import annotations

from datetime import datetime, timedelta

from scrubjay.language.dates.grammar.counts import unit_of
from scrubjay.language.dates.grammar.cycles import lift
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import DAY, add, floor, moment, unit_bounds
from scrubjay.language.dates.semantics.scene import Scene, kind_of
from scrubjay.language.dates.semantics.values import (
    Bounds,
    Count,
    Cycle,
    Grain,
    Interval,
    Time,
    Value,
)

_WEEKEND_DAYS = 2
# So long after its end a year's end is the one that people look back on.
_NEW_YEAR_MONTHS = 2
# Where early, mid and late begin and end, in months, days or years from the unit's start; None
# is the unit's end. People's "end of the year" is longer than its start.
_CUTS: dict[Grain, tuple[Grain, dict[str, tuple[int, int | None]]]] = {
    Grain.WEEK: (Grain.DAY, {"early": (0, 3), "mid": (1, 4), "late": (4, None)}),
    Grain.WEEKEND: (Grain.DAY, {"early": (0, 1), "mid": (0, 2), "late": (1, None)}),
    Grain.MONTH: (Grain.DAY, {"early": (0, 10), "mid": (10, 20), "late": (20, None)}),
    Grain.QUARTER: (Grain.MONTH, {"early": (0, 1), "mid": (1, 2), "late": (2, None)}),
    Grain.SEASON: (Grain.MONTH, {"early": (0, 1), "mid": (1, 2), "late": (2, None)}),
    Grain.HALF: (Grain.MONTH, {"early": (0, 2), "mid": (2, 4), "late": (4, None)}),
    Grain.YEAR: (Grain.MONTH, {"early": (0, 3), "mid": (4, 8), "late": (8, None)}),
    Grain.DECADE: (Grain.YEAR, {"early": (0, 4), "mid": (3, 7), "late": (6, None)}),
    Grain.CENTURY: (Grain.YEAR, {"early": (0, 33), "mid": (33, 66), "late": (66, None)}),
}
_DAY_CUTS = {"early": (0, 9), "mid": (10, 15), "late": (17, 24)}


@action
def part(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: early, mid or late in a time."""
    match captured:
        case (str(name), (Interval() | Cycle()) as time):
            return _part_of(name, time)
        case ((Interval() | Cycle()) as time, str(name)):
            return _part_of(name, time)
    return None


def _part_of(name: str, time: Time) -> Time | None:
    if time.grain is Grain.DAY:
        first_hour, last_hour = _DAY_CUTS[name]
        return lift(
            time,
            lambda bounds: (
                bounds[0] + timedelta(hours=first_hour),
                bounds[0] + timedelta(hours=last_hour),
            ),
            Grain.PART,
        )
    cuts = _CUTS.get(time.grain)
    if cuts is None:
        return None
    unit, names = cuts
    first, last = names[name]

    def cut(bounds: Bounds) -> Bounds:
        end = bounds[1] if last is None else min(bounds[1], add(bounds[0], last, unit))
        return add(bounds[0], first, unit), end

    # A part still holds the units one step finer: "Friday at the end of last week".
    return lift(time, cut, max(unit, Grain.WEEKEND))


@action
def part_here(scene: Scene, captured: Captured) -> Value | None:
    """TIME: early, mid or late in the present UNIT."""
    match captured:
        case (str(name), str(unit)):
            if unit == "year" and name == "late" and _is_new_year(scene):
                # "What did we do at the end of the year" is asked in January of the one before.
                return _part_of(name, Interval(*unit_bounds(scene.now, Grain.YEAR, -1), Grain.YEAR))
            here = _this_unit(scene, unit)
            return None if here is None else _part_of(name, here)
    return None


def _is_new_year(scene: Scene) -> bool:
    return scene.forward is False and scene.now.month <= _NEW_YEAR_MONTHS


def _this_unit(scene: Scene, name: str) -> Interval | None:
    grain = unit_of(name)[1]
    if grain < Grain.DAY:
        return None
    return Interval(*unit_bounds(scene.now, grain), grain, kind_of(grain), confidence=0.9)


@action
def half(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the first or second half of a time."""
    match captured:
        case (int(nth), (Interval() | Cycle()) as time):
            return lift(time, lambda bounds: _half_of(nth, bounds), _finer(time.grain))
        case ((Interval() | Cycle()) as time, int(nth)):
            return half(scene, (nth, time))
    return None


@action
def third(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the first, second or last third of a time; the last may be counted as -1."""
    match captured:
        case (int(nth), (Interval() | Cycle()) as time) if nth in (-1, 1, 2, 3):
            return lift(time, lambda bounds: _third_of(nth, bounds), _finer(time.grain))
    return None


@action
def half_here(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the first or second half of the present UNIT."""
    match captured:
        case (int(nth), str(unit)):
            here = _this_unit(scene, unit)
            return None if here is None else half(scene, (nth, here))
    return None


def _half_of(nth: int, bounds: Bounds) -> Bounds:
    start, end = bounds
    months = (end.year - start.year) * 12 + end.month - start.month
    if months >= 2 and months % 2 == 0 and start.day == 1:
        middle = add(start, months // 2, Grain.MONTH)
    else:
        middle = start + DAY * ((end - start).days // 2)
    return (start, middle) if nth == 1 else (middle, end)


def _third_of(nth: int, bounds: Bounds) -> Bounds:
    start, end = bounds
    before = 2 if nth == -1 else nth - 1
    days = (end - start).days
    # Ten days each of a month, and what is left of it is of the last.
    edges = [start + DAY * (days // 3 * part) for part in range(3)] + [end]
    return edges[before], edges[before + 1]


def _finer(grain: Grain) -> Grain:
    return Grain.HALF if grain is Grain.YEAR else Grain.WEEK if grain >= Grain.MONTH else Grain.DAY


@action
def nth_unit(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the nth UNIT of a time, counted from its end when negative."""
    match captured:
        case (int(nth), str(name), (Interval() | Cycle()) as time):
            return _run_of(time, nth, 1, name)
        case (int(nth), Count(number=number), str(name), (Interval() | Cycle()) as time):
            return _run_of(time, nth, number, name)
    return None


@action
def nth_day(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a day by its number in a month: "the 20th of last month"."""
    match captured:
        case (int(day), (Interval() | Cycle()) as time) if time.grain is Grain.MONTH:
            return nth_unit(scene, (day, "day", time))
    return None


@action
def edge(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the last day of the present UNIT."""
    match captured:
        case (str(name),):
            here = _this_unit(scene, name)
            return here if here is None or name == "day" else _run_of(here, -1, 1, "day")
    return None


@action
def nth_unit_here(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the nth UNIT of the present larger UNIT."""
    match captured:
        case (*rest, str(outer)):
            here = _this_unit(scene, outer)
            return None if here is None else nth_unit(scene, (*rest, here))
    return None


def _run_of(time: Time, nth: int, number: int, name: str) -> Time | None:
    """`number` units from the nth on, or up to the nth from the end; they must all lie inside."""
    size, grain = unit_of(name)
    if grain >= time.grain or nth == 0:
        return None
    if name == "fortnight" and time.grain is Grain.MONTH and nth in (1, 2, -1):
        # The two halves of a month, however many days it has.
        return lift(time, lambda bounds: _half_of(2 if nth != 1 else 1, bounds), Grain.WEEK)

    def cut(bounds: Bounds) -> Bounds | None:
        if nth > 0:
            start = add(bounds[0], (nth - 1) * size, grain)
            end = add(start, number * size, grain)
        else:
            end = add(bounds[1], (nth + 1) * size, grain)
            start = add(end, -number * size, grain)
        return (start, end) if bounds[0] <= start and end <= bounds[1] else None

    return lift(time, cut, grain)


@action
def nth_cycle(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the nth CYCLE of a time: the third Thursday of November."""
    match captured:
        case (int(nth), Cycle() as cycle, (Interval() | Cycle()) as time) if nth:
            if cycle.grain >= time.grain:
                return None
            return lift(time, lambda bounds: _nth_inside(cycle, nth, bounds), cycle.grain)
        case ((Interval() | Cycle()) as time, int(nth), Cycle() as cycle):
            return nth_cycle(_scene, (nth, cycle, time))
    return None


@action
def nth_cycle_here(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the nth CYCLE of the present UNIT."""
    match captured:
        case (int(nth), Cycle() as cycle, str(unit)):
            here = _this_unit(scene, unit)
            return None if here is None else nth_cycle(scene, (nth, cycle, here))
    return None


def _nth_inside(cycle: Cycle, nth: int, bounds: Bounds) -> Bounds | None:
    step = 1 if nth > 0 else -1
    edge = bounds[0] if nth > 0 else bounds[1] - timedelta(microseconds=1)
    period = floor(edge, cycle.period)
    left = abs(nth)
    for _ in range(abs(nth) + 2):
        found = cycle.locate(period)
        if found is not None and bounds[0] <= found[0] < bounds[1]:
            left -= 1
            if left == 0:
                return found
        period = add(period, step, cycle.period)
    return None


@action
def week_of(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the calendar week that holds a day."""
    match captured:
        case ((Interval() | Cycle()) as time,) if time.grain <= Grain.DAY:
            return lift(time, lambda bounds: unit_bounds(bounds[0], Grain.WEEK), Grain.WEEK)
    return None


@action
def iso_week(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a numbered week of the ISO calendar, with or without its year."""
    match captured:
        case (int(first), int(second)):
            year, number = max(first, second), min(first, second)
            start = _numbered_week(moment(year, 1, 1), number)
            return None if start is None else Interval(*start, Grain.WEEK)
        case (int(number),) if 1 <= number <= 53:
            return Cycle(Grain.YEAR, Grain.WEEK, lambda year: _numbered_week(year, number))
    return None


def _numbered_week(year: datetime, number: int) -> Bounds | None:
    if not 1 <= number <= 53:
        return None
    start = floor(year + 3 * DAY, Grain.WEEK) + (number - 1) * 7 * DAY
    return start, start + 7 * DAY


@action
def week_from(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the seven days that begin with a day."""
    match captured:
        case ((Interval() | Cycle()) as time,) if time.grain <= Grain.DAY:
            return lift(time, lambda bounds: (bounds[0], bounds[0] + 7 * DAY), Grain.WEEK)
    return None


@action
def week_ending(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the seven days that end with a day."""
    match captured:
        case ((Interval() | Cycle()) as time,) if time.grain <= Grain.DAY:
            return lift(time, lambda bounds: (bounds[1] - 7 * DAY, bounds[1]), Grain.WEEK)
    return None


@action
def weekend_of(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the weekend nearest to a day."""
    match captured:
        case ((Interval() | Cycle()) as time,) if time.grain <= Grain.DAY:
            return lift(time, lambda bounds: _nearest_weekend(bounds[0]), Grain.WEEKEND)
    return None


def _nearest_weekend(day: datetime) -> Bounds:
    saturday = floor(day, Grain.WEEK) + 5 * DAY
    if day.weekday() < 2:
        saturday -= 7 * DAY
    return saturday, saturday + _WEEKEND_DAYS * DAY


@action
def part_here_month(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a part of the present month by one word: "月底"."""
    return part_here(scene, (*captured, "month"))


@action
def part_here_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a part of the present year by one word: "年末"."""
    return part_here(scene, (*captured, "year"))


@action
def nth_week(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: a time, then the number of the week in it."""
    match captured:
        case ((Interval() | Cycle()) as time, int(nth)):
            return nth_unit(scene, (nth, "week", time))
        case ((Interval() | Cycle()) as time,):
            return nth_unit(scene, (-1, "week", time))
    return None
