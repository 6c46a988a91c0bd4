"""Builds times of day: "5 pm", "17:30", "half past four", "from 2 to 4 pm"."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from scrubjay.language.dates.grammar.cycles import days_cycle
from scrubjay.language.dates.grammar.dates import number_pair
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import add
from scrubjay.language.dates.semantics.compose import compose
from scrubjay.language.dates.semantics.scene import Scene, localize, nearest
from scrubjay.language.dates.semantics.values import (
    Bare,
    Bounds,
    Clock,
    Cycle,
    Grain,
    NumberDate,
    Value,
)

_HALF_DAY = timedelta(hours=12)
_MONTHS = 12
_NAMED = {"noon": 12, "midnight": 0}


@action
def hour(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: an hour alone, with its half of the day, or with minutes or a zone as well."""
    clock: Clock | None = None
    for value in captured:
        clock = _refined(clock, value)
        if clock is None:
            return None
    return clock


def _refined(clock: Clock | None, value: Value) -> Clock | None:
    """One more word about the same time of day."""
    match value:
        case Clock() if clock is None:
            return value
        case int(number) if clock is None and 0 <= number <= 24:
            return Clock(number % 24, 0, 0, Grain.HOUR, unsure=0 < number <= 12)
        case int(number) if clock is not None and 0 <= number < 60:
            return replace(clock, minute=number, grain=Grain.MINUTE)
        case "am" | "pm" if clock is not None and clock.hour <= 12:
            hours = clock.hour % 12 + (12 if value == "pm" else 0)
            return replace(clock, hour=hours, unsure=False)
        case str(name) if name in _NAMED:
            return Clock(_NAMED[name], 0, 0, Grain.HOUR)
    return None


@action
def compact_hour(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: 1105am, the digits of an hour and its minutes run together."""
    match captured:
        case (int(digits), str(half)) if 100 <= digits <= 1259 and digits % 100 < 60:
            clock = Clock(digits // 100, digits % 100, 0, Grain.MINUTE)
            return _refined(clock, half)
    return None


@action
def minutes_past(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: minutes after an hour."""
    return _offset(captured, 1)


@action
def minutes_to(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: minutes before an hour."""
    return _offset(captured, -1)


@action
def half_to(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: "halb fünf", thirty minutes before the hour named."""
    return _offset((30, *captured), -1)


@action
def half_past(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: "half past four", thirty minutes after the hour named."""
    return _offset((30, *captured), 1)


@action
def quarter_past(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: "quarter past four"."""
    return _offset((15, *captured), 1)


@action
def quarter_to(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: "quarter to four"."""
    return _offset((15, *captured), -1)


def _offset(captured: Captured, sign: int) -> Clock | None:
    match captured:
        case (int(minutes), Clock() as clock) if 0 < minutes < 60:
            total = (clock.hour * 60 + sign * minutes) % (24 * 60)
            return replace(clock, hour=total // 60, minute=total % 60, grain=Grain.MINUTE)
    return None


@action
def in_zone(_scene: Scene, captured: Captured) -> Value | None:
    """CLOCK: a time of day in a zone named after it."""
    match captured:
        case (Clock() as clock, int(minutes)):
            return replace(clock, zone_minutes=minutes)
    return None


@action
def time_of_day(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a clock time as something that comes every day."""
    match captured:
        case (Clock() as clock,):
            bare = Bare.NEVER if clock.unsure and clock.grain is Grain.HOUR else Bare.CLOCK
            return _cycle(scene, clock, None, bare)
    return None


@action
def weekday_hour(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "mon 8.15": a weekday and an hour with its minutes, where no month is meant."""
    match captured:
        case (int(day), NumberDate(first=first, second=second, separator=".") as pair) if (
            first <= 24
        ):
            if second > 59 or (0 < second <= _MONTHS and not _disagrees(scene, day, pair)):
                return None
            clock = Clock(first % 24, second, 0, Grain.MINUTE, unsure=0 < first <= 12)
            return compose(days_cycle(day, 1, Grain.DAY), _cycle(scene, clock, None, Bare.CLOCK))
    return None


def _disagrees(scene: Scene, weekday: int, pair: NumberDate) -> bool:
    """Whether "Tue 9.10" is no date: the 9th of October that is nearest is no Tuesday."""
    date = number_pair(scene, (pair,)) if pair.clocked else None
    bounds = nearest(date, scene.now) if isinstance(date, Cycle) else None
    return pair.clocked and (bounds is None or bounds[0].weekday() != weekday)


@action
def at_hour(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "at 8", which means something only beside a date."""
    match captured:
        case (int(number),) if 0 <= number <= 24:
            return _cycle(scene, Clock(number % 24, 0, 0, Grain.HOUR, True), None, Bare.NEVER)
    return None


@action
def hours_range(scene: Scene, captured: Captured) -> Value | None:
    """TIME: from one time of day to another; the first takes its half of the day from the last."""
    match captured:
        case (NumberDate(first=first_number, second=last_number),):
            return _run(scene, _digits(first_number), _digits(last_number), Bare.NEVER)
    clocks = [_refined(None, value) for value in captured]
    match clocks:
        case (Clock() as first, Clock() as last):
            if first.unsure and not last.unsure and first.hour + 12 <= last.hour:
                first = replace(first, hour=first.hour + 12)
            sure = not last.unsure and last.grain is Grain.HOUR
            return _cycle(scene, first, last, Bare.CLOCK if sure else Bare.NEVER)
    return None


def _run(scene: Scene, first: Clock, last: Clock, bare: Bare) -> Cycle | None:
    return None if first.hour == last.hour else _cycle(scene, first, last, bare)


def _digits(number: int) -> Clock:
    """The number of an hour, or an hour and its minutes run together."""
    if number < 100:
        return Clock(number % 24, 0, 0, Grain.HOUR, unsure=True)
    return Clock(number // 100 % 24, number % 100 % 60, 0, Grain.MINUTE)


def _cycle(scene: Scene, first: Clock, last: Clock | None, bare: Bare) -> Cycle:
    def locate(day: datetime) -> Bounds:
        start = _on(scene, day, first)
        if last is None:
            return start, add(start, 1, first.grain)
        end = _on(scene, day, last)
        if end <= start and last.unsure:
            end += _HALF_DAY
        return start, end if end > start else end + _HALF_DAY * 2

    return Cycle(Grain.DAY, Grain.HOUR, locate, bare)


def _on(scene: Scene, day: datetime, clock: Clock) -> datetime:
    """The clock time on a day; with no half named, the waking one unless it is still ahead."""
    at = day.replace(hour=clock.hour, minute=clock.minute, second=clock.second)
    if clock.unsure and 0 < clock.hour < 7 and (scene.forward or at + _HALF_DAY <= scene.now):
        at += _HALF_DAY
    if clock.zone_minutes is None:
        return at
    utc = (at - timedelta(minutes=clock.zone_minutes)).replace(tzinfo=UTC)
    return localize(utc, scene.context)


@action
def spoken_hour(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the half of the day, the hour and its minutes, in that order: "下午三点半"."""
    halves = [value for value in captured if isinstance(value, str)]
    numbers = [value for value in captured if isinstance(value, int)]
    clock = hour(scene, (*numbers, *halves))
    return None if clock is None else time_of_day(scene, (clock,))
