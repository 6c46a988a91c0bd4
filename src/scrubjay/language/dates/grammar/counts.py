"""Builds counts and durations: "three", "a couple of", "two and a half years"."""

from __future__ import annotations

from datetime import datetime

from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import add
from scrubjay.language.dates.semantics.scene import Scene
from scrubjay.language.dates.semantics.values import Count, Duration, Grain, Value

_QUANTITIES = {
    "one": Count(1),
    "couple": Count(2),
    "few": Count(3, few=True),
    "several": Count(3, few=True),
    "dozen": Count(12),
}
_HALVES: dict[Grain, tuple[int, Grain]] = {
    Grain.MINUTE: (30, Grain.SECOND),
    Grain.HOUR: (30, Grain.MINUTE),
    Grain.DAY: (12, Grain.HOUR),
    Grain.WEEK: (3, Grain.DAY),
    Grain.MONTH: (15, Grain.DAY),
    Grain.QUARTER: (45, Grain.DAY),
    Grain.YEAR: (6, Grain.MONTH),
    Grain.DECADE: (5, Grain.YEAR),
    Grain.CENTURY: (50, Grain.YEAR),
}
_LONG_UNITS = {"fortnight": (2, Grain.WEEK), "semester": (6, Grain.MONTH)}


def unit_of(name: str) -> tuple[int, Grain]:
    """A unit's name in the data files as a number of calendar units."""
    return _LONG_UNITS.get(name) or (1, Grain[name.upper()])


@action
def count(_scene: Scene, captured: Captured) -> Value | None:
    """COUNT: a number, or a word such as "few"."""
    match captured:
        case (int(number),) if 0 < number <= 100_000:
            return Count(number)
        case (str(word),):
            return _QUANTITIES[word]
    return None


@action
def length(_scene: Scene, captured: Captured) -> Value | None:
    """DURATION: COUNT UNIT, once or twice ("a day and five hours")."""
    parts: list[tuple[int, Grain]] = []
    few = False
    for amount, name in zip(captured[::2], captured[1::2], strict=True):
        if not isinstance(amount, Count) or not isinstance(name, str):
            return None
        size, grain = unit_of(name)
        parts.append((amount.number * size, grain))
        few = few or amount.few
    if len(parts) == 2 and parts[0][1] <= parts[1][1]:
        return None
    return Duration(tuple(parts), parts[-1][1], few)


@action
def length_and_half(_scene: Scene, captured: Captured) -> Value | None:
    """DURATION: COUNT UNIT and a half."""
    match captured:
        case (Count(number=number), str(name)):
            size, grain = unit_of(name)
            half = _HALVES.get(grain)
            if half is not None:
                return Duration(((number * size, grain), (half[0] * size, half[1])), half[1])
    return None


@action
def single_and_half(scene: Scene, captured: Captured) -> Value | None:
    """DURATION: "the last month and a half"."""
    return length_and_half(scene, (Count(1), *captured))


@action
def half_unit(_scene: Scene, captured: Captured) -> Value | None:
    """DURATION: half a UNIT."""
    match captured:
        case (str(name),):
            size, grain = unit_of(name)
            half = _HALVES.get(grain)
            if half is not None:
                return Duration(((half[0] * size, half[1]),), half[1])
    return None


@action
def decimal(scene: Scene, captured: Captured) -> Value | None:
    """DURATION: 1.5 UNIT; fractions other than a half are rounded to it."""
    match captured:
        case (float(number), str(name)):
            whole = (Count(int(number)), name)
            exact = number == int(number)
            return length(scene, whole) if exact else length_and_half(scene, whole)
    return None


def shifted(start: datetime, duration: Duration, sign: int) -> datetime:
    """`start` moved by a duration, forward for `sign` 1 and back for -1."""
    for number, grain in duration.parts:
        start = add(start, sign * number, grain)
    return start
