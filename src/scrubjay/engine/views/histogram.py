"""Counts units by the time they were told, or happened, in spans of a bank's own calendar."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from scrubjay.errors import BadInput
from scrubjay.limits import HISTOGRAM_BUCKETS_MAX
from scrubjay.store.base import BankStore
from scrubjay.types.arrays import RowArray
from scrubjay.types.filters import UnitFilter
from scrubjay.types.views import Bucket, Histogram

GRAINS = ("day", "week", "month", "year")
# Spans of several years, for a bank that reaches over centuries.
_MANY_YEARS = (10, 100)


def histogram(
    bank: BankStore, where: UnitFilter, among: RowArray | None, *, by: str, grain: str
) -> Histogram:
    """How many units pass a filter in each span; "auto" is the finest grain that is few enough."""
    zone = bank.settings.zone
    bounds = bank.time_bounds(where, by=by, among=among)
    if bounds.first is None or bounds.last is None:
        named = "day" if grain == "auto" else grain
        return Histogram(by, named, zone.key, bounds.units, bounds.undated, ())
    first, last = (at.astimezone(zone).date() for at in (bounds.first, bounds.last))
    chosen, days = _spans(first, last, grain)
    edges = [_begin(day, zone) for day in days]
    counts = bank.time_counts(where, by=by, edges=edges, among=among)
    types = bank.settings.types
    found: list[dict[str, int]] = [{} for _ in edges[1:]]
    for (place, code), units in sorted(counts.items()):
        found[place][types[code]] = units
    buckets = (
        Bucket(start, end, sum(one.values()), one)
        for start, end, one in zip(edges, edges[1:], found, strict=False)
    )
    return Histogram(by, chosen, zone.key, bounds.units, bounds.undated, tuple(buckets))


def _spans(first: date, last: date, grain: str) -> tuple[str, list[date]]:
    """The grain, and the days on which spans begin, with the end of the last."""
    if grain == "auto":
        for name in GRAINS:
            if _estimate(first, last, name) <= HISTOGRAM_BUCKETS_MAX:
                return name, [*_days(first, last, name)]
        years = next(
            (n for n in _MANY_YEARS if (last.year - first.year) // n < HISTOGRAM_BUCKETS_MAX - 1),
            _MANY_YEARS[-1],
        )
        return f"{years} years", [*_days(first, last, "year", years)]
    spans = _estimate(first, last, grain)
    if spans > HISTOGRAM_BUCKETS_MAX:
        remedy = f"That is {spans} spans, of {HISTOGRAM_BUCKETS_MAX}; give a coarser one, or auto."
        raise BadInput("grain", grain, remedy)
    return grain, [*_days(first, last, grain)]


def _estimate(first: date, last: date, grain: str) -> int:
    if grain == "day":
        return (last - first).days + 1
    if grain == "week":
        return ((last - first).days + first.weekday()) // 7 + 1
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    return months if grain == "month" else last.year - first.year + 1


def _days(first: date, last: date, grain: str, years: int = 1) -> Iterator[date]:
    """The days on which the spans from one to another begin, and the one after."""
    day = first
    if grain == "week":
        day -= timedelta(days=first.weekday())
    elif grain == "month":
        day = first.replace(day=1)
    elif grain == "year":
        day = date(first.year - first.year % years, 1, 1)
    while True:
        yield day
        if day > last:
            return
        if grain == "year":
            day = date(day.year + years, 1, 1)
        elif grain == "month":
            day = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        else:
            day += timedelta(days=1 if grain == "day" else 7)


def _begin(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time.min, zone).astimezone(UTC)
