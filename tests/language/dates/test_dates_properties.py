"""An expression means what the calendar says, computed here by other means."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.language.dates import TimeContext, question_window

MONTHS = list(calendar.month_name)[1:]
DAYS = list(calendar.day_name)
SPANISH = [
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
    "octubre", "noviembre", "diciembre",
]  # fmt: skip
SMALL = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

nows = st.datetimes(datetime(1995, 1, 1), datetime(2045, 12, 31)).map(
    lambda moment: moment.replace(tzinfo=UTC)
)
years = st.integers(1950, 2049)
months = st.integers(1, 12)
dates = st.dates(date(1950, 1, 1), date(2049, 12, 31))
counts = st.integers(1, 10)


def window(text: str, now: datetime) -> tuple[date | None, date | None]:
    mention = question_window(text, TimeContext(now=now, zone=UTC))
    assert mention is not None, text
    start, end = mention.window.start, mention.window.end
    return (None if start is None else start.date(), None if end is None else end.date())


def month_end(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1])


def months_before(now: datetime, count: int) -> tuple[int, int]:
    index = now.year * 12 + now.month - 1 - count
    return index // 12, index % 12 + 1


@given(nows, st.integers(1, 3000))
def test_n_days_ago_is_that_day(now: datetime, count: int) -> None:
    day = now.date() - timedelta(days=count)
    assert window(f"What did I do {count} days ago?", now) == (day, day)


@given(nows, counts)
def test_numbers_in_words_count_as_numbers_in_digits(now: datetime, count: int) -> None:
    unit = "day" if count == 1 else "days"
    assert window(f"{SMALL[count]} {unit} ago", now) == window(f"{count} {unit} ago", now)


@given(nows, counts)
def test_n_weeks_ago_is_the_calendar_week(now: datetime, count: int) -> None:
    day = now.date() - timedelta(weeks=count)
    monday = day - timedelta(days=day.weekday())
    assert window(f"{count} weeks ago", now) == (monday, monday + timedelta(days=6))


@given(nows, st.integers(1, 60))
def test_n_months_ago_is_the_calendar_month(now: datetime, count: int) -> None:
    year, month = months_before(now, count)
    assert window(f"What did we decide {count} months ago?", now) == (
        date(year, month, 1),
        month_end(year, month),
    )


@given(nows, st.integers(1, 90))
def test_n_years_ago_is_the_calendar_year(now: datetime, count: int) -> None:
    year = now.year - count
    assert window(f"{count} years ago", now) == (date(year, 1, 1), date(year, 12, 31))


@given(nows)
def test_last_units_end_before_or_with_now(now: datetime) -> None:
    year, month = months_before(now, 1)
    assert window("How was last month?", now) == (date(year, month, 1), month_end(year, month))
    assert window("last year", now) == (date(now.year - 1, 1, 1), date(now.year - 1, 12, 31))
    assert window("last week", now) == (now.date() - timedelta(days=7), now.date())


@given(nows, st.integers(0, 6))
def test_last_weekday_is_the_latest_before_today(now: datetime, weekday: int) -> None:
    back = (now.weekday() - weekday - 1) % 7 + 1
    day = now.date() - timedelta(days=back)
    assert window(f"What did I do last {DAYS[weekday]}?", now) == (day, day)


@given(nows, months)
def test_a_month_is_the_latest_that_has_begun(now: datetime, month: int) -> None:
    year = now.year if month <= now.month else now.year - 1
    expected = (date(year, month, 1), month_end(year, month))
    assert window(f"What did we ship in {MONTHS[month - 1]}?", now) == expected


@given(nows, months, years)
def test_a_month_and_its_year_are_that_month(now: datetime, month: int, year: int) -> None:
    expected = (date(year, month, 1), month_end(year, month))
    name = MONTHS[month - 1]
    for text in (f"in {name} {year}", f"in {name[:3]} {year}", f"{name} of {year}"):
        assert window(text, now) == expected


@given(nows, months, years, st.sampled_from(["first", "second"]))
def test_half_a_month_is_split_after_its_fifteenth_day(
    now: datetime, month: int, year: int, half: str
) -> None:
    last = month_end(year, month)
    middle = 14 if last.day < 30 else 15
    expected = (
        (date(year, month, 1), date(year, month, middle))
        if half == "first"
        else (date(year, month, middle + 1), last)
    )
    assert window(f"in the {half} half of {MONTHS[month - 1]} {year}", now) == expected


@given(nows, dates)
def test_a_written_date_is_that_day_in_every_notation(now: datetime, day: date) -> None:
    name = MONTHS[day.month - 1]
    for text in (
        day.isoformat(),
        f"What happened on {day:%Y-%m-%d}?",
        f"{name} {day.day}, {day.year}",
        f"{day.day} {name} {day.year}",
        f"the {day.day}{suffix(day.day)} of {name} {day.year}",
        f"{name[:3]} {day.day} {day.year}",
        f"{day.month}/{day.day}/{day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
        f"{day.year}年{day.month}月{day.day}日",
        f"el {day.day} de {SPANISH[day.month - 1]} de {day.year}",
    ):
        assert window(text, now) == (day, day), text


def suffix(day: int) -> str:
    return "th" if 11 <= day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


@given(nows, dates, dates)
def test_a_range_runs_from_one_end_to_the_other(now: datetime, one: date, other: date) -> None:
    first, last = sorted((one, other))
    for text in (
        f"from {first} to {last}",
        f"between {first} and {last}",
        f"What happened from {first:%B} {first.day}, {first.year} until {last}?",
    ):
        assert window(text, now) == (first, last), text


@given(nows, years)
def test_open_ends_are_open(now: datetime, year: int) -> None:
    start = date(year, 1, 1)
    assert window(f"before {year}", now) == (None, start - timedelta(days=1))
    since = window(f"since {year}", now)
    assert since == (start, now.date() if start <= now.date() else None)


@given(nows, years, st.integers(1, 4))
def test_quarters_are_three_months(now: datetime, year: int, quarter: int) -> None:
    expected = (date(year, quarter * 3 - 2, 1), month_end(year, quarter * 3))
    ordinal = ["first", "second", "third", "fourth"][quarter - 1]
    for text in (f"Q{quarter} {year}", f"{year}Q{quarter}", f"the {ordinal} quarter of {year}"):
        assert window(text, now) == expected, text


@given(nows, years, months, st.integers(1, 4), st.integers(0, 6))
def test_the_nth_weekday_of_a_month_is_counted_from_its_start(
    now: datetime, year: int, month: int, nth: int, weekday: int
) -> None:
    days = [week[weekday] for week in calendar.monthcalendar(year, month) if week[weekday]]
    day = date(year, month, days[nth - 1])
    ordinal = ["first", "second", "third", "fourth"][nth - 1]
    text = f"the {ordinal} {DAYS[weekday]} of {MONTHS[month - 1]} {year}"
    assert window(text, now) == (day, day)


@given(nows, st.integers(1, 40))
def test_the_last_n_days_run_up_to_now(now: datetime, count: int) -> None:
    expected = (now.date() - timedelta(days=count), now.date())
    for text in (
        f"the last {count} days",
        f"over the past {count} days",
        f"in the last {count} days",
    ):
        assert window(text, now) == expected


@settings(max_examples=50)
@given(nows, st.sampled_from(range(1950, 2050, 10)))
def test_decades_are_ten_years(now: datetime, decade: int) -> None:
    expected = (date(decade, 1, 1), date(decade + 9, 12, 31))
    assert window(f"music of the {decade}s", now) == expected
