"""Times as the stores keep them: whole microseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """The number stored for an aware time."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(number: int) -> datetime:
    """The aware time, in UTC, of a stored number."""
    return _EPOCH + timedelta(microseconds=number)


def maybe_micros(moment: datetime | None) -> int | None:
    """Like `to_micros`, passing None through."""
    return None if moment is None else to_micros(moment)


def maybe_moment(number: int | None) -> datetime | None:
    """Like `from_micros`, passing None through."""
    return None if number is None else from_micros(number)
