"""Builds the years of the user's life: "when I was 30", "in my twenties", "when I turned 40"."""

from __future__ import annotations

from datetime import datetime

from scrubjay.language.dates.grammar.dates import month_day
from scrubjay.language.dates.grammar.named import shift_cycle
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import add, moment, unit_bounds
from scrubjay.language.dates.semantics.scene import Scene
from scrubjay.language.dates.semantics.values import Grain, Interval, Value

_AGE_MAX = 120
_TEENS = (13, 20)
_DECADE_PARTS = {"early": (0, 4), "mid": (3, 7), "late": (6, 10)}
_CHILDHOOD = (0, 13)


@action
def age(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the year in which the user was so old."""
    match captured:
        case (int(years),):
            return _lived(scene, years, years + 1, Grain.YEAR)
    return None


@action
def turned(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the birthday on which the user turned so old."""
    match captured:
        case (int(years),):
            birthday = _birthday(scene, years)
            if birthday is not None:
                return Interval(birthday, add(birthday, 1, Grain.DAY), Grain.DAY)
    return None


@action
def turned_year(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the calendar year in which the user turned so old."""
    match captured:
        case (int(years),):
            birthday = _birthday(scene, years)
            if birthday is not None:
                return Interval(*unit_bounds(birthday, Grain.YEAR), Grain.YEAR)
    return None


@action
def born(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: "the day I was born"."""
    return turned(scene, (0,))


@action
def born_year(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: "the year I was born"."""
    return turned_year(scene, (0,))


@action
def birthday(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: the user's birthday, the last one, or the next."""
    born_on = scene.context.born
    if born_on is None:
        return None
    yearly = month_day(scene, (born_on.month, born_on.day))
    if yearly is None or not captured:
        return yearly
    return shift_cycle(scene, (*captured, yearly))


@action
def age_decade(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "in my twenties": ten years of the user's life, or the early, mid or late ones."""
    match captured:
        case (str(name), int(years)) if years % 10 == 0 and years % 100:
            first, last = _DECADE_PARTS[name]
            return _lived(scene, years % 100 + first, years % 100 + last, Grain.YEAR)
        case (int(years),) if years % 10 == 0:
            first = years % 100
            return _lived(scene, first, first + 10, Grain.DECADE) if first else None
    return None


@action
def teens(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: "as a teenager"."""
    return _lived(scene, *_TEENS, Grain.DECADE)


@action
def childhood(scene: Scene, _captured: Captured) -> Value | None:
    """SPAN: "as a child"."""
    return _lived(scene, *_CHILDHOOD, Grain.DECADE)


def _lived(scene: Scene, first: int, last: int, grain: Grain) -> Interval | None:
    start, end = _birthday(scene, first), _birthday(scene, last)
    return None if start is None or end is None else Interval(start, end, grain)


def _birthday(scene: Scene, years: int) -> datetime | None:
    born = scene.context.born
    if born is None or not 0 <= years <= _AGE_MAX:
        return None
    return add(moment(born.year, born.month, born.day), years, Grain.YEAR)
