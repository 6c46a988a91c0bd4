"""The clock a text is read against: turns cycles into intervals and local time into UTC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from scrubjay.language.dates.semantics.calendar import OutOfCalendar, add, floor
from scrubjay.language.dates.semantics.model import TimeContext, TimeKind
from scrubjay.language.dates.semantics.values import (
    Bare,
    Bounds,
    Cycle,
    Grain,
    Interval,
    Pointing,
    Time,
)
from scrubjay.types.values import Window

_MICROSECOND = timedelta(microseconds=1)
# The rarest cycle people name is a weekday on a February 29th, at most 40 years apart.
_PERIODS_MAX = 45
_TOLD_AHEAD = timedelta(days=60)
# "What is Ann doing in the first half of March" may be asked some days too late.
_HARDLY_OVER = timedelta(days=31)
_OPEN = (Pointing.PRESENT, Pointing.UNDERWAY, Pointing.ARRANGED)
# Of two dates that a statement may mean, the nearest is right two times in three.
_UNSURE = 0.65


@dataclass(slots=True)
class Scene:
    """`now` in local wall-clock time, the session log, and which way recurring names point.

    `telling` when the text is a statement.
    """

    context: TimeContext
    now: datetime
    now_end: datetime  # the first moment after now: the end of intervals that run up to now
    day_first: bool
    telling: bool
    pointing: Pointing = Pointing.NOWHERE

    @property
    def forward(self) -> bool | None:
        """Whether the sentence looks ahead; None while it does not say."""
        if self.pointing in _OPEN:
            return True if self.telling else None
        return None if self.pointing is Pointing.NOWHERE else self.pointing is Pointing.AHEAD

    def at_hours(self, start: timedelta) -> datetime:
        """A local time that lies an exact stretch from now, also across a clock change."""
        return localize(self.context.now + start, self.context)

    def to_window(self, interval: Interval) -> Window:
        """The interval as a closed window in UTC."""
        start = None if interval.start is None else self._utc(interval.start)
        end = None if interval.end is None else self._utc_end(interval)
        return Window(start, end)

    def _utc(self, local: datetime) -> datetime:
        if local == self.now and local.fold == self.now.fold:
            return self.context.now.astimezone(UTC)
        return local.replace(tzinfo=self.context.zone).astimezone(UTC)

    def _utc_end(self, interval: Interval) -> datetime:
        assert interval.end is not None
        if interval.end == self.now_end:
            return self.context.now.astimezone(UTC)
        # An hour that the clock shows twice belongs to a window as a whole.
        fold = 1 if interval.grain < Grain.DAY else interval.end.fold
        aware = interval.end.replace(tzinfo=self.context.zone, fold=fold)
        return aware.astimezone(UTC) - _MICROSECOND


def make_scene(context: TimeContext, *, day_first: bool, telling: bool) -> Scene:
    """The scene of a context, as one language reads it."""
    now = localize(context.now, context)
    return Scene(context, now, now + _MICROSECOND, day_first, telling)


def localize(moment: datetime, context: TimeContext) -> datetime:
    """An aware moment as wall-clock time in the context's zone, its fold kept."""
    return moment.astimezone(context.zone).replace(tzinfo=None)


def instances(cycle: Cycle, origin: datetime, step: int) -> Iterator[Bounds]:
    """The instances of a cycle from the period around `origin` on, `step` periods at a time."""
    # One period ahead of the walk: winter begins in one year and ends in the next.
    period = add(floor(origin, cycle.period), -step, cycle.period)
    for _ in range(_PERIODS_MAX):
        found = _locate(cycle, period)
        if found is not None:
            yield found
        try:
            period = add(period, step, cycle.period)
        except OutOfCalendar:
            return


def _locate(cycle: Cycle, period: datetime) -> Bounds | None:
    try:
        return cycle.locate(period)
    except OutOfCalendar:
        return None


def started(cycle: Cycle, before: datetime) -> Bounds | None:
    """The latest instance that begins no later than `before`."""
    return next((found for found in instances(cycle, before, -1) if found[0] <= before), None)


def completed(cycle: Cycle, before: datetime, back: int = 1) -> Bounds | None:
    """The `back`-th latest instance that is over by `before`."""
    for found in instances(cycle, before, -1):
        if found[1] <= before:
            back -= 1
            if back == 0:
                return found
    return None


def upcoming(cycle: Cycle, after: datetime, ahead: int = 1) -> Bounds | None:
    """The `ahead`-th instance that begins at or after `after`."""
    for found in instances(cycle, after, 1):
        if found[0] >= after:
            ahead -= 1
            if ahead == 0:
                return found
    return None


def unfinished(cycle: Cycle, after: datetime) -> Bounds | None:
    """The first instance that is not over by `after`."""
    return next((found for found in instances(cycle, after, 1) if found[1] > after), None)


def resolve(time: Time, scene: Scene) -> Interval | None:
    """An interval for a time; a cycle takes the instance the sentence points to."""
    if isinstance(time, Interval):
        return time
    forward = _direction(time, scene)
    agreeing = None if time.weekday is None else _agreeing(time, scene.now)
    # "Ordered rolls for their supper on Friday 30 October" looks back, and the day is near.
    near = agreeing is not None and abs(agreeing[0] - scene.now) <= _TOLD_AHEAD
    if agreeing is not None and (near or forward in (None, agreeing[1] > scene.now)):
        return instance(time, agreeing)
    if forward is None:
        bounds = nearest(time, scene.now)
        if scene.pointing is Pointing.UNDERWAY and bounds and scene.now - bounds[1] > _HARDLY_OVER:
            bounds = unfinished(time, scene.now) or bounds
        found = None if bounds is None else instance(time, bounds)
        return found if found is None or not scene.telling else _unsure(found)
    bounds = _upcoming(time, scene) if forward else _remembered(time, scene)
    return None if bounds is None else instance(time, bounds)


def _agreeing(cycle: Cycle, now: datetime) -> Bounds | None:
    """The date of last, this or next year that falls on its weekday; no two of them do."""
    this_year = floor(now, Grain.YEAR)
    found = (_locate(cycle, add(this_year, step, Grain.YEAR)) for step in (-1, 0, 1))
    return next((each for each in found if each and each[0].weekday() == cycle.weekday), None)


def instance(cycle: Cycle, bounds: Bounds) -> Interval:
    """One instance of a cycle as an interval."""
    return Interval(
        bounds[0], bounds[1], cycle.grain, cycle.kind, cycle.confidence, bare=cycle.bare
    )


def anchored(interval: Interval) -> Interval:
    """The interval as evidence of its own: a modifier or a partner has confirmed it."""
    return interval if not interval.bare else replace(interval, bare=Bare.NO)


def _is_dated(cycle: Cycle) -> bool:
    """Whether it is an hour of a day of the year."""
    return cycle.grain < Grain.DAY and cycle.period is Grain.YEAR


def _upcoming(cycle: Cycle, scene: Scene) -> Bounds | None:
    """The first instance that is not over, or is of today: "at 20:06, 23 May", told at 20:07."""
    return unfinished(cycle, floor(scene.now, Grain.DAY) if _is_dated(cycle) else scene.now)


def _remembered(cycle: Cycle, scene: Scene) -> Bounds | None:
    """The latest instance that has begun, or the latest that the memories reach.

    "What did we decide in November" asked of a bank that ended in June is about the November
    before; a memory may tell of a date some weeks ahead.
    """
    # "Restarted at 21:53, 6 June", told at 21:45: of today, as clocks differ, and not of last year.
    today = floor(scene.now, Grain.DAY)
    found = started(cycle, add(today, 1, Grain.DAY) if _is_dated(cycle) else scene.now)
    newest = scene.context.newest
    if newest is None or found is None or cycle.period is not Grain.YEAR:
        return found
    reach = localize(newest, scene.context)
    return found if found[0] <= reach + _TOLD_AHEAD else started(cycle, reach) or found


def _direction(cycle: Cycle, scene: Scene) -> bool | None:
    """Whether the instance meant lies ahead; None for the nearest."""
    if scene.telling and scene.pointing is Pointing.NOWHERE and cycle.grain < Grain.PART:
        return True  # "hairdresser sat 11am": who notes an hour without a verb notes a plan
    if scene.telling or scene.forward is not None:
        return scene.forward
    if scene.pointing is Pointing.NOWHERE:
        # A numbered week is one to plan by as often as one to look back on.
        return None if cycle.grain is Grain.WEEK and cycle.period is Grain.YEAR else False
    # "What is on Friday" looks ahead; "who is away in March" may as well be asked in April.
    near = scene.pointing is Pointing.ARRANGED or cycle.period > Grain.MONTH
    return None if near else True


def nearest(cycle: Cycle, now: datetime) -> Bounds | None:
    """The instance that is closest to a moment, before it or after."""
    before, after = started(cycle, now), unfinished(cycle, now)
    if before is None or after is None:
        return before or after
    return before if now - before[1] <= after[0] - now else after


def _unsure(interval: Interval) -> Interval:
    return replace(interval, confidence=min(interval.confidence, _UNSURE))


def kind_of(grain: Grain) -> TimeKind:
    """Named months, seasons and years are calendar facts; days and weeks count from now."""
    return TimeKind.ABSOLUTE if grain >= Grain.MONTH else TimeKind.RELATIVE
