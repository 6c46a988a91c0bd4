"""Days in numbers, as tables and notes have them, whose order only others beside them tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from scrubjay.codec.values import read_stamp
from scrubjay.importers.found import NotRead
from scrubjay.types.values import Json

# Which comes first in 03/04/2025: the day, or the month.
DAY_FIRST, MONTH_FIRST = "dmy", "mdy"
ORDERS = (DAY_FIRST, MONTH_FIRST)
_MONTHS = 12
_NUMERIC = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b,?(.*)", re.DOTALL)
_YEAR_FIRST = re.compile(r"(\d{4})([/.])(\d{1,2})\2(\d{1,2})\b,?(.*)", re.DOTALL)


class OrderUnknown(NotRead):
    """Whether a day begins with its day or its month is not known."""


class DateOrder:
    """The order of the days of one column, as all of its values tell it."""

    def __init__(self, given: str | None = None) -> None:
        self._given = given
        self._told: dict[str, str] = {}  # by order, the first value that can have no other

    def see(self, value: Json) -> None:
        """Learn from a value: what is above 12 is a day."""
        found = _numbers(value)
        if found is None:
            return
        first, second = found
        if first > _MONTHS >= second:
            self._told.setdefault(DAY_FIRST, str(value))
        elif second > _MONTHS >= first:
            self._told.setdefault(MONTH_FIRST, str(value))

    def order(self, value: Json) -> str:
        """The order that was given, else the only one that fits; OrderUnknown if none is sure."""
        if self._given is not None:
            return self._given
        if len(self._told) == 1:
            return next(iter(self._told))
        if self._told:
            raise OrderUnknown(f"{' and '.join(map(repr, self._told.values()))} are of two orders")
        found = _numbers(value)
        if found is not None and found[0] == found[1]:
            return DAY_FIRST  # 04/04/2025 is the same day in both
        raise OrderUnknown(
            f"{value!r} may begin with its day or with its month, and no other tells"
        )


def _numbers(value: Json) -> tuple[int, int] | None:
    found = _NUMERIC.fullmatch(value.strip()) if isinstance(value, str) else None
    return None if found is None else (int(found[1]), int(found[3]))


def moment_of(value: Json, order: Callable[[], DateOrder]) -> datetime:
    """A time in any form that is read; `order` is asked for where a value leaves it open.

    Raises NotRead, with the value, for what is none.
    """
    text = value.strip() if isinstance(value, str) else value
    try:
        if isinstance(text, str):
            text = _as_iso(text, order)
        return read_stamp(text)
    except NotRead:
        raise
    except (ValueError, OverflowError) as error:
        raise NotRead(f"not a time: {value!r}. {error}") from None


def _as_iso(text: str, order: Callable[[], DateOrder]) -> str:
    if found := _YEAR_FIRST.fullmatch(text):
        year, _, month, day, rest = found.groups()
    elif found := _NUMERIC.fullmatch(text):
        first, _, second, year, rest = found.groups()
        day_first = order().order(text) == DAY_FIRST
        day, month = (first, second) if day_first else (second, first)
    else:
        return text
    time = rest.strip().replace(" ", "")
    return f"{year}-{month:0>2}-{day:0>2}" + (f"T{time.removeprefix('T')}" if time else "")
