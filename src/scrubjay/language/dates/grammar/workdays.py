"""Builds times counted in working days: "three business days ago"."""

from __future__ import annotations

from datetime import datetime

from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import DAY, floor, unit_bounds
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.scene import Scene
from scrubjay.language.dates.semantics.values import Count, Grain, Interval, Value

_SATURDAY = 5
# Nobody counts longer stretches in working days.
_WORKDAYS_MAX = 500


@action
def past_workdays(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the last so many working days, up to now."""
    match captured:
        case (Count(number=number),) if number <= _WORKDAYS_MAX:
            start = _stepped(scene.now, number, -1)
            return Interval(start, scene.now_end, Grain.DAY, TimeKind.RELATIVE)
    return None


@action
def workdays_ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the day so many working days ago."""
    return _away(scene, captured, -1)


@action
def workdays_ahead(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the day so many working days ahead."""
    return None if scene.forward is False else _away(scene, captured, 1)


def _away(scene: Scene, captured: Captured, sign: int) -> Interval | None:
    match captured:
        case (Count(number=number),) if number <= _WORKDAYS_MAX:
            day = _stepped(scene.now, number, sign)
            return Interval(*unit_bounds(day, Grain.DAY), Grain.DAY, TimeKind.RELATIVE)
    return None


def _stepped(now: datetime, number: int, sign: int) -> datetime:
    """Midnight of the day that lies so many working days away; weekends do not count."""
    day = floor(now, Grain.DAY)
    while number:
        day += DAY * sign
        if day.weekday() < _SATURDAY:
            number -= 1
    return day
