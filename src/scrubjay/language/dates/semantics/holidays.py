"""When holidays fall: fixed dates, nth weekdays, Easter and the lunar calendars."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

from scrubjay.language.dates.semantics.calendar import DAY, moment, nth_weekday
from scrubjay.language.dates.semantics.values import Bounds

_DATA = files("scrubjay.language") / "data" / "dates" / "holidays.toml"
_HEBREW_EPOCH = 1373427  # days between the Hebrew count's day 0 and day 0 of `toordinal`


@dataclass(frozen=True, slots=True)
class Holiday:
    """One holiday: how its first day is found in a year, and how many days it lasts."""

    rule: str
    numbers: tuple[int, ...]
    days: int
    table: Mapping[int, tuple[int, int]]

    def bounds(self, year: int) -> Bounds | None:
        """The holiday that begins in `year`, or None where no rule or table reaches that year."""
        first = _RULES[self.rule](self, year)
        return None if first is None else (first, first + DAY * self.days)


@cache
def holidays() -> Mapping[str, Holiday]:
    """Every known holiday by its id in the language files."""
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    tables = {
        name: {
            year: divmod(month_and_day, 100)
            for year, month_and_day in enumerate(table["days"], table["first_year"])
        }
        for name, table in data["tables"].items()
    }
    return {
        name: Holiday(
            rule=entry["rule"],
            numbers=tuple(entry.get("numbers", ())),
            days=entry.get("days", 1),
            table=tables.get(entry.get("table", ""), {}),
        )
        for name, entry in data["holidays"].items()
    }


def feast_days(named: str) -> tuple[int, int]:
    """How many days before and after its own are kept with a feast that is named by itself."""
    return _feasts().get(named, (0, 0))


@cache
def _feasts() -> Mapping[str, tuple[int, int]]:
    feasts = tomllib.loads(_DATA.read_text(encoding="utf-8"))["feasts"].values()
    return {name: (each["before"], each["after"]) for each in feasts for name in each["names"]}


def _fixed(holiday: Holiday, year: int) -> datetime | None:
    month, day = holiday.numbers
    return moment(year, month, day)


def _weekday(holiday: Holiday, year: int) -> datetime | None:
    month, weekday, nth, offset = holiday.numbers
    return nth_weekday(year, month, weekday, nth) + DAY * offset


def _easter(holiday: Holiday, year: int) -> datetime | None:
    """Gregorian Easter by the anonymous algorithm of 1876, moved by the holiday's offset."""
    golden = year % 19
    century, in_century = divmod(year, 100)
    skipped, rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - skipped - correction + 15) % 30
    to_sunday = (32 + 2 * rest + 2 * (in_century // 4) - epact - in_century % 4) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    month, day = divmod(epact + to_sunday - 7 * late + 114, 31)
    return moment(year, month, day + 1) + DAY * holiday.numbers[0]


def _orthodox(holiday: Holiday, year: int) -> datetime | None:
    """Julian Easter (Meeus), carried to the Gregorian calendar."""
    epact = (19 * (year % 19) + 15) % 30
    to_sunday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
    month, day = divmod(epact + to_sunday + 114, 31)
    drift = year // 100 - year // 400 - 2
    return moment(year, month, day + 1) + DAY * (drift + holiday.numbers[0])


def _hebrew(holiday: Holiday, year: int) -> datetime | None:
    """A feast counted in days from the Hebrew new year that begins in `year`.

    Feasts of Nisan lie a fixed number of days before the new year that follows them.
    """
    return _hebrew_new_year(year) + DAY * holiday.numbers[0]


@cache
def _hebrew_new_year(year: int) -> datetime:
    """1 Tishri of the Hebrew year that begins in the autumn of `year`."""
    hebrew = year + 3761
    before, this, after = (_elapsed_days(number) for number in (hebrew - 1, hebrew, hebrew + 1))
    correction = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return datetime.fromordinal(this + correction - _HEBREW_EPOCH)


def _elapsed_days(hebrew: int) -> int:
    """Days to the molad of Tishri, counted in parts of an hour (1/1080), first postponements in."""
    months = (235 * hebrew - 234) // 19
    days = months * 29 + (12084 + 13753 * months) // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def _tabled(holiday: Holiday, year: int) -> datetime | None:
    found = holiday.table.get(year)
    if found is None or found == (0, 0):
        return None
    offset = holiday.numbers[0] if holiday.numbers else 0
    return moment(year, *found) + DAY * offset


_RULES: Mapping[str, Callable[[Holiday, int], datetime | None]] = {
    "fixed": _fixed,
    "weekday": _weekday,
    "easter": _easter,
    "orthodox": _orthodox,
    "hebrew": _hebrew,
    "table": _tabled,
}
