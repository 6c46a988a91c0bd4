"""Times as the stores keep them: whole microseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from scrubjay.store.base import NO_TIME
from scrubjay.types.values import Window

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FAR = 2**63 - 1


def to_micros(moment: datetime) -> int:
    """The number stored for an aware time."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(number: int) -> datetime:
    """The aware time, in UTC, of a stored number."""
    # By keyword it takes half as long again, and an answer has hundreds.
    return _EPOCH + timedelta(0, 0, number)


def maybe_micros(moment: datetime | None) -> int | None:
    """Like `to_micros`, passing None through."""
    return None if moment is None else to_micros(moment)


def maybe_moment(number: int | None) -> datetime | None:
    """Like `from_micros`, passing None through."""
    return None if number is None else from_micros(number)


def window_bounds(window: Window) -> tuple[int, int]:
    """The ends of a window as numbers, far away where it is open."""
    low = NO_TIME + 1 if window.start is None else to_micros(window.start)
    return low, _FAR if window.end is None else to_micros(window.end)
