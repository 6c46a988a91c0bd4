"""Builds ranges and open ends: "from March to May", "since January", "before 2020", "by Friday"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from scrubjay.language.dates.grammar.counts import shifted, unit_of
from scrubjay.language.dates.grammar.dates import month_day
from scrubjay.language.dates.grammar.registry import Captured, action
from scrubjay.language.dates.semantics.calendar import add, floor, unit_bounds
from scrubjay.language.dates.semantics.model import TimeKind
from scrubjay.language.dates.semantics.scene import (
    Scene,
    instance,
    nearest,
    resolve,
    started,
    unfinished,
)
from scrubjay.language.dates.semantics.values import (
    Bare,
    Cycle,
    Duration,
    Grain,
    Interval,
    Pointing,
    Side,
    Time,
    Value,
)

_OPEN = TimeKind.OPEN
_NUMERIC = frozenset((Bare.YEAR, Bare.DAY, Bare.NUMBERS))


@action
def alone(_scene: Scene, captured: Captured) -> Value | None:
    """SPAN: a time by itself, if it can stand by itself."""
    match captured:
        case ((Interval() | Cycle()) as time,) if time.bare is not Bare.NEVER:
            return time
    return None


@action
def since(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: from the start of a time up to now, or on from it if it lies ahead."""
    match captured:
        case (Cycle(bare=bare) as cycle,) if bare is not Bare.NEVER:
            # Whatever the tense, what has been since a time has begun.
            bounds = started(cycle, scene.now)
            captured = () if bounds is None else (instance(cycle, bounds),)
    interval = begin(scene, captured)
    return replace(interval, side=Side.SINCE) if isinstance(interval, Interval) else None


@action
def begin(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: on from the start of a time: "as of May", "from May on"."""
    interval = _limit(scene, captured)
    if interval is None or interval.start is None:
        return None
    return _sided(_open_after(scene, interval.start, interval), interval, Side.FROM)


@action
def begin_once(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "vom 3. Dezember an"; behind a run of days "an" is the verb's: "was steht an"."""
    match captured:
        case (Interval(grain=Grain.WEEK) | Cycle(grain=Grain.WEEK),):
            return None
    return begin(scene, captured)


@action
def from_time(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "from May"; what is told to be so from a time ahead begins then."""
    interval = _limit(scene, captured) if scene.telling else None
    if interval is None or interval.start is None or interval.grain < Grain.DAY:
        return None
    if interval.start <= scene.now:
        return None
    return begin(scene, captured)


@action
def expires(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "expires in May": the end of what holds; in a question May is just a time."""
    interval = until(scene, captured) if scene.telling else None
    return replace(interval, side=Side.ENDS) if isinstance(interval, Interval) else None


@action
def expires_at(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "expires at the end of the year": on its last day."""
    match captured:
        case ("late", str(unit)):
            grain = unit_of(unit)[1]
            return expires_at(scene, ("late", Interval(*unit_bounds(scene.now, grain), grain)))
        case ("late", (Interval() | Cycle()) as time):
            interval = _limit(scene, (time,))
            if interval is None or interval.end is None or interval.grain <= Grain.DAY:
                return None
            last = (add(interval.end, -1, Grain.DAY), interval.end)
            return expires(scene, (Interval(*last, Grain.DAY),))
    return None


@action
def by(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "by Friday": a deadline; a question asks for all that lies before it."""
    interval = until(scene, captured)
    return replace(interval, side=Side.BY) if isinstance(interval, Interval) else None


@action
def moved(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "moved from one time to another": the other, and what was before it."""
    match captured:
        case ((Interval() | Cycle()) as left, (Interval() | Cycle()) as right):
            first = _soonest(scene, left)
            if first is None or first.start is None or first.end is None:
                return None
            last = _soonest(scene, right, near=first.start)
            if last is None:
                return None
            return replace(last, was=(first.start, first.end), bare=Bare.NO)
    return None


@action
def moved_to(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: where something is moved to, by a verb that belongs to the time: "改到"."""
    match captured:
        case ((Interval() | Cycle()) as time,):
            found = _soonest(scene, time)
            return None if found is None else replace(found, bare=Bare.NO)
    return None


@action
def onward(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "从五月起": a change to come where it is told of one ahead, else since then."""
    interval = _limit(scene, captured) if scene.telling else None
    ahead = interval is not None and interval.start is not None and interval.start > scene.now
    return begin(scene, captured) if ahead else since(scene, captured)


@action
def moved_days(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "moved from 12 to 26 October"."""
    match captured:
        case (int(first), int(last), int(month)):
            before, after = (month_day(scene, (month, day)) for day in (first, last))
            return None if before is None or after is None else moved(scene, (before, after))
    return None


def _soonest(scene: Scene, time: Time, near: datetime | None = None) -> Interval | None:
    """What is moved lies ahead, and so does where it is moved to, as near to it as may be."""
    if isinstance(time, Interval):
        return time
    bounds = None if near is None else nearest(time, near)
    if bounds is None or bounds[1] <= scene.now:
        bounds = unfinished(time, scene.now)
    return None if bounds is None else instance(time, bounds)


@action
def after(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: from the end of a time up to now, or on from it if it lies ahead."""
    interval = _given(scene, captured)
    if interval is None or interval.end is None:
        return None
    return _open_after(scene, interval.end, interval)


def _open_after(scene: Scene, start: datetime, interval: Interval) -> Interval:
    end = scene.now_end if start < scene.now else None
    if end is None and interval.grain < Grain.DAY and not scene.telling:
        # "After noon tomorrow" asks for the rest of that day.
        end = add(floor(start, Grain.DAY), 1, Grain.DAY)
    return _opened(interval, start, end)


@action
def before(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: everything up to the start of a time."""
    interval = _given(scene, captured)
    if interval is None or interval.start is None:
        return None
    # "Before noon on Monday" asks for the morning of that day.
    within = interval.grain < Grain.DAY and not scene.telling
    return _opened(interval, floor(interval.start, Grain.DAY) if within else None, interval.start)


@action
def before_end(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: "before the end of May": up to the end of May."""
    match captured:
        case (str(unit),):
            grain = unit_of(unit)[1]
            captured = (Interval(*unit_bounds(scene.now, grain), grain),)
    return by(scene, captured)


@action
def until(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: up to the end of a time; from now on if that end lies ahead."""
    past = scene.telling and scene.pointing is Pointing.BACK
    interval = _today(scene, captured) or (_given if past else _limit)(scene, captured)
    if interval is None or interval.end is None:
        return None
    start = scene.now if interval.end > scene.now_end else None
    return _sided(_opened(interval, start, interval.end), interval, Side.TILL)


def _limit(scene: Scene, captured: Captured) -> Interval | None:
    """What something lasts until, or begins with, is the next, where no verb says otherwise.

    A statement in the past may well tell of what is to begin: "they agreed to 2.4 % from May".
    """
    match captured:
        case (Cycle() as cycle,) if scene.pointing is Pointing.NOWHERE:
            ahead = scene.telling or cycle.period <= Grain.WEEK
            bounds = (unfinished if ahead else nearest)(cycle, scene.now)
            return None if bounds is None else _given(scene, (instance(cycle, bounds),))
        case (Cycle() as cycle,) if scene.telling and scene.pointing is Pointing.BACK:
            bounds = nearest(cycle, scene.now)
            return None if bounds is None else _given(scene, (instance(cycle, bounds),))
    return _given(scene, captured)


def _today(scene: Scene, captured: Captured) -> Interval | None:
    """A deadline given by the clock alone is today's."""
    match captured:
        case (Cycle(period=Grain.DAY, bare=Bare.CLOCK) as cycle,):
            bounds = cycle.locate(floor(scene.now, Grain.DAY))
            return None if bounds is None else instance(cycle, bounds)
    return None


def _opened(interval: Interval, start: datetime | None, end: datetime | None) -> Interval:
    return Interval(start, end, interval.grain, _OPEN, interval.confidence, _doubt(interval))


def _sided(opened: Interval, interval: Interval, side: Side) -> Interval:
    named = None
    if interval.start is not None and interval.end is not None:
        named = (interval.start, interval.end)
    return replace(opened, side=side, named=named)


def _doubt(interval: Interval) -> Bare:
    """ "Before" confirms a name as a time, but not a number: "before the 3rd attempt"."""
    return interval.bare if interval.bare in _NUMERIC else Bare.NO


def _given(scene: Scene, captured: Captured) -> Interval | None:
    match captured:
        case ((Interval() | Cycle()) as time,) if time.bare not in (Bare.NEVER, Bare.PRESENT):
            interval = resolve(time, scene)
            if interval is not None and interval.bare is Bare.YEAR and not _plausible(interval):
                return None
            return interval
    return None


def _plausible(interval: Interval) -> bool:
    return interval.start is not None and 1800 <= interval.start.year <= 2100


@action
def between(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: from the start of one time to the end of another; each helps to date the other."""
    match captured:
        case ((Interval() | Cycle()) as left, (Interval() | Cycle()) as right):
            return _range(scene, left, right)
    return None


@action
def pair(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: two of a kind where only the second is dated: "March and April 2023"."""
    match captured:
        case (Cycle() as left, Interval() as right) if left.grain == right.grain:
            return _range(scene, left, right)
    return None


@action
def dashed(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: two times with a bare dash; weekdays there are habits, but in a report."""
    match captured:
        case ((Interval() | Cycle()) as left, (Interval() | Cycle()) as right):
            weekdays = isinstance(left, Cycle) and left.period <= Grain.WEEK
            if weekdays and isinstance(right, Cycle) and scene.forward is not False:
                return None
            return _range(scene, left, right)
    return None


def _range(scene: Scene, left: Time, right: Time) -> Interval | None:
    if Bare.NEVER in (left.bare, right.bare) or _mismatched(left.grain, right.grain):
        return None
    first, last = _resolved(scene, left, right)
    if first is None or last is None or first.start is None or last.end is None:
        return None
    if last.end <= first.start:
        return None
    confidence = min(first.confidence, last.confidence)
    grain = max(first.grain, last.grain, Grain.WEEK)
    kind = _stronger(first, last)
    if first.bare is last.bare is Bare.YEAR:
        grain = Grain.DECADE
    return Interval(first.start, last.end, grain, kind, confidence, _doubt(last))


def _mismatched(left: Grain, right: Grain) -> bool:
    """A clock time and a season do not make a range."""
    return (left < Grain.PART) != (right < Grain.PART) and max(left, right) > Grain.DAY


def _stronger(first: Interval, last: Interval) -> TimeKind:
    kinds = (first.kind, last.kind)
    return TimeKind.RELATIVE if TimeKind.RELATIVE in kinds else first.kind


def _resolved(scene: Scene, left: Time, right: Time) -> tuple[Interval | None, Interval | None]:
    if isinstance(left, Cycle) and isinstance(right, Interval) and right.start is not None:
        bounds = started(left, right.start)
        return (None if bounds is None else instance(left, bounds)), right
    first = resolve(left, scene)
    if first is None or first.start is None or isinstance(right, Interval):
        return first, right if isinstance(right, Interval) else None
    if isinstance(left, Cycle) and scene.forward:
        first = _running(scene, left, right) or first
    assert first.start is not None
    found = unfinished(right, first.start)
    return first, None if found is None else instance(right, found)


def _running(scene: Scene, left: Cycle, right: Cycle) -> Interval | None:
    """Looking ahead, a range that has begun and is not over is the one that is meant."""
    bounds = started(left, scene.now)
    if bounds is None:
        return None
    last = unfinished(right, bounds[0])
    return instance(left, bounds) if last is not None and last[1] > scene.now else None


@action
def starting(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: for a duration from the start of a time."""
    match captured:
        case (Duration() as duration, (Interval() | Cycle()) as time):
            interval = resolve(time, scene)
            if interval is None or interval.start is None:
                return None
            end = shifted(interval.start, duration, 1)
            return Interval(interval.start, end, duration.unit, interval.kind)
        case ((Interval() | Cycle()) as time, Duration() as duration):
            return starting(scene, (duration, time))
    return None


@action
def to_day(scene: Scene, captured: Captured) -> Value | None:
    """SPAN: from a date to a day of the month, the next one with that number."""
    match captured:
        case ((Interval() | Cycle()) as time, int(day)) if 1 <= day <= 31:
            interval = resolve(time, scene)
            if interval is None or interval.start is None or interval.grain is not Grain.DAY:
                return None
            start = interval.start
            last = start.replace(day=1)
            if day <= start.day:
                last = add(last, 1, Grain.MONTH)
            last = add(last, day - 1, Grain.DAY)
            return Interval(start, add(last, 1, Grain.DAY), Grain.WEEK, interval.kind)
    return None
