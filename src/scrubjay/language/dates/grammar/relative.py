"""Builds times counted from now: "yesterday", "last week", "three days ago", "in two weeks"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from scrubjay.language.dates.grammar.counts import shifted, unit_of
from scrubjay.language.dates.grammar.cycles import daypart_cycle
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import DAY, add, floor, unit_bounds
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.scene import Scene, kind_of
from scrubjay.language.dates.semantics.values import (
    Bare,
    Count,
    Duration,
    Grain,
    Interval,
    Pointing,
    Value,
)

_RELATIVE = TimeKind.RELATIVE
_FUZZY = TimeKind.FUZZY
# How many units back "a few" reaches: from the first number to the second.
_FEW = (5, 2)
_FEW_MONTHS_DAYS = (90, 30)


@action
def deictic(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a day named from today."""
    match captured:
        case (int(days),):
            return Interval(
                *unit_bounds(scene.now, Grain.DAY, days), Grain.DAY, _RELATIVE, confidence=1.0
            )
    return None


@action
def deictic_half(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "tomorrow am": the half of a day named from today."""
    match captured:
        case (int(days), str(name)):
            bounds = daypart_cycle(name).locate(unit_bounds(scene.now, Grain.DAY, days)[0])
            return None if bounds is None else Interval(*bounds, Grain.PART, _RELATIVE)
    return None


@action
def present(scene: Scene, _captured: Captured) -> Value | None:
    """TIME: now, which bounds other times; alone it says nothing about when."""
    return Interval(scene.now, scene.now_end, Grain.DAY, _RELATIVE, bare=Bare.PRESENT)


@action
def ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the calendar unit that holds the moment so long ago."""
    match captured:
        case (Duration() as duration,):
            return _away(scene, duration, -1)
    return None


@action
def unit_ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "fortnight ago", as people write who leave out the article."""
    match captured:
        case (str(name),) if unit_of(name)[1] > Grain.MINUTE:
            size, grain = unit_of(name)
            return _away(scene, Duration(((size, grain),), grain), -1)
    return None


@action
def ahead(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the calendar unit that holds the moment so far ahead."""
    match captured:
        case (Duration() as duration,):
            return _away(scene, duration, 1)
    return None


@action
def within_ahead(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "in two weeks"; in a sentence about the past that is how long something took."""
    match captured:
        case (Duration() as duration,) if scene.forward is not False:
            if scene.forward is None and (scene.telling or duration.unit < Grain.DAY):
                return None  # "in a minute", "5 km in 28 minutes", "the third tool in four years"
            return _away(scene, duration, 1)
    return None


def _away(scene: Scene, duration: Duration, sign: int) -> Interval | None:
    if duration.few:
        return _few_away(scene, duration.unit, sign)
    # "A decade ago" is a year, not a decade.
    grain = min(duration.unit, Grain.YEAR)
    at = _moved(scene, duration, sign)
    return Interval(*unit_bounds(at, grain), grain, _RELATIVE, confidence=0.95)


def _moved(scene: Scene, duration: Duration, sign: int) -> datetime:
    """Now plus or minus a duration: hours run on the real clock, days on the wall calendar."""
    hours = timedelta()
    start = scene.now
    for number, grain in duration.parts:
        if grain <= Grain.HOUR:
            hours += (add(start, number, grain) - start) * sign
        else:
            start = add(start, sign * number, grain)
    if not hours:
        return start
    return scene.at_hours(hours) if start == scene.now else start + hours


def _few_away(scene: Scene, unit: Grain, sign: int) -> Interval | None:
    if unit is Grain.MONTH:
        edges = [add(scene.now, sign * days, Grain.DAY) for days in _FEW_MONTHS_DAYS]
    else:
        edges = [add(scene.now, sign * number, unit) for number in _FEW]
    grain = min(unit, Grain.DAY) if unit < Grain.YEAR else Grain.YEAR
    first, last = min(edges), max(edges)
    end = unit_bounds(last, grain)[1]
    return Interval(floor(first, grain), end, unit, _FUZZY, confidence=0.6)


@action
def longer_ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: before the moment so long ago."""
    match captured:
        case (Duration() as duration,):
            end = _moved(scene, duration, -1)
            return Interval(None, end, duration.unit, TimeKind.OPEN, confidence=0.8)
    return None


@action
def shift_unit(scene: Scene, captured: Captured) -> Value | None:
    """TIME: last, this or next UNIT; last week is the seven days up to now."""
    match captured:
        case (int(shift), str(name)):
            return _shifted_unit(scene, shift, name)
        case (str(name), int(shift)):
            return _shifted_unit(scene, shift, name)
    return None


def _shifted_unit(scene: Scene, shift: int, name: str) -> Interval | None:
    size, grain = unit_of(name)
    if grain <= Grain.MINUTE or grain is Grain.DAY:
        return None  # "last minute", "this second", "next day" are not measured from now
    if shift == -1 and (grain in (Grain.HOUR, Grain.WEEK, Grain.DECADE) or size > 1):
        return _up_to_now(scene, Duration(((size, grain),), grain))
    start, end = unit_bounds(scene.now, grain, shift * size)
    return Interval(start, add(end, size - 1, grain), grain, kind_of(grain))


@action
def past_unit(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the past UNIT, up to now; quarters are always the calendar's."""
    match captured:
        case (str(name),):
            size, grain = unit_of(name)
            if grain <= Grain.MINUTE:
                return None
            return past(scene, (Duration(((size, grain),), grain),))
    return None


@action
def past_unit_or_idiom(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the last UNIT; "the last day" on its own is some other last day."""
    return None if captured[0] == "day" else past_unit(scene, captured)


@action
def past(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the last N UNITs, up to now."""
    match captured:
        case (Duration() as duration,):
            if duration.unit is Grain.QUARTER:
                start, end = unit_bounds(scene.now, Grain.QUARTER, -duration.parts[0][0])
                end = floor(scene.now, Grain.QUARTER)
                return Interval(start, end, Grain.QUARTER, TimeKind.ABSOLUTE)
            return _from_midnight(_up_to_now(scene, duration))
    return None


def _from_midnight(interval: Interval) -> Interval:
    """Counted days are whole days: the first of "the last three days" begins at midnight."""
    if interval.start is None or interval.grain < Grain.DAY:
        return interval
    return replace(interval, start=floor(interval.start, Grain.DAY))


def _up_to_now(scene: Scene, duration: Duration) -> Interval:
    kind = _FUZZY if duration.few else _RELATIVE
    frame = None
    if len(duration.parts) == 1 and duration.unit >= Grain.DAY:
        first = unit_bounds(scene.now, duration.unit, -duration.parts[0][0])[0]
        frame = (first, floor(scene.now, duration.unit))
    start = _moved(scene, duration, -1)
    return Interval(
        start, scene.now_end, duration.unit, kind, 0.7 if duration.few else 0.95, frame=frame
    )


@action
def coming(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the next N UNITs, from now on."""
    match captured:
        case (Duration() as duration,) if not (scene.telling and duration.unit < Grain.DAY):
            end = _moved(scene, duration, 1)
            return Interval(scene.now, end, duration.unit, _RELATIVE, 0.9)
    return None


@action
def within(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "within 30 days"; told of no one thing to come, it is a rule: "return it within".

    Of what was, it is how long that took: "was it paid within two weeks".
    """
    if scene.pointing is Pointing.BACK or (scene.telling and scene.pointing is not Pointing.AHEAD):
        return None
    return coming(scene, captured)


@action
def coming_units(scene: Scene, captured: Captured) -> Value | None:
    """TIME: in the coming UNITs."""
    match captured:
        case (str(name),):
            size, grain = unit_of(name)
            return coming(scene, (Duration(((3 * size, grain),), grain, few=True),))
    return None


@action
def coming_unit(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the next UNIT, from now on."""
    match captured:
        case (str(name),) if unit_of(name)[1] > Grain.MINUTE:
            size, grain = unit_of(name)
            return coming(scene, (Duration(((size, grain),), grain),))
    return None


@action
def unit_before_last(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the UNIT before last, as the calendar has it."""
    match captured:
        case (str(name),):
            size, grain = unit_of(name)
            return Interval(*unit_bounds(scene.now, grain, -2 * size), grain, kind_of(grain))
    return None


@action
def unit_after_next(scene: Scene, captured: Captured) -> Value | None:
    """TIME: the UNIT after next."""
    match captured:
        case (str(name),):
            size, grain = unit_of(name)
            return Interval(*unit_bounds(scene.now, grain, 2 * size), grain, kind_of(grain))
    return None


@action
def so_far(scene: Scene, captured: Captured) -> Value | None:
    """TIME: this UNIT from its start up to now."""
    match captured:
        case (str(name),):
            grain = unit_of(name)[1]
            return Interval(floor(scene.now, grain), scene.now_end, grain, _RELATIVE)
    return None


@action
def rest_of(scene: Scene, captured: Captured) -> Value | None:
    """TIME: this UNIT from now to its end."""
    match captured:
        case (str(name),):
            grain = unit_of(name)[1]
            end = unit_bounds(scene.now, grain)[1]
            return Interval(floor(scene.now, Grain.DAY), end, grain, _RELATIVE)
    return None


@action
def whole_unit(scene: Scene, captured: Captured) -> Value | None:
    """TIME: all of this UNIT; of a year only what was or will be, for "open all year" is always."""
    match captured:
        case (str(name),) if unit_of(name)[1] > Grain.DAY:
            grain = unit_of(name)[1]
            if grain is Grain.YEAR and scene.pointing is Pointing.PRESENT:
                return None
            return Interval(*unit_bounds(scene.now, grain), grain, kind_of(grain), 0.8)
    return None


@action
def recent(scene: Scene, _captured: Captured) -> Value | None:
    """TIME: recently, lately."""
    start = add(scene.now, -scene.context.recent_days, Grain.DAY)
    return Interval(start, scene.now_end, Grain.DAY, _FUZZY, confidence=0.5)


@action
def these_days(scene: Scene, captured: Captured) -> Value | None:
    """TIME: these days, which is now, but where a question looks back on them."""
    looks_back = scene.pointing is Pointing.BACK and not scene.telling
    return recent(scene, captured) if looks_back else present(scene, captured)


@action
def recent_units(scene: Scene, captured: Captured) -> Value | None:
    """TIME: in recent UNITs."""
    match captured:
        case (str(name),):
            size, grain = unit_of(name)
            return _up_to_now(scene, Duration(((3 * size, grain),), grain, few=True))
    return None


@action
def other_day(scene: Scene, _captured: Captured) -> Value | None:
    """TIME: the other day, within the week before today."""
    start = add(floor(scene.now, Grain.DAY), -7, Grain.DAY)
    return Interval(start, floor(scene.now, Grain.DAY), Grain.DAY, _FUZZY, confidence=0.5)


@action
def just_now(scene: Scene, _captured: Captured) -> Value | None:
    """TIME: a moment ago, within the last hour."""
    start = scene.at_hours(timedelta(hours=-1))
    return Interval(start, scene.now_end, Grain.HOUR, _FUZZY, confidence=0.6)


@action
def same_time(scene: Scene, captured: Captured) -> Value | None:
    """TIME: this time last UNIT, one unit finer; of a year where no unit is named."""
    match captured:
        case (int(shift),):
            return same_time(scene, (shift, "year"))
        case (int(shift), str(name)):
            size, grain = unit_of(name)
            finer = Grain.MONTH if grain is Grain.YEAR else Grain.DAY
            at = add(scene.now, shift * size, grain)
            return Interval(*unit_bounds(at, finer), finer, _FUZZY, confidence=0.7)
    return None


@action
def same_day(scene: Scene, captured: Captured) -> Value | None:
    """TIME: this day last UNIT; of a year where no unit is named."""
    match captured:
        case (int(shift),):
            return same_day(scene, (shift, "year"))
        case (int(shift), str(name)):
            size, grain = unit_of(name)
            at = add(scene.now, shift * size, grain)
            return Interval(*unit_bounds(at, Grain.DAY), Grain.DAY, _RELATIVE)
    return None


@action
def day_units_ago(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a day named from today, so many units earlier: "a week ago yesterday"."""
    match captured:
        case (Duration() as duration, int(days)):
            at = shifted(scene.now, duration, -1) + DAY * days
            return Interval(*unit_bounds(at, Grain.DAY), Grain.DAY, _RELATIVE)
        case (int(days), Duration() as duration):
            return day_units_ago(scene, (duration, days))
    return None


@action
def day_in_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "on this day in 2020"."""
    match captured:
        case (int(year),):
            return same_day(scene, (year - scene.now.year,))
    return None


@action
def day_units_ahead(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a day named from today, so many units later: "two weeks from tomorrow"."""
    match captured:
        case (Duration() as duration, int(days)) if days >= 0:
            at = shifted(scene.now, duration, 1) + DAY * days
            return Interval(*unit_bounds(at, Grain.DAY), Grain.DAY, _RELATIVE)
        case (int(days), Duration() as duration):
            return day_units_ahead(scene, (duration, days))
    return None


@action
def count_last(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the 5 past years", the count before the word."""
    match captured:
        case (Count() as number, str(name)):
            size, grain = unit_of(name)
            duration = Duration(((number.number * size, grain),), grain, number.few)
            return past(scene, (duration,))
    return None


@action
def count_next(scene: Scene, captured: Captured) -> Value | None:
    """TIME: "the 2 coming weeks", the count before the word."""
    match captured:
        case (Count() as number, str(name)):
            size, grain = unit_of(name)
            duration = Duration(((number.number * size, grain),), grain, number.few)
            return coming(scene, (duration,))
    return None


@action
def shift_year(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a year by one word: "去年", "一昨年"."""
    match captured:
        case (int(shift),):
            return Interval(*unit_bounds(scene.now, Grain.YEAR, shift), Grain.YEAR)
    return None


@action
def shift_month(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a month by one word: "先月", "来月"."""
    match captured:
        case (int(shift),):
            return Interval(*unit_bounds(scene.now, Grain.MONTH, shift), Grain.MONTH)
    return None


@action
def shift_week(scene: Scene, captured: Captured) -> Value | None:
    """TIME: a week by one word: "先週", "先々週"."""
    match captured:
        case (-2,):
            return unit_before_last(scene, ("week",))
        case (int(shift),):
            return _shifted_unit(scene, shift, "week")
    return None
