"""Builds times from cycles counted or placed: "last June", "two summers ago"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from scrubjay.language.dates.grammar.counts import shifted, unit_of
from scrubjay.language.dates.grammar.cycles import daypart_cycle, days_cycle, lift
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import add, floor
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.scene import (
    Scene,
    anchored,
    completed,
    instance,
    kind_of,
    started,
    unfinished,
    upcoming,
)
from scrubjay.language.dates.semantics.values import (
    Bare,
    Bounds,
    Count,
    Cycle,
    Duration,
    Grain,
    Interval,
    Time,
    Value,
)


@action
def shift_cycle(scene: Scene, captured: Captured) -> Value | None:
    """TIME: last, this or next CYCLE."""
    match captured:
        case (int(shift), Cycle() as cycle):
            return _shifted(scene, cycle, shift)
        case (Cycle() as cycle, int(shift)):
            return _shifted(scene, cycle, shift)
    return None


@action
def shift_weekday_near(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "letzten Do": a weekday in its shortest form, which alone is another word."""
    match captured:
        case (int(shift), int(number)):
            return shift_cycle(scene, (shift, days_cycle(number, 1, Grain.DAY)))
    return None


@action
def shift_weekend(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "letztes WE": the weekend in its short form, which alone is no word."""
    return shift_cycle(scene, (*captured, days_cycle(5, 2, Grain.WEEKEND)))


def _shifted(scene: Scene, cycle: Cycle, shift: int) -> Interval | None:
    if cycle.bare is Bare.NEVER and cycle.period is Grain.DAY:
        bounds = cycle.locate(add(floor(scene.now, Grain.DAY), shift, Grain.DAY))
    elif shift == 0:
        bounds = _this(scene, cycle)
    elif shift < 0:
        bounds = completed(cycle, _horizon(scene, cycle))
    else:
        bounds = _next(scene, cycle)
    return _settled(cycle, bounds)


def _settled(cycle: Cycle, bounds: Bounds | None) -> Interval | None:
    if bounds is None:
        return None
    return replace(anchored(instance(cycle, bounds)), kind=kind_of(cycle.grain), confidence=0.93)


def _horizon(scene: Scene, cycle: Cycle) -> datetime:
    """A day is over when the next one begins, whatever the hour."""
    return floor(scene.now, Grain.DAY) if cycle.grain is Grain.DAY else scene.now


def _this(scene: Scene, cycle: Cycle) -> Bounds | None:
    running = started(cycle, scene.now)
    if running is not None and running[1] > scene.now:
        return running
    own = cycle.locate(floor(scene.now, cycle.period))
    if own is None:
        return running
    if scene.forward is False and own[0] > scene.now:
        return running
    if scene.forward is True and own[1] <= scene.now:
        return unfinished(cycle, scene.now)
    return own


def _next(scene: Scene, cycle: Cycle) -> Bounds | None:
    if cycle.period is Grain.WEEK:
        return cycle.locate(add(floor(scene.now, Grain.WEEK), 1, Grain.WEEK))
    return upcoming(cycle, scene.now)


@action
def cycle_gone(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the Saturday just gone"."""
    match captured:
        case (Cycle() as cycle,):
            return _shifted(scene, cycle, -1)
    return None


@action
def cycle_before_last(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the CYCLE before last."""
    match captured:
        case (Cycle() as cycle,):
            return _settled(cycle, completed(cycle, _horizon(scene, cycle), 2))
    return None


@action
def cycle_after_next(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the CYCLE after next."""
    match captured:
        case (Cycle() as cycle,):
            return _settled(cycle, upcoming(cycle, scene.now, 2))
    return None


@action
def cycles_ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: so many CYCLEs ago, the latest one that is over being one ago."""
    match captured:
        case (Count(number=number, few=False), Cycle() as cycle) if number <= 40:
            return _settled(cycle, completed(cycle, _horizon(scene, cycle), number))
    return None


@action
def last_cycles(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the last so many CYCLEs, from the first of them to the end of the latest."""
    match captured:
        case (Count(number=number), Cycle() as cycle) if number <= 40:
            first = completed(cycle, _horizon(scene, cycle), number)
            last = completed(cycle, _horizon(scene, cycle))
            if first is not None and last is not None:
                return _settled(cycle, (first[0], last[1]))
    return None


@action
def before_time(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a time moved back by a duration."""
    return _moved(captured, -1)


@action
def after_time(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: a time moved ahead by a duration."""
    return _moved(captured, 1)


def _moved(captured: Captured, sign: int) -> Time | None:
    match captured:
        case (Duration() as duration, (Interval() | Cycle()) as time) if not duration.few:

            def move(bounds: Bounds) -> Bounds:
                return shifted(bounds[0], duration, sign), shifted(bounds[1], duration, sign)

            return lift(time, move, time.grain)
        case ((Interval() | Cycle()) as time, Duration() as duration):
            return _moved((duration, time), sign)
    return None


@action
def run_before(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the so many UNITs that end where a time begins."""
    match captured:
        case (Duration() as duration, (Interval() | Cycle()) as time):
            return lift(
                time, lambda bounds: (shifted(bounds[0], duration, -1), bounds[0]), Grain.WEEK
            )
    return None


@action
def run_to(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the so many UNITs that end with a day: "the fortnight to 5 May"."""
    match captured:
        case (str(name), (Interval() | Cycle()) as time):
            size, grain = unit_of(name)
            return run_to(_scene, (Duration(((size, grain),), grain), time))
        case (Duration() as duration, (Interval() | Cycle()) as time) if time.grain <= Grain.DAY:
            return lift(
                time, lambda bounds: (shifted(bounds[1], duration, -1), bounds[1]), Grain.WEEK
            )
    return None


@action
def run_after(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the so many UNITs that begin where a time ends."""
    match captured:
        case (Duration() as duration, (Interval() | Cycle()) as time):
            return lift(
                time, lambda bounds: (bounds[1], shifted(bounds[1], duration, 1)), Grain.WEEK
            )
    return None


@action
def coming_cycle(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the coming CYCLE, the nearest that has not begun."""
    match captured:
        case (Cycle() as cycle,):
            return _settled(cycle, upcoming(cycle, scene.now))
    return None


@action
def unit_before(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the UNIT that ends where a time begins."""
    match captured:
        case (str(name), (Interval() | Cycle()) as time):
            size, grain = unit_of(name)
            if time.grain < Grain.DAY <= grain:
                return None
            return lift(time, lambda bounds: (add(bounds[0], -size, grain), bounds[0]), grain)
    return None


@action
def unit_after(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the UNIT that begins where a time ends."""
    match captured:
        case (str(name), (Interval() | Cycle()) as time):
            size, grain = unit_of(name)
            if time.grain < Grain.DAY <= grain:
                return None
            return lift(time, lambda bounds: (bounds[1], add(bounds[1], size, grain)), grain)
    return None


@action
def cycle_before(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the CYCLE, or the nth one, before a time."""
    match captured:
        case (Cycle() as cycle, (Interval() | Cycle()) as time):
            return lift(time, lambda bounds: completed(cycle, bounds[0]), cycle.grain)
        case (int(nth), Cycle() as cycle, (Interval() | Cycle()) as time) if 0 < nth <= 40:
            return lift(time, lambda bounds: completed(cycle, bounds[0], nth), cycle.grain)
    return None


@action
def cycle_after(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: the CYCLE, or the nth one, after a time."""
    match captured:
        case (Cycle() as cycle, (Interval() | Cycle()) as time):
            return lift(time, lambda bounds: upcoming(cycle, bounds[1]), cycle.grain)
        case (int(nth), Cycle() as cycle, (Interval() | Cycle()) as time) if 0 < nth <= 40:
            return lift(time, lambda bounds: upcoming(cycle, bounds[1], nth), cycle.grain)
    return None


@action
def cycle_units_ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a weekday so many units away from the nearest one: "a week from Tuesday"."""
    match captured:
        case (Duration() as duration, Cycle(period=Grain.WEEK) as cycle):
            bounds = unfinished(cycle, scene.now)
            if bounds is not None:
                moved = shifted(bounds[0], duration, 1), shifted(bounds[1], duration, 1)
                return _settled(cycle, moved)
    return None


@action
def weekday_last(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "Sunday last", the one before now."""
    match captured:
        case (int(weekday),):
            return cycle_gone(scene, (days_cycle(weekday, 1, Grain.DAY),))
    return None


@action
def weeks_on(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "a week on Tuesday", "two weeks on Friday"."""
    match captured:
        case (int(weekday),):
            return weeks_on(scene, (1, weekday))
        case (int(number), int(weekday)) if number <= 10:
            weeks = Duration(((number, Grain.WEEK),), Grain.WEEK)
            return cycle_units_ago(scene, (weeks, days_cycle(weekday, 1, Grain.DAY)))
    return None


@action
def fortnight_on(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "a fortnight on Tuesday", "Monday fortnight"."""
    return weeks_on(scene, (2, *captured))


@action
def around(_scene: Scene, captured: Captured) -> Value | None:
    """TIME: around a time; its own edges, known to be blurred."""
    match captured:
        case ((Interval() | Cycle()) as time,) if time.bare in (Bare.NO, Bare.NAME):
            return replace(time, kind=TimeKind.FUZZY, confidence=0.7)
    return None


@action
def last_night(scene: Scene, _captured: Captured) -> Value | None:
    """TIME: the night that began yesterday."""
    return _shifted(scene, daypart_cycle("night"), -1)


@action
def this_daypart(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a part of today by one word: "stamattina", "今晚"."""
    match captured:
        case (str(name),):
            return _shifted(scene, daypart_cycle(name), 0)
    return None


@action
def weekday_of_week(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a weekday of last, this or next week, where the language names the week with it."""
    match captured:
        case (int(shift), Cycle(period=Grain.WEEK) as cycle):
            week = add(floor(scene.now, Grain.WEEK), shift, Grain.WEEK)
            return _settled(cycle, cycle.locate(week))
    return None


@action
def shift_weekday(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the same, from the number of the weekday."""
    match captured:
        case (int(shift), int(number)):
            return weekday_of_week(scene, (shift, days_cycle(number, 1, Grain.DAY)))
    return None
